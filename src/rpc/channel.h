#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <memory>
#include <string>

namespace berth {

// Largest message in either direction; 20,000 node names or an explanation of as many nodes fit.
inline constexpr int kMaxMessageBytes = 16 * 1024 * 1024;

// A channel to a scoring service: connects lazily, gives up an attempt after two seconds, tries
// again within a second, notices a peer that is gone without a word, and goes through no proxy.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& target,
                                           const std::shared_ptr<grpc::ChannelCredentials>&
                                               credentials = grpc::InsecureChannelCredentials());

// Ends the call with DEADLINE_EXCEEDED when it takes longer.
void SetTimeout(grpc::ClientContext& context, std::chrono::milliseconds timeout);

}  // namespace berth
