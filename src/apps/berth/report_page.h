#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace berth {

// Pages of apps/berth/report with style, script and charting library in them: each is one file that
// loads nothing. What they show is missing: see ReportPage().
extern const std::string_view kPackingPage;   // apps/berth/packing_page.h
extern const std::string_view kLivingPage;    // apps/berth/living_page.h
extern const std::string_view kTrainingPage;  // apps/berth/training_page.h

// The page with what it shows, as JSON. No text in the data can end the element that holds it;
// bytes that are no UTF-8 are replaced.
std::string ReportPage(std::string_view page, const nlohmann::json& data);

}  // namespace berth
