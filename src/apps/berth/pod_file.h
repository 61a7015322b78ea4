#pragma once

#include <string>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// Reads a Pod manifest as JSON; "-" is standard input. It may be one that was never created: then
// it has no UID. Errors: one sentence that names the file and what would be right.
Result<PodFacts> ReadPodFile(const std::string& file);

// The same of text that was read already; `file` is only for messages.
Result<PodFacts> ParsePodFile(const std::string& text, const std::string& file);

}  // namespace berth
