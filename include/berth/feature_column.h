#pragma once

#include <string_view>

namespace berth {

// One number that a policy can read, under a name that never changes its meaning.
struct FeatureColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view meaning;  // one line, for people
};

}  // namespace berth
