#include "apps/berth/pod_file.h"

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kube/object_facts.h"

namespace berth {
namespace {

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
  nlohmann::json pod = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!pod.is_object()) {
    return absl::InvalidArgumentError(file + ": is no JSON object; " + kHowToMakeJson);
  }
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
  std::ifstream opened;
  if (file != "-") opened.open(file);
  std::istream& in = file == "-" ? std::cin : opened;
  std::string text;
  std::getline(in, text, '\0');  // JSON has none
  if (in.bad() || (file != "-" && !opened.is_open())) {
    return absl::NotFoundError(file + ": cannot be read");
  }
  return ParsePodFile(text, file == "-" ? "standard input" : file);
}

}  // namespace berth
