#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "apps/berth/commands.h"
#include "apps/berth/output_file.h"
#include "apps/berth/progress_line.h"
#include "apps/berth/report_page.h"
#include "apps/berth/training_files.h"
#include "apps/berth/training_page.h"
#include "base/bounded_file.h"
#include "base/real_clock.h"
#include "base/version.h"
#include "learn/ranges_seen.h"
#include "learn/training.h"
#include "policy/sha256.h"
#include "torch/learned_file.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] = R"(
Examples:
  Make a policy by a recipe, from the node and pod lists that the recipe names:
    berth train policies/berth/recipe.json --data traces/openb --out policies/berth
  It was stopped, by Ctrl-C, kill -9 or a power cut; go on to the same policy:
    berth train policies/berth/recipe.json --data traces/openb --out policies/berth --resume
  With a page that shows how it went, for any browser, renewed at every validation:
    berth train policies/berth/recipe.json --data traces/openb --out policies/berth \
      --report training.html
  How good did it get, generation by generation?
    jq -c 'select(.validation) | [.generation, .validation]' policies/berth/training.jsonl
  Compare it with the heuristics:
    berth evaluate --suite openb --policies fgd,policies/berth)";

constexpr size_t kMaxListBytes = size_t{256} << 20;
constexpr size_t kMaxRecipeBytes = size_t{1} << 20;

struct TrainOptions {
  std::string recipe;
  std::string data;
  std::string out;
  bool resume = false;
  std::string report;
  int threads = 0;
};

// SHA-256 of every list that the recipe names, by file name.
Result<nlohmann::ordered_json> HashesOf(const Recipe& recipe, const fs::path& data) {
  nlohmann::ordered_json hashes;
  std::vector<std::string> files = {recipe.nodes};
  files.insert(files.end(), recipe.packing.pods.begin(), recipe.packing.pods.end());
  if (recipe.living) {
    files.insert(files.end(), recipe.living->pods.begin(), recipe.living->pods.end());
  }
  for (const std::string& file : files) {
    const Result<std::string> bytes = ReadBounded(data / file, kMaxListBytes);
    if (!bytes.ok()) return bytes.status();
    hashes[file] = Sha256Hex(*bytes);
  }
  return hashes;
}

nlohmann::ordered_json ToJson(const Validation& validation, const std::vector<std::string>& pods) {
  nlohmann::ordered_json json = {{"points", validation.points}};
  for (size_t i = 0; i < pods.size(); ++i) json["points_of"][pods[i]] = validation.of_pods[i];
  return json;
}

// As the recipe has them.
nlohmann::ordered_json StagesOf(const std::string& recipe_text) {
  return nlohmann::ordered_json::parse(recipe_text).at("stages");
}

// `training` of the manifest: all that it takes to make the policy again, and how good it was
// found.
Result<std::string> Provenance(const Recipe& recipe, const std::string& recipe_text,
                               const fs::path& data, const Training& training) {
  Result<nlohmann::ordered_json> hashes = HashesOf(recipe, data);
  if (!hashes.ok()) return hashes.status();
  nlohmann::ordered_json training_json = {{"recipe_sha256", Sha256Hex(recipe_text)},
                                          {"data_sha256", *std::move(hashes)},
                                          {"seed", recipe.seed},
                                          {"commit", Commit()},
                                          {"hyperparameters", StagesOf(recipe_text)},
                                          {"generations", training.state().generations_done}};
  for (const Regime regime : kRegimes) {
    const std::optional<Validation>& best = training.best_validation(regime);
    if (best) training_json["validation"][NameOf(regime)] = ToJson(*best, recipe.PodsOf(regime));
  }
  return training_json.dump();
}

// What the manifest says that does not follow from the weights.
Result<PolicyManifest> About(const Recipe& recipe, const std::string& recipe_text,
                             const TrainOptions& options, const TrainingData& data,
                             const Training& training) {
  Result<std::string> provenance = Provenance(recipe, recipe_text, options.data, training);
  if (!provenance.ok()) return provenance.status();
  Result<FeatureRanges> ranges =
      RangesSeen(training.best(), LearnedSchema(), data, options.threads);
  if (!ranges.ok()) return ranges.status();
  return PolicyManifest{.version = recipe.version,
                        .created = UtcTime(RealWallClock().Now()),
                        .created_by = fmt::format("berth train {} ({})", Version(), Commit()),
                        .training = *std::move(provenance),
                        .feature_ranges = *std::move(ranges)};
}

std::string Describe(const GenerationReport& report) {
  return fmt::format("stage {} ({}), generation {}: {:+.3f} points{}", report.stage,
                     NameOf(report.regime), report.generation, report.validation->points,
                     report.is_best ? ", the best so far" : "");
}

// How quickly episodes were played so far.
struct Pace {
  double episodes = 0;
  std::chrono::duration<double> took{};

  void Add(const GenerationReport& report, std::chrono::duration<double> of_it) {
    episodes += static_cast<double>(report.episodes);
    took += of_it;
  }
};

std::string Standing(const Training& training, Regime regime, const Pace& pace) {
  return fmt::format("best {:+.3f} points, {:.1f} episodes a second",
                     training.best_validation(regime)->points, pace.episodes / pace.took.count());
}

std::string DescribeUpdate(const PackingPpoReport& update, const GradientMethod& method,
                           std::chrono::duration<double> took) {
  const ChoiceLearningReport& learning = update.learning;
  const double pace = static_cast<double>(update.choices) / took.count();
  if (!method.expert.empty()) {
    return fmt::format(", chooses as {} in {:.1f} %, loss {:.3f}, {:.0f} choices a second",
                       method.expert, 100 * learning.agreement, learning.loss, pace);
  }
  return fmt::format(
      ", {:.1f} GPUs found no place, critic explains {:.2f}, KL {:.4f}, clipped {:.0f} %, entropy "
      "{:.2f}, {:.0f} choices a second",
      -update.mean_return, update.explained_variance, learning.divergence,
      100 * learning.clip_fraction, learning.entropy, pace);
}

// Where it was asked for.
Status WriteReport(const Recipe& recipe, const TrainingFiles& files, const std::string& file) {
  if (file.empty()) return absl::OkStatus();
  const Result<std::string> log = files.ReadLog();
  if (!log.ok()) return log.status();
  return WriteFile(ReportPage(kTrainingPage, TrainingPageData(recipe, *log)), file);
}

Status RunGenerations(Training& training, const Recipe& recipe, const TrainingFiles& files,
                      const std::string& report_file) {
  const RealClock clock;
  ProgressLine line("generations", isatty(STDERR_FILENO) == 1, std::cerr, clock,
                    training.state().generations_done);
  Pace pace;
  while (!training.done()) {
    const Clock::TimePoint begin = clock.Now();
    const Result<GenerationReport> report = training.Advance();
    if (!report.ok()) return report.status();
    const std::chrono::duration<double> took = clock.Now() - begin;
    if (Status kept = files.Keep(training, *report, took); !kept.ok()) return kept;
    pace.Add(*report, took);
    if (report->validation) {
      line.Say(Describe(*report));
      if (Status shown = WriteReport(recipe, files, report_file); !shown.ok()) return shown;
    }
    std::string standing = Standing(training, report->regime, pace);
    if (report->gradient) {
      const GradientMethod& method = *recipe.stages[report->stage - 1].gradient;
      standing += DescribeUpdate(*report->gradient, method, took);
    }
    line.Show(report->generations_done, recipe.TotalGenerations(), standing);
  }
  return absl::OkStatus();
}

Status Train(const TrainOptions& options) {
  const Result<std::string> text = ReadBounded(fs::path(options.recipe), kMaxRecipeBytes);
  if (!text.ok()) return text.status();
  const Result<Recipe> recipe = ParseRecipe(*text, options.recipe);
  if (!recipe.ok()) return recipe.status();
  const TrainingFiles files(options.out, *text);
  Result<Training::State> state = Training::State();
  if (options.resume) {
    state = files.Resume();
  } else if (Status begun = files.Begin(); !begun.ok()) {
    return begun;
  }
  if (!state.ok()) return state.status();
  std::cerr << "playing heuristics in every episode\n";
  const auto data = PrepareTraining(*recipe, options.data, options.threads);
  if (!data.ok()) return data.status();
  Training training(*recipe, *data, options.threads);
  if (options.resume) training.Restore(*std::move(state));
  if (Status run = RunGenerations(training, *recipe, files, options.report); !run.ok()) return run;
  const auto about = About(*recipe, *text, options, *data, training);
  if (!about.ok()) return about.status();
  Status written = WriteLearnedPolicy(training.best(), *about, options.out);
  if (!written.ok()) return written;
  std::cout << fmt::format("wrote {0}/policy.pt and {0}/manifest.json\n", options.out);
  return absl::OkStatus();
}

int Run(const TrainOptions& options) {
  const Status status = Train(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth train: " << status.message() << "\n";
  return EXIT_FAILURE;
}

}  // namespace

void AddTrain(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<TrainOptions>();
  options->threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* train = app.add_subcommand("train", "Make a policy by a recipe, in the simulator");
  train->footer(kExamples);
  train->add_option("RECIPE", options->recipe, "The recipe: data, seeds, stages and budgets (JSON)")
      ->type_name("FILE")
      ->required();
  train->add_option("--data", options->data, "Where the lists lie that the recipe names")
      ->type_name("DIR")
      ->required();
  train
      ->add_option("--out", options->out,
                   "Where the policy goes, and on the way checkpoint and log")
      ->type_name("DIR")
      ->required();
  train->add_flag("--resume", options->resume, "Go on from the checkpoint in --out");
  train
      ->add_option(
          "--report", options->report,
          "Write a page with the curve of the log here, renewed at every validation; it is "
          "one file and loads nothing")
      ->type_name("FILE");
  train
      ->add_option("--threads", options->threads,
                   "Episodes at a time (default: one per processor); any number makes the same "
                   "policy")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  train->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
