#include "decisions/decision_replay.h"

#include <algorithm>

#include "decisions/placed_choice.h"

namespace berth {

Status DecisionReplay::Add(const DecisionRecord& record, const Scorer& policy) {
  if (record.classes.empty()) {
    ++without_node;
    return {};
  }
  const Result<PlacedChoice> other = ChoiceOf(policy, record);
  if (!other.ok()) return other.status();
  Kind& kind = kinds[KindOfPod(record.demand)];
  ++kind.decisions;
  if (other->in_class != 0) ++kind.differ;
  kind.more_fragmentation.push_back(other->added_fragmentation -
                                    ChoiceOf(record).added_fragmentation);
  if (record.more_classes > 0) ++cut;
  if (!record.guard.empty()) ++guarded;
  if (policies.empty()) first = record.time;
  last = std::max(last, record.time);
  ++policies[record.policy];
  return {};
}

}  // namespace berth
