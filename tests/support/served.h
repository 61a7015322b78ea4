#pragma once

#include <memory>
#include <string>
#include <utility>

#include "policy/policy_routes.h"

namespace berth {

inline ServedPolicyPtr Served(ScorerPtr scorer, std::string version = "") {
  return std::make_shared<const ServedPolicy>(ServedPolicy{std::move(scorer), std::move(version)});
}

// One policy for all.
inline PolicyRoutes RoutesTo(ScorerPtr scorer, std::string version = "") {
  return {.active = Served(std::move(scorer), std::move(version)), .canary = {}, .shadow = {}};
}

}  // namespace berth
