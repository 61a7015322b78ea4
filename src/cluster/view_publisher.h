#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "berth/cluster_view.h"
#include "cluster/books.h"

namespace berth {

// Turns books into views, re-using what did not change: a node whose state is as it was is the same
// object with the same generation, and the index is the same until nodes come or go. The profile is
// that of the nodes there are: exactly after Renew, so that who starts anew decides the same, and
// within the steps of IsFar (cluster/fleet.h) while nodes come and go.
// Not thread-safe.
class ViewPublisher {
 public:
  explicit ViewPublisher(WorkloadProfilePtr profile) : profile_(std::move(profile)) {}

  // The mix of work from the next view on.
  void SetMix(const WorkloadProfile& mix);

  // The next view, of the same books as the last one except for `changed` nodes.
  ClusterViewPtr Update(const Books& books, const absl::flat_hash_set<NodeName>& changed,
                        const ClusterContext& context);
  // The next view, of any books.
  ClusterViewPtr Renew(const Books& books, const ClusterContext& context);

  // The last view, which is `view`, with some of its nodes in another state.
  ClusterViewPtr Replace(const ClusterView& view,
                         std::span<const std::shared_ptr<const Node>> nodes) const;

 private:
  using NodePtr = std::shared_ptr<const Node>;

  ClusterViewPtr Rebuild(const Books& books, const ClusterContext& context, bool exactly);
  NodePtr Share(const Node& node, uint32_t slot) const;
  // For the nodes of the next view: those of the last one keep theirs, the others get the lowest.
  std::vector<uint32_t> SlotsOf(std::span<const NodeName> names) const;

  WorkloadProfilePtr profile_;
  uint64_t version_ = 0;
  std::vector<NodePtr> nodes_;
  std::shared_ptr<const NodeIndex> index_ = std::make_shared<const NodeIndex>();
};

}  // namespace berth
