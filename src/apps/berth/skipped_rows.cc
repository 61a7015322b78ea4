#include "apps/berth/skipped_rows.h"

#include <iostream>

namespace berth {

void ListSkipped(const std::vector<Status>& skipped) {
  for (const Status& row : skipped) std::cerr << "skipped " << row.message() << "\n";
  if (!skipped.empty()) std::cerr << skipped.size() << " rows skipped\n";
}

}  // namespace berth
