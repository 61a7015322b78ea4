#pragma once

#include <string_view>

#include "berth/result.h"
#include "berth/units.h"

namespace berth {

// Durations as Go writes them ("90m", "1h30m", "1.5h", "45s") or plain seconds ("5400"), to the
// nearest second and at least one. Errors quote the text: zero, negative, more than 292 years (as
// far as Go's reach) or not a duration.
Result<Seconds> ParseDuration(std::string_view text);

}  // namespace berth
