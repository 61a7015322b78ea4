#include "torch/torch_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/small_case.h"
#include "support/temp_directory.h"
#include "support/torch_policies.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LoadTorchPolicyTest : public ::testing::Test {
 protected:
  // A policy over `columns` and the context column gpu_load.
  Result<ScorerPtr> Load(const std::string& expression, std::vector<std::string> columns) {
    const std::string bytes = ModuleBytes(
        "def forward(self, candidates: Tensor, context: Tensor):\n    return " + expression + "\n");
    PolicyManifest manifest = ManifestFor(bytes, std::move(columns), {"gpu_load"});
    manifest.profile = "openb-default-1";
    WritePolicy(directory_.path(), manifest, bytes);
    return LoadTorchPolicy(directory_.path(), log_);
  }

  TempDirectory directory_;
  std::ostringstream lines_;
  Logger log_{"test", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines_)};
};

TEST_F(LoadTorchPolicyTest, ScoresByNamedColumnsAndContext) {
  const auto scorer = Load("candidates[:, 0] * 10 + candidates[:, 1] + context[0]",
                           {"whole_gpus_after", "cpu_free_after"});
  ASSERT_TRUE(scorer.ok()) << scorer.status();
  const ClusterViewPtr cluster =
      ViewOf({SmallNode("a"), SmallNode("b")}, SmallProfile(), {.gpu_load_bucket = 4});
  const std::vector<const Node*> candidates = AllNodes(*cluster);
  const Demand share = SmallShare();
  std::vector<float> scores(2);
  EXPECT_EQ((*scorer)->Score({cluster, share, candidates}, scores).value(), Answer("made-up"));
  // The share on GPU 2 leaves one whole GPU and 12 cores; the context is 4/16.
  EXPECT_THAT(scores, ElementsAre(22.25f, 22.25f));
  EXPECT_THAT((*scorer)->ChooseGpus(SmallNode(), share, *SmallProfile()), ElementsAre(2));
}

TEST_F(LoadTorchPolicyTest, LogsWhatItLoaded) {
  ASSERT_TRUE(Load("candidates.sum(1)", {"pod_cpu"}).ok());
  EXPECT_THAT(lines_.str(), AllOf(HasSubstr("policy=\"made-up\" sha256="),
                                  HasSubstr("profile=\"openb-default-1\"")));
}

TEST_F(LoadTorchPolicyTest, RefusesWhatBreaksTheContract) {
  const std::pair<const char*, const char*> cases[] = {
      {"candidates", "policy.pt: forward must return float[7], not float[7, 1]"},
      {"candidates.sum(1) - candidates.mean()", "policy.pt: breaks the policy contract: the score"},
      {"candidates.sum(1).softmax(0)", "policy.pt: breaks the policy contract: the score"},
      {"candidates.sum(1).log()", "policy.pt: breaks the policy contract: a score is not finite"},
      {"torch.rand([candidates.size(0)])", "policy.pt: breaks the policy contract: the score"},
      {"candidates[:, 3]", "policy.pt: "},
  };
  for (const auto& [expression, want] : cases) {
    const auto scorer = Load(expression, {"pod_cpu"});
    EXPECT_FALSE(scorer.ok()) << expression;
    EXPECT_THAT(std::string(scorer.status().message()), HasSubstr(want)) << expression;
  }
  EXPECT_THAT(lines_.str(), ::testing::IsEmpty());
}

TEST_F(LoadTorchPolicyTest, PassesOnWhatIsWrongWithTheFiles) {
  const auto scorer = LoadTorchPolicy(directory_.path(), log_);
  EXPECT_EQ(scorer.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(scorer.status().message()), HasSubstr("manifest.json"));
}

}  // namespace
}  // namespace berth
