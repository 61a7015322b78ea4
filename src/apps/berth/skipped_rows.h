#pragma once

#include <vector>

#include "berth/result.h"

namespace berth {

// Lists on standard error which rows were left out, and how many.
void ListSkipped(const std::vector<Status>& skipped);

// What `read` makes of a file, which leaves out bad rows where it may and lists them.
template <class Read>
auto ListingSkipped(bool may_skip, Read read) {
  std::vector<Status> skipped;
  auto result = read(may_skip ? &skipped : nullptr);
  ListSkipped(skipped);
  return result;
}

}  // namespace berth
