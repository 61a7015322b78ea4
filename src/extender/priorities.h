#pragma once

#include <cstdint>
#include <vector>

#include "rpc/scoring_client.h"

namespace berth {

// Turns an order into kube-scheduler's integer scores, by candidate position:
//
//   rank   1   2   3   4   5..8   9 and on   cannot take the pod, or unknown
//   score  10  5   4   3   2      1          0
//
// The gap after the first lets Berth's choice win over what other plugins merely prefer; the best
// few stay apart, for when the first is lost to such a preference. When no candidate can take the
// pod by Berth's books (they lag behind kube-scheduler, which offers them), all known ones are
// ranked alike. A lone candidate has 10.
//
// REQUIRES: the answer is about `candidates` candidates.
std::vector<int64_t> Priorities(const ScoreAnswer& answer, size_t candidates);

}  // namespace berth
