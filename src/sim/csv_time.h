#pragma once

#include <cstddef>

#include "sim/csv.h"
#include "sim/event_queue.h"

namespace berth {

// A moment: seconds since any beginning, such as 12.5, or a date with a time, which counts from
// 1970: 2017-10-09 07:01:55 (UTC unless PDT or PST follows) or as in RFC 3339,
// 2017-10-09T07:01:55Z. From 0 to 10^10 seconds.
SimTime ReadMoment(CsvRecordReader& record, size_t column);

// So many seconds, from 0 to 10^9.
SimTime ReadDuration(CsvRecordReader& record, size_t column);

}  // namespace berth
