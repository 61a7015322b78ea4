#include "learn/recipe.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/bounded_file.h"
#include "base/json_field.h"
#include "sim/sim_policy.h"

namespace berth {
namespace {

constexpr size_t kMaxFileBytes = size_t{1} << 20;
constexpr int64_t kMostSeed = int64_t{1} << 53;  // beyond that JSON numbers lose digits elsewhere
constexpr int64_t kMostGenerations = 1'000'000;
constexpr int64_t kMostCandidates = 10'000;
constexpr int64_t kMostOrders = 10'000;
constexpr int64_t kMostPercent = 130;  // where an InflationCurve ends
constexpr int64_t kMostLifetimes = 1'000;
constexpr double kMostLoad = 10;

// Reads one field after the other; the first error stays.
class FieldReader {
 public:
  template <class Value>
  void Keep(Result<Value> read, auto& into) {
    if (read.ok()) {
      into = *std::move(read);
    } else {
      Fail(read.status());
    }
  }
  void Fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }
  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

Result<std::vector<std::string>> ReadTexts(const JsonField& field) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->empty()) return field.Wrong("a list of at least one");
  std::vector<std::string> texts;
  for (const JsonField& element : *elements) {
    Result<std::string> text = element.NonEmptyString();
    if (!text.ok()) return text.status();
    if (std::ranges::count(texts, *text) > 0) return element.Wrong("named once");
    texts.push_back(*std::move(text));
  }
  return texts;
}

Result<std::vector<size_t>> ReadLoads(const JsonField& field) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  std::vector<size_t> loads;
  for (const JsonField& element : *elements) {
    const Result<int64_t> load = element.Integer(1, kMostPercent);
    if (!load.ok()) return load.status();
    loads.push_back(static_cast<size_t>(*load));
  }
  return loads;
}

Result<SeedRange> ReadSeeds(const JsonField& field) {
  const Result<std::vector<JsonField>> ends = field.Elements();
  if (!ends.ok()) return ends.status();
  if (ends->size() != 2) return field.Wrong("the first and the last seed, such as [1001, 1012]");
  FieldReader reader;
  int64_t first = 0, last = 0;
  reader.Keep((*ends)[0].Integer(0, kMostSeed), first);
  reader.Keep((*ends)[1].Integer(first, first + kMostOrders - 1), last);
  if (!reader.ok()) return reader.status();
  return SeedRange{static_cast<uint64_t>(first), static_cast<uint64_t>(last)};
}

using PackingOrders = RegimeRecipe<PackingJudgement>::Orders;
using LivingOrders = RegimeRecipe<LivingJudgement>::Orders;

Status ReadOrders(const JsonField& field, PackingOrders& orders) {
  Status keys = field.CheckKeys({"seeds", "loads", "margin", "loss_weight"});
  if (!keys.ok()) return keys;
  FieldReader reader;
  reader.Keep(ReadSeeds(field["seeds"]), orders.seeds);
  reader.Keep(ReadLoads(field["loads"]), orders.judgement.loads);
  reader.Keep(field["margin"].Number(0, 100), orders.judgement.margin);
  reader.Keep(field["loss_weight"].Number(0, 1000), orders.judgement.loss_weight);
  return reader.status();
}

Result<QueueRule> ReadQueue(const JsonField& field) {
  const Result<std::string> name = field.NonEmptyString();
  if (!name.ok()) return name.status();
  for (const QueueRule& queue : {kFifo, kBackfill}) {
    if (*name == queue.name) return queue;
  }
  return field.Wrong("fifo or backfill");
}

Result<LivingJudgement::Weighted> ReadSetting(const JsonField& field) {
  Status keys = field.CheckKeys({"queue", "load"}, {"weight"});
  if (!keys.ok()) return keys;
  LivingJudgement::Weighted read{.setting = {.queue = kFifo}};
  FieldReader reader;
  reader.Keep(ReadQueue(field["queue"]), read.setting.queue);
  reader.Keep(field["load"].Number(0.01, kMostLoad), read.setting.load);
  if (field.Has("weight")) reader.Keep(field["weight"].Number(0.01, 1000), read.weight);
  if (!reader.ok()) return reader.status();
  return read;
}

Status ReadOrders(const JsonField& field, LivingOrders& orders) {
  Status keys = field.CheckKeys({"seeds", "settings", "warm_up", "length"});
  if (!keys.ok()) return keys;
  FieldReader reader;
  reader.Keep(ReadSeeds(field["seeds"]), orders.seeds);
  LivingSpan& span = orders.judgement.span;
  reader.Keep(field["warm_up"].Integer(0, kMostLifetimes), span.warm_up);
  reader.Keep(field["length"].Integer(span.warm_up + 1, kMostLifetimes), span.length);
  const Result<std::vector<JsonField>> settings = field["settings"].Elements();
  if (!settings.ok()) return settings.status();
  if (settings->empty()) return field["settings"].Wrong("a list of at least one");
  for (const JsonField& setting : *settings) {
    LivingJudgement::Weighted read{.setting = {.queue = kFifo}};
    reader.Keep(ReadSetting(setting), read);
    orders.judgement.settings.push_back(read);
  }
  return reader.status();
}

template <class Judgement>
Result<RegimeRecipe<Judgement>> ReadRegime(const JsonField& field) {
  Status keys = field.CheckKeys({"pods", "train", "validate"});
  if (!keys.ok()) return keys;
  RegimeRecipe<Judgement> regime;
  FieldReader reader;
  reader.Keep(ReadTexts(field["pods"]), regime.pods);
  reader.Fail(ReadOrders(field["train"], regime.train));
  reader.Fail(ReadOrders(field["validate"], regime.validate));
  if (!reader.ok()) return reader.status();
  const SeedRange &train = regime.train.seeds, &validate = regime.validate.seeds;
  const bool apart = train.last < validate.first || validate.last < train.first;
  if (!apart) return field["validate"]["seeds"].Wrong("seeds that are not trained on");
  return regime;
}

Result<WeightBlock> BlockOf(const JsonField& field, Regime regime) {
  const Result<std::string> name = field.NonEmptyString();
  if (!name.ok()) return name.status();
  if (*name == "common") return WeightBlock{.regime = regime};
  std::string names = "common";
  for (size_t i = 0; i < kMixNumbers; ++i) {
    if (*name == MixNumberTable()[i].name) {
      return WeightBlock{.regime = regime, .number = static_cast<MixNumber>(i)};
    }
    names += ", " + std::string(MixNumberTable()[i].name);
  }
  return field.Wrong("one of " + names);
}

Result<std::vector<WeightBlock>> ReadBlocks(const JsonField& field, Regime regime) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->empty()) return field.Wrong("a list of at least one");
  std::vector<WeightBlock> blocks;
  for (const JsonField& element : *elements) {
    const Result<WeightBlock> block = BlockOf(element, regime);
    if (!block.ok()) return block.status();
    if (std::ranges::count(blocks, *block) > 0) return element.Wrong("named once");
    blocks.push_back(*block);
  }
  return blocks;
}

Status CheckKnown(const JsonField& field, const std::vector<std::string>& pods,
                  const std::vector<std::string>& known) {
  for (const std::string& name : pods) {
    if (std::ranges::count(known, name) == 0)
      return field.Wrong("a part of the pods of its regime");
  }
  return absl::OkStatus();
}

Result<Regime> ReadRegimeName(const JsonField& field, const Recipe& recipe) {
  const Result<std::string> name = field.NonEmptyString();
  if (!name.ok()) return name.status();
  if (*name == NameOf(Regime::kPacking)) return Regime::kPacking;
  if (*name == NameOf(Regime::kLiving) && recipe.living) return Regime::kLiving;
  return field.Wrong("packing, or living where the recipe has it");
}

Status CheckStageKeys(const JsonField& field) {
  if (field.Has("shrink")) return field.CheckKeys({"regime", "shrink"});
  if (field.Has("ppo")) {
    return field.CheckKeys({"regime", "ppo", "updates", "rate", "temperature", "pods_at_once",
                            "orders_at_once", "validate_every"},
                           {"pods", "choose_by"});
  }
  if (field.Has("imitate")) {
    return field.CheckKeys({"regime", "imitate", "blocks", "updates", "rate", "temperature",
                            "pods_at_once", "orders_at_once", "validate_every"},
                           {"pods", "choose_by"});
  }
  return field.CheckKeys({"regime", "evolve", "generations", "candidates", "step", "pods_at_once",
                          "orders_at_once", "validate_every"},
                         {"pods", "choose_by"});
}

Result<std::string> ReadExpert(const JsonField& field) {
  Result<std::string> name = field.NonEmptyString();
  if (!name.ok() || FindSimPolicy(*name).ok()) return name;
  return field.Wrong("a policy that can be simulated, such as bestfit");
}

Status ReadEvolution(const JsonField& field, RecipeStage& stage) {
  FieldReader reader;
  reader.Keep(ReadBlocks(field["evolve"], stage.regime), stage.blocks);
  reader.Keep(field["generations"].Integer(1, kMostGenerations), stage.generations);
  reader.Keep(field["candidates"].Integer(4, kMostCandidates), stage.candidates);
  if (stage.candidates % 2 != 0) reader.Fail(field["candidates"].Wrong("even: they come in pairs"));
  reader.Keep(field["step"].Number(1e-9, 1e3), stage.step);
  return reader.status();
}

Status ReadGradient(const JsonField& field, RecipeStage& stage) {
  if (stage.regime != Regime::kPacking) {
    return field["regime"].Wrong("packing, since this method knows no other");
  }
  GradientMethod method;
  FieldReader reader;
  const bool imitates = field.Has("imitate");
  if (imitates) reader.Keep(ReadExpert(field["imitate"]), method.expert);
  reader.Keep(ReadBlocks(field[imitates ? "blocks" : "ppo"], stage.regime), stage.blocks);
  reader.Keep(field["updates"].Integer(1, kMostGenerations), stage.generations);
  reader.Keep(field["rate"].Number(1e-9, 1), method.rate);
  reader.Keep(field["temperature"].Number(1e-6, 1e3), method.temperature);
  stage.gradient = std::move(method);
  return reader.status();
}

// Done at once, whatever is played.
Result<RecipeStage> ReadShrinking(const JsonField& field, RecipeStage stage) {
  const Result<double> share = field["shrink"].Number(0, 1);
  if (!share.ok()) return share.status();
  stage.shrink = *share;
  stage.generations = 1;
  return stage;
}

Result<RecipeStage> ReadLearning(const JsonField& field, RecipeStage stage) {
  const std::vector<std::string> all_pods = stage.pods;
  FieldReader reader;
  reader.Fail(field.Has("evolve") ? ReadEvolution(field, stage) : ReadGradient(field, stage));
  const auto some_pods = [&](const char* key, std::vector<std::string>& into) {
    if (!field.Has(key)) return;
    reader.Keep(ReadTexts(field[key]), into);
    reader.Fail(CheckKnown(field[key], into, all_pods));
  };
  some_pods("pods", stage.pods);
  some_pods("choose_by", stage.choose_by);
  const auto count = [&](const char* key, int64_t most, size_t& into) {
    reader.Keep(field[key].Integer(1, most), into);
  };
  count("pods_at_once", static_cast<int64_t>(stage.pods.size()), stage.pods_at_once);
  count("orders_at_once", kMostOrders, stage.orders_at_once);
  count("validate_every", kMostGenerations, stage.validate_every);
  if (!reader.ok()) return reader.status();
  return stage;
}

Result<RecipeStage> ReadStage(const JsonField& field, const Recipe& recipe) {
  if (Status keys = CheckStageKeys(field); !keys.ok()) return keys;
  const Result<Regime> regime = ReadRegimeName(field["regime"], recipe);
  if (!regime.ok()) return regime.status();
  const std::vector<std::string>& pods = recipe.PodsOf(*regime);
  RecipeStage stage{.regime = *regime, .pods = pods, .choose_by = pods};
  return field.Has("shrink") ? ReadShrinking(field, std::move(stage))
                             : ReadLearning(field, std::move(stage));
}

Status ReadStages(const JsonField& field, Recipe& recipe) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->empty()) return field.Wrong("a list of at least one");
  for (const JsonField& element : *elements) {
    Result<RecipeStage> stage = ReadStage(element, recipe);
    if (!stage.ok()) return stage.status();
    recipe.stages.push_back(*std::move(stage));
  }
  return absl::OkStatus();
}

Result<Recipe> ReadRecipe(const JsonField& file) {
  Status keys =
      file.CheckKeys({"name", "version", "seed", "nodes", "packing", "stages"}, {"living"});
  if (!keys.ok()) return keys;
  Recipe recipe;
  FieldReader reader;
  reader.Keep(file["name"].NonEmptyString(), recipe.name);
  reader.Keep(file["version"].NonEmptyString(), recipe.version);
  reader.Keep(file["seed"].Integer(0, kMostSeed), recipe.seed);
  reader.Keep(file["nodes"].NonEmptyString(), recipe.nodes);
  reader.Keep(ReadRegime<PackingJudgement>(file["packing"]), recipe.packing);
  if (file.Has("living")) reader.Keep(ReadRegime<LivingJudgement>(file["living"]), recipe.living);
  if (reader.ok()) reader.Fail(ReadStages(file["stages"], recipe));
  if (!reader.ok()) return reader.status();
  return recipe;
}

}  // namespace

std::vector<uint64_t> SeedRange::All() const {
  std::vector<uint64_t> seeds(last - first + 1);
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

const std::vector<std::string>& Recipe::PodsOf(Regime regime) const {
  return regime == Regime::kLiving ? living->pods : packing.pods;
}

size_t RecipeStage::EpisodesPerGeneration() const {
  return pods_at_once * orders_at_once * (gradient ? 1 : candidates);
}

size_t Recipe::TotalGenerations() const {
  size_t total = 0;
  for (const RecipeStage& stage : stages) total += stage.generations;
  return total;
}

Result<Recipe> ParseRecipe(std::string_view text, std::string_view file) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  Result<Recipe> recipe = document.ok() ? ReadRecipe(JsonField(*document)) : document.status();
  if (recipe.ok()) return recipe;
  return absl::InvalidArgumentError(std::string(file) + ": " +
                                    std::string(recipe.status().message()));
}

Result<Recipe> LoadRecipe(const std::filesystem::path& path) {
  const Result<std::string> text = ReadBounded(path, kMaxFileBytes);
  if (!text.ok()) return text.status();
  return ParseRecipe(*text, path.string());
}

}  // namespace berth
