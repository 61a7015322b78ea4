#include <absl/strings/numbers.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "apps/berth/policy_access.h"
#include "apps/berth/policy_commands.h"

namespace berth {
namespace {

constexpr char kLoadExamples[] = R"(
Examples:
  May it serve? The verdict is remembered, so a promotion is quick:
    berth policy load berth --token-file token)";

constexpr char kShadowExamples[] = R"(
Examples:
  Ask a policy beside the active one, and compare (berth policy list):
    berth policy shadow berth --token-file token --why "new training"
  No longer:
    berth policy shadow --off --token-file token --why "seen enough")";

constexpr char kCanaryExamples[] = R"(
Examples:
  Let a policy answer for a tenth of the owners of pods, and make it active after 1,000 decisions
  if it fragments no more than half a percent worse and answers in time:
    berth policy canary berth --percent 10 --after 1000 --max-regret 0.5% --max-p99 2ms \
      --token-file token --why "first week"
  For two namespaces, until somebody promotes it:
    berth policy canary berth --namespace research --namespace batch --token-file token --why "try")";

constexpr char kPromoteExamples[] = R"(
Examples:
  Make the canary active:
    berth policy promote --token-file token --why "a good week"
  Make any other policy active:
    berth policy promote berth --token-file token --why "as agreed"
  Where rollout.yaml is mounted, make the change to commit (exit status 3):
    berth policy promote --token-file token --why "a good week" > rollout.yaml)";

constexpr char kRollbackExamples[] = R"(
Examples:
  Withdraw the canary; without one, go back to the previous policy:
    berth policy rollback --token-file token --why "pods wait")";

struct ChangeOptions {
  PoliciesAccess access;
  std::string why;
  CanaryOrder order;  // most changes need its policy alone
  bool off = false;
  std::string max_regret, max_p99;
};

using Ask = std::function<Result<std::string>(PoliciesClient& client)>;

// Makes a change, and tells what rollout.yaml says now.
int Change(std::string_view command, const PoliciesAccess& access, const Ask& ask) {
  const auto client = MakePoliciesClient(access);
  if (!client.ok()) return PolicyCommandFailed(command, client.status());
  const Result<std::string> rollout = ask(**client);
  if (!rollout.ok()) return PolicyCommandFailed(command, rollout.status());
  std::cout << *rollout;
  return EXIT_SUCCESS;
}

int Load(const ChangeOptions& options) {
  const auto client = MakePoliciesClient(options.access);
  if (!client.ok()) return PolicyCommandFailed("load", client.status());
  const Result<LoadedPolicy> loaded = (*client)->Load(options.order.policy);
  if (!loaded.ok()) return PolicyCommandFailed("load", loaded.status());
  if (loaded->sha256.empty()) {
    std::cout << loaded->name << ": may serve, built in\n";
    return EXIT_SUCCESS;
  }
  std::cout << fmt::format("{} {}: may serve, {:.1f} ms for 5,000 nodes, SHA-256 {}\n",
                           loaded->name, loaded->version,
                           static_cast<double>(loaded->forward.count()) / 1000, loaded->sha256);
  return EXIT_SUCCESS;
}

// "2ms" with the unit "ms" is 2.
Result<double> Measured(const std::string& option, const std::string& text, std::string_view unit,
                        const std::string& example) {
  double number = 0;
  if (text.ends_with(unit) &&
      absl::SimpleAtod(text.substr(0, text.size() - unit.size()), &number) &&
      std::isfinite(number)) {
    return number;
  }
  return absl::InvalidArgumentError(
      fmt::format("{} {}: must be a number with its unit, such as {}", option, text, example));
}

Status ReadConditions(const ChangeOptions& options, CanaryOrder& order) {
  if (!options.max_regret.empty()) {
    const Result<double> percent = Measured("--max-regret", options.max_regret, "%", "0.5%");
    if (!percent.ok()) return percent.status();
    order.max_regret = *percent / 100;
  }
  if (!options.max_p99.empty()) {
    const Result<double> ms = Measured("--max-p99", options.max_p99, "ms", "2ms");
    if (!ms.ok()) return ms.status();
    order.max_p99 = std::chrono::microseconds(std::llround(*ms * 1000));
  }
  return {};
}

int SetCanary(const ChangeOptions& options) {
  CanaryOrder order = options.order;
  if (Status read = ReadConditions(options, order); !read.ok()) {
    return PolicyCommandFailed("canary", read);
  }
  return Change("canary", options.access,
                [&](PoliciesClient& client) { return client.SetCanary(order, options.why); });
}

int SetShadow(const ChangeOptions& options) {
  if (options.off == options.order.policy.empty()) {
    return Change("shadow", options.access, [&](PoliciesClient& client) {
      return client.SetShadow(options.order.policy, options.why);
    });
  }
  return PolicyCommandFailed(
      "shadow", absl::InvalidArgumentError("say which: the name of a policy, or --off"));
}

int Promote(const ChangeOptions& options) {
  return Change("promote", options.access, [&](PoliciesClient& client) {
    return client.Promote(options.order.policy, options.why);
  });
}

int Rollback(const ChangeOptions& options) {
  return Change("rollback", options.access,
                [&](PoliciesClient& client) { return client.Rollback(options.why); });
}

CLI::Option* AddName(CLI::App& sub, ChangeOptions& options, const std::string& about) {
  return sub.add_option("NAME", options.order.policy, about)->type_name("");
}

void AddWhy(CLI::App& sub, ChangeOptions& options) {
  sub.add_option("--why", options.why, "Why, in a few words; goes into the audit")
      ->type_name("TEXT")
      ->required();
}

void AddCanaryOptions(CLI::App& sub, ChangeOptions& options) {
  CanaryOrder& order = options.order;
  sub.add_option("--percent", order.percent, "Of the owners of pods it answers for so many")
      ->type_name("1..100")
      ->check(CLI::Range(1, 100));
  sub.add_option("--namespace", order.namespaces, "And for pods of this namespace; may be repeated")
      ->type_name("NAME");
  sub.add_option("--pool", order.pools,
                 "And for pods whose candidates are all of this node pool; may be repeated")
      ->type_name("NAME");
  CLI::Option* after = sub.add_option("--after", order.decisions,
                                      "Becomes active by itself after so many decisions of its own")
                           ->type_name("N")
                           ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  sub.add_option("--max-regret", options.max_regret, "Provided that its regret is at most this")
      ->type_name("PERCENT")
      ->needs(after);
  sub.add_option("--max-p99", options.max_p99, "Provided that its p99 is at most this")
      ->type_name("TIME")
      ->needs(after);
}

// A subcommand that `run` carries out.
CLI::App& AddSub(CLI::App& policy, Command& chosen, const std::string& name,
                 const std::string& about, const char* examples,
                 const std::shared_ptr<ChangeOptions>& options, int (*run)(const ChangeOptions&)) {
  CLI::App* sub = policy.add_subcommand(name, about);
  sub->footer(examples);
  AddPoliciesAccess(*sub, options->access);
  sub->callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
  return *sub;
}

}  // namespace

void AddPolicyRollout(CLI::App& policy, Command& chosen) {
  const auto make = [] { return std::make_shared<ChangeOptions>(); };
  auto options = make();
  CLI::App* sub =
      &AddSub(policy, chosen, "load", "Have the service check a policy before it serves",
              kLoadExamples, options, Load);
  AddName(*sub, *options, "A directory beside rollout.yaml, or a built-in policy")->required();

  options = make();
  sub = &AddSub(policy, chosen, "shadow", "Ask a policy beside those that answer", kShadowExamples,
                options, SetShadow);
  AddName(*sub, *options, "The policy");
  sub->add_flag("--off", options->off, "Ask none any more");
  AddWhy(*sub, *options);

  options = make();
  sub = &AddSub(policy, chosen, "canary", "Let a policy answer for some pods", kCanaryExamples,
                options, SetCanary);
  AddName(*sub, *options, "The policy")->required();
  AddCanaryOptions(*sub, *options);
  AddWhy(*sub, *options);

  options = make();
  sub = &AddSub(policy, chosen, "promote", "Make a policy active", kPromoteExamples, options,
                Promote);
  AddName(*sub, *options, "The policy (default: the canary)");
  AddWhy(*sub, *options);

  options = make();
  sub =
      &AddSub(policy, chosen, "rollback", "Withdraw the canary, or go back to the previous policy",
              kRollbackExamples, options, Rollback);
  AddWhy(*sub, *options);
}

}  // namespace berth
