#include "decisions/record_json.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json_field.h"

namespace berth {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
// Sums and differences of such numbers stay within int64.
constexpr int64_t kMostPlain = kMost / 4;

std::string Dump(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Reads integers one after the other and keeps the first error.
class Integers {
 public:
  int64_t Read(const JsonField& field, int64_t least, int64_t most) {
    const Result<int64_t> value = field.Integer(least, most);
    if (!value.ok() && status_.ok()) status_ = value.status();
    return value.value_or(0);
  }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

GpuAccounting AccountingOf(int64_t gpus, bool managed) {
  if (gpus == 0) return GpuAccounting::kNone;
  return managed ? GpuAccounting::kManaged : GpuAccounting::kObserved;
}

Result<std::vector<std::string>> Strings(const JsonField& field) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  std::vector<std::string> strings;
  for (const JsonField& element : *elements) {
    Result<std::string> text = element.NonEmptyString();
    if (!text.ok()) return text.status();
    strings.push_back(*std::move(text));
  }
  return strings;
}

Result<Demand> ReadDemand(const JsonField& json) {
  const Status keys =
      json.CheckKeys({"cpu_milli", "memory_mib", "gpus", "gpu_milli"}, {"managed", "models"});
  if (!keys.ok()) return keys;
  Integers integers;
  Demand demand;
  demand.cpu = MilliCpu(integers.Read(json["cpu_milli"], 0, kMostPlain));
  demand.memory = MiB(integers.Read(json["memory_mib"], 0, kMostPlain));
  demand.gpus = static_cast<int>(integers.Read(json["gpus"], 0, kMaxGpusPerNode));
  demand.per_gpu = MilliGpu(integers.Read(json["gpu_milli"], 0, kWholeGpu.value()));
  if (!integers.status().ok()) return integers.status();
  demand.accounting = AccountingOf(demand.gpus, json.Has("managed"));
  if (!json.Has("models")) return demand;
  Result<std::vector<std::string>> models = Strings(json["models"]);
  if (!models.ok()) return models.status();
  demand.models = AllowedModels(*std::move(models));
  return demand;
}

ordered_json ShapeJson(const NodeSpec& spec) {
  ordered_json shape = {
      {"cpu_milli", spec.cpu.value()}, {"memory_mib", spec.memory.value()}, {"gpus", spec.gpus}};
  if (spec.gpu_memory != MiB(0)) shape["gpu_memory_mib"] = spec.gpu_memory.value();
  if (spec.accounting == GpuAccounting::kManaged) shape["managed"] = true;
  if (!spec.model.empty()) shape["model"] = spec.model.value();
  return shape;
}

Result<NodeSpec> ReadShape(const JsonField& json) {
  const Status keys =
      json.CheckKeys({"cpu_milli", "memory_mib", "gpus"}, {"gpu_memory_mib", "managed", "model"});
  if (!keys.ok()) return keys;
  Integers integers;
  NodeSpec spec;
  spec.cpu = MilliCpu(integers.Read(json["cpu_milli"], 0, kMostPlain));
  spec.memory = MiB(integers.Read(json["memory_mib"], 0, kMostPlain));
  spec.gpus = static_cast<int>(integers.Read(json["gpus"], 0, kMaxGpusPerNode));
  if (json.Has("gpu_memory_mib")) {
    spec.gpu_memory = MiB(integers.Read(json["gpu_memory_mib"], 0, kMostPlain));
  }
  if (!integers.status().ok()) return integers.status();
  spec.accounting = AccountingOf(spec.gpus, json.Has("managed"));
  if (!json.Has("model")) return spec;
  Result<std::string> model = json["model"].NonEmptyString();
  if (!model.ok()) return model.status();
  spec.model = GpuModel(*std::move(model));
  return spec;
}

ordered_json ClassJson(size_t shape, const CandidateClass& candidates) {
  const FreeState& free = candidates.example.free;
  ordered_json gpus = ordered_json::array();
  for (const MilliGpu gpu : free.gpus) gpus.push_back(gpu.value());
  return {shape,
          candidates.nodes,
          candidates.example.name().value(),
          candidates.score,
          free.cpu.value(),
          free.memory.value(),
          std::move(gpus)};
}

Result<GpuFreeList> ReadFreeGpus(const JsonField& json, int gpus) {
  const Result<std::vector<JsonField>> elements = json.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->size() != static_cast<size_t>(gpus)) return json.Wrong("a number for each GPU");
  Integers integers;
  GpuFreeList free;
  for (const JsonField& element : *elements) {
    free.push_back(MilliGpu(integers.Read(element, 0, kWholeGpu.value())));
  }
  if (!integers.status().ok()) return integers.status();
  return free;
}

Result<CandidateClass> ReadClass(const JsonField& json, const std::vector<NodeSpec>& shapes) {
  const Result<std::vector<JsonField>> parts = json.Elements();
  if (!parts.ok()) return parts.status();
  if (parts->size() != 7 || shapes.empty()) return json.Wrong("a list of seven, with a shape");
  Integers integers;
  const auto last_shape = static_cast<int64_t>(shapes.size()) - 1;
  NodeSpec spec = shapes[static_cast<size_t>(integers.Read((*parts)[0], 0, last_shape))];
  CandidateClass candidates;
  candidates.nodes = integers.Read((*parts)[1], 1, kMost);
  Result<std::string> name = (*parts)[2].NonEmptyString();
  if (!name.ok()) return name.status();
  spec.name = NodeName(*std::move(name));
  constexpr double kLargest = std::numeric_limits<float>::max();
  const Result<double> score = (*parts)[3].Number(-kLargest, kLargest);
  if (!score.ok()) return score.status();
  candidates.score = static_cast<float>(*score);
  FreeState& free = candidates.example.free;
  free.cpu = MilliCpu(integers.Read((*parts)[4], -kMostPlain, kMostPlain));
  free.memory = MiB(integers.Read((*parts)[5], -kMostPlain, kMostPlain));
  if (!integers.status().ok()) return integers.status();
  Result<GpuFreeList> gpus = ReadFreeGpus((*parts)[6], spec.gpus);
  if (!gpus.ok()) return gpus.status();
  free.gpus = *std::move(gpus);
  candidates.example.spec = std::make_shared<const NodeSpec>(std::move(spec));
  return candidates;
}

Result<std::vector<NodeSpec>> ReadShapes(const JsonField& json) {
  const Result<std::vector<JsonField>> elements = json.Elements();
  if (!elements.ok()) return elements.status();
  std::vector<NodeSpec> shapes;
  for (const JsonField& element : *elements) {
    Result<NodeSpec> shape = ReadShape(element);
    if (!shape.ok()) return shape.status();
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

Result<std::vector<CandidateClass>> ReadClasses(const JsonField& json) {
  if (const Status keys = json.CheckKeys({"shapes", "classes"}); !keys.ok()) return keys;
  const Result<std::vector<NodeSpec>> shapes = ReadShapes(json["shapes"]);
  if (!shapes.ok()) return shapes.status();
  const Result<std::vector<JsonField>> elements = json["classes"].Elements();
  if (!elements.ok()) return elements.status();
  std::vector<CandidateClass> classes;
  std::set<NodeName> names;
  for (const JsonField& element : *elements) {
    Result<CandidateClass> candidates = ReadClass(element, *shapes);
    if (!candidates.ok()) return candidates.status();
    if (!names.insert(candidates->example.name()).second) {
      return element.Wrong("a class with an example of its own");
    }
    classes.push_back(*std::move(candidates));
  }
  return classes;
}

Result<Fleet> ReadFleet(const JsonField& json, const nlohmann::json& document) {
  if (const Status keys = json.CheckKeys({"cpu_milli", "gpu_milli"}); !keys.ok()) return keys;
  Integers integers;
  Fleet fleet;
  fleet.cpu = MilliCpu(integers.Read(json["cpu_milli"], 0, kMostPlain));
  if (!document["gpu_milli"].is_object()) return json["gpu_milli"].Wrong("an object in braces");
  for (const auto& [model, unused] : document["gpu_milli"].items()) {
    fleet.gpus[GpuModel(model)] = MilliGpu(integers.Read(json["gpu_milli"][model], 0, kMostPlain));
  }
  if (!integers.status().ok()) return integers.status();
  return fleet;
}

}  // namespace

std::string DemandJson(const Demand& demand) {
  ordered_json json = {{"cpu_milli", demand.cpu.value()},
                       {"memory_mib", demand.memory.value()},
                       {"gpus", demand.gpus},
                       {"gpu_milli", demand.per_gpu.value()}};
  if (demand.accounting == GpuAccounting::kManaged) json["managed"] = true;
  if (!demand.models.AllowsAny()) json["models"] = demand.models.alternatives();
  return Dump(json);
}

Result<Demand> ParseDemand(std::string_view text) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  return document.ok() ? ReadDemand(JsonField(*document)) : document.status();
}

std::string ClassesJson(const std::vector<CandidateClass>& classes) {
  ordered_json shapes = ordered_json::array();
  ordered_json list = ordered_json::array();
  for (const CandidateClass& candidates : classes) {
    ordered_json shape = ShapeJson(*candidates.example.spec);
    const auto known = std::find(shapes.begin(), shapes.end(), shape);
    const auto position = static_cast<size_t>(known - shapes.begin());
    if (known == shapes.end()) shapes.push_back(std::move(shape));
    list.push_back(ClassJson(position, candidates));
  }
  return Dump({{"shapes", std::move(shapes)}, {"classes", std::move(list)}});
}

Result<std::vector<CandidateClass>> ParseClasses(std::string_view text) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  return document.ok() ? ReadClasses(JsonField(*document)) : document.status();
}

std::string FleetJson(const Fleet& fleet) {
  ordered_json gpus = ordered_json::object();
  for (const auto& [model, milli] : fleet.gpus) gpus[model.value()] = milli.value();
  return Dump({{"cpu_milli", fleet.cpu.value()}, {"gpu_milli", std::move(gpus)}});
}

Result<Fleet> ParseFleet(std::string_view text) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  return document.ok() ? ReadFleet(JsonField(*document), *document) : document.status();
}

std::string GpusJson(const GpuSet& gpus) {
  ordered_json list = ordered_json::array();
  for (const uint8_t gpu : gpus) list.push_back(gpu);
  return Dump(list);
}

Result<GpuSet> ParseGpus(std::string_view text) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  if (!document.ok()) return document.status();
  const Result<std::vector<JsonField>> elements = JsonField(*document).Elements();
  if (!elements.ok()) return elements.status();
  Integers integers;
  std::vector<uint8_t> gpus;
  for (const JsonField& element : *elements) {
    gpus.push_back(static_cast<uint8_t>(integers.Read(element, 0, kMaxGpusPerNode - 1)));
  }
  if (!integers.status().ok()) return integers.status();
  return GpuSet(gpus.begin(), gpus.end());
}

}  // namespace berth
