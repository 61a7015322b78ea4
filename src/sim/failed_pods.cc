#include "sim/failed_pods.h"

namespace berth {
namespace {

constexpr size_t kSomeModels = kJobSizes;

}  // namespace

std::string_view NameOfFailureClass(size_t number) {
  return number == kSomeModels ? "some models" : NameOf(static_cast<JobSize>(number));
}

void FailedPods::Add(const Demand& demand) {
  const auto add = [&demand](Sum& sum) {
    ++sum.pods;
    sum.gpu += demand.TotalGpu();
  };
  add(all);
  add(of_class[static_cast<size_t>(SizeOf(demand))]);
  if (demand.gpus > 0 && !demand.models.AllowsAny()) add(of_class[kSomeModels]);
}

}  // namespace berth
