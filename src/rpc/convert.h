#pragma once

#include "berth/v1/facts.pb.h"
#include "berth/v1/scoring.pb.h"
#include "facts/facts.h"
#include "rpc/explanation.h"

namespace berth {

// Proto messages <-> neutral facts. Nothing is interpreted and nothing is lost.
NodeFacts FromProto(const v1::NodeFacts& proto);
PodFacts FromProto(const v1::PodFacts& proto);
v1::NodeFacts ToProto(const NodeFacts& facts);
v1::PodFacts ToProto(const PodFacts& facts);

// Likewise for an explanation.
Explanation FromProto(const v1::ExplainResponse& proto);
v1::ExplainResponse ToProto(const Explanation& explanation);

}  // namespace berth
