#pragma once

#include <string_view>
#include <vector>

#include "berth/policy.h"

namespace berth {

// The built-in policies. Each lies in a file of its own, NAME.cc, with its source and formula.
ScorerPtr MakeFirstFit();
ScorerPtr MakeBestFit();
ScorerPtr MakeBinPack();
ScorerPtr MakeSpread();
ScorerPtr MakeFgd();
ScorerPtr MakeFgdBestFit();

// What the FGD paper compares with, and forms of the above that only serve to compare. Not among
// the names below: nobody should place pods by them.
ScorerPtr MakeBestFitInteger();  // best_fit.cc
ScorerPtr MakeDotProd();
ScorerPtr MakeGpuPacking();
ScorerPtr MakeFgdPrecise();  // fgd.cc

// By name: first-fit, best-fit, bin-pack, spread, fgd, fgd-bestfit.
// Errors: NOT_FOUND that lists the names there are.
Result<ScorerPtr> MakeHeuristic(std::string_view name);

// In the order in which --help lists them.
std::vector<std::string_view> HeuristicNames();

}  // namespace berth
