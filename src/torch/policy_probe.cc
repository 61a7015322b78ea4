#include "torch/policy_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "policy/row_scorer.h"
#include "torch/module_rules.h"
#include "torch/module_source.h"
#include "torch/policy_contract.h"
#include "torch/source_line.h"
#include "torch/torch_model.h"

namespace berth {
namespace {

constexpr int kForwards = 5;

Status CheckContracts(const RowModel& model, const ProbeOptions& options) {
  for (const size_t rows : {size_t{1}, size_t{7}, size_t{500}, kMostRows}) {
    Status status = CheckPolicyContract(model, options.columns, options.context_columns, rows);
    if (absl::IsInternal(status)) {
      return absl::FailedPreconditionError(fmt::format(
          "forward fails on {} rows of {} columns and a context of {}: {}", rows, options.columns,
          options.context_columns, OneLine(std::string(status.message()))));
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Result<ProbeReport> Measure(const RowModel& model, const ProbeOptions& options,
                            const Clock& processor_time) {
  const std::vector<float> rows(kMostRows * options.columns), context(options.context_columns);
  std::vector<float> scores(kMostRows);
  std::array<Clock::TimePoint::duration, kForwards> times;
  for (auto& time : times) {
    const auto start = processor_time.Now();
    if (Status status = model.Evaluate(rows, context, scores); !status.ok()) return status;
    time = processor_time.Now() - start;
  }
  std::ranges::sort(times);
  return ProbeReport{std::chrono::duration_cast<std::chrono::microseconds>(times[kForwards / 2])};
}

double Milliseconds(std::chrono::microseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

Result<ProbeReport> ProbePolicy(const std::string& bytes, const ProbeOptions& options,
                                const Clock& processor_time) {
  if (Status source = CheckModuleSource(bytes); !source.ok()) return source;
  if (Status rules = CheckModuleRules(bytes); !rules.ok()) return rules;
  const auto model = LoadTorchModel(bytes, options.columns);
  if (!model.ok()) return model.status();
  if (Status contract = CheckContracts(**model, options); !contract.ok()) return contract;
  const Result<ProbeReport> report = Measure(**model, options, processor_time);
  if (!report.ok() || report->forward <= options.budget) return report;
  return absl::FailedPreconditionError(
      fmt::format("forward takes {:.1f} ms for {} rows, may take {:.0f} ms: make the net smaller",
                  Milliseconds(report->forward), kMostRows, Milliseconds(options.budget)));
}

}  // namespace berth
