#include "kube/pod_requests.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/log.h"
#include "facts/quantity.h"

namespace berth {

using nlohmann::json;

namespace {

void Add(const ResourceFacts& amounts, ResourceFacts& sum) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  for (const auto& [resource, amount] : amounts) {
    int64_t& total = sum[resource];
    total = total > kMax - amount ? kMax : total + amount;
  }
}

void RaiseTo(const ResourceFacts& amounts, ResourceFacts& least) {
  for (const auto& [resource, amount] : amounts) {
    int64_t& total = least[resource];
    total = std::max(total, amount);
  }
}

// Everything but Kubernetes' own resources comes in whole pieces.
bool IsExtended(std::string_view resource) {
  return resource.find('/') != std::string_view::npos &&
         resource.find("kubernetes.io/") == std::string_view::npos;
}

bool IsPodLevel(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

// Reads the requests of one pod and keeps the first complaint.
class RequestReader {
 public:
  explicit RequestReader(const JsonFields& pod)
      : spec_(pod.Object("spec")), status_(pod.Object("status")) {
    for (const char* list : {"containerStatuses", "initContainerStatuses"}) {
      for (const JsonFields& container : status_.Objects(list)) {
        containers_.emplace(container.Text("name"), container);
      }
    }
    for (const JsonFields& condition : status_.Objects("conditions")) {
      if (condition.Text("type") != "PodResizePending") continue;
      resize_infeasible_ = condition.Text("reason") == "Infeasible";
      break;
    }
  }

  PodRequests Sum() {
    ResourceFacts sum = SumContainers();
    ReplaceByPodLevel(sum);
    Add(Read(spec_.Object("overhead"), "overhead"), sum);
    return {.sum = std::move(sum), .unreadable = std::move(unreadable_)};
  }

 private:
  // The most that runs at once: the containers with all sidecars, or one init container with the
  // sidecars that were started before it.
  ResourceFacts SumContainers() {
    ResourceFacts sum;
    for (const JsonFields& container : spec_.Objects("containers")) {
      Add(Effective(container, /*resizable=*/true), sum);
    }
    ResourceFacts sidecars, starting;
    for (const JsonFields& container : spec_.Objects("initContainers")) {
      const bool sidecar = container.Text("restartPolicy") == "Always";
      const ResourceFacts amounts = Effective(container, sidecar);
      ResourceFacts phase = sidecars;
      Add(amounts, phase);
      RaiseTo(phase, starting);
      if (!sidecar) continue;
      Add(amounts, sidecars);
      Add(amounts, sum);
    }
    RaiseTo(starting, sum);
    return sum;
  }

  // Requests of the pod stand in for those of its containers. A limit alone is a request where no
  // container asks for anything.
  void ReplaceByPodLevel(ResourceFacts& sum) {
    const JsonFields resources = spec_.Object("resources");
    ResourceFacts wanted = Read(resources.Object("requests"), "pod");
    for (const auto& [resource, limit] : Read(resources.Object("limits"), "pod")) {
      if (!sum.contains(resource)) wanted.emplace(resource, limit);
    }
    ResourceFacts effective = wanted;
    if (status_.Has("resources")) effective = LargestState(wanted, status_, "pod");
    for (const auto& [resource, amount] : wanted) {
      if (IsPodLevel(resource)) sum[resource] = effective[resource];
    }
  }

  // A missing request equals the limit.
  ResourceFacts Effective(const JsonFields& container, bool resizable) {
    const std::string name = container.Text("name");
    const std::string where = "container " + Quoted(name);
    const JsonFields resources = container.Object("resources");
    ResourceFacts wanted = Read(resources.Object("requests"), where);
    wanted.merge(Read(resources.Object("limits"), where));
    const auto status = containers_.find(name);
    const bool resized =
        resizable && status != containers_.end() && status->second.Has("resources");
    return resized ? LargestState(std::move(wanted), status->second, where) : wanted;
  }

  // While a resize is under way, the node gives the most of what is wanted, actual and allocated.
  // A wish that the node cannot meet does not count.
  ResourceFacts LargestState(ResourceFacts wanted, const JsonFields& status,
                             const std::string& where) {
    if (resize_infeasible_) wanted.clear();
    RaiseTo(Read(status.Object("resources").Object("requests"), where), wanted);
    RaiseTo(Read(status.Object("allocatedResources"), where), wanted);
    return wanted;
  }

  ResourceFacts Read(const JsonFields& amounts, const std::string& where) {
    ResourceFacts read;
    for (const auto& [resource, value] : amounts.members().items()) {
      const Result<int64_t> amount = ReadAmount(resource, value);
      read[resource] = amount.value_or(0);
      if (amount.ok() || !unreadable_.empty()) continue;
      unreadable_ = where + ": " + resource + ": " + std::string(amount.status().message());
    }
    return read;
  }

  const JsonFields spec_;
  const JsonFields status_;
  std::map<std::string, JsonFields> containers_;  // their statuses by name
  bool resize_infeasible_ = false;
  std::string unreadable_;
};

}  // namespace

Result<int64_t> ReadAmount(std::string_view resource, const json& value) {
  if (!value.is_string() && !value.is_number()) {
    return absl::InvalidArgumentError(std::string(value.type_name()) +
                                      " is not a quantity such as \"1\"");
  }
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const Result<int64_t> amount = resource == "cpu"      ? ParseMilli(text)
                                 : IsExtended(resource) ? ParseCount(text)
                                                        : ParseWhole(text);
  if (amount.ok() && *amount < 0) {
    return absl::InvalidArgumentError(Quoted(text) + " is negative; an amount is at least 0");
  }
  return amount;
}

PodRequests SumRequests(const JsonFields& pod) { return RequestReader(pod).Sum(); }

}  // namespace berth
