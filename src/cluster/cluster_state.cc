#include "cluster/cluster_state.h"

#include <utility>

#include "base/check.h"
#include "cluster/gpu_load.h"

namespace berth {

using Event = ClusterMetrics::Event;
using Outcome = ClusterMetrics::Outcome;

ClusterState::ClusterState(GpuChooser choose_gpus, WorkloadProfilePtr profile, Metrics& metrics,
                           Logger& log, Mix mix)
    : metrics_(metrics),
      log_(log),
      oddities_(metrics, log),
      books_(std::make_unique<Books>(std::move(choose_gpus), profile, oddities_)),
      expectations_(metrics),
      publisher_(profile) {
  if (mix == Mix::kLearned) learned_mix_.emplace(std::move(profile));
}

void ClusterState::BeginEpoch() {
  const std::lock_guard writing(writing_);
  epoch_.emplace();
}

void ClusterState::CompleteEpoch() {
  const std::lock_guard writing(writing_);
  BERTH_CHECK(epoch_.has_value(), "an epoch was begun");
  const Picture picture = *std::exchange(epoch_, std::nullopt);
  Swap(picture);
}

void ClusterState::Renew(const Picture& picture) {
  const std::lock_guard writing(writing_);
  epoch_.reset();
  Swap(picture);
}

void ClusterState::Swap(const Picture& picture) {
  auto books = std::make_unique<Books>(*books_, picture);
  {
    const std::lock_guard lock(mutex_);
    std::swap(books_, books);
    ready_ = renewed_ = true;
    expectations_.RemoveIf([&](const PodUid& uid) { return books_->IsBound(uid); });
    OnChange();
  }
  LearnMix();
}

void ClusterState::Restate(std::span<const NodeState> changed, std::span<const NodeName> gone) {
  const std::lock_guard writing(writing_);
  epoch_.reset();
  Apply(Event::kRestated, [&](Books& books) {
    for (const NodeState& state : changed) {
      for (const Pod& pod : state.pods) expectations_.Remove(pod.uid);
    }
    return books.Restate(changed, gone);
  });
}

std::optional<Node> ClusterState::WhatIf(const NodeName& name, std::span<const PodUid> without,
                                         std::span<const Demand> with) const {
  const std::lock_guard lock(mutex_);
  if (books_->Find(name) == nullptr) return std::nullopt;
  return books_->WhatIf(name, without, with);
}

void ClusterState::AbandonEpoch() {
  const std::lock_guard writing(writing_);
  epoch_.reset();
}

void ClusterState::UpsertNode(NodeSpec node) {
  const std::lock_guard writing(writing_);
  if (epoch_.has_value()) {
    metrics_.Count(Event::kNode, Outcome::kCollected);
    epoch_->nodes.insert_or_assign(node.name, node);
    return;
  }
  Apply(Event::kNode, [&](Books& books) { return books.UpsertNode(std::move(node)); });
}

void ClusterState::RemoveNode(const NodeName& name) {
  const std::lock_guard writing(writing_);
  if (epoch_.has_value()) {
    metrics_.Count(Event::kNodeGone, Outcome::kCollected);
    epoch_->nodes.erase(name);
    return;
  }
  Apply(Event::kNodeGone, [&](Books& books) { return books.RemoveNode(name); });
}

void ClusterState::UpsertPod(Pod pod) {
  const std::lock_guard writing(writing_);
  if (gone_.Contains(pod.uid)) {
    metrics_.Count(Event::kPod, Outcome::kLate);
    oddities_.Record(Oddity::kPodAfterGone, pod.uid.value(), pod.name);
    return;
  }
  if (epoch_.has_value()) {
    metrics_.Count(Event::kPod, Outcome::kCollected);
    epoch_->pods.insert_or_assign(pod.uid, pod);
    return;
  }
  Apply(Event::kPod, [&](Books& books) {
    if (pod.node.has_value()) expectations_.Remove(pod.uid);
    return books.UpsertPod(std::move(pod));
  });
}

void ClusterState::RemovePod(const PodUid& uid) {
  const std::lock_guard writing(writing_);
  gone_.Add(uid);
  Withdraw(uid);
  if (epoch_.has_value()) {
    metrics_.Count(Event::kPodGone, Outcome::kCollected);
    epoch_->pods.erase(uid);
    return;
  }
  Apply(Event::kPodGone, [&](Books& books) { return books.RemovePod(uid); });
}

bool ClusterState::Ready() const {
  const std::lock_guard lock(mutex_);
  return ready_;
}

ClusterViewPtr ClusterState::View() const {
  const std::lock_guard lock(mutex_);
  return CurrentView();
}

void ClusterState::Expect(const PodUid& uid, const NodeName& node, const Demand& demand,
                          Clock::TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (!books_->IsBound(uid)) expectations_.Add(uid, node, demand, now);
}

void ClusterState::Withdraw(const PodUid& uid) {
  const std::lock_guard lock(mutex_);
  expectations_.Remove(uid);
}

ClusterViewPtr ClusterState::ExpectedView(Clock::TimePoint now) const {
  const std::lock_guard lock(mutex_);
  ClusterViewPtr view = CurrentView();
  expectations_.RemoveOutdated(now);
  const auto nodes =
      expectations_.Apply(*view, [this](const Node& node, std::span<const Demand> demands) {
        return std::make_shared<const Node>(Node{node.spec, books_->AfterPlacing(node, demands),
                                                 ++expected_generation_, node.slot});
      });
  return nodes.empty() ? view : publisher_.Replace(*view, nodes);
}

ClusterViewPtr ClusterState::CurrentView() const {
  if (!stale_) return view_;
  const auto changed = books_->TakeChangedNodes();
  view_ = renewed_ ? publisher_.Renew(*books_, context_)
                   : publisher_.Update(*books_, changed, context_);
  stale_ = renewed_ = false;
  return view_;
}

template <class Change>
void ClusterState::Apply(Event event, Change change) {
  {
    const std::lock_guard lock(mutex_);
    const bool changed = change(*books_);
    metrics_.Count(event, changed ? Outcome::kApplied : Outcome::kUnchanged);
    if (changed) OnChange();
  }
  LearnMix();
}

// Working out what follows from a mix takes milliseconds, which no reader is to wait for.
void ClusterState::LearnMix() {
  bool learned = false;
  for (const PodClass& arrival : books_->TakeArrivals()) {
    if (learned_mix_) learned |= learned_mix_->Add(arrival);
  }
  if (!learned) return;
  const WorkloadProfilePtr& mix = learned_mix_->profile();
  log_.info("msg=\"learned the mix of work from the pods that came\" profile={} classes={}",
            mix->version(), mix->classes().size());
  const std::lock_guard lock(mutex_);
  books_->SetProfile(mix);
  publisher_.SetMix(*mix);
  stale_ = true;
}

// The context follows every change, looked at or not, so that readers do not decide what it is.
void ClusterState::OnChange() {
  const ClusterTotals totals = books_->totals();
  context_.gpu_load_bucket = NextGpuLoadBucket(
      context_.gpu_load_bucket, totals.gpu_capacity - totals.gpu_free, totals.gpu_capacity);
  metrics_.Show(*books_);
  stale_ = true;
}

}  // namespace berth
