#include "ppo/toy_environment.h"

#include <algorithm>

#include "sim/toy_cluster.h"

namespace berth {
namespace {

class ToyEnvironment final : public Environment {
 public:
  size_t numbers() const override { return ToyCluster::Numbers().size(); }
  size_t actions() const override { return ToyCluster::kNodes; }

  void Restart(Rng& rng) override { toy_.Restart(rng); }

  void See(std::span<float> numbers, std::span<uint8_t> possible) const override {
    std::ranges::copy(toy_.numbers(), numbers.begin());
    std::ranges::copy(toy_.WhoCanTakeIt(), possible.begin());
  }

  Outcome Act(size_t action, Rng& rng) override {
    const double filled = toy_.Place(action, rng);
    return {filled, toy_.over() ? StepEnd::kTerminated : StepEnd::kGoesOn};
  }

 private:
  Rng unused_;
  ToyCluster toy_{unused_};  // drawn anew by Restart()
};

}  // namespace

std::unique_ptr<Environment> MakeToyEnvironment() { return std::make_unique<ToyEnvironment>(); }

}  // namespace berth
