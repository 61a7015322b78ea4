#include "cluster/view_publisher.h"

#include <algorithm>
#include <utility>

namespace berth {

ClusterViewPtr ViewPublisher::Update(const Books& books,
                                     const absl::flat_hash_set<NodeName>& changed,
                                     const ClusterContext& context) {
  const bool came_or_went = std::any_of(changed.begin(), changed.end(), [&](const NodeName& name) {
    return index_->contains(name.value()) != (books.Find(name) != nullptr);
  });
  if (came_or_went) return Renew(books, context);
  for (const NodeName& name : changed) {
    const Node* node = books.Find(name);
    if (node != nullptr) nodes_[index_->at(name.value())] = Share(*node);
  }
  return std::make_shared<const ClusterView>(++version_, nodes_, index_, books.totals(), context,
                                             profile_);
}

ClusterViewPtr ViewPublisher::Renew(const Books& books, const ClusterContext& context) {
  std::vector<NodePtr> nodes;
  NodeIndex index;
  for (const NodeName& name : books.NodeNames()) {
    index.emplace(name.value(), static_cast<uint32_t>(nodes.size()));
    nodes.push_back(Share(*books.Find(name)));
  }
  nodes_ = std::move(nodes);
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

ViewPublisher::NodePtr ViewPublisher::Share(const Node& node) const {
  const auto shared = index_->find(node.name().value());
  if (shared != index_->end()) {
    const NodePtr& before = nodes_[shared->second];
    if (*before->spec == *node.spec && before->free == node.free) return before;
  }
  return std::make_shared<const Node>(node);
}

}  // namespace berth
