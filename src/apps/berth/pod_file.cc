#include "apps/berth/pod_file.h"

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/bounded_file.h"
#include "kube/json_fields.h"
#include "kube/object_facts.h"

namespace berth {
namespace {

// The API server takes no object of more than some 3 MiB.
constexpr size_t kMaxBytes = size_t{16} << 20;

constexpr char kHowToMakeJson[] =
    "`kubectl create --dry-run=client -o json -f POD.yaml` makes JSON of YAML";

// What the API server fills in when a pod is created.
void FillInWhatCreationSets(nlohmann::json& pod) {
  const auto metadata = pod.find("metadata");
  if (metadata == pod.end() || !metadata->is_object()) return;
  if (!metadata->contains("namespace")) (*metadata)["namespace"] = "default";
  if (!metadata->contains("uid")) (*metadata)["uid"] = "not-created";
  if (!metadata->contains("name") && metadata->contains("generateName")) {
    (*metadata)["name"] = (*metadata)["generateName"];
  }
}

}  // namespace

Result<PodFacts> ParsePodFile(const std::string& text, const std::string& file) {
  Result<nlohmann::json> parsed = ParseJson(text);
  if (!parsed.ok() || !parsed->is_object()) {
    return absl::InvalidArgumentError(file + ": is no JSON object; " + kHowToMakeJson);
  }
  nlohmann::json pod = *std::move(parsed);
  const nlohmann::json kind = pod.value("kind", nlohmann::json("Pod"));
  if (kind != "Pod") {
    return absl::InvalidArgumentError(file + ": kind is " + kind.dump() + ", must be \"Pod\"");
  }
  FillInWhatCreationSets(pod);
  Result<PodFacts> facts = PodFactsFrom(pod);
  if (!facts.ok()) {
    return Status(facts.status().code(), file + ": " + std::string(facts.status().message()));
  }
  return facts;
}

Result<PodFacts> ReadPodFile(const std::string& file) {
  const std::string name = file == "-" ? "standard input" : file;
  const Result<std::string> text = file == "-"
                                       ? ReadBounded(std::cin, name, kMaxBytes)
                                       : ReadBounded(std::filesystem::path(file), kMaxBytes);
  if (absl::IsNotFound(text.status())) return absl::NotFoundError(name + ": cannot be read");
  return text.ok() ? ParsePodFile(*text, name) : text.status();
}

}  // namespace berth
