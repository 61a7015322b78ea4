#include "torch/module_rules.h"

#include <fmt/format.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/script.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/log.h"
#include "torch/guarded.h"
#include "torch/operator_list.h"
#include "torch/source_line.h"
#include "torch/stored_bytes.h"

namespace berth {
namespace {

namespace jit = torch::jit;

Status MustNot(std::string_view what, const jit::Node& node, std::string_view mending) {
  return absl::FailedPreconditionError(
      fmt::format("forward {} ({}): {}", what, LineOf(node.sourceRange()), mending));
}

bool WritesIntoItsInput(const jit::Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  return schema != nullptr && schema->is_mutable();
}

// Of a constant device.
std::optional<std::string> OtherDevice(const jit::Node& node) {
  if (node.kind() != c10::prim::Constant ||
      !node.output()->type()->isSubtypeOf(*c10::DeviceObjType::get())) {
    return std::nullopt;
  }
  const c10::Device device(node.s(c10::attr::value));
  return device.is_cpu() ? std::nullopt : std::optional(device.str());
}

Status CheckNode(const jit::Node& node) {
  const std::string name = node.kind().toQualString();
  if (node.kind() == c10::prim::Loop) return MustNot("has a loop", node, WhyNotAllowed(name));
  if (!IsAllowedOperator(name)) {
    // In-place forms are called like the others, with an underscore behind.
    if (WritesIntoItsInput(node)) {
      return MustNot(fmt::format("changes a tensor in place with {}", name), node,
                     "other requests may be reading it: make a new one, as in x = x + y");
    }
    return MustNot(fmt::format("uses {}", name), node, WhyNotAllowed(name));
  }
  if (WritesIntoItsInput(node)) {
    return MustNot(fmt::format("gives {} a tensor to write into", name), node, "drop out=");
  }
  if (const auto device = OtherDevice(node)) {
    return MustNot(fmt::format("names the device {}", *device), node,
                   "scores are computed on the CPU: write candidates.device");
  }
  return absl::OkStatus();
}

Status CheckBlock(const jit::Block& block) {
  for (const jit::Node* node : block.nodes()) {
    if (Status status = CheckNode(*node); !status.ok()) return status;
    for (const jit::Block* inner : node->blocks()) {
      if (Status status = CheckBlock(*inner); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

// Numbers, texts and tensors, and lists and the like of them.
bool IsPlain(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::ClassType) return type.is_module();
  if (type.kind() == c10::TypeKind::InterfaceType) return false;
  return std::ranges::all_of(type.containedTypes(),
                             [](const c10::TypePtr& inner) { return IsPlain(*inner); });
}

Status CheckAttributes(const jit::Module& module) {
  for (const auto& attribute : module.named_attributes(/*recurse=*/true)) {
    const c10::TypePtr type = attribute.value.type();
    if (IsPlain(*type)) continue;
    return absl::FailedPreconditionError(
        fmt::format("attribute {} is an object of {}: keep tensors, numbers and modules only",
                    Quoted(attribute.name), Quoted(type->repr_str())));
  }
  return absl::OkStatus();
}

bool HasAll(const StoredBytes& stored, const jit::Block& block) {
  return std::ranges::all_of(block.nodes(), [&](const jit::Node* node) {
    const bool has = node->kind() != c10::prim::Constant || !node->hasAttribute(c10::attr::value) ||
                     node->kindOf(c10::attr::value) != jit::AttributeKind::t ||
                     stored.Has(node->t(c10::attr::value));
    return has && std::ranges::all_of(node->blocks(), [&](const jit::Block* inner) {
             return HasAll(stored, *inner);
           });
  });
}

// Of all tensors, wherever they are kept.
Status CheckStorages(const StoredBytes& stored, const jit::Module& module,
                     const jit::Graph& forward) {
  bool lies = !HasAll(stored, *forward.block());
  c10::IValue(module._ivalue()).visit([&](const c10::IValue& value) {
    lies = lies || (value.isTensor() && !stored.Has(value.toTensor()));
    return lies;
  });
  if (!lies) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "has a tensor of another size than the record with its numbers: export it again");
}

Result<std::shared_ptr<jit::Graph>> ForwardOf(const jit::Module& module) {
  const auto forward = module.find_method("forward");
  if (!forward) {
    return absl::FailedPreconditionError(
        "has no forward: write def forward(self, candidates: Tensor, context: Tensor) -> Tensor");
  }
  std::shared_ptr<jit::Graph> graph = forward->graph()->copy();
  jit::Inline(*graph);
  return graph;
}

}  // namespace

Status CheckModuleRules(const std::string& bytes) {
  const Status checked = Guarded([&]() -> Status {
    std::istringstream stream(bytes);
    const jit::Module module = jit::load(stream, torch::kCPU);
    if (Status attributes = CheckAttributes(module); !attributes.ok()) return attributes;
    const auto forward = ForwardOf(module);
    if (!forward.ok()) return forward.status();
    if (Status block = CheckBlock(*(*forward)->block()); !block.ok()) return block;
    return CheckStorages(StoredBytes(bytes), module, **forward);
  });
  if (!absl::IsInternal(checked)) return checked;
  return absl::InvalidArgumentError(
      fmt::format("libtorch cannot load it: {}", OneLine(std::string(checked.message()))));
}

}  // namespace berth
