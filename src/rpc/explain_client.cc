#include "rpc/explain_client.h"

#include "berth/v1/scoring.grpc.pb.h"
#include "rpc/channel.h"
#include "rpc/convert.h"
#include "rpc/status.h"

namespace berth {

Result<Explanation> Explain(const std::string& target, const PodFacts& pod,
                            std::span<const std::string> nodes, std::chrono::milliseconds timeout) {
  v1::ExplainRequest request;
  *request.mutable_pod() = ToProto(pod);
  request.mutable_node_names()->Add(nodes.begin(), nodes.end());
  grpc::ClientContext context;
  SetTimeout(context, timeout);
  v1::ExplainResponse response;
  const auto stub = v1::Scoring::NewStub(MakeChannel(target));
  const grpc::Status status = stub->Explain(&context, request, &response);
  if (!status.ok()) return FromGrpc(status, target);
  return FromProto(response);
}

}  // namespace berth
