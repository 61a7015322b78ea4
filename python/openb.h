#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/result.h"
#include "outcome.h"
#include "sim/stepped_packing.h"
#include "sim/trace.h"

namespace berth {

// Packing the pods of a list onto the nodes of another as an environment decides on it. An episode
// has always begun, at first that of seed 0.
class Openb {
 public:
  // Errors: as DrawTraces() (sim/openb_suite.h).
  static Result<Openb> Read(const std::string& nodes, const std::string& pods);

  size_t nodes() const { return trace_->nodes.size(); }
  size_t gpus() const { return most_gpus_; }  // of the node that has the most
  size_t numbers() const { return nodes() * NumbersOfNode() + kNumbersOfJob; }

  void Restart(uint64_t seed);
  bool over() const { return packing_->over(); }
  // REQUIRES: there is such a node, and it is not over.
  Outcome Place(size_t node);
  // REQUIRES: as many as numbers() and nodes() say.
  void Observe(std::span<float> numbers, std::span<int8_t> mask) const;

  // Which of two equally good nodes wins in `berth evaluate`, with the seed of the last restart.
  const std::vector<uint32_t>& node_rank() const { return order_.node_rank; }

  // What is allocated by percent of arrived demand; not a number where nothing arrived.
  std::vector<double> Curve() const;
  // The same when a policy of the simulator decides. Errors: as FindSimPolicy(); the policy's.
  Result<std::vector<double>> CurveOf(const std::string& policy, uint64_t seed) const;

 private:
  static constexpr size_t kNumbersOfJob = 3;  // CPU, number of GPUs, share of each

  explicit Openb(Trace trace);

  size_t NumbersOfNode() const { return 1 + most_gpus_; }  // CPU, each GPU
  void LookAt(size_t node);

  std::unique_ptr<const Trace> trace_;  // stays where it is when this is moved
  size_t most_gpus_ = 0;
  double most_cpu_ = 0;  // milli, of the node that has the most
  EventOrder order_;
  std::optional<SteppedPacking> packing_;
  std::vector<float> of_nodes_;  // their numbers
};

}  // namespace berth
