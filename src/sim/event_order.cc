#include "sim/event_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/bounded_file.h"
#include "base/log.h"
#include "sim/draw.h"

namespace berth {
namespace {

constexpr size_t kMaxOrderBytes = size_t{64} << 20;

// Pods arrive until they ask for so much of the nodes' GPUs.
constexpr int64_t kInflationPercent = 130;

// Positions in a list of what has a name, by name.
template <class T, class NameOf>
std::vector<uint32_t> SortedByName(const std::vector<T>& items, NameOf name_of) {
  std::vector<uint32_t> sorted(items.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {},
                    [&](uint32_t i) -> const std::string& { return name_of(items[i]); });
  return sorted;
}

void RemoveBeyond(MilliGpu target, const std::vector<TracePod>& pods, MilliGpu asked, Rng& rng,
                  std::vector<uint32_t>& arrivals) {
  while (asked > target) {
    const auto removed = arrivals.begin() + static_cast<int64_t>(DrawBelow(rng, arrivals.size()));
    asked -= pods[*removed].demand.TotalGpu();
    arrivals.erase(removed);
  }
}

void AddUpTo(MilliGpu target, const std::vector<TracePod>& pods,
             const std::vector<uint32_t>& by_name, MilliGpu asked, Rng& rng,
             std::vector<uint32_t>& arrivals) {
  if (asked == MilliGpu()) return;  // pods without GPUs would never reach the target
  while (true) {
    const uint32_t drawn = by_name[DrawBelow(rng, by_name.size())];
    if (asked + pods[drawn].demand.per_gpu > target) return;
    asked += pods[drawn].demand.TotalGpu();
    arrivals.push_back(drawn);
  }
}

// The numbers in a file, each below `below`.
Result<std::vector<uint32_t>> ReadNumbers(const std::filesystem::path& path, size_t below) {
  const Result<std::string> text = ReadBounded(path, kMaxOrderBytes);
  if (!text.ok()) return text.status();
  std::vector<uint32_t> numbers;
  std::istringstream lines(*text);
  int line_number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++line_number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    uint32_t number = 0;
    const char* const line_end = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data(), line_end, number);
    if (error != std::errc() || end != line_end || number >= below) {
      return absl::InvalidArgumentError(fmt::format("{}:{}: {} should be a whole number below {}",
                                                    path.string(), line_number, Quoted(line),
                                                    below));
    }
    numbers.push_back(number);
  }
  return numbers;
}

Status CheckRanks(const std::vector<uint32_t>& ranks, size_t nodes, const std::string& file) {
  std::vector<uint32_t> sorted = ranks;
  std::ranges::sort(sorted);
  const bool each_once = std::ranges::adjacent_find(sorted) == sorted.end();
  if (ranks.size() == nodes && each_once) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{}: there should be {} ranks, one for each node, and all different", file, nodes));
}

}  // namespace

EventOrder DrawEventOrder(const std::vector<NodeSpec>& nodes, const std::vector<TracePod>& pods,
                          Rng& rng) {
  const std::vector<uint32_t> by_name =
      SortedByName(pods, [](const TracePod& pod) -> const std::string& { return pod.name; });
  MilliGpu capacity;
  for (const NodeSpec& node : nodes) capacity += kWholeGpu * node.gpus;
  MilliGpu asked;
  for (const TracePod& pod : pods) asked += pod.demand.TotalGpu();
  const MilliGpu target(capacity.value() * kInflationPercent / 100);

  EventOrder order{.arrivals = by_name};
  Shuffle(order.arrivals, rng);
  if (asked > target) {
    RemoveBeyond(target, pods, asked, rng, order.arrivals);
  } else {
    AddUpTo(target, pods, by_name, asked, rng, order.arrivals);
  }
  const std::vector<uint32_t> nodes_by_name = SortedByName(
      nodes, [](const NodeSpec& node) -> const std::string& { return node.name.value(); });
  std::vector<uint32_t> shuffled = nodes_by_name;
  Shuffle(shuffled, rng);
  order.node_rank.resize(nodes.size());
  for (uint32_t rank = 0; rank < nodes.size(); ++rank) order.node_rank[shuffled[rank]] = rank;
  return order;
}

Result<EventOrder> ReadEventOrder(const std::filesystem::path& directory, const std::string& trace,
                                  uint64_t seed, size_t pods, size_t nodes) {
  const std::string stem = fmt::format("{}_seed{}", trace, seed);
  Result<std::vector<uint32_t>> arrivals = ReadNumbers(directory / (stem + ".txt"), pods);
  if (!arrivals.ok()) return arrivals.status();
  const std::filesystem::path rank_file = directory / (stem + "_noderank.txt");
  Result<std::vector<uint32_t>> ranks = ReadNumbers(rank_file, nodes);
  if (!ranks.ok()) return ranks.status();
  if (Status sound = CheckRanks(*ranks, nodes, rank_file.string()); !sound.ok()) return sound;
  return EventOrder{.arrivals = *std::move(arrivals), .node_rank = *std::move(ranks)};
}

}  // namespace berth
