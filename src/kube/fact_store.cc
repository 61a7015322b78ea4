#include "kube/fact_store.h"

#include <set>
#include <utility>

namespace berth {
namespace {

// Beyond this many changes more than there are objects, a reader is better told everything anew.
constexpr size_t kSlack = 1000;

// True when the map now holds something else than before.
template <class Facts>
bool Assign(std::map<std::string, Facts>& known, const std::string& key, const Facts& facts) {
  const auto [entry, added] = known.try_emplace(key, facts);
  if (added) return true;
  if (entry->second == facts) return false;
  entry->second = facts;
  return true;
}

template <class Facts>
std::vector<std::string> KeysBeyond(const std::set<std::string>& listed,
                                    const std::map<std::string, Facts>& known) {
  std::vector<std::string> beyond;
  for (const auto& [key, facts] : known) {
    if (!listed.contains(key)) beyond.push_back(key);
  }
  return beyond;
}

const std::string& KeyOf(const NodeFacts& node) { return node.name; }
const std::string& KeyOf(const NodeGone& node) { return node.name; }
const std::string& KeyOf(const PodFacts& pod) { return pod.uid; }
const std::string& KeyOf(const PodGone& pod) { return pod.uid; }

const std::string& KeyOf(const FactEvent& event) {
  return std::visit([](const auto& e) -> const std::string& { return KeyOf(e); }, event);
}

bool IsOfNode(const FactEvent& event) {
  return std::holds_alternative<NodeFacts>(event) || std::holds_alternative<NodeGone>(event);
}

}  // namespace

void FactStore::ReplaceNodes(std::vector<NodeFacts> nodes) {
  const std::lock_guard lock(mutex_);
  std::set<std::string> listed;
  for (const NodeFacts& node : nodes) listed.insert(node.name);
  // What is gone comes first, so that its room is free for what is new.
  for (std::string& name : KeysBeyond(listed, nodes_)) Change(NodeGone{std::move(name)});
  for (NodeFacts& node : nodes) Change(std::move(node));
  nodes_listed_ = true;
  changed_.notify_all();
}

void FactStore::ReplacePods(std::vector<PodFacts> pods) {
  const std::lock_guard lock(mutex_);
  std::set<std::string> listed;
  for (const PodFacts& pod : pods) listed.insert(pod.uid);
  for (std::string& uid : KeysBeyond(listed, pods_)) Change(PodGone{std::move(uid)});
  for (PodFacts& pod : pods) Change(std::move(pod));
  pods_listed_ = true;
  changed_.notify_all();
}

void FactStore::Apply(FactEvent event) {
  const std::lock_guard lock(mutex_);
  Change(std::move(event));
  changed_.notify_all();
}

bool FactStore::Synced() const {
  const std::lock_guard lock(mutex_);
  return nodes_listed_ && pods_listed_;
}

void FactStore::Restart() {
  const std::lock_guard lock(mutex_);
  phase_ = Phase::kBegins;
  changed_.notify_all();
}

std::optional<FeedEvent> FactStore::Next(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [this] { return HasNext(); })) return std::nullopt;
  return TakeNext();
}

bool FactStore::Set(const NodeFacts& node) { return Assign(nodes_, node.name, node); }
bool FactStore::Set(const PodFacts& pod) { return Assign(pods_, pod.uid, pod); }
bool FactStore::Set(const NodeGone& node) { return nodes_.erase(node.name) > 0; }
bool FactStore::Set(const PodGone& pod) { return pods_.erase(pod.uid) > 0; }

void FactStore::Change(FactEvent event) {
  const bool news = std::visit([this](const auto& change) { return Set(change); }, event);
  if (!news || !IsListed(event)) return;
  changes_.push_back(std::move(event));
  if (changes_.size() > nodes_.size() + pods_.size() + kSlack) phase_ = Phase::kBegins;
}

bool FactStore::IsListed(const FactEvent& event) const {
  switch (phase_) {
    case Phase::kBegins:
      return false;
    case Phase::kNodes:
      return IsOfNode(event) && KeyOf(event) <= listed_;
    case Phase::kPods:
      return IsOfNode(event) || KeyOf(event) <= listed_;
    case Phase::kChanges:
      break;
  }
  return true;
}

bool FactStore::HasNext() const {
  return nodes_listed_ && pods_listed_ && (phase_ != Phase::kChanges || !changes_.empty());
}

FeedEvent FactStore::TakeNext() {
  if (phase_ == Phase::kBegins) {
    changes_.clear();
    listed_.clear();
    phase_ = Phase::kNodes;
    return EpochBegins{};
  }
  if (phase_ == Phase::kNodes) {
    const auto node = nodes_.upper_bound(listed_);
    if (node != nodes_.end()) {
      listed_ = node->first;
      return node->second;
    }
    listed_.clear();
    phase_ = Phase::kPods;
  }
  if (phase_ == Phase::kPods) {
    const auto pod = pods_.upper_bound(listed_);
    if (pod != pods_.end()) {
      listed_ = pod->first;
      return pod->second;
    }
    phase_ = Phase::kChanges;
    return EpochEnds{};
  }
  FactEvent change = std::move(changes_.front());
  changes_.pop_front();
  return change;
}

}  // namespace berth
