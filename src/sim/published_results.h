#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "berth/result.h"
#include "sim/inflation_curve.h"

namespace berth {

// Results of the FGD paper's simulator as it publishes them, in analysis_allo_discrete.csv: a row
// per run with `workload` ("openb_pod_list_default"), `sc_policy` ("06-FGD"), `seed`, and columns
// "0" to "130" for the allocated percent of GPUs when so many percent had arrived.
class PublishedResults {
 public:
  // By percent arrived.
  using Curve = std::array<double, InflationCurve::kPoints>;

  // Errors: as of sim/csv.h; a run that is there twice.
  static Result<PublishedResults> Read(const std::filesystem::path& path);

  // `trace` and `policy` without what comes before them in the file: "default", "FGD". Null when
  // the run is not there.
  const Curve* Find(std::string_view trace, std::string_view policy, uint64_t seed) const;

 private:
  std::map<std::tuple<std::string, std::string, uint64_t>, Curve> runs_;
};

}  // namespace berth
