#include "policy/fgd_bestfit.h"

#include "policy/heuristics.h"

namespace berth {

LinearPolicy FgdBestFit() {
  constexpr double kBestFit = 0.05;
  return {.name = "fgd-bestfit",
          .terms = {{"fragmentation_before", 1},
                    {"fragmentation_after", -1},
                    {"gpu_free_after", -kBestFit / 8},
                    {"cpu_free_after", -kBestFit / 128}}};
}

ScorerPtr MakeFgdBestFit() { return MakeLinearScorer(FgdBestFit()); }

}  // namespace berth
