#include "rollout/policy_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rollout/mounted.h"
#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/served.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

// A policy's file is the name it answers by; one that begins with "bad" does not load.
class PolicyFollowerTest : public testing::Test {
 protected:
  PolicyFollowerTest() : slot_(RoutesTo(ConstantScorer("fallback", 0))) {}

  static std::string ReadFile(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  Result<ServedPolicy> Load(const std::string& wanted) {
    ++loads_;
    if (wanted == "fgd") return ServedPolicy{ConstantScorer("fgd", 1), ""};
    const std::string name = ReadFile(fs::path(wanted) / "policy.pt");
    if (name.empty()) return absl::NotFoundError(wanted + ": there is no such policy");
    if (name.starts_with("bad")) return absl::InvalidArgumentError(name + " is broken");
    return ServedPolicy{ConstantScorer(name, 1), "2"};
  }

  void WritePolicy(const std::string& directory, const std::string& name) {
    fs::create_directories(folder_.path() / directory);
    folder_.Write(directory + "/policy.pt", name);
    folder_.Write(directory + "/manifest.json", "{}");
  }

  void Want(const std::string& policy) { folder_.Write("rollout.yaml", "active: " + policy); }

  // Until the follower has seen the same twice.
  std::string_view InChargeAfterTwoLooks() {
    follower_.Look();
    follower_.Look();
    return slot_.Get()->active->name();
  }

  std::string Metric(const std::string& name) {
    const std::string text = metrics_.Text();
    const size_t at = text.find("\n" + name + " ");
    return at == text.npos ? "" : text.substr(at + name.size() + 2, 1);
  }

  const TempDirectory folder_;
  Metrics metrics_;
  CapturedLog log_;
  PolicySlot slot_;
  int loads_ = 0;
  PolicyFollower follower_{folder_.path(),
                           [this](const std::string& wanted) { return Load(wanted); }, slot_,
                           metrics_, log_.logger()};
};

TEST_F(PolicyFollowerTest, PutsInChargeWhatThePlanNames) {
  WritePolicy("a", "first");
  WritePolicy("b", "second");
  Want("a");
  EXPECT_EQ(InChargeAfterTwoLooks(), "first");
  Want("b");
  EXPECT_EQ(InChargeAfterTwoLooks(), "second");
  Want("fgd");
  EXPECT_EQ(InChargeAfterTwoLooks(), "fgd");
  EXPECT_EQ(Metric("berth_policy_loads_total{outcome=\"swapped\"}"), "3");
  EXPECT_THAT(
      log_.text(),
      HasSubstr(
          "policy swapped\" from=\"first 2\" to=\"second 2\" canary=\"none\" shadow=\"none\""));
}

TEST_F(PolicyFollowerTest, TakesUpAFileThatIsReplacedAtTheSameTimeAndSize) {
  WritePolicy("a", "first");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  const auto time = fs::last_write_time(folder_.path() / "a/policy.pt");
  WritePolicy("a", "other");
  fs::last_write_time(folder_.path() / "a/policy.pt", time);
  EXPECT_EQ(InChargeAfterTwoLooks(), "other");
}

TEST_F(PolicyFollowerTest, LeavesAFileAloneThatIsOnlyTouched) {
  WritePolicy("a", "first");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  for (int i = 0; i < 5; ++i) {
    WritePolicy("a", "first");
    Want("a");
    EXPECT_EQ(InChargeAfterTwoLooks(), "first");
  }
  EXPECT_EQ(loads_, 1);
}

TEST_F(PolicyFollowerTest, WaitsWhileAFileIsBeingCopied) {
  WritePolicy("a", "first");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  for (const char* part : {"s", "se", "sec", "seco", "secon", "second"}) {
    WritePolicy("a", part);
    follower_.Look();
    EXPECT_EQ(slot_.Get()->active->name(), "first");
  }
  follower_.Look();
  EXPECT_EQ(slot_.Get()->active->name(), "second");
  EXPECT_EQ(loads_, 2);
}

TEST_F(PolicyFollowerTest, KeepsWhoIsInChargeWhenTheNextOneIsBroken) {
  WritePolicy("a", "first");
  WritePolicy("b", "bad one");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  Want("b");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(InChargeAfterTwoLooks(), "first");
  EXPECT_EQ(loads_, 2) << "the same content is tried once";
  EXPECT_EQ(Metric("berth_policy_wanted_is_refused"), "1");
  EXPECT_EQ(Metric("berth_policy_loads_total{outcome=\"refused\"}"), "1");
  EXPECT_EQ(std::ranges::count_if(log_.Lines(),
                                  [](const std::string& line) { return line.starts_with("warn"); }),
            1)
      << log_.text();
  EXPECT_THAT(log_.text(), HasSubstr("error=\"bad one is broken\""));

  WritePolicy("b", "mended");
  EXPECT_EQ(InChargeAfterTwoLooks(), "mended");
  EXPECT_EQ(Metric("berth_policy_wanted_is_refused"), "0");
}

TEST_F(PolicyFollowerTest, GoingBackToWhatServesMendsARefusal) {
  WritePolicy("a", "first");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  for (const std::string wrong : {"nobody", "[", "../a"}) {
    Want(wrong);
    EXPECT_EQ(InChargeAfterTwoLooks(), "first");
    EXPECT_EQ(Metric("berth_policy_wanted_is_refused"), "1") << wrong;
    Want("a");
    EXPECT_EQ(InChargeAfterTwoLooks(), "first");
    EXPECT_EQ(Metric("berth_policy_wanted_is_refused"), "0") << wrong;
  }
  EXPECT_THAT(log_.text(), HasSubstr("rollout.yaml: line 1: "));
}

TEST_F(PolicyFollowerTest, KeepsWhoIsInChargeWhenThePlanGoesAway) {
  WritePolicy("a", "first");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  fs::remove(folder_.path() / "rollout.yaml");
  EXPECT_EQ(InChargeAfterTwoLooks(), "first");
  EXPECT_EQ(Metric("berth_policy_wanted_is_refused"), "1");
}

// A ConfigMap as the kubelet mounts it: links to ..data, which is put in place at one stroke.
TEST_F(PolicyFollowerTest, FollowsAMountedConfigMap) {
  const auto make = [&](const std::string& version, const std::string& name) {
    WritePolicy(version + "/a", name);
    folder_.Write(version + "/rollout.yaml", "active: a");
  };
  const auto switch_to = [&](const std::string& version) {
    fs::create_directory_symlink(version, folder_.path() / "..data_tmp");
    fs::rename(folder_.path() / "..data_tmp", folder_.path() / "..data");
  };
  make("..v1", "first");
  switch_to("..v1");
  for (const char* name : {"a", "rollout.yaml"}) {
    fs::create_symlink(fs::path("..data") / name, folder_.path() / name);
  }
  EXPECT_EQ(InChargeAfterTwoLooks(), "first");
  make("..v2", "second");
  switch_to("..v2");
  fs::remove_all(folder_.path() / "..v1");
  EXPECT_EQ(InChargeAfterTwoLooks(), "second");
  make("..v3", "second");
  switch_to("..v3");
  EXPECT_EQ(InChargeAfterTwoLooks(), "second");
  EXPECT_EQ(loads_, 2) << "another place, the same content";
}

TEST_F(PolicyFollowerTest, FreesAPolicyWhenTheLastRequestHasLetGo) {
  WritePolicy("a", "first");
  WritePolicy("b", "second");
  Want("a");
  ASSERT_EQ(InChargeAfterTwoLooks(), "first");
  ServedPolicyPtr of_a_request = slot_.For({}, {});
  const std::weak_ptr<const Scorer> first = of_a_request->scorer;
  Want("b");
  ASSERT_EQ(InChargeAfterTwoLooks(), "second");
  follower_.Look();
  EXPECT_FALSE(first.expired());
  of_a_request.reset();
  EXPECT_FALSE(first.expired()) << "not the request's work";
  follower_.Look();
  EXPECT_TRUE(first.expired());
}

TEST(WhereFilesLie, IsTheDirectoryItselfWhereThereIsNothingSpecial) {
  const TempDirectory directory;
  EXPECT_EQ(WhereFilesLie(directory.path()), fs::canonical(directory.path()));
  EXPECT_EQ(WhereFilesLie(directory.path() / "none"), directory.path() / "none");
}

}  // namespace
}  // namespace berth
