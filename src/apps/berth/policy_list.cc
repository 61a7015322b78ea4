#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/berth/policy_access.h"
#include "apps/berth/policy_commands.h"
#include "apps/berth/policy_table.h"

namespace berth {
namespace {

constexpr char kListExamples[] = R"(
Examples:
  Which policy answers, and how do canary and shadow do?
    berth policy list
  For a script:
    berth policy list --json | jq '.roles[] | select(.role == "canary")'
Decisions with more than one node to choose from count since the policy has its role. DIFFER: where it
chose another node than the active policy. REGRET: by how much more its choices fragment GPUs, over the
GPUs asked for; below 0, by how much less. GUARDED: where the fallback answered in its place. ASKED
AGAIN: pods that were bound nowhere after its answer.)";

constexpr char kWatchExamples[] = R"(
Examples:
  Follow a canary, until Ctrl-C:
    berth policy watch)";

struct ListOptions {
  PoliciesAccess access;
  bool json = false;
};

int List(const ListOptions& options) {
  const auto client = MakePoliciesClient(options.access);
  if (!client.ok()) return PolicyCommandFailed("list", client.status());
  const Result<PolicyListing> listing = (*client)->List();
  if (!listing.ok()) return PolicyCommandFailed("list", listing.status());
  std::cout << (options.json ? PolicyListingJson(*listing).dump(2) + "\n" : PolicyTable(*listing));
  return EXIT_SUCCESS;
}

int Watch(const PoliciesAccess& access) {
  const auto client = MakePoliciesClient(access);
  if (!client.ok()) return PolicyCommandFailed("watch", client.status());
  const Status end = (*client)->Watch([](const PolicyListing& listing) {
    std::cout << PolicyTable(listing) << "\n" << std::flush;
    return std::cout.good();
  });
  return end.ok() ? EXIT_SUCCESS : PolicyCommandFailed("watch", end);
}

}  // namespace

void AddPolicyList(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* sub =
      policy.add_subcommand("list", "Which policies serve, how they do, what else is there");
  sub->footer(kListExamples);
  AddPoliciesAccess(*sub, options->access);
  sub->add_flag("--json", options->json, "Everything, as JSON");
  sub->callback([options, &chosen] { chosen = [options] { return List(*options); }; });
}

void AddPolicyWatch(CLI::App& policy, Command& chosen) {
  auto access = std::make_shared<PoliciesAccess>();
  CLI::App* sub = policy.add_subcommand("watch", "What list says, again whenever it changes");
  sub->footer(kWatchExamples);
  AddPoliciesAccess(*sub, *access);
  sub->callback([access, &chosen] { chosen = [access] { return Watch(*access); }; });
}

}  // namespace berth
