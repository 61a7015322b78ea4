#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace berth {

// Something for each key, for the `most` keys that were asked about last: the one that nobody asked
// about for longest leaves. Not thread-safe.
template <class Key, class Value>
class Recent {
 public:
  // REQUIRES: most > 0.
  explicit Recent(size_t most) : most_(most) {}

  // What there is for the key, default-made when it is new or has left. Valid until the next call.
  Value& operator[](const Key& key) {
    const auto known = places_.find(key);
    if (known != places_.end()) {
      entries_.splice(entries_.begin(), entries_, known->second);
      return entries_.front().second;
    }
    if (entries_.size() >= most_) Forget(Key(entries_.back().first));
    entries_.emplace_front(key, Value());
    places_.emplace(key, entries_.begin());
    return entries_.front().second;
  }

  void Forget(const Key& key) {
    const auto known = places_.find(key);
    if (known == places_.end()) return;
    entries_.erase(known->second);
    places_.erase(known);
  }

  void Clear() {
    entries_.clear();
    places_.clear();
  }

  size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<Key, Value>>;  // the one asked about last first

  const size_t most_;
  Entries entries_;
  std::map<Key, typename Entries::iterator> places_;
};

}  // namespace berth
