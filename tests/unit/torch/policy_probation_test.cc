#include "torch/policy_probation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/temp_directory.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

// What the prober says, in turn, and how often it was asked.
class Verdicts {
 public:
  explicit Verdicts(std::vector<Result<ProbeReport>> verdicts) : verdicts_(std::move(verdicts)) {}

  PolicyProber Prober() {
    return [this](const PolicyFile&) { return verdicts_.at(asked++); };
  }

  size_t asked = 0;

 private:
  std::vector<Result<ProbeReport>> verdicts_;
};

const fs::path kShipped = BERTH_SOURCE_DIR "/policies/fgd-bestfit";
const ProbeReport kGood{std::chrono::microseconds(7)};
const Status kBad = absl::FailedPreconditionError("forward has a loop");
const Status kBusy = absl::UnavailableError("could not be checked");

TEST(PolicyProbation, ProbesTheSameBytesOnceWhereverTheyLie) {
  Verdicts verdicts({kGood});
  PolicyProbation probation(verdicts.Prober());
  const auto admitted = probation.Admit(kShipped);
  ASSERT_TRUE(admitted.ok()) << admitted.status();
  EXPECT_EQ(admitted->report, kGood);
  EXPECT_EQ(admitted->file.manifest.name, "fgd-bestfit");
  const TempDirectory directory;
  fs::copy(kShipped, directory.path() / "copy");
  EXPECT_TRUE(probation.Admit(directory.path() / "copy").ok());
  EXPECT_EQ(verdicts.asked, 1u);
}

TEST(PolicyProbation, RemembersABadVerdictAndWhoseItIs) {
  Verdicts verdicts({kBad, kGood});
  PolicyProbation probation(verdicts.Prober());
  const Status refused =
      absl::FailedPreconditionError((kShipped / "policy.pt").string() + ": forward has a loop");
  EXPECT_EQ(probation.Admit(kShipped).status(), refused);
  EXPECT_EQ(probation.Admit(kShipped).status(), refused);
  EXPECT_EQ(verdicts.asked, 1u);
  EXPECT_TRUE(probation.Admit(BERTH_SOURCE_DIR "/policies/fgd").ok());
  EXPECT_EQ(verdicts.asked, 2u);
}

TEST(PolicyProbation, AsksAgainWhenTheMachineWasToBlame) {
  Verdicts verdicts({kBusy, kGood});
  PolicyProbation probation(verdicts.Prober());
  EXPECT_EQ(probation.Admit(kShipped).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(probation.Admit(kShipped).ok());
}

TEST(PolicyProbation, ProbesNothingThatIsNotWhatTheManifestSays) {
  Verdicts verdicts({});
  PolicyProbation probation(verdicts.Prober());
  const TempDirectory directory;
  fs::copy(kShipped, directory.path() / "copy");
  fs::resize_file(directory.path() / "copy/policy.pt", 100);
  EXPECT_THAT(std::string(probation.Admit(directory.path() / "copy").status().message()),
              HasSubstr("is not the file that the manifest describes"));
  EXPECT_EQ(verdicts.asked, 0u);
}

}  // namespace
}  // namespace berth
