#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "berth/policy.h"

namespace berth {

// A policy that answers requests, with what tells it from others of its name.
struct ServedPolicy {
  ScorerPtr scorer;     // never null
  std::string version;  // as its manifest says; empty: built into the program

  std::string_view name() const { return scorer->name(); }
};

// For people: name and version.
inline std::string TextOf(const ServedPolicy& policy) {
  std::string text(policy.name());
  return policy.version.empty() ? text : text + " " + policy.version;
}

using ServedPolicyPtr = std::shared_ptr<const ServedPolicy>;

}  // namespace berth
