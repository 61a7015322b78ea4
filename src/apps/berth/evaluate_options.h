#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "berth/result.h"

namespace CLI {
class App;
}

namespace berth {

// What `berth evaluate` is asked for on its command line.
struct EvaluateOptions {
  std::string suite;
  std::string orders;
  std::string expected;
  std::vector<std::string> traces;
  std::string nodes;
  std::vector<std::string> pods;
  std::string mix;
  std::string profile = "oracle";
  std::optional<size_t> lag;
  std::string expectations = "on";
  std::string seeds;
  std::vector<std::string> policies;
  bool skip_bad_rows = false;
  std::string json;
  std::string report;
};

// With help and examples. `options` outlives the parsing.
void AddEvaluateOptions(CLI::App& evaluate, EvaluateOptions& options);

// What belongs to one way to evaluate is not passed over by another.
Status CheckEvaluateOptions(const EvaluateOptions& options);

}  // namespace berth
