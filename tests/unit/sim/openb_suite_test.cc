// The published results of the FGD paper, reproduced: a slice of them everywhere, all of them where
// BERTH_TRACES says where they are.

#include "sim/openb_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/parity.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const fs::path kSlice = fs::path(BERTH_SOURCE_DIR) / "tests/data/openb";

std::vector<SimPolicy> PublishedPolicies() {
  const std::span<const SimPolicy> six = SimPolicies().first(6);
  return {six.begin(), six.end()};
}

// As far off as allocation may be, at every percent of every run whose nodes are not drawn.
void ExpectFragmentation(const fs::path& openb, const std::vector<EvaluatedRun>& runs) {
  const auto published = PublishedResults::Read(openb / "expected/analysis_frag_discrete.csv");
  ASSERT_TRUE(published.ok()) << published.status();
  for (const EvaluatedRun& run : runs) {
    if (run.policy.ties == TieRule::kRandom) continue;
    const double allowed = run.policy.published == "FGD" ? 0.3 : 0.01;
    const auto* curve = published->Find(run.trace, run.policy.published, run.seed);
    ASSERT_NE(curve, nullptr);
    for (size_t percent = 0; percent < curve->size(); ++percent) {
      const std::optional<double> fragmented = run.record->fragmentation.At(percent);
      if (!fragmented) continue;
      EXPECT_NEAR(*fragmented, (*curve)[percent], allowed)
          << run.policy.name << " on " << run.trace << ", seed " << run.seed << ", at " << percent;
    }
  }
}

void ExpectParity(const fs::path& openb, const std::vector<std::string>& traces,
                  const std::vector<uint64_t>& seeds, const std::vector<SimPolicy>& policies) {
  const auto suite = ReadOpenbSuite(openb / "orders", traces, seeds);
  ASSERT_TRUE(suite.ok()) << suite.status();
  const auto runs = Evaluate(policies, *suite, {2}, Detail::kPictures);
  ASSERT_TRUE(runs.ok()) << runs.status();
  const auto published = PublishedResults::Read(openb / "expected/analysis_allo_discrete.csv");
  ASSERT_TRUE(published.ok()) << published.status();
  const auto parities = CompareWithPublished(*published, *runs);
  ASSERT_TRUE(parities.ok()) << parities.status();
  ASSERT_THAT(*parities, SizeIs(policies.size()));
  for (const Parity& parity : *parities) {
    EXPECT_TRUE(parity.Holds()) << parity.policy << " is " << parity.run
                                << " off: " << parity.run_where << "; " << parity.mean
                                << " off in the mean: " << parity.mean_where;
  }
  ExpectFragmentation(openb, *runs);
}

// Without Random, whose means need more seeds than two. Where the code is not optimised a run takes
// seconds, so there a slice of the slice does.
TEST(OpenbSuite, ReproducesASliceOfThePublishedResults) {
  std::vector<SimPolicy> policies = PublishedPolicies();
  policies.erase(policies.begin());
#ifdef NDEBUG
  ExpectParity(kSlice, {"default", "gpuspec33"}, {42, 43}, policies);
#else
  ExpectParity(kSlice, {"gpuspec33"}, {42}, policies);
#endif
}

// A ctest of its own, which shows as skipped where it cannot run.
TEST(OpenbSuite, ReproducesAllPublishedResults) {
  const char* const traces = std::getenv("BERTH_TRACES");
  if (traces == nullptr) GTEST_SKIP() << "BERTH_TRACES does not say where the traces are";
#ifndef NDEBUG
  GTEST_SKIP() << "1,020 runs take too long where the code is not optimised";
#endif
  ExpectParity(fs::path(traces) / "openb", {OpenbTraceNames().begin(), OpenbTraceNames().end()},
               {42, 43, 44, 45, 46, 47, 48, 49, 50, 51}, PublishedPolicies());
}

TEST(ReadOpenbSuite, SaysWhatIsNotThere) {
  const auto message = [](const fs::path& orders, const std::string& trace, uint64_t seed) {
    const std::vector<std::string> traces = {trace};
    return std::string(ReadOpenbSuite(orders, traces, {&seed, 1}).status().message());
  };
  EXPECT_THAT(message(kSlice / "orders", "gpuspec", 42),
              HasSubstr("no trace of openb is called \"gpuspec\"; there are default, cpu050"));
  EXPECT_THAT(message(kSlice / "orders", "cpu050", 42), HasSubstr("openb_pod_list_cpu050.csv"));
  EXPECT_THAT(message(kSlice / "orders", "default", 50), HasSubstr("default_seed50.txt"));
  EXPECT_THAT(message("/none/orders", "default", 42), HasSubstr("/none/openb_node_list_gpu_node"));
}

class DrawTracesTest : public ::testing::Test {
 protected:
  Result<std::vector<SeededTrace>> Draw(std::string_view nodes, std::string_view pods,
                                        std::vector<Status>* skipped = nullptr) const {
    const std::string header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
    const std::vector<std::string> lists = {
        directory_.Write("openb_pod_list_own.csv", header + std::string(pods))};
    const std::vector<uint64_t> seeds = {1, 2};
    return DrawTraces(
        directory_.Write("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\n" + std::string(nodes)),
        lists, seeds, skipped);
  }

  const TempDirectory directory_;
};

TEST_F(DrawTracesTest, NamesATraceAfterItsFileAndDrawsAnOrderPerSeed) {
  const auto traces = Draw("a,8000,8000,2,T4\n", "p,1,1,1,500\n");
  ASSERT_TRUE(traces.ok()) << traces.status();
  ASSERT_THAT(*traces, SizeIs(1));
  EXPECT_EQ(traces->at(0).name, "own");
  ASSERT_THAT(traces->at(0).seeds, SizeIs(2));
  EXPECT_THAT(traces->at(0).seeds[1].order.arrivals, ElementsAre(0, 0, 0, 0, 0));
}

TEST_F(DrawTracesTest, NeedsGpusAndPodsThatAskForThem) {
  EXPECT_THAT(std::string(Draw("a,8000,8000,0,\n", "p,1,1,1,500\n").status().message()),
              HasSubstr("nodes.csv: none of the nodes has GPUs"));
  for (const char* pods : {"", "p,1,1,0,0\n"}) {
    EXPECT_THAT(std::string(Draw("a,8000,8000,2,T4\n", pods).status().message()),
                HasSubstr("own.csv: no pod asks for a GPU"));
  }
}

TEST_F(DrawTracesTest, LeavesOutBadRowsOfBothLists) {
  std::vector<Status> skipped;
  const auto traces = Draw("a,8000,8000,2,T4\nb,x,1,1,T4\n", "p,1,1,1,500\nq,1,1,1,0\n", &skipped);
  ASSERT_TRUE(traces.ok()) << traces.status();
  EXPECT_THAT(skipped, SizeIs(2));
  EXPECT_FALSE(Draw("a,8000,8000,2,T4\nb,x,1,1,T4\n", "p,1,1,1,500\n").ok());
}

}  // namespace
}  // namespace berth
