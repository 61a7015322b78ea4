#pragma once

#include <cstddef>

namespace berth {

// How much is measured. The defaults are the cluster that the design aims at.
struct BenchSizes {
  size_t few_nodes = 500;
  size_t nodes = 5'000;
  size_t many_nodes = 20'000;
  size_t pods_per_node = 8;
  size_t episode_nodes = 1'213;  // of openb
  int questions = 150;           // of each kind
  int feed_events = 20'000;      // after the list
  double micro_seconds = 0.3;    // for each in-process measurement
};

// As small as it gets: shows that everything runs, and measures nothing.
inline BenchSizes SmokeSizes() {
  return {.few_nodes = 5,
          .nodes = 20,
          .many_nodes = 40,
          .pods_per_node = 3,
          .episode_nodes = 20,
          .questions = 3,
          .feed_events = 50,
          .micro_seconds = 0.001};
}

}  // namespace berth
