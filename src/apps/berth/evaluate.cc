#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "apps/berth/commands.h"
#include "apps/berth/evaluate_input.h"
#include "apps/berth/evaluate_report.h"
#include "apps/berth/gains_report.h"
#include "apps/berth/living_page.h"
#include "apps/berth/living_report.h"
#include "apps/berth/output_file.h"
#include "apps/berth/packing_page.h"
#include "apps/berth/progress_line.h"
#include "apps/berth/report_page.h"
#include "apps/berth/seed_list.h"
#include "apps/berth/simulated_policy.h"
#include "base/real_clock.h"
#include "sim/living_suite.h"
#include "sim/parity.h"

namespace berth {
namespace {

constexpr char kPublishedFile[] = "analysis_allo_discrete.csv";

Result<std::vector<SimPolicy>> FindPolicies(const std::vector<std::string>& names) {
  std::vector<SimPolicy> policies;
  for (const std::string& name : names) {
    Result<SimPolicy> policy = FindSimulatedPolicy(name);
    if (!policy.ok()) return policy.status();
    const auto taken = [&] {
      return std::ranges::find(policies, policy->name, &SimPolicy::name) != policies.end();
    };
    // Two directories may hold policies of one name, as those that differ by their seed.
    if (taken()) policy->name = name;
    if (taken()) return absl::InvalidArgumentError(fmt::format("--policies has {} twice", name));
    policies.push_back(*policy);
  }
  return policies;
}

Result<std::vector<SimPolicy>> ChoosePolicies(const EvaluateOptions& options) {
  Result<std::vector<SimPolicy>> named = FindPolicies(options.policies);
  if (!named.ok()) return named;
  std::vector<SimPolicy> policies = *std::move(named);
  if (policies.empty()) {
    std::ranges::copy_if(SimPolicies(), std::back_inserter(policies),
                         [](const SimPolicy& policy) { return !policy.published.empty(); });
  }
  const bool has_fgd = std::ranges::find(policies, "fgd", &SimPolicy::name) != policies.end();
  if (!has_fgd && options.suite.empty()) policies.push_back(FindSimPolicy("fgd").value());
  return policies;
}

int Threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// What `work` makes of all cores, while a line on standard error shows how far it is.
template <class Work>
auto WithProgress(const Clock& clock, Work work) {
  ProgressLine line("runs", isatty(STDERR_FILENO) == 1, std::cerr, clock);
  return work(Parallel{.threads = Threads(),
                       .progress = [&line](size_t done, size_t all) { line.Show(done, all); }});
}

// Everything, timed and printed.
Result<std::vector<EvaluatedRun>> RunAll(const EvaluateOptions& options,
                                         const std::vector<SimPolicy>& policies,
                                         const std::vector<SeededTrace>& traces) {
  const Detail detail = options.report.empty() ? Detail::kResults : Detail::kPictures;
  const RealClock clock;
  const Clock::TimePoint begin = clock.Now();
  auto runs = WithProgress(clock, [&](const Parallel& parallel) {
    if (!options.lag) return Evaluate(policies, traces, parallel, detail);
    return EvaluateLagged(policies, traces, {*options.lag, options.expectations == "on"}, parallel);
  });
  if (!runs.ok()) return runs;
  const double seconds = std::chrono::duration<double>(clock.Now() - begin).count();
  size_t decisions = 0;
  for (const SeededTrace& trace : traces) {
    for (const auto& seed : trace.seeds) decisions += policies.size() * seed.order.arrivals.size();
  }
  std::cout << AllocationTable(*runs) << GainsTables(*runs)
            << fmt::format("{} runs, {} decisions in {:.1f} s on {} threads: {:.0f} a second\n",
                           runs->size(), decisions, seconds, Threads(), decisions / seconds);
  if (options.lag) std::cout << CrowdedTable(*runs);
  return runs;
}

// Makes and writes those files that were asked for.
Status WriteResults(const EvaluateOptions& options, const std::function<nlohmann::json()>& json,
                    const std::function<std::string()>& page) {
  Status written = absl::OkStatus();
  if (!options.json.empty()) written = WriteJson(json(), options.json);
  if (written.ok() && !options.report.empty()) written = WriteFile(page(), options.report);
  return written;
}

// Prints how far the runs are from what was published; not OK when that is too far.
Status CheckParity(const EvaluateOptions& options, const std::vector<EvaluatedRun>& runs) {
  const Result<std::filesystem::path> expected = OpenbDirectory(options.expected, "expected");
  if (!expected.ok()) return expected.status();
  const Result<PublishedResults> published = PublishedResults::Read(*expected / kPublishedFile);
  if (!published.ok()) return published.status();
  const Result<std::vector<Parity>> parities = CompareWithPublished(*published, runs);
  if (!parities.ok()) return parities.status();
  std::cout << ParityTable(*parities);
  if (std::ranges::all_of(*parities, &Parity::Holds)) return absl::OkStatus();
  return absl::FailedPreconditionError("the results are too far from those that were published");
}

Status EvaluateLiving(const EvaluateOptions& options) {
  const auto policies = FindPolicies(
      options.policies.empty() ? std::vector<std::string>{"bestfit-precise", "fgd", "fgd-bestfit"}
                               : options.policies);
  if (!policies.ok()) return policies.status();
  const auto seeds = ParseSeeds(options.seeds.empty() ? "9001-9005" : options.seeds);
  if (!seeds.ok()) return seeds.status();
  Result<Trace> trace = ReadLivingTrace(options);
  if (!trace.ok()) return trace.status();
  Trace* const only[] = {&*trace};
  if (Status told = TellProfile(options, only); !told.ok()) return told;
  const auto runs = WithProgress(RealClock(), [&](const Parallel& parallel) {
    return RunLivingSuite(*policies, *trace, *seeds, parallel);
  });
  if (!runs.ok()) return runs.status();
  std::cout << LivingTable(*runs);
  return WriteResults(
      options, [&] { return LivingJson(*runs); },
      [&] { return ReportPage(kLivingPage, LivingPageData(*runs)); });
}

Status EvaluateAll(const EvaluateOptions& options) {
  if (Status sound = CheckEvaluateOptions(options); !sound.ok()) return sound;
  if (options.suite == "living") return EvaluateLiving(options);
  const bool has_own = !options.pods.empty() || !options.mix.empty();
  if (options.suite.empty() != has_own) {
    return absl::InvalidArgumentError(
        "say what to evaluate on: --suite openb, --suite living, --mix FILE, or --nodes FILE "
        "--pods FILE");
  }
  const Result<std::vector<SimPolicy>> policies = ChoosePolicies(options);
  if (!policies.ok()) return policies.status();
  auto traces = options.suite.empty() ? ReadOwn(options) : ReadSuite(options);
  if (!traces.ok()) return traces.status();
  std::vector<Trace*> played;
  for (SeededTrace& trace : *traces) played.push_back(&trace.trace);
  if (Status told = TellProfile(options, played); !told.ok()) return told;
  const Result<std::vector<EvaluatedRun>> runs = RunAll(options, *policies, *traces);
  if (!runs.ok()) return runs.status();
  Status written = WriteResults(
      options, [&] { return EvaluationJson(*runs); },
      [&] { return ReportPage(kPackingPage, PackingPageData(*runs)); });
  if (!written.ok()) return written;
  // The published results are those of policies that know everything.
  const bool is_published = options.suite == "openb" && options.profile == "oracle" && !options.lag;
  return is_published ? CheckParity(options, *runs) : absl::OkStatus();
}

int Run(const EvaluateOptions& options) {
  const Status status = EvaluateAll(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth evaluate: " << status.message() << "\n";
  return EXIT_FAILURE;
}

}  // namespace

void AddEvaluate(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* evaluate = app.add_subcommand("evaluate", "Compare policies in the simulator");
  AddEvaluateOptions(*evaluate, *options);
  evaluate->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
