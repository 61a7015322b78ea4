#include "sim/openb_nodes.h"

#include <string>

namespace berth {
namespace {

struct Shape {
  const char* model;
  int gpus;
  int cores;
  int gib;
  int count;
};

constexpr Shape kShapes[] = {
    {"G2", 8, 96, 384, 549},     {"T4", 2, 104, 512, 387},   {"T4", 4, 96, 384, 17},
    {"G3", 8, 128, 768, 39},     {"P100", 2, 16, 120, 107},  {"P100", 2, 64, 256, 22},
    {"P100", 1, 8, 60, 3},       {"P100", 2, 8, 60, 2},      {"V100M16", 4, 32, 128, 28},
    {"V100M16", 1, 8, 32, 19},   {"V100M16", 8, 64, 256, 7}, {"V100M16", 8, 82, 336, 1},
    {"V100M32", 8, 96, 768, 21}, {"V100M32", 4, 48, 368, 9}, {"A10", 1, 128, 1024, 2},
};

NodeName NumberedName(size_t number) {
  const std::string digits = std::to_string(number);
  return NodeName("openb-node-" + std::string(4 - digits.size(), '0') + digits);
}

}  // namespace

std::vector<NodeSpec> OpenbNodes(GpuAccounting accounting) {
  std::vector<NodeSpec> nodes;
  for (const Shape& shape : kShapes) {
    for (int i = 0; i < shape.count; ++i) {
      nodes.push_back({.name = NumberedName(nodes.size()),
                       .cpu = MilliCpu(int64_t{1000} * shape.cores),
                       .memory = MiB(int64_t{1024} * shape.gib),
                       .gpus = shape.gpus,
                       .model = GpuModel(shape.model),
                       .accounting = accounting});
    }
  }
  return nodes;
}

}  // namespace berth
