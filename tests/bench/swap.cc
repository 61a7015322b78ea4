#include <absl/strings/str_cat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>

#include "base/version.h"
#include "bench/band_policy.h"
#include "bench/busy_cluster.h"
#include "bench/cluster_list.h"
#include "bench/open_load.h"
#include "bench/program_usage.h"
#include "bench/report.h"
#include "bench/swap_stretches.h"
#include "cluster/profile_file.h"
#include "demo/objects.h"
#include "demo/workload.h"
#include "kube/object_facts.h"
#include "rpc/channel.h"
#include "rpc/convert.h"
#include "support/background_program.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

constexpr char kAbout[] = R"(What it costs requests that a policy is swapped.

Runs `berth serve --policies` on a made-up cluster, asks it at half the rate that it can answer, and
swaps between two policies meanwhile. A request counts from when it was due to be sent. The policies'
scores lie in bands of their own, so every answer shows whose scores it holds.
)";

constexpr std::chrono::seconds kPatience{60};
constexpr int kCallers = 4;
constexpr double kAftermath =
    1;                           // seconds after an answer of the new policy that count as a swap's
constexpr double kAround = 0.3;  // seconds before and after it that are the worst of a swap

struct SwapSizes {
  int rounds = 10;        // each a stretch without swaps, and one with
  int swaps = 10;         // in each round
  int warm_up = 4;        // swaps before anything counts
  int requests = 10'000;  // in each round, at least
  size_t nodes = 1'213;   // as openb has
  size_t questions = 500;
  size_t candidates = 100;
  std::chrono::seconds look_for_rate{8};
  double shortest_steady = 8;  // seconds, each
};

constexpr SwapSizes kSmoke = {.rounds = 1,
                              .swaps = 2,
                              .warm_up = 1,
                              .requests = 100,
                              .nodes = 30,
                              .questions = 10,
                              .candidates = 5,
                              .look_for_rate = std::chrono::seconds(1),
                              .shortest_steady = 1};

const std::array<BandPolicy, 2> kPolicies = {BandPolicy{"ten", "1", 10},
                                             BandPolicy{"twenty", "2", 20}};

// What an answer may be; a policy's place in kPolicies says that all is right and that it answered.
enum Verdict { kByFallback = 2, kNoNodeFits, kMixed, kFailed = -1 };

int VerdictOn(const v1::ScoreResponse& answer) {
  for (size_t i = 0; i < kPolicies.size(); ++i) {
    if (IsNamed(answer, kPolicies[i])) {
      return IsScored(answer, kPolicies[i]) ? static_cast<int>(i) : kMixed;
    }
  }
  if (answer.policy().empty()) return answer.scores_size() == 0 ? kNoNodeFits : kMixed;
  return answer.policy() == "fgd-bestfit" && answer.policy_version().empty() ? kByFallback : kMixed;
}

// `berth serve` on a folder of the policies, with the cluster's list in its books.
class SwappedService {
 public:
  static Result<std::unique_ptr<SwappedService>> Start(const BusyCluster& cluster) {
    std::unique_ptr<SwappedService> service(new SwappedService);
    if (Status status = service->Feed(cluster); !status.ok()) return status;
    return service;
  }

  // Asks for a policy, as docs/policies.md says: by a file that is there whole or not at all.
  void Ask(int policy) {
    const auto text = absl::StrCat("active: ", kPolicies[static_cast<size_t>(policy)].name, "\n");
    std::filesystem::rename(folder_.Write("rollout.new", text), folder_.path() / "rollout.yaml");
  }

  const std::string& address() const { return address_; }
  double MebibytesResident() const { return UsageOf(program_->pid()).resident_mib; }

 private:
  SwappedService() {
    for (const BandPolicy& policy : kPolicies) {
      WriteBandPolicy(folder_.path() / policy.name, policy);
    }
    Ask(0);
    program_ = std::make_unique<BackgroundProgram>(std::vector<std::string>{
        BERTH_BIN_DIR "/berth", "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
        "--profile", "policies/profiles/openb-default.json", "--policies", folder_.path()});
  }

  Status Feed(const BusyCluster& cluster) {
    const Result<std::string> line = program_->AwaitLine("msg=\"serving\"", kPatience);
    if (!line.ok()) return line.status();
    address_ = LogField(*line, "grpc");
    auto stream = OpenFeed(address_, "benchmark");
    if (!stream.ok()) return stream.status();
    feed_ = *std::move(stream);
    return CountedFeed(*feed_).SendList(ClusterFacts(cluster));
  }

  TempDirectory folder_;
  std::unique_ptr<BackgroundProgram> program_;
  std::string address_;
  std::unique_ptr<FeedStream> feed_;
};

// Pods of the mix, each about some random nodes.
std::vector<v1::ScoreRequest> Questions(const SwapSizes& sizes, const WorkloadProfile& mix,
                                        const BusyCluster& cluster, Rng& rng) {
  std::vector<v1::ScoreRequest> questions;
  std::vector<NodeSpec> nodes = cluster.nodes;
  for (const Pod& pod : DrawPods(mix, MilliGpu(1'000'000'000), sizes.questions, rng)) {
    v1::ScoreRequest& question = questions.emplace_back();
    PodFacts facts = PodFactsFrom(PodObject(pod)).value();
    facts.uid = absl::StrCat("asked-", questions.size());
    *question.mutable_pod() = ToProto(facts);
    std::shuffle(nodes.begin(), nodes.end(), rng);
    for (size_t i = 0; i < sizes.candidates; ++i) question.add_node_names(nodes[i].name.value());
  }
  return questions;
}

// Swaps under load, and when what was.
class Swaps {
 public:
  Swaps(SwappedService& service, OpenLoad& load) : service_(service), load_(load) {}

  // Each begins once an answer of the policy before has come. Ends after the last one's aftermath.
  Status Do(int count) {
    const double begin = load_.Now();
    for (int i = 0; i < count; ++i) {
      active_ = 1 - active_;
      const double asked = load_.Now();
      service_.Ask(active_);
      const Result<double> answered = load_.AwaitVerdict(active_, kPatience);
      if (!answered.ok()) return answered.status();
      handovers.push_back({*answered - kAround, *answered + kAround});
      seconds.push_back(*answered - asked);
    }
    Rest(kAftermath);
    swapping.push_back({begin, load_.Now()});
    return {};
  }

  void KeepSteady(double how_long) {
    const double begin = load_.Now();
    Rest(how_long);
    steady.push_back({begin, load_.Now()});
  }

  void Forget() {
    for (std::vector<Stretch>* stretches : {&steady, &swapping, &handovers}) stretches->clear();
    seconds.clear();
  }

  std::vector<Stretch> steady, swapping, handovers;
  std::vector<double> seconds;  // each swap's, from its request to an answer

 private:
  static void Rest(double how_long) {
    std::this_thread::sleep_for(std::chrono::duration<double>(how_long));
  }

  SwappedService& service_;
  OpenLoad& load_;
  int active_ = 0;
};

// The first time that a policy is asked for, it is probed in a process of its own.
Status SwapToUnknown(Swaps& swaps, Report& report) {
  Status status = swaps.Do(1);
  if (status.ok()) report.Add("first_swap_seconds", swaps.seconds.front());
  return status;
}

// Rounds of steady and swapping stretches, so that what else the machine does hits both. Memory is
// looked at where a policy has been in charge for a while.
Status SwapInRounds(const SwapSizes& sizes, double rate, SwappedService& service, Swaps& swaps,
                    Report& report) {
  constexpr double kExpectedSwap = 2;  // seconds: two looks of the service
  const double steady = sizes.requests / rate - kExpectedSwap * sizes.swaps;
  Status status = swaps.Do(sizes.warm_up);
  swaps.Forget();
  for (int round = 0; round < sizes.rounds && status.ok(); ++round) {
    swaps.KeepSteady(std::max(sizes.shortest_steady, steady));
    if (round == 0) report.Add("rss_before_mib", service.MebibytesResident());
    status = swaps.Do(sizes.swaps);
    std::printf("  %d swaps done, %.0f MiB resident\n", (round + 1) * sizes.swaps,
                service.MebibytesResident());
    std::fflush(stdout);
  }
  report.Add("rss_after_mib", service.MebibytesResident());
  return status;
}

void AddTimes(const std::string& when, const StretchTimes& times, Report& report) {
  report.Add(when + "_requests", static_cast<double>(times.requests));
  report.Add(when + "_p50_ms", times.p50_ms);
  report.Add(when + "_p99_ms", times.p99_ms);
  report.Add(when + "_longest_ms", times.longest_ms);
}

void AddLatencies(const Swaps& swaps, const std::vector<LoadAnswer>& answers, Report& report) {
  AddTimes("steady", TimesWithin(swaps.steady, answers), report);
  AddTimes("swapping", TimesWithin(swaps.swapping, answers), report);
  AddTimes("handover", TimesWithin(swaps.handovers, answers), report);
  report.AddRatio("p50_ratio", "swapping_p50_ms", "steady_p50_ms");
  report.AddRatio("p99_ratio", "swapping_p99_ms", "steady_p99_ms");
  report.AddRatio("p99_ratio_of_first_swap", "first_swap_p99_ms", "steady_p99_ms");
  report.AddRatio("p99_ratio_at_handover", "handover_p99_ms", "steady_p99_ms");
}

// Errors: what must never be has been.
Status AddVerdicts(const OpenLoad& load, Report& report) {
  const auto count = [&](int verdict) {
    return std::ranges::count(load.answers(), verdict, &LoadAnswer::verdict);
  };
  report.Add("requests", static_cast<double>(load.answers().size()));
  report.Add("failed", static_cast<double>(count(kFailed)));
  report.Add("mixed", static_cast<double>(count(kMixed)));
  report.Add("answered_by_fallback", static_cast<double>(count(kByFallback)));
  report.Add("no_node_fits", static_cast<double>(count(kNoNodeFits)));
  if (count(kFailed) + count(kMixed) == 0) return {};
  return absl::InternalError(absl::StrCat(count(kFailed), " requests failed (", load.first_error(),
                                          "), ", count(kMixed), " answers are mixed"));
}

Status Measure(const SwapSizes& sizes, Report& report) {
  const Result<WorkloadProfile> mix =
      LoadProfile(BERTH_SOURCE_DIR "/policies/profiles/openb-default.json");
  if (!mix.ok()) return mix.status();
  Rng rng(1);
  const BusyCluster cluster = MakeBusyCluster(*mix, sizes.nodes, 3 * sizes.nodes, rng);
  const std::vector<v1::ScoreRequest> questions = Questions(sizes, *mix, cluster, rng);
  auto service = SwappedService::Start(cluster);
  if (!service.ok()) return service.status();

  report.Section("The load");
  report.Add("commit", std::string(Commit()));
  report.Add("processors", std::thread::hardware_concurrency());
  const auto channel = MakeChannel((*service)->address());
  const Result<double> highest =
      AnswersPerSecond(channel, questions, kCallers, sizes.look_for_rate);
  if (!highest.ok()) return highest.status();
  const double rate = *highest / 2;
  report.Add("sustainable_per_second", *highest);
  report.Add("asked_per_second", rate);

  report.Section("Swaps under half of it");
  OpenLoad load(channel, questions, rate, VerdictOn);
  Swaps swaps(**service, load);
  Status status = SwapToUnknown(swaps, report);
  const std::vector<Stretch> probing = std::move(swaps.swapping);
  if (status.ok()) status = SwapInRounds(sizes, rate, **service, swaps, report);
  load.Stop();
  if (!status.ok()) return status;
  std::this_thread::sleep_for(std::chrono::seconds(3));  // three looks: the last one frees
  report.Add("rss_rested_mib", (*service)->MebibytesResident());
  std::array<double, 1> busy{};
  getloadavg(busy.data(), 1);
  report.Add("machine_load_average", busy[0]);
  report.Add("swaps", static_cast<double>(swaps.seconds.size()));
  std::ranges::sort(swaps.seconds);
  report.Add("swap_seconds_median", swaps.seconds[swaps.seconds.size() / 2]);
  report.Add("swap_seconds_longest", swaps.seconds.back());
  AddTimes("first_swap", TimesWithin(probing, load.answers()), report);
  AddLatencies(swaps, load.answers(), report);
  return AddVerdicts(load, report);
}

int Main(int argc, char** argv) {
  std::string file = "build/bench/swap.json";
  SwapSizes sizes;
  bool smoke = false;
  CLI::App app(kAbout);
  app.add_option("--report", file, "Where to write the numbers, as JSON")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--rounds", sizes.rounds, "Of ten swaps and 10,000 requests each")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_flag("--smoke", smoke, "Tiny sizes, which show that it still runs");
  CLI11_PARSE(app, argc, argv);

  Report report;
  Status status = Measure(smoke ? kSmoke : sizes, report);
  status.Update(report.Write(file));
  if (status.ok()) {
    std::printf("\nWritten to %s; docs/policies.md explains the numbers.\n", file.c_str());
    return EXIT_SUCCESS;
  }
  std::fprintf(stderr, "\nberth-swap-bench: %s\n", std::string(status.message()).c_str());
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) { return berth::Main(argc, argv); }
