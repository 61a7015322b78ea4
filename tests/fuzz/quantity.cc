// Text -> quantity or duration. What is read, written out and read again is the same, and the three
// ways to read a quantity agree.

#include "facts/quantity.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "facts/duration.h"
#include "property.h"

namespace berth {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

template <class T>
bool Is(const Result<T>& result, T value) {
  return result.ok() && *result == value;
}

void CheckError(const Status& status) {
  BERTH_CHECK(!status.message().empty(), "it says why");
  BERTH_CHECK(IsUtf8(std::string(status.message())), "in UTF-8");
}

void CheckAgainst(int64_t whole, int64_t milli) {
  BERTH_CHECK(Is(ParseWhole(std::to_string(whole)), whole), "written out it reads the same");
  BERTH_CHECK(Is(ParseMilli(std::to_string(milli) + "m"), milli), "written out it reads the same");
  BERTH_CHECK((whole > 0) == (milli > 0) && (whole < 0) == (milli < 0), "of one sign");
  BERTH_CHECK(whole >= -kMax && milli >= -kMax, "never the one number that has no negative");
  if (milli == kMax || milli == -kMax) return;  // saturated
  const int64_t up = milli / 1000 + (milli % 1000 > 0 ? 1 : 0) - (milli % 1000 < 0 ? 1 : 0);
  BERTH_CHECK(whole == up, "thousandths add up to it");
}

void CheckQuantity(const std::string& text) {
  const Result<int64_t> whole = ParseWhole(text), milli = ParseMilli(text),
                        count = ParseCount(text);
  BERTH_CHECK(whole.ok() == milli.ok(), "one way to write both");
  BERTH_CHECK(whole.ok() || !count.ok(), "a count is a quantity");
  if (!count.ok()) CheckError(count.status());
  if (!whole.ok()) return CheckError(whole.status());
  CheckAgainst(*whole, *milli);
  if (count.ok()) BERTH_CHECK(*count == *whole && *count >= 0, "a count is exact and at least 0");
  if (text[0] == '-' || text[0] == '+') return;
  BERTH_CHECK(Is(ParseWhole("+" + text), *whole), "a plus changes nothing");
  BERTH_CHECK(Is(ParseWhole("-" + text), -*whole), "a minus mirrors it");
}

void CheckDuration(const std::string& text) {
  const Result<Seconds> duration = ParseDuration(text);
  if (!duration.ok()) return CheckError(duration.status());
  BERTH_CHECK(duration->value() >= 1, "at least a second");
  const std::string seconds = std::to_string(duration->value());
  BERTH_CHECK(Is(ParseDuration(seconds), *duration), "written out it reads the same");
  BERTH_CHECK(Is(ParseDuration(seconds + "s"), *duration), "written out it reads the same");
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  berth::CheckQuantity(text);
  berth::CheckDuration(text);
  return 0;
}
