// What was published, how far runs are from it, and several runs at once.

#include "sim/parity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_case.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string Header() {
  std::string header = "workload,sc_policy,tune,seed,total_gpus";
  for (int i = 0; i <= 130; ++i) header += "," + std::to_string(i);
  return header + "\n";
}

// A run whose allocation is `value` all along.
std::string Row(const std::string& key, const std::string& value) {
  std::string row = key;
  for (int i = 0; i <= 130; ++i) row += "," + value;
  return row + "\n";
}

Result<PublishedResults> Published(const std::string& rows) {
  const TempDirectory directory;
  return PublishedResults::Read(directory.Write("published.csv", Header() + rows));
}

TEST(PublishedResults, AreFoundByShortNames) {
  const auto results = Published(Row("openb_pod_list_default,06-FGD,1.3,42,6212", "95.5") +
                                 Row("openb_pod_list_default,06-FGD,1.3,43,6212", "96"));
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_NE(results->Find("default", "FGD", 42), nullptr);
  EXPECT_EQ(results->Find("default", "FGD", 42)->at(130), 95.5);
  EXPECT_EQ(results->Find("default", "FGD", 44), nullptr);
  EXPECT_EQ(results->Find("default", "BestFit", 42), nullptr);
}

TEST(PublishedResults, SayWhatIsWrong) {
  const std::pair<std::string, const char*> table[] = {
      {Row("a,1-b,1.3,42,6212", "x"), ":2:19: 0 is \"x\"; it should be a number from 0 to 100"},
      {Row("a,1-b,1.3,42,6212", "100.5"), "0 is \"100.5\""},
      {Row("a,1-b,1.3,x,6212", "1"), ":2:11: seed is \"x\""},
      {"a,1-b,1.3,42,6212,1\n", "the line has 6 values, the header 136"},
      {Row("a,1-b,1.3,42,6212", "1") + Row("a,1-b,1.3,42,6212", "1"),
       ":3:11: seed is \"42\"; it should be the seed of a run that is not there yet"},
  };
  for (const auto& [rows, message] : table) {
    EXPECT_THAT(std::string(Published(rows).status().message()), HasSubstr(message));
  }
  const TempDirectory directory;
  const auto lacking =
      PublishedResults::Read(directory.Write("published.csv", "workload,sc_policy,seed,0\n"));
  EXPECT_THAT(std::string(lacking.status().message()), HasSubstr("there is no column \"1\""));
}

// Half of one GPU is allocated when 50 % arrived.
EvaluatedRun HalfOf(std::string_view policy, uint64_t seed) {
  EvaluatedRun run{.policy = FindSimPolicy(policy).value(),
                   .trace = "default",
                   .seed = seed,
                   .result = {.curve = InflationCurve(kWholeGpu)}};
  run.result.curve.Add(MilliGpu(500), MilliGpu(500));
  return run;
}

TEST(CompareWithPublished, FindsTheWorstRunAndTheWorstMean) {
  const auto published =
      Published(Row("default,06-FGD,1.3,42,1", "50.2") + Row("default,06-FGD,1.3,43,1", "49.9"));
  ASSERT_TRUE(published.ok()) << published.status();
  const auto parities = CompareWithPublished(*published, {HalfOf("fgd", 42), HalfOf("fgd", 43)});
  ASSERT_TRUE(parities.ok()) << parities.status();
  ASSERT_THAT(*parities, SizeIs(1));
  const Parity& fgd = parities->at(0);
  EXPECT_EQ(fgd.runs, 2);
  EXPECT_NEAR(fgd.run, 0.2, 1e-9);
  EXPECT_EQ(fgd.run_where, "default, seed 42, at 50 %");
  EXPECT_NEAR(fgd.mean, 0.05, 1e-9);
  EXPECT_TRUE(fgd.Holds());
}

TEST(CompareWithPublished, HoldsEachPolicyToItsLimits) {
  struct Case {
    std::string_view policy;
    const char* published_as;
    const char* allocation;  // 50 is what our run has
    bool holds;
  };
  const Case table[] = {
      {"bestfit", "05-BestFit", "50.009", true}, {"bestfit", "05-BestFit", "50.011", false},
      {"dotprod", "02-DotProd", "49.98", false}, {"fgd", "06-FGD", "50.09", true},
      {"fgd", "06-FGD", "50.11", false},  // the mean of its one seed
      {"random", "01-Random", "50.29", true},    {"random", "01-Random", "49.69", false},
  };
  for (const Case& c : table) {
    const auto published =
        Published(Row(std::string("default,") + c.published_as + ",1.3,42,1", c.allocation));
    ASSERT_TRUE(published.ok()) << published.status();
    EXPECT_EQ(CompareWithPublished(*published, {HalfOf(c.policy, 42)})->at(0).Holds(), c.holds)
        << c.policy << " " << c.allocation;
  }
}

TEST(CompareWithPublished, NeedsEveryRunOfAPublishedPolicy) {
  const auto published = Published(Row("default,06-FGD,1.3,42,1", "50"));
  ASSERT_TRUE(published.ok()) << published.status();
  EXPECT_THAT(std::string(CompareWithPublished(*published, {HalfOf("fgd", 43)}).status().message()),
              HasSubstr("nothing was published of FGD on default with seed 43"));
  EXPECT_THAT(CompareWithPublished(*published, {HalfOf("fgd-precise", 43)}).value(), SizeIs(0));
}

TEST(Evaluate, GivesTheSameOnAnyNumberOfThreads) {
  SeededTrace trace{.name = "small"};
  trace.trace = {.nodes = {*SmallNode("a").spec, *SmallNode("b").spec},
                 .pods = {{"share", SmallShare()}},
                 .profile = SmallProfile()};
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    trace.seeds.push_back({seed, DrawEventOrder(trace.trace.nodes, trace.trace.pods, rng)});
  }
  const std::vector<SimPolicy> policies = {FindSimPolicy("random").value(),
                                           FindSimPolicy("fgd").value()};
  const auto alone = Evaluate(policies, {trace}, {1});
  std::vector<size_t> progress;
  const auto together =
      Evaluate(policies, {trace}, {.threads = 4, .progress = [&](size_t done, size_t all) {
                                     EXPECT_EQ(all, 10);
                                     progress.push_back(done);
                                   }});
  ASSERT_TRUE(alone.ok() && together.ok());
  ASSERT_THAT(*alone, SizeIs(10));
  EXPECT_THAT(progress, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  for (size_t i = 0; i < alone->size(); ++i) {
    EXPECT_EQ(alone->at(i).policy.name, together->at(i).policy.name);
    EXPECT_EQ(alone->at(i).seed, together->at(i).seed);
    for (size_t percent = 0; percent < InflationCurve::kPoints; ++percent) {
      EXPECT_EQ(alone->at(i).result.curve.At(percent), together->at(i).result.curve.At(percent));
    }
  }
}

}  // namespace
}  // namespace berth
