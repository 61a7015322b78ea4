#include "apps/berth/report_page.h"

#include <absl/strings/str_replace.h>

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace berth {

std::string ReportPage(std::string_view page, const nlohmann::json& data) {
  constexpr std::string_view kPlace = "{{data}}";
  const size_t place = page.find(kPlace);
  BERTH_CHECK(place != std::string_view::npos, "the page has a place for its data");
  using Json = nlohmann::json;
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  // In JSON '<' only occurs in strings, and "</script>" or "<!--" there would be the page's.
  const std::string safe = absl::StrReplaceAll(text, {{"<", "\\u003c"}});
  return std::string(page.substr(0, place)) + safe +
         std::string(page.substr(place + kPlace.size()));
}

}  // namespace berth
