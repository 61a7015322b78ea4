#include "torch/source_line.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string_view>

#include "base/log.h"

namespace berth {
namespace {

std::string Trimmed(const std::string& text) {
  constexpr char kBlank[] = " \t\r\n";
  const size_t start = text.find_first_not_of(kBlank);
  if (start == text.npos) return "";
  return text.substr(start, text.find_last_not_of(kBlank) + 1 - start);
}

}  // namespace

std::string LineOf(const torch::jit::SourceRange& range) {
  const torch::jit::SourceRange own = range.findSourceRangeThatGenerated().value_or(range);
  const auto& source = own.source();
  if (!source) return "on an unknown line";
  const size_t line = source->lineno_for_offset(own.start());
  const std::string text = source->get_line(line).str();
  // What module.define was given has no name, and PyTorch calls what is no file "<string>".
  const std::string file = source->filename().value_or("<");
  const std::string where =
      file.starts_with("<") ? "" : std::filesystem::path(file).filename().string() + " ";
  const size_t number = source->lineno_to_source_lineno(line) + (source->filename() ? 0 : 1);
  return fmt::format("{}line {}: {}", where, number, Quoted(Trimmed(text)));
}

std::string OneLine(const std::string& message) {
  constexpr std::string_view kRaised = "RuntimeError: ";
  const size_t raised = message.rfind(kRaised);
  std::istringstream lines(raised == message.npos ? message
                                                  : message.substr(raised + kRaised.size()));
  for (std::string line; std::getline(lines, line);) {
    if (line = Trimmed(line); !line.empty()) return line;
  }
  return "it gave no reason";
}

}  // namespace berth
