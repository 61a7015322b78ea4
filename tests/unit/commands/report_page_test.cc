#include "apps/berth/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

size_t CountOf(std::string_view part, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// What the page's script will parse: the element's text, as a browser ends it.
json DataOf(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(ReportPage, HoldsItsDataWhateverTheTextsAre) {
  const char* const texts[] = {
      "default",
      "</script><script>alert(1)</script>",
      "<!-- <script>",
      "{{data}}",
      "\"\\\n\t\x01",
      "a & b > c",
      "\u2028\u00e9\U0001F600",
      "]]>",
      "@STYLE@",
  };
  for (const char* text : texts) {
    const json data = {{"name", text}};
    for (const std::string_view page : {kPackingPage, kLivingPage, kTrainingPage}) {
      const std::string filled = ReportPage(page, data);
      EXPECT_EQ(DataOf(filled), data) << text;
      EXPECT_EQ(CountOf("<script", filled), CountOf("<script", page)) << text;
      EXPECT_TRUE(filled.ends_with("</html>\n"));
    }
  }
}

TEST(ReportPage, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(DataOf(ReportPage(kPackingPage, {{"name", "a\xff"}})), json({{"name", "a\ufffd"}}));
}

TEST(ReportPage, LoadsNothing) {
  for (const std::string_view page : {kPackingPage, kLivingPage, kTrainingPage}) {
    EXPECT_THAT(std::string(page), HasSubstr("Chart.js v"));
    EXPECT_THAT(std::string(page), HasSubstr("default-src 'none'"));
    EXPECT_EQ(CountOf("{{data}}", page), 1u);
    for (const char* const loading : {"<link", " src=", "@import", "url(", "_PAGE@", "_SCRIPT@"}) {
      EXPECT_THAT(std::string(page), Not(HasSubstr(loading)));
    }
  }
}

}  // namespace
}  // namespace berth
