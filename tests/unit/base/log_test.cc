#include "base/log.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Quoted, IsOneSafeLineWhateverTheBytes) {
  struct Case {
    std::string_view text, want;
  };
  const Case cases[] = {
      {"", "\"\""},
      {"ml/trainer-0", "\"ml/trainer-0\""},
      {"a\nb\"c", "\"a\\nb\\\"c\""},
      {"broken \xc3\x28 utf-8", "\"broken \xEF\xBF\xBD( utf-8\""},
  };
  for (const Case& c : cases) EXPECT_EQ(Quoted(c.text), c.want);
}

TEST(Quoted, CutsWhatIsTooLong) { EXPECT_LE(Quoted(std::string(100'000, 'x')).size(), 520u); }

}  // namespace
}  // namespace berth
