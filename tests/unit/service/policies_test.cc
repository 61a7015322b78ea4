// The rollout as it is looked at and changed over gRPC.

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "berth/v1/policies.grpc.pb.h"
#include "rollout/audit_log.h"
#include "rpc/policies_client.h"
#include "service/admin_gate.h"
#include "service/policy_admin.h"
#include "support/captured_log.h"
#include "support/fake_wall_clock.h"
#include "support/temp_directory.h"
#include "support/test_certificates.h"
#include "torch/manifest.h"
#include "unit/service/running_service.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using grpc::StatusCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kToken[] = "0123456789abcdef";

// A folder of policies of which those called "broken..." are refused, and a service that follows
// nothing: what serves is "most-free-cpu 7", whatever rollout.yaml says.
class PoliciesTest : public testing::Test {
 protected:
  PoliciesTest() {
    folder_.Write("rollout.yaml", "active: a\n");
    secrets_.Write("token", std::string(kToken) + "\n");
  }

  PolicyAdmin Admin(RolloutControl& control) {
    return {.folder = folder_.path(),
            .control = control,
            .check = [this](const std::string& name) -> Result<CheckedPolicy> {
              checked_.push_back(name);
              if (name.starts_with("broken")) {
                return absl::FailedPreconditionError(name + "/policy.pt: writes files");
              }
              return CheckedPolicy{name, "3", "abc", std::chrono::microseconds(900)};
            },
            .tallies = [this] { return tallies_; },
            .refused = [this] { return refused_; },
            .look_every = std::chrono::milliseconds(5)};
  }

  std::unique_ptr<PoliciesClient> Client(const RunningService& service) const {
    auto client = MakePoliciesClient({service.target(), secrets_.path() / "token", {}});
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  void WritePolicy(const std::string& directory) const {
    fs::create_directory(folder_.path() / directory);
    folder_.Write(directory + "/manifest.json", WriteManifest({.name = "mine",
                                                               .version = "3",
                                                               .columns = {"gpu_free_after"},
                                                               .context_columns = {},
                                                               .schema_hash = std::string(64, 'a'),
                                                               .sha256 = std::string(64, 'b'),
                                                               .libtorch = "2.1",
                                                               .created = "2026-11-30T12:00:00Z",
                                                               .created_by = "a test",
                                                               .training = {},
                                                               .feature_ranges = {},
                                                               .results = {},
                                                               .profile = {}}));
  }

  std::string Rollout() const { return folder_.Read("rollout.yaml"); }

  const TempDirectory folder_, secrets_;
  std::vector<std::string> checked_;
  std::vector<PolicyTally> tallies_;
  std::string refused_;
  CapturedLog log_;
  const FakeWallClock wall_clock_;
  const AuditLog audit_{secrets_.path() / "audit.jsonl", wall_clock_};
  RolloutControl control_{
      folder_.path(), log_.logger(),
      [this](const auto& author, const auto& change) { return audit_.Append(author, change); }};
  const PolicyAdmin admin_ = Admin(control_);
  const ScoringServerOptions options_{.address = "",
                                      .expectations = true,
                                      .tls = {},
                                      .admin_token_file = secrets_.path() / "token"};
};

TEST_F(PoliciesTest, ChangeStepByStepAndAreAudited) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto client = Client(service);
  EXPECT_EQ(client->SetShadow("b", "to compare").value(), "active: a\nshadow: b\n");
  const CanaryOrder order{.policy = "c",
                          .percent = 10,
                          .namespaces = {"research", "batch"},
                          .pools = {"a100"},
                          .decisions = 1000,
                          .max_regret = 0.005,
                          .max_p99 = std::chrono::microseconds(2500)};
  EXPECT_EQ(client->SetCanary(order, "first week").value(),
            "active: a\nshadow: b\ncanary:\n  policy: c\n  percent: 10\n"
            "  namespaces: [research, batch]\n  pools: [a100]\n"
            "promote:\n  decisions: 1000\n  max_regret: 0.5%\n  max_p99: 2.5ms\n");
  EXPECT_EQ(client->Promote("", "a good week").value(), "active: c\nprevious: a\nshadow: b\n");
  EXPECT_EQ(client->SetShadow("", "seen enough").value(), "active: c\nprevious: a\n");
  EXPECT_EQ(client->Rollback("pods wait").value(), "active: a\n");
  EXPECT_EQ(client->Promote("d", "as agreed").value(), "active: d\nprevious: a\n");
  EXPECT_EQ(Rollout(), "active: d\nprevious: a\n");
  EXPECT_THAT(checked_, ElementsAre("b", "c", "a", "d")) << "each that did not serve before";
  const std::string audit = secrets_.Read("audit.jsonl");
  EXPECT_EQ(std::ranges::count(audit, '\n'), 6);
  EXPECT_THAT(audit,
              StartsWith(R"({"time":"2026-03-01T12:00:00Z","who":"token","peer":"ipv4:127)"));
  EXPECT_THAT(audit, HasSubstr(R"("why":"pods wait","from":"active: c\nprevious: a\n",)"
                               R"("to":"active: a\n"})"));
}

TEST_F(PoliciesTest, AreListedWithWhatTheyDo) {
  WritePolicy("a");
  WritePolicy("a-twin");
  fs::create_directory(folder_.path() / "empty");
  fs::create_directory(folder_.path() / "..hidden");
  folder_.Write("rollout.yaml", "active: a\nshadow: a\ncanary: {policy: nowhere, percent: 5}\n");
  tallies_ = {{.role = PolicyRole::kShadow, .policy = "most-free-cpu 7", .decisions = 1},
              {.role = PolicyRole::kActive,
               .policy = "most-free-cpu 7",
               .decisions = 10,
               .differ = 3,
               .regret = -0.25,
               .p50 = std::chrono::nanoseconds(5),
               .p99 = std::chrono::nanoseconds(6),
               .guarded = 1,
               .asked_again = 2}};
  refused_ = "there is no nowhere";
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const Result<PolicyListing> listing = Client(service)->List();
  ASSERT_TRUE(listing.ok()) << listing.status();

  ASSERT_THAT(listing->roles, SizeIs(1));
  EXPECT_EQ(listing->roles[0].role, "active");
  EXPECT_EQ(listing->roles[0].name, "most-free-cpu");
  EXPECT_EQ(listing->roles[0].version, "7");
  ASSERT_TRUE(listing->roles[0].record.has_value());
  EXPECT_EQ(listing->roles[0].record->decisions, 10);
  EXPECT_EQ(listing->roles[0].record->regret, -0.25);
  EXPECT_EQ(listing->roles[0].record->asked_again, 2);

  ASSERT_THAT(listing->directories, SizeIs(3));
  EXPECT_EQ(listing->directories[0].directory, "a");
  EXPECT_EQ(listing->directories[0].name, "mine");
  EXPECT_EQ(listing->directories[0].sha256, std::string(64, 'b'));
  EXPECT_THAT(listing->directories[0].wanted, ElementsAre("active", "shadow"));
  EXPECT_THAT(listing->directories[1].wanted, IsEmpty());
  EXPECT_THAT(listing->directories[2].problem, HasSubstr("empty/manifest.json"));
  EXPECT_THAT(listing->rollout_yaml, HasSubstr("shadow: a\ncanary:\n  policy: nowhere\n"));
  EXPECT_EQ(listing->refused, "there is no nowhere");
}

TEST_F(PoliciesTest, ARolloutThatCannotBeReadIsToldInTheListing) {
  folder_.Write("rollout.yaml", "activ: a\n");
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const Result<PolicyListing> listing = Client(service)->List();
  ASSERT_TRUE(listing.ok()) << listing.status();
  EXPECT_THAT(listing->refused, HasSubstr("rollout.yaml: line 1: \"activ\" is not a key"));
  EXPECT_EQ(listing->rollout_yaml, "");
  EXPECT_THAT(listing->roles, SizeIs(1)) << "whoever serves still does";
}

TEST_F(PoliciesTest, AreCheckedBeforeAnyoneCountsOnThem) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto client = Client(service);
  const Result<LoadedPolicy> loaded = client->Load("b");
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->version, "3");
  EXPECT_EQ(loaded->forward, std::chrono::microseconds(900));
  EXPECT_THAT(client->Load("broken").status().ToString(),
              HasSubstr("broken/policy.pt: writes files"));
  for (const std::string name : {"", "../a", "..data", "a/b", "a b"}) {
    EXPECT_THAT(client->Load(name).status().ToString(), HasSubstr("policy: must name")) << name;
  }
  EXPECT_THAT(checked_, ElementsAre("b", "broken"));
}

// What a change is refused for. Nothing is written.
TEST_F(PoliciesTest, AChangeThatLeadsNowhereIsRefused) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto client = Client(service);
  const struct {
    const char* rollout;
    std::function<Result<std::string>()> change;
    absl::StatusCode code;
    const char* message;
  } cases[] = {
      {"active: a\n", [&] { return client->Promote("broken", "why"); },
       absl::StatusCode::kFailedPrecondition, "broken/policy.pt: writes files"},
      {"active: a\n", [&] { return client->SetShadow("broken", "why"); },
       absl::StatusCode::kFailedPrecondition, "broken/policy.pt: writes files"},
      {"active: a\nprevious: broken\n", [&] { return client->Rollback("why"); },
       absl::StatusCode::kFailedPrecondition, "broken/policy.pt: writes files"},
      {"active: a\nfrozen: true\n", [&] { return client->Promote("b", "why"); },
       absl::StatusCode::kFailedPrecondition, "rollout.yaml: is frozen"},
      {"active: a\n", [&] { return client->Promote("", "why"); },
       absl::StatusCode::kFailedPrecondition, "there is no canary"},
      {"active: a\n", [&] { return client->Rollback("why"); },
       absl::StatusCode::kFailedPrecondition, "neither a canary nor a previous policy"},
      {"active: a\n", [&] { return client->Promote("b", ""); }, absl::StatusCode::kInvalidArgument,
       "why: is required"},
      {"active: a\n", [&] { return client->Promote("b", std::string(501, 'x')); },
       absl::StatusCode::kInvalidArgument, "at most 500 bytes"},
      {"active: a\n", [&] { return client->Promote("../b", "why"); },
       absl::StatusCode::kInvalidArgument, "active: must name a directory"},
      {"active: a\n", [&] { return client->SetCanary({.policy = "b"}, "why"); },
       absl::StatusCode::kInvalidArgument, "canary: must say for whom"},
      {"activ: a\n", [&] { return client->Promote("b", "why"); },
       absl::StatusCode::kInvalidArgument, "rollout.yaml: line 1"},
  };
  for (const auto& [rollout, change, code, message] : cases) {
    folder_.Write("rollout.yaml", rollout);
    const Result<std::string> changed = change();
    EXPECT_EQ(changed.status().code(), code) << changed.status();
    EXPECT_THAT(changed.status().ToString(), HasSubstr(message));
    EXPECT_EQ(Rollout(), rollout);
  }
  EXPECT_EQ(secrets_.Read("audit.jsonl"), "");
}

TEST_F(PoliciesTest, AMountedRolloutIsToldInsteadOfWritten) {
  fs::create_directory(folder_.path() / "..2026_a");
  folder_.Write("..2026_a/rollout.yaml", "active: a\n");
  fs::create_directory_symlink("..2026_a", folder_.path() / "..data");
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const Status status = Client(service)->Promote("b", "why").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()),
              StartsWith((folder_.path() / "rollout.yaml").string()));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("(it is mounted): put this there yourself:\nactive: b\nprevious: a\n"));
  EXPECT_EQ(secrets_.Read("audit.jsonl"), "") << "nothing was changed";
}

TEST_F(PoliciesTest, WhatCannotBeAuditedIsNotChanged) {
  const AuditLog full("/dev/full", wall_clock_);
  RolloutControl control(
      folder_.path(), log_.logger(),
      [&](const auto& author, const auto& change) { return full.Append(author, change); });
  const PolicyAdmin admin = Admin(control);
  RunningService service(MostFreeCpu(), true, nullptr, &admin, options_);
  const Status status = Client(service)->Promote("b", "why").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.ToString(), HasSubstr("the rollout stays as it is, because the audit log"));
  EXPECT_EQ(Rollout(), "active: a\n");
}

TEST_F(PoliciesTest, WithoutAFolderThereIsNothingToChange) {
  RunningService service(MostFreeCpu(), true, nullptr, nullptr, options_);
  const auto client = Client(service);
  for (const Status& status :
       {client->List().status(), client->Load("a").status(), client->Promote("a", "why").status(),
        client->Watch([](const PolicyListing&) { return true; })}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.ToString(), HasSubstr("start it with --policies DIR"));
  }
}

TEST_F(PoliciesTest, WhoWatchesSeesAChange) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto client = Client(service);
  std::vector<std::string> told;
  const Status end = client->Watch([&](const PolicyListing& listing) {
    told.push_back(listing.rollout_yaml);
    if (told.size() == 1) {
      EXPECT_TRUE(client->SetShadow("b", "to compare").ok());
    }
    return told.size() < 2;
  });
  EXPECT_TRUE(end.ok()) << end;
  EXPECT_THAT(told, ElementsAre("active: a\n", "active: a\nshadow: b\n"));
}

TEST_F(PoliciesTest, AWatchEndsWhenTheServiceDrains) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const Status end = Client(service)->Watch([&](const PolicyListing&) {
    service.server().Drain(std::chrono::seconds(30));
    return true;
  });
  EXPECT_EQ(end.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(end.ToString(), HasSubstr("shutting down"));
}

TEST_F(PoliciesTest, OnlySoManyWatchAtOnce) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto stub = v1::Policies::NewStub(service.channel());
  struct Watch {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::ListPoliciesResponse>> stream;
  };
  std::vector<std::unique_ptr<Watch>> watches;
  v1::ListPoliciesResponse listing;
  for (int i = 0; i < 16; ++i) {
    watches.push_back(std::make_unique<Watch>());
    watches.back()->stream = stub->WatchPolicies(&watches.back()->context, {});
    ASSERT_TRUE(watches.back()->stream->Read(&listing));
  }
  grpc::ClientContext context;
  const auto another = stub->WatchPolicies(&context, {});
  EXPECT_FALSE(another->Read(&listing));
  EXPECT_EQ(another->Finish().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  for (const auto& watch : watches) watch->context.TryCancel();
}

// How a caller shows who it is.
grpc::Status PromoteB(const std::shared_ptr<grpc::Channel>& channel, const std::string& header) {
  grpc::ClientContext context;
  SetTimeout(context, std::chrono::seconds(30));
  if (!header.empty()) context.AddMetadata("authorization", header);
  v1::PromoteRequest request;
  request.set_policy("b");
  request.set_why("a test");
  v1::ChangedRollout response;
  return v1::Policies::NewStub(channel)->Promote(&context, request, &response);
}

TEST_F(PoliciesTest, AreChangedByWhoShowsTheTokenAlone) {
  const std::string bearer = std::string("Bearer ") + kToken;
  const struct {
    const char* what;
    const char* token_file;  // what it holds; null: there is none
    std::string header;
    const char* message;  // of what is wrong; null: nothing
  } cases[] = {
      {"none configured", nullptr, bearer, "start berth serve with --admin-token-file"},
      {"none configured, none shown", nullptr, "", "start berth serve with --admin-token-file"},
      {"none shown", "0123456789abcdef\n", "", "by berth policy --token-file FILE"},
      {"an empty one", "0123456789abcdef\n", "Bearer ", "by berth policy --token-file FILE"},
      {"a wrong one", "0123456789abcdef\n", "Bearer 0123456789abcdeF", "is not the first line"},
      {"a longer one", "0123456789abcdef\n", bearer + "0", "is not the first line"},
      {"a shorter one", "0123456789abcdef\n", "Bearer 0123456789abcde", "is not the first line"},
      {"the right one", "0123456789abcdef\n", bearer, nullptr},
      {"the first line counts", "0123456789abcdef\r\nmore\n", bearer, nullptr},
      {"a later line does not", "another-and-longer-token\n0123456789abcdef\n", bearer,
       "is not the first line"},
  };
  for (const auto& [what, token_file, header, message] : cases) {
    SCOPED_TRACE(what);
    folder_.Write("rollout.yaml", "active: a\n");
    ScoringServerOptions options;
    if (token_file != nullptr) options.admin_token_file = secrets_.Write("case", token_file);
    RunningService service(MostFreeCpu(), true, nullptr, &admin_, options);
    const grpc::Status status = PromoteB(service.channel(), header);
    EXPECT_EQ(status.error_code(),
              message == nullptr ? StatusCode::OK : StatusCode::UNAUTHENTICATED);
    EXPECT_THAT(status.error_message(), HasSubstr(message == nullptr ? "" : message));
    EXPECT_EQ(Rollout(), message == nullptr ? "active: b\nprevious: a\n" : "active: a\n");
    EXPECT_TRUE(MakePoliciesClient({service.target(), "", {}}).value()->List().ok()) << "who looks";
  }
}

TEST_F(PoliciesTest, ATokenMayBeReplacedAtAnyTime) {
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options_);
  const auto before = Client(service);
  EXPECT_TRUE(before->SetShadow("b", "why").ok());
  secrets_.Write("token", "fedcba9876543210\n");
  EXPECT_EQ(before->SetShadow("", "why").status().code(), absl::StatusCode::kUnauthenticated);
  EXPECT_TRUE(Client(service)->SetShadow("", "why").ok());
  secrets_.Write("token", "too-short\n");
  EXPECT_THAT(Client(service)->SetShadow("b", "why").status().ToString(),
              HasSubstr("the first line has 9 characters, must have 16 or more"));
}

TEST_F(PoliciesTest, AServiceDoesNotStartWithATokenThatIsNone) {
  for (const std::string text : {"", "\n", "short\n", "\n0123456789abcdef\n"}) {
    const Status status = AdminGate(secrets_.Write("case", text), false).Check();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.ToString(), HasSubstr("--admin-token-file"));
    EXPECT_THAT(status.ToString(), HasSubstr("openssl rand"));
  }
  EXPECT_THAT(AdminGate(secrets_.path() / "no-such", false).Check().ToString(),
              HasSubstr("no-such"));
  EXPECT_TRUE(AdminGate("", false).Check().ok());
}

TEST_F(PoliciesTest, AClientCertificateStandsForAToken) {
  const TestAuthority authority;
  const TestIdentity own = authority.Issue("berth", "IP:127.0.0.1");
  ScoringServerOptions options = options_;
  options.tls = {secrets_.Write("tls.crt", own.certificate), secrets_.Write("tls.key", own.key),
                 secrets_.Write("ca.crt", authority.certificate())};
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options);
  const TestIdentity ann = authority.Issue("ann");
  const ClientTlsFiles tls{secrets_.path() / "ca.crt", secrets_.Write("ann.crt", ann.certificate),
                           secrets_.Write("ann.key", ann.key)};
  const auto client = MakePoliciesClient({service.target(), "", tls}).value();
  EXPECT_EQ(client->Promote("b", "why").value(), "active: b\nprevious: a\n");
  EXPECT_THAT(secrets_.Read("audit.jsonl"), HasSubstr(R"("who":"ann","peer":"ipv4:127.0.0.1)"));

  const std::string wrong = secrets_.Write("wrong", "a-token-that-is-wrong\n");
  EXPECT_EQ(
      MakePoliciesClient({service.target(), wrong, tls}).value()->Rollback("x").status().code(),
      absl::StatusCode::kUnauthenticated)
      << "a wrong token is not made good";
  EXPECT_TRUE(MakePoliciesClient({service.target(), secrets_.path() / "token", tls})
                  .value()
                  ->Rollback("x")
                  .ok());
}

TEST_F(PoliciesTest, ACertificateOfTheServiceAloneProvesNothingAboutCallers) {
  const TestAuthority authority;
  const TestIdentity own = authority.Issue("berth", "IP:127.0.0.1");
  ScoringServerOptions options;
  options.tls = {secrets_.Write("tls.crt", own.certificate), secrets_.Write("tls.key", own.key),
                 ""};
  RunningService service(MostFreeCpu(), true, nullptr, &admin_, options);
  const ClientTlsFiles tls{secrets_.Write("ca.crt", authority.certificate()), "", ""};
  const auto client = MakePoliciesClient({service.target(), "", tls}).value();
  EXPECT_TRUE(client->List().ok());
  EXPECT_EQ(client->Promote("b", "why").status().code(), absl::StatusCode::kUnauthenticated);
}

TEST_F(PoliciesTest, ATokenStaysOnThisMachineUnlessItIsHidden) {
  const std::string token = secrets_.path() / "token";
  const auto problem = [&](const PoliciesAccess& access) {
    return MakePoliciesClient(access).status().ToString();
  };
  EXPECT_THAT(problem({"10.0.0.7:8790", token, {}}), HasSubstr("--tls-ca FILE, or reach"));
  EXPECT_THAT(problem({"dns:///berth:8790", token, {}}), HasSubstr("HOST:PORT"));
  for (const std::string target : {"127.0.0.1:1", "localhost:1", "[::1]:1"}) {
    EXPECT_EQ(problem({target, token, {}}), "OK");
  }
  EXPECT_EQ(problem({"10.0.0.7:8790", "", {}}), "OK") << "who looks shows nothing";
  EXPECT_THAT(problem({"127.0.0.1:1", secrets_.Write("case", "a b\n"), {}}),
              HasSubstr("must be a token without spaces"));
  EXPECT_THAT(problem({"127.0.0.1:1", secrets_.path() / "no-such", {}}),
              HasSubstr("--token-file: cannot read"));
  EXPECT_THAT(problem({"127.0.0.1:1", "", {"no-such-ca", "", ""}}), HasSubstr("--tls-ca: cannot"));
}

}  // namespace
}  // namespace berth
