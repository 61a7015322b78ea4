#pragma once

#include <google/protobuf/repeated_field.h>

#include <array>
#include <string>

#include "cluster/feasibility.h"

namespace berth {

// Gathers refused nodes by reason into messages with the fields `reason`, `never` and `nodes`.
template <class Group>
class RefusalGroups {
 public:
  // `groups` outlives this.
  explicit RefusalGroups(google::protobuf::RepeatedPtrField<Group>& groups) : groups_(groups) {}

  // REQUIRES: it is one.
  void Add(Refusal refusal, uint32_t node) {
    Group*& group = by_reason_[static_cast<size_t>(refusal)];
    if (group == nullptr) {
      group = groups_.Add();
      group->set_reason(std::string(Reason(refusal)));
      group->set_never(IsStatic(refusal));
    }
    group->add_nodes(node);
  }

 private:
  google::protobuf::RepeatedPtrField<Group>& groups_;
  std::array<Group*, static_cast<size_t>(Refusal::kMemory) + 1> by_reason_ = {};
};

}  // namespace berth
