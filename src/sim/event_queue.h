#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace berth {

// Time since a simulation began. In whole microseconds, so that sums are the same everywhere.
using SimTime = std::chrono::duration<int64_t, std::micro>;

// What happens next: events in the order of their times, and those of one time in the order in
// which they were added.
template <class Event>
class EventQueue {
 public:
  void Add(SimTime time, Event event) {
    heap_.push_back({time, sequence_++, std::move(event)});
    std::push_heap(heap_.begin(), heap_.end(), IsLater);
  }

  bool empty() const { return heap_.empty(); }

  // REQUIRES of both: it is not empty.
  SimTime next() const { return heap_.front().time; }
  Event Pop() {
    std::pop_heap(heap_.begin(), heap_.end(), IsLater);
    Event event = std::move(heap_.back().event);
    heap_.pop_back();
    return event;
  }

 private:
  struct Entry {
    SimTime time;
    uint64_t sequence;
    Event event;
  };

  static bool IsLater(const Entry& a, const Entry& b) {
    return std::pair(a.time, a.sequence) > std::pair(b.time, b.sequence);
  }

  std::vector<Entry> heap_;
  uint64_t sequence_ = 0;
};

}  // namespace berth
