#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "berth/node.h"
#include "berth/result.h"
#include "sim/openb_lists.h"

namespace berth {

// What a seed decides in the inflation protocol of the FGD paper: the order in which pods arrive,
// and which of two equally good nodes wins.
struct EventOrder {
  std::vector<uint32_t> arrivals;   // positions in the pod list; a pod may arrive several times
  std::vector<uint32_t> node_rank;  // of each node, all different; the lowest wins a tie

  bool operator==(const EventOrder&) const = default;
};

// Draws an order as the protocol says: the pods shuffled, then with more pods drawn from the list
// (with replacement) or some removed at random, until they ask for 1.3 times the GPUs of the nodes.
// As in the paper's simulator, a pod drawn late counts with its share of one GPU when it is decided
// whether it still fits in, and the lists are sorted by name first. The draws are our own, so
// a seed gives another order than there.
EventOrder DrawEventOrder(const std::vector<NodeSpec>& nodes, const std::vector<TracePod>& pods,
                          Rng& rng);

// Reads the order that DIR/TRACE_seedSEED.txt and DIR/TRACE_seedSEED_noderank.txt hold: one number
// a line, a position in the pod list per arrival and a rank per node; '#' starts a comment line.
// Errors: NOT_FOUND, or INVALID_ARGUMENT that names file, line and what would be right.
Result<EventOrder> ReadEventOrder(const std::filesystem::path& directory, const std::string& trace,
                                  uint64_t seed, size_t pods, size_t nodes);

}  // namespace berth
