#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// What a policy file was measured to do, as it lies beside it in results.json, so that anybody can
// see whether it still does.
struct PolicyResults {
  // Percent of all GPUs when so many percent had been asked for.
  static constexpr size_t kLoads[] = {50, 60, 70, 80, 90, 95, 100, 130};

  struct Packing {
    std::string trace;
    uint64_t seed = 0;
    std::vector<double> allocated;  // at kLoads, in percent
    std::vector<double> fgd;        // what FGD has there, in the same order

    bool operator==(const Packing&) const = default;
  };
  struct Living {
    std::string queue;
    double load = 0;
    uint64_t seed = 0;
    double allocated = 0;  // percent
    double wait = 0;       // mean lifetimes

    bool operator==(const Living&) const = default;
  };

  std::string policy_sha256;
  // Where they come from: floating-point results are the same to the last bit only there.
  std::string processor, build;
  std::vector<double> scores;  // of placements that never change
  std::vector<Packing> packing;
  std::vector<Living> living;

  bool operator==(const PolicyResults&) const = default;
};

// As JSON, one run a line. Errors of the reader: INVALID_ARGUMENT that names the field and what
// would be right.
std::string WriteResults(const PolicyResults& results);
Result<PolicyResults> ParseResults(std::string_view json);
// Errors also name the file; NOT_FOUND where there is none.
Result<PolicyResults> LoadResults(const std::filesystem::path& file);

// For the manifest, as JSON: gains over FGD by trace and load, in points, each as mean and standard
// error over the seeds; and the mean gain of all traces at 100 %.
std::string SummaryOf(const PolicyResults& results);

// How far a repeated measurement may be from what was recorded.
struct ResultsTolerance {
  double score = 0;
  double allocated = 0;  // points
};

// None between the same processors and builds; else a score may be 1e-5 off and an allocation 0.05
// points, since equal scores may then fall on either side of a rounding step.
ResultsTolerance ToleranceBetween(const PolicyResults& recorded, const PolicyResults& repeated);

// What of `repeated`, which may be a part only, is not as recorded: a line for each, empty when all
// is. A run that was never recorded is one too.
std::vector<std::string> DifferencesFrom(const PolicyResults& recorded,
                                         const PolicyResults& repeated);

}  // namespace berth
