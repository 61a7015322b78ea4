#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "berth/cluster_view.h"
#include "cluster/books.h"

namespace berth {

// The books as one would write them without a thought for speed: the live nodes and pods, where
// each pod sits, and everything else added up from those whenever somebody asks.
class NaiveCluster {
 public:
  explicit NaiveCluster(GpuChooser choose_gpus) : choose_gpus_(std::move(choose_gpus)) {}

  void UpsertNode(const NodeSpec& node);
  void RemoveNode(const NodeName& name);
  void UpsertPod(const Pod& pod);
  void RemovePod(const PodUid& uid);
  void Renew(const Picture& picture);

  Picture Facts() const;
  FreeState Free(const NodeName& name) const;
  ClusterTotals Totals() const;
  int64_t ParkedPods() const;
  int64_t OvercommittedNodes() const;
  Seat SeatOf(const PodUid& uid) const { return pods_.at(uid).seat; }

  // What must hold whatever the rules of seating are; empty when it does.
  std::string BrokenInvariant() const;

 private:
  struct Guest {
    Pod pod;
    Seat seat;
    bool sits = false;
  };
  using Guests = std::vector<Guest*>;

  Guests On(const NodeName& name);
  std::vector<const Guest*> SittingOn(const NodeName& name) const;
  std::vector<int64_t> Used(const NodeName& name, const Guest* without = nullptr) const;
  bool Fits(const Guest& guest, const std::vector<int64_t>& used) const;
  void Sit(Guest& guest);
  void SitAll(Guests standing);
  void Settle(const NodeName& name);

  GpuChooser choose_gpus_;
  std::map<NodeName, NodeSpec> nodes_;
  std::map<PodUid, Guest> pods_;
};

}  // namespace berth
