#pragma once

#include <string>

namespace berth {

// The pod that a decision is about, as Kubernetes knows it.
struct DecidedPod {
  std::string namespace_name;
  std::string name;
  std::string uid;
  std::string owner;  // "Kind/name" of the controller; empty: none

  bool operator==(const DecidedPod&) const = default;
};

}  // namespace berth
