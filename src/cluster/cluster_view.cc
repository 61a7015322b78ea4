#include "berth/cluster_view.h"

#include <utility>

#include "base/check.h"

namespace berth {

ClusterView::ClusterView(uint64_t version, std::vector<std::shared_ptr<const Node>> nodes,
                         std::shared_ptr<const NodeIndex> index, ClusterTotals totals,
                         ClusterContext context, WorkloadProfilePtr profile)
    : version_(version),
      nodes_(std::move(nodes)),
      index_(std::move(index)),
      totals_(totals),
      context_(context),
      profile_(std::move(profile)) {
  BERTH_CHECK(index_ != nullptr && profile_ != nullptr, "a view has an index and a profile");
  BERTH_CHECK(index_->size() == nodes_.size(), "the index knows every node");
}

const Node* ClusterView::Find(std::string_view name) const {
  const auto found = index_->find(name);
  return found == index_->end() ? nullptr : nodes_[found->second].get();
}

}  // namespace berth
