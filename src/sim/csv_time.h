#pragma once

#include <cstddef>
#include <optional>

#include "sim/csv.h"
#include "sim/event_queue.h"

namespace berth {

// Moments of a list: seconds since any beginning, such as 12.5, or dates with a time, which count
// from 1970: 2017-10-09 07:01:55 (UTC unless PDT or PST follows) or as in RFC 3339,
// 2017-10-09T07:01:55Z. From 0 to 10^10 seconds; all of a list are of one kind.
class Moments {
 public:
  SimTime Read(CsvRecordReader& record, size_t column);

 private:
  struct First {
    bool is_date;
    size_t line;
  };
  std::optional<First> first_;  // that was right
};

// So many seconds, from 0 to 10^9.
SimTime ReadDuration(CsvRecordReader& record, size_t column);

}  // namespace berth
