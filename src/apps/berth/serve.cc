#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/berth/commands.h"
#include "apps/berth/data_path.h"
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
#include "policy/policy_slot.h"
#include "rollout/following_thread.h"
#include "rollout/rollout_plan.h"
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
  On free ports, which the line msg="serving" tells:
    berth serve --listen 127.0.0.1:0 --http 127.0.0.1:0
  With policies that are swapped while it runs, as policies/rollout.yaml says:
    echo 'active: berth' > policies/rollout.yaml
    berth serve --policies policies
  With every decision kept for berth explain and berth policy replay, for up to 30 days:
    berth serve --decision-log /var/lib/berth/decisions.db --decision-log-age 720h
  Apart from berth-scheduler, which shows a certificate of ca.pem:
    berth serve --listen 0.0.0.0:8790 --tls-cert tls.crt --tls-key tls.key --tls-client-ca ca.pem

SIGTERM and SIGINT let requests under way finish, for up to five seconds.)";

// The mix is learned; until enough pods have come it is taken to be this.
constexpr char kOnline[] = "online";
constexpr char kPrior[] = "policies/profiles/openb-default.json";

struct ServeOptions {
  std::string listen = "127.0.0.1:8790";
  std::string http = "127.0.0.1:8791";
  std::string policy = "policies/fgd-bestfit";
  std::string policies;
  std::string profile = kOnline;
  std::string expectations = "on";
  std::string log_level = "info";
  GuardOptions guards;
  TlsFiles tls;
  std::string decision_log;  // empty: none
  int64_t decision_log_bytes = Retention().max_bytes;
  std::string decision_log_age = "168h";
};

// The decision log, and who tells it.
struct LoggedDecisions {
  LoggedDecisions(const std::string& file, const Retention& retention, GpuChooser choose_gpus,
                  const Clock& clock, const WallClock& wall_clock, Metrics& metrics, Logger& log)
      : decision_log(file, retention, std::move(choose_gpus), clock, wall_clock, metrics, log),
        reporter(decision_log, clock, wall_clock) {}

  DecisionLog decision_log;
  DecisionReporter reporter;
};

Result<Retention> RetentionOf(const ServeOptions& options) {
  const Result<Seconds> age = ParseDuration(options.decision_log_age);
  if (!age.ok()) {
    return absl::InvalidArgumentError("--decision-log-age: " + std::string(age.status().message()));
  }
  return Retention{options.decision_log_bytes, std::chrono::seconds(age->value())};
}

Result<WorkloadProfilePtr> LoadServingProfile(const std::string& name) {
  const Result<std::filesystem::path> path = FindData(name, ProgramDirectory());
  if (!path.ok()) {
    return absl::NotFoundError("--profile " + name + ": " + std::string(path.status().message()));
  }
  Result<WorkloadProfile> profile = LoadProfile(path->string());
  if (!profile.ok()) return profile.status();
  return std::make_shared<const WorkloadProfile>(*std::move(profile));
}

// What may be wrong with the option itself, which no later look mends.
Status CheckFolder(const std::string& folder) {
  const std::filesystem::path file = std::filesystem::path(folder) / kRolloutFile;
  std::error_code error;
  if (std::filesystem::exists(file, error)) return {};
  return absl::NotFoundError("--policies " + folder + ": there is no " + file.string() +
                             ", with a line such as `active: berth`");
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

  const Result<Retention> retention = RetentionOf(options);
  if (!retention.ok()) return retention.status();

  const RealClock clock;
  const RealWallClock wall_clock;
  Metrics metrics;
  AddBuildInfo(metrics);
  const bool online = options.profile == kOnline;
  Result<WorkloadProfilePtr> profile = LoadServingProfile(online ? kPrior : options.profile);
  if (!profile.ok()) return profile.status();
  PolicyProbation probation(ProbeWith(kThisProgram));
  const auto load = [&](const std::string& name) {
    return MakeServingPolicy(name, options.guards, probation, clock, metrics, log);
  };
  const bool follows = !options.policies.empty();
  Result<ScorerPtr> first = load(follows ? options.guards.heuristic : options.policy);
  if (!first.ok()) return first.status();
  PolicySlot policy(*std::move(first));
  std::optional<FollowingThread> following;
  if (follows) {
    if (Status there = CheckFolder(options.policies); !there.ok()) return there;
    following.emplace(PolicyFollower(options.policies, load, policy, metrics, log));
  }

  const auto choose_gpus = [&policy](const Node& node, const Demand& demand,
                                     const WorkloadProfile& mix) {
    return policy.Get()->ChooseGpus(node, demand, mix);
  };
  ClusterState state(choose_gpus, *profile, metrics, log,
                     online ? ClusterState::Mix::kLearned : ClusterState::Mix::kGiven);
  std::unique_ptr<LoggedDecisions> decisions;
  if (!options.decision_log.empty()) {
    decisions = std::make_unique<LoggedDecisions>(options.decision_log, *retention, choose_gpus,
                                                  clock, wall_clock, metrics, log);
  }
  auto server = ScoringServer::Start(
      {listen->ToString(), options.expectations == "on", options.tls}, state, policy, clock,
      metrics, log, decisions == nullptr ? nullptr : &decisions->reporter);
  if (!server.ok()) return server.status();
  auto status = StatusServer::Start(http->host, http->port, metrics,
                                    [&server = **server] { return server.Ready(); });
  if (!status.ok()) return status.status();

  listen->port = (*server)->port();
  http->port = (*status)->port();
  log.info("msg=\"serving\" grpc={} http={} policy={} profile={} version={} commit={}",
           listen->ToString(), http->ToString(), Quoted(policy.Get()->name()),
           Quoted((*profile)->version()), Version(), Commit());
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
  serve
      ->add_option("--policies", options->policies,
                   "Directory of policies whose rollout.yaml says which is in charge; looked at "
                   "every second, and swapped without a gap")
      ->type_name("DIR")
      ->excludes(policy);
  AddGuardOptions(*serve, options->guards);
  serve
      ->add_option("--profile", options->profile,
                   "The mix of work to expect; online: what the pods show that come")
      ->type_name("online|FILE")
      ->capture_default_str();
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
