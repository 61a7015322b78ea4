#include "learn/checkpoint.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "policy/sha256.h"

namespace berth {
namespace {

using nlohmann::json;

constexpr int kFormat = 2;

json ToJson(const LearnedPolicy& policy) {
  std::vector<double> weights;
  ForEachWeight(policy, [&](double weight) { weights.push_back(weight); });
  return {{"name", policy.name}, {"weights", weights}};
}

LearnedPolicy PolicyFrom(const json& value) {
  LearnedPolicy policy{.name = value.at("name")};
  const std::vector<double> weights = value.at("weights");
  size_t next = 0;
  ForEachWeight(policy, [&](double& weight) { weight = weights.at(next++); });
  if (next != weights.size()) throw std::out_of_range("more weights than a policy has");
  return policy;
}

json ToJson(const Evolution::State& state) {
  return {{"mean", state.mean}, {"step", state.step}, {"path", state.path}, {"shape", state.shape}};
}

Evolution::State EvolutionFrom(const json& value) {
  Evolution::State state{value.at("mean"), value.at("step"), value.at("path"), value.at("shape")};
  const size_t dimensions = state.mean.size();
  const bool fits =
      state.path.size() == dimensions && state.shape.size() == dimensions * dimensions;
  if (!fits) throw std::out_of_range("an evolution whose parts do not fit together");
  return state;
}

json ToJson(const PackingPpoState& state) {
  return {{"parameters", state.parameters},
          {"adam_steps", state.adam.steps},
          {"adam_mean", state.adam.mean},
          {"adam_squares", state.adam.squares},
          {"critic_products", state.critic.products},
          {"critic_targets", state.critic.targets},
          {"critic_weights", state.critic.weights}};
}

PackingPpoState GradientFrom(const json& value) {
  const PackingPpoState state{
      .parameters = value.at("parameters"),
      .adam = {value.at("adam_steps"), value.at("adam_mean"), value.at("adam_squares")},
      .critic = {value.at("critic_products"), value.at("critic_targets"),
                 value.at("critic_weights")}};
  const PackingPpoState like = InitialPackingPpo(state.parameters.size() / kBlockParameters);
  const bool fits = state.parameters.size() == like.parameters.size() &&
                    state.adam.mean.size() == like.adam.mean.size() &&
                    state.adam.squares.size() == like.adam.squares.size() &&
                    state.critic.products.size() == like.critic.products.size() &&
                    state.critic.targets.size() == like.critic.targets.size() &&
                    state.critic.weights.size() == like.critic.weights.size();
  if (!fits) throw std::out_of_range("a gradient method whose parts do not fit together");
  return state;
}

json ToJson(const Validation& validation) {
  return {{"points", validation.points}, {"of_pods", validation.of_pods}};
}

Validation ValidationFrom(const json& value) { return {value.at("points"), value.at("of_pods")}; }

std::string TextOf(const Rng& rng) {
  std::ostringstream text;
  text << rng;
  return text.str();
}

Rng RngFrom(const std::string& text) {
  std::istringstream stream(text);
  Rng rng;
  stream >> rng;
  if (!stream) throw std::out_of_range("a random number generator in no state");
  return rng;
}

Training::State StateFrom(const json& value) {
  Training::State state;
  state.stage = value.at("stage");
  state.generation = value.at("generation");
  state.generations_done = value.at("generations_done");
  for (const Regime regime : kRegimes) {
    state.rng[regime] = RngFrom(value.at("rng").at(std::string(NameOf(regime))));
  }
  state.base = PolicyFrom(value.at("base"));
  state.best = PolicyFrom(value.at("best"));
  if (value.contains("evolution")) state.evolution = EvolutionFrom(value.at("evolution"));
  if (value.contains("gradient")) state.gradient = GradientFrom(value.at("gradient"));
  for (const Regime regime : kRegimes) {
    const auto found = value.at("validation").find(std::string(NameOf(regime)));
    if (found != value.at("validation").end()) {
      state.best_validation[regime] = ValidationFrom(*found);
    }
  }
  return state;
}

}  // namespace

std::string WriteCheckpoint(const Training::State& state, std::string_view recipe) {
  json value = {{"format", kFormat},
                {"recipe", Sha256Hex(recipe)},
                {"stage", state.stage},
                {"generation", state.generation},
                {"generations_done", state.generations_done},
                {"rng", json::object()},
                {"base", ToJson(state.base)},
                {"best", ToJson(state.best)},
                {"validation", json::object()}};
  if (state.evolution) value["evolution"] = ToJson(*state.evolution);
  if (state.gradient) value["gradient"] = ToJson(*state.gradient);
  for (const Regime regime : kRegimes) {
    value["rng"][std::string(NameOf(regime))] = TextOf(state.rng[regime]);
    const std::optional<Validation>& best = state.best_validation[regime];
    if (best) value["validation"][std::string(NameOf(regime))] = ToJson(*best);
  }
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

Result<Training::State> ReadCheckpoint(std::string_view bytes, std::string_view recipe) {
  try {
    const json value = json::from_cbor(bytes);
    if (value.at("format") != kFormat) throw std::out_of_range("it is of another version of berth");
    if (value.at("recipe") != Sha256Hex(recipe)) {
      return absl::FailedPreconditionError("it is of another recipe, or the recipe was changed");
    }
    return StateFrom(value);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(std::string("this is no checkpoint: ") + error.what());
  }
}

}  // namespace berth
