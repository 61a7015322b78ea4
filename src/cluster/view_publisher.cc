#include "cluster/view_publisher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cluster/fleet.h"

namespace berth {

void ViewPublisher::SetMix(const WorkloadProfile& mix) {
  profile_ = std::make_shared<const WorkloadProfile>(mix.On(profile_->fleet()));
}

ClusterViewPtr ViewPublisher::Update(const Books& books,
                                     const absl::flat_hash_set<NodeName>& changed,
                                     const ClusterContext& context) {
  const bool came_or_went = std::any_of(changed.begin(), changed.end(), [&](const NodeName& name) {
    return index_->contains(name.value()) != (books.Find(name) != nullptr);
  });
  if (came_or_went) return Rebuild(books, context, /*exactly=*/false);
  for (const NodeName& name : changed) {
    const Node* node = books.Find(name);
    if (node == nullptr) continue;
    NodePtr& shared = nodes_[index_->at(name.value())];
    shared = Share(*node, shared->slot);
  }
  return std::make_shared<const ClusterView>(++version_, nodes_, index_, books.totals(), context,
                                             profile_);
}

ClusterViewPtr ViewPublisher::Renew(const Books& books, const ClusterContext& context) {
  return Rebuild(books, context, /*exactly=*/true);
}

ClusterViewPtr ViewPublisher::Rebuild(const Books& books, const ClusterContext& context,
                                      bool exactly) {
  std::vector<NodePtr> nodes;
  NodeIndex index;
  Fleet fleet;
  const std::vector<NodeName> names = books.NodeNames();
  const std::vector<uint32_t> slots = SlotsOf(names);
  for (size_t i = 0; i < names.size(); ++i) {
    index.emplace(names[i].value(), static_cast<uint32_t>(i));
    nodes.push_back(Share(*books.Find(names[i]), slots[i]));
    AddTo(fleet, *nodes.back()->spec);
  }
  nodes_ = std::move(nodes);
  if (exactly ? fleet != profile_->fleet() : IsFar(fleet, profile_->fleet())) {
    profile_ = std::make_shared<const WorkloadProfile>(profile_->On(fleet));
  }
  if (index != *index_) index_ = std::make_shared<const NodeIndex>(std::move(index));
  return std::make_shared<const ClusterView>(++version_, nodes_, index_, books.totals(), context,
                                             profile_);
}

ClusterViewPtr ViewPublisher::Replace(const ClusterView& view,
                                      std::span<const std::shared_ptr<const Node>> nodes) const {
  std::vector<NodePtr> all = nodes_;
  for (const NodePtr& node : nodes) all[index_->at(node->name().value())] = node;
  return std::make_shared<const ClusterView>(view.version(), std::move(all), index_, view.totals(),
                                             view.context(), profile_);
}

ViewPublisher::NodePtr ViewPublisher::Share(const Node& node, uint32_t slot) const {
  const auto shared = index_->find(node.name().value());
  if (shared != index_->end()) {
    const NodePtr& before = nodes_[shared->second];
    if (*before->spec == *node.spec && before->free == node.free) return before;
  }
  Node in_slot = node;
  in_slot.slot = slot;
  return std::make_shared<const Node>(std::move(in_slot));
}

std::vector<uint32_t> ViewPublisher::SlotsOf(std::span<const NodeName> names) const {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> slots;
  std::vector<bool> taken(std::max(names.size(), nodes_.size()));
  for (const NodeName& name : names) {
    const auto known = index_->find(name.value());
    slots.push_back(known == index_->end() ? kNone : nodes_[known->second]->slot);
    if (slots.back() >= taken.size()) slots.back() = kNone;
    if (slots.back() != kNone) taken[slots.back()] = true;
  }
  uint32_t next = 0;
  for (uint32_t& slot : slots) {
    if (slot != kNone) continue;
    while (taken[next]) ++next;
    slot = next++;
  }
  return slots;
}

}  // namespace berth
