#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "apps/berth/evaluate_options.h"
#include "berth/result.h"
#include "sim/evaluation.h"

namespace berth {

// A directory of the openb benchmark, such as "orders": the option's where it was given, else below
// BERTH_TRACES. Errors: INVALID_ARGUMENT that says how to name it.
Result<std::filesystem::path> OpenbDirectory(const std::string& option, std::string_view name);

// Lets policies be told about the mix what --profile says; as they are read, traces tell the whole
// of it. Errors name the option, or the file and its field.
Status TellProfile(const EvaluateOptions& options, std::span<Trace* const> traces);

// What the options say to evaluate on. Rows that are skipped are listed on standard error.
// Errors name the option, or the file, line and column.
Result<std::vector<SeededTrace>> ReadSuite(const EvaluateOptions& options);  // openb
Result<std::vector<SeededTrace>> ReadOwn(const EvaluateOptions& options);    // lists, or a mix
// The lists or the mix, else openb's default mix.
Result<Trace> ReadLivingTrace(EvaluateOptions options);

}  // namespace berth
