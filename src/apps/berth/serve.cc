#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/berth/commands.h"
#include "apps/berth/data_path.h"
#include "apps/berth/followed_rollout.h"
#include "apps/berth/guard_options.h"
#include "apps/berth/policy_probe_command.h"
#include "apps/berth/serving_policy.h"
#include "base/address.h"
#include "base/real_clock.h"
#include "base/status_server.h"
#include "base/stop_signals.h"
#include "base/version.h"
#include "cluster/cluster_state.h"
#include "cluster/profile_file.h"
#include "decisions/decision_log.h"
#include "facts/duration.h"
#include "policy/decision_fan.h"
#include "policy/policy_slot.h"
#include "rollout/policy_follower.h"
#include "service/decision_reporter.h"
#include "service/scoring_server.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kGrace{5};

constexpr char kExamples[] = R"(
Examples:
  In one pod with the scheduler (the usual way):
    berth serve
  With a built-in heuristic in place of a policy file:
    berth serve --policy fgd
  Where pods stay until the cluster is full, as services do:
    berth serve --regime packing
  On free ports, which the line msg="serving" tells:
    berth serve --listen 127.0.0.1:0 --http 127.0.0.1:0
  With policies that are swapped while it runs, as policies/rollout.yaml says:
    echo 'active: berth' > policies/rollout.yaml
    berth serve --policies policies
  With changes of that by berth policy promote and others, each kept in a file:
    openssl rand -hex 32 > token
    berth serve --policies policies --admin-token-file token --audit-log audit.jsonl
  With every decision kept for berth explain and berth policy replay, for up to 30 days:
    berth serve --decision-log /var/lib/berth/decisions.db --decision-log-age 720h
  Apart from berth-scheduler, which shows a certificate of ca.pem:
    berth serve --listen 0.0.0.0:8790 --tls-cert tls.crt --tls-key tls.key --tls-client-ca ca.pem

SIGTERM and SIGINT let requests under way finish, for up to five seconds.)";

// What becomes of pods once they are placed, as a recipe calls it.
constexpr char kLiving[] = "living";
constexpr char kPacking[] = "packing";

// The mix is learned; until enough pods have come it is taken to be this.
constexpr char kOnline[] = "online";
constexpr char kPrior[] = "policies/profiles/openb-default.json";

struct ServeOptions {
  std::string listen = "127.0.0.1:8790";
  std::string http = "127.0.0.1:8791";
  std::string policy = "policies/berth";
  std::string policies;
  std::string admin_token_file;  // empty: none
  std::string audit_log;         // empty: none
  std::string profile = kOnline;
  std::string regime = kLiving;
  std::string expectations = "on";
  std::string log_level = "info";
  GuardOptions guards;
  TlsFiles tls;
  std::string decision_log;  // empty: none
  int64_t decision_log_bytes = Retention().max_bytes;
  std::string decision_log_age = "168h";
};

// Those who watch decisions, and who tells them.
struct WatchedDecisions {
  WatchedDecisions(std::vector<DecisionSink*> sinks, const Clock& clock,
                   const WallClock& wall_clock)
      : fan(std::move(sinks)), reporter(fan, clock, wall_clock) {}

  DecisionFan fan;
  DecisionReporter reporter;
};

Result<Retention> RetentionOf(const ServeOptions& options) {
  const Result<Seconds> age = ParseDuration(options.decision_log_age);
  if (!age.ok()) {
    return absl::InvalidArgumentError("--decision-log-age: " + std::string(age.status().message()));
  }
  return Retention{options.decision_log_bytes, std::chrono::seconds(age->value())};
}

Result<WorkloadProfilePtr> LoadServingProfile(const std::string& name, bool pods_leave) {
  const Result<std::filesystem::path> path = FindData(name, ProgramDirectory());
  if (!path.ok()) {
    return absl::NotFoundError("--profile " + name + ": " + std::string(path.status().message()));
  }
  Result<WorkloadProfile> profile = LoadProfile(path->string());
  if (!profile.ok()) return profile.status();
  return std::make_shared<const WorkloadProfile>(profile->WithDepartures(pods_leave));
}

void WarnWhenTokensAreInTheOpen(const Address& listen, const ServeOptions& options, Logger& log) {
  if (options.admin_token_file.empty() || listen.IsLoopback()) return;
  if (!options.tls.certificate.empty()) return;
  log.warn(
      "msg=\"without --tls-cert, who listens to the network reads the tokens that are sent to "
      "change policies\" option=--admin-token-file address={}",
      listen.ToString());
}

void WarnWhenOpen(const Address& listen, const TlsFiles& tls, Logger& log) {
  if (listen.IsLoopback() || !tls.client_ca.empty()) return;
  log.warn(
      "msg=\"there is no authentication without --tls-client-ca: whoever reaches this address may "
      "ask "
      "and feed\" option=--listen address={}",
      listen.ToString());
}

// Serves until a stop signal.
Status Serve(const ServeOptions& options, const StopSignals& stop, Logger& log) {
  Result<Address> listen = ParseAddress(options.listen);
  if (!listen.ok()) return listen.status();
  Result<Address> http = ParseAddress(options.http);
  if (!http.ok()) return http.status();
  WarnWhenOpen(*listen, options.tls, log);
  WarnWhenTokensAreInTheOpen(*listen, options, log);

  const Result<Retention> retention = RetentionOf(options);
  if (!retention.ok()) return retention.status();

  const RealClock clock;
  const RealWallClock wall_clock;
  Metrics metrics;
  AddBuildInfo(metrics);
  const bool online = options.profile == kOnline;
  const Result<WorkloadProfilePtr> profile =
      LoadServingProfile(online ? kPrior : options.profile, options.regime == kLiving);
  if (!profile.ok()) return profile.status();
  PolicyProbation probation(ProbeWith(kThisProgram));
  const auto load = [&](const std::string& name) {
    return MakeServingPolicy(name, options.guards, probation, clock, metrics, log);
  };
  const bool follows = !options.policies.empty();
  Result<ServedPolicy> first = load(follows ? options.guards.heuristic : options.policy);
  if (!first.ok()) return first.status();
  PolicySlot policy({.active = std::make_shared<const ServedPolicy>(*std::move(first))});
  std::optional<FollowedRollout> rollout;
  if (follows) {
    Status sound = CheckRolloutOptions(options.policies, options.audit_log, wall_clock);
    if (!sound.ok()) return sound;
    rollout.emplace(options.policies, options.audit_log,
                    PolicyFollower(options.policies, load, policy, metrics, log), policy, probation,
                    clock, wall_clock, metrics, log);
  }

  const auto choose_gpus = [&policy](const Node& node, const Demand& demand,
                                     const WorkloadProfile& mix) {
    return policy.Get()->active->scorer->ChooseGpus(node, demand, mix);
  };
  ClusterState state(choose_gpus, *profile, metrics, log,
                     online ? ClusterState::Mix::kLearned : ClusterState::Mix::kGiven);
  std::optional<DecisionLog> decision_log;
  std::vector<DecisionSink*> sinks;
  if (!options.decision_log.empty()) {
    sinks.push_back(
        &decision_log.emplace(options.decision_log, *retention, clock, wall_clock, metrics, log));
  }
  if (rollout) sinks.push_back(&rollout->decisions);
  std::optional<WatchedDecisions> decisions;
  if (!sinks.empty()) decisions.emplace(std::move(sinks), clock, wall_clock);
  auto server = ScoringServer::Start(
      {listen->ToString(), options.expectations == "on", options.tls, options.admin_token_file},
      state, policy, clock, metrics, log, decisions ? &decisions->reporter : nullptr,
      rollout ? &rollout->admin : nullptr);
  if (!server.ok()) return server.status();
  auto status = StatusServer::Start(http->host, http->port, metrics,
                                    [&server = **server] { return server.Ready(); });
  if (!status.ok()) return status.status();

  listen->port = (*server)->port();
  http->port = (*status)->port();
  log.info("msg=\"serving\" grpc={} http={} policy={} profile={} regime={} version={} commit={}",
           listen->ToString(), http->ToString(), Quoted(TextOf(*policy.Get()->active)),
           Quoted((*profile)->version()), options.regime, Version(), Commit());
  log.info("msg=\"stopping\" signal={}", stop.Wait());
  (*server)->Drain(kGrace);
  return {};
}

int Run(const ServeOptions& options) {
  const StopSignals stop;
  const std::shared_ptr<Logger> log = MakeStderrLogger("berth", options.log_level);
  const Status status = Serve(options, stop, *log);
  if (status.ok()) return EXIT_SUCCESS;
  log->error("msg=\"cannot serve\" error={}", Quoted(std::string(status.message())));
  return EXIT_FAILURE;
}

void AddTls(CLI::App& serve, TlsFiles& tls) {
  CLI::Option* certificate =
      serve.add_option("--tls-cert", tls.certificate,
                       "Certificate (PEM) to show; berth-extender and berth explain speak no TLS");
  CLI::Option* key = serve.add_option("--tls-key", tls.key, "Its private key (PEM)");
  CLI::Option* client_ca = serve.add_option(
      "--tls-client-ca", tls.client_ca, "Only callers with a certificate of this authority (PEM)");
  for (CLI::Option* option : {certificate, key, client_ca}) option->type_name("FILE");
  certificate->needs(key);
  key->needs(certificate);
  client_ca->needs(certificate);
}

void AddAdmin(CLI::App& serve, CLI::Option* policies, ServeOptions& options) {
  serve
      .add_option("--admin-token-file", options.admin_token_file,
                  "Who shows the first line of this file, of 16 characters or more, may change the "
                  "rollout; so may any certificate of --tls-client-ca")
      ->type_name("FILE")
      ->needs(policies);
  serve
      .add_option("--audit-log", options.audit_log,
                  "Append each change of the rollout to this file, or make none")
      ->type_name("FILE")
      ->needs(policies);
}

void AddDecisionLog(CLI::App& serve, ServeOptions& options) {
  CLI::Option* file = serve.add_option(
      "--decision-log", options.decision_log,
      "Keep every decision in this SQLite file, for berth explain and berth policy replay");
  file->type_name("FILE");
  serve
      .add_option("--decision-log-size", options.decision_log_bytes, "The oldest leave beyond this")
      ->option_text("SIZE=256MiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->check(CLI::Range(int64_t{1} << 20, int64_t{1} << 40))
      ->needs(file);
  serve.add_option("--decision-log-age", options.decision_log_age, "Older ones leave")
      ->type_name("TIME")
      ->capture_default_str()
      ->needs(file);
}

}  // namespace

void AddServe(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* serve = app.add_subcommand("serve", "Answer which nodes suit a pod best (gRPC)");
  serve->footer(kExamples);
  serve->add_option("--listen", options->listen, "Address for gRPC; port 0 picks a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  serve->add_option("--http", options->http, "Address for /healthz, /readyz and /metrics")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  AddTls(*serve, options->tls);
  CLI::Option* policy =
      serve
          ->add_option(
              "--policy", options->policy,
              "Directory with policy.pt and manifest.json, or the name of a built-in policy")
          ->type_name("DIR|NAME")
          ->capture_default_str();
  CLI::Option* policies =
      serve
          ->add_option(
              "--policies", options->policies,
              "Directory of policies whose rollout.yaml says which is in charge; looked at "
              "every second, and swapped without a gap")
          ->type_name("DIR")
          ->excludes(policy);
  AddAdmin(*serve, policies, *options);
  AddGuardOptions(*serve, options->guards);
  serve
      ->add_option("--profile", options->profile,
                   "The mix of work to expect; online: what the pods show that come")
      ->type_name("online|FILE")
      ->capture_default_str();
  serve
      ->add_option("--regime", options->regime,
                   "living: pods run and leave while others wait for a place, as jobs do; packing: "
                   "they stay, as services do, until the cluster is full")
      ->type_name("living|packing")
      ->capture_default_str()
      ->check(CLI::IsMember({kLiving, kPacking}));
  serve
      ->add_option("--expectations", options->expectations,
                   "Rank a pod as if those before it had gone where they were ranked first; off: "
                   "by what the watch has shown alone")
      ->type_name("on|off")
      ->capture_default_str()
      ->check(CLI::IsMember({"on", "off"}));
  AddDecisionLog(*serve, *options);
  serve->add_option("--log-level", options->log_level, "How much to log, to standard error")
      ->type_name("LEVEL")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
  serve->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
