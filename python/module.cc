// The module berth._sim: the simulator for berth/placement.py, which is what people use. It does
// not check what is asked of it beyond sizes.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "openb.h"
#include "toy.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace berth {
namespace {

using Numbers = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Mask = nb::ndarray<int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
T ValueOf(Result<T> result) {
  if (result.ok()) return *std::move(result);
  const std::string message(result.status().message());
  throw nb::value_error(message.c_str());
}

template <class Simulator>
void Observe(const Simulator& simulator, Numbers& numbers, Mask& mask) {
  if (numbers.size() != simulator.numbers() || mask.size() != simulator.nodes()) {
    throw std::invalid_argument("the arrays should be as long as `numbers` and `nodes`");
  }
  simulator.Observe({numbers.data(), numbers.size()}, {mask.data(), mask.size()});
}

// Arrays that are given are written to.
template <class Simulator>
nb::class_<Simulator> Bind(nb::module_& module, const char* name) {
  return nb::class_<Simulator>(module, name)
      .def_prop_ro("nodes", &Simulator::nodes)
      .def_prop_ro("numbers", &Simulator::numbers, "How many numbers an observation has.")
      .def(
          "restart",
          [](Simulator& simulator, uint64_t seed, Numbers numbers, Mask mask) {
            simulator.Restart(seed);
            Observe(simulator, numbers, mask);
            return simulator.over();
          },
          "seed"_a, "numbers"_a.noconvert(), "mask"_a.noconvert(),
          "Begins an episode and fills the arrays. Returns whether it is over already.")
      .def(
          "place",
          [](Simulator& simulator, size_t node, Numbers numbers, Mask mask) {
            const Outcome outcome = simulator.Place(node);
            Observe(simulator, numbers, mask);
            return std::tuple(outcome.placed, outcome.left_out, outcome.fragmentation,
                              simulator.over());
          },
          "node"_a, "numbers"_a.noconvert(), "mask"_a.noconvert(),
          "Sends the waiting job to a node and fills the arrays. Returns the GPUs placed, those "
          "left out, the growth of fragmentation, and whether it is over.");
}

NB_MODULE(_sim, module) {
  Bind<Toy>(module, "Toy").def(nb::init<>());
  Bind<Openb>(module, "Openb")
      .def_static(
          "read",
          [](const std::string& nodes, const std::string& pods) {
            return ValueOf(Openb::Read(nodes, pods));
          },
          "nodes"_a, "pods"_a)
      .def_prop_ro("gpus", &Openb::gpus, "Of the node that has the most.")
      .def_prop_ro("node_rank", &Openb::node_rank)
      .def("curve", &Openb::Curve)
      .def(
          "curve_of",
          [](const Openb& openb, const std::string& policy, uint64_t seed) {
            return ValueOf(openb.CurveOf(policy, seed));
          },
          "policy"_a, "seed"_a);
}

}  // namespace
}  // namespace berth
