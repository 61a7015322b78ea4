#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "berth/features.h"
#include "cluster/state_features.h"
#include "policy/feature_columns.h"
#include "policy/gpu_choices.h"
#include "support/random_placements.h"
#include "support/small_case.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> NamesOf(std::span<const FeatureColumn> columns) {
  std::vector<std::string> names;
  for (const FeatureColumn& column : columns) names.emplace_back(column.name);
  return names;
}

FeatureSchema AllColumns() {
  return FeatureSchema::Make(NamesOf(PlacementColumns()), NamesOf(ContextColumns())).value();
}

std::map<std::string, float> RowOf(const Node& node, const Demand& demand, const GpuSet& gpus,
                                   const WorkloadProfile& profile) {
  const FeatureSchema schema = AllColumns();
  std::vector<float> row(schema.columns().size());
  schema.EncodePlacements(node, demand, {&gpus, 1}, profile, row);
  std::map<std::string, float> by_name;
  for (size_t i = 0; i < row.size(); ++i) by_name[schema.columns()[i]] = row[i];
  return by_name;
}

struct HandMade {
  const char* what;
  Node node;
  Demand demand;
  GpuSet gpus;
  std::map<std::string, float> want;
};

Node IdleNode() {
  Node node = SmallNode();
  node.free = IdleState(*node.spec);
  return node;
}

// Of the free 1.4 GPUs, 1 core feeds 1/5.714 = 0.175.
Node NodeShortOfCpu() {
  Node node = SmallNode();
  node.free.cpu = MilliCpu(5'000);
  return node;
}

const Demand kTwoGpus{.cpu = MilliCpu(8'000),
                      .memory = MiB(32'768),
                      .gpus = 2,
                      .per_gpu = kWholeGpu,
                      .accounting = GpuAccounting::kManaged};

std::vector<HandMade> HandMadeRows() {
  return {
      {"a share on the GPU that it fills up further",
       SmallNode(),
       SmallShare(),
       {2},
       {{"pod_cpu", 4},
        {"pod_memory", 16},
        {"pod_gpus", 1},
        {"pod_gpu", 0.3},
        {"node_cpu", 32},
        {"node_gpus", 4},
        {"node_empty", 0},
        {"cpu_free_before", 16},
        {"cpu_free_after", 12},
        {"memory_free_after", 48},
        {"gpu_free_before", 1.7},
        {"gpu_free_after", 1.4},
        {"whole_gpus_after", 1},
        {"partial_gpus_after", 2},  // 0.2 and 0.2
        {"largest_partial_after", 0.2},
        {"fragmentation_before", 0.575},
        {"fragmentation_after", 0.65},
        {"gpu_starved_after", 0}}},  // 12 cores feed 2.1 GPUs
      {"the same share on the idle GPU",
       SmallNode(),
       SmallShare(),
       {1},
       {{"whole_gpus_after", 0},
        {"partial_gpus_after", 3},
        {"largest_partial_after", 0.7},
        {"fragmentation_before", 0.575},
        {"fragmentation_after", 0.5},
        {"gpu_free_after", 1.4}}},
      {"a share that takes nearly all CPU",
       NodeShortOfCpu(),
       SmallShare(),
       {1},
       // 1 core feeds neither class, and 1 / (20 cores / 3.5 GPUs) = 0.175 GPUs
       {{"cpu_free_after", 1},
        {"fragmentation_before", 575e-3},
        {"fragmentation_after", 1.4},
        {"gpu_starved_after", 1.225}}},
      {"two GPUs of an idle node",
       IdleNode(),
       kTwoGpus,
       {0, 1},
       {{"pod_gpus", 2},
        {"pod_gpu", 2},
        {"node_empty", 1},
        {"gpu_free_before", 4},
        {"gpu_free_after", 2},
        {"whole_gpus_after", 2},
        {"partial_gpus_after", 0},
        {"largest_partial_after", 0},
        {"fragmentation_before", 0},  // both classes can use all of it
        {"fragmentation_after", 0},
        {"memory_free_after", 96},
        {"gpu_starved_after", 0}}},
      {"a pod without GPUs",
       SmallNode(),
       {.cpu = MilliCpu(10'000), .memory = MiB(0)},
       {},
       {{"pod_cpu", 10},
        {"pod_memory", 0},
        {"pod_gpus", 0},
        {"pod_gpu", 0},
        {"cpu_free_after", 6},
        {"memory_free_after", 64},
        {"gpu_free_after", 1.7},
        {"fragmentation_after", 0.575},
        {"gpu_starved_after", 0.65}}},  // 6 / 5.714 = 1.05 of 1.7 GPUs are fed
  };
}

TEST(EncodePlacements, GivesTheNumbersWorkedOutByHand) {
  std::set<std::string> covered;
  for (const HandMade& c : HandMadeRows()) {
    const auto row = RowOf(c.node, c.demand, c.gpus, *SmallProfile());
    for (const auto& [column, want] : c.want) {
      EXPECT_NEAR(row.at(column), want, 1e-3) << c.what << ": " << column;
      covered.insert(column);
    }
  }
  for (const auto& [column, value] : PlacementTable()) {
    if (column.name.starts_with("is_")) continue;  // the kinds are below
    EXPECT_TRUE(covered.contains(std::string(column.name))) << column.name << " has no row by hand";
  }
}

// What they are is in state_features_test.cc.
TEST(EncodePlacements, GivesEveryFeatureOfTheNodesStateBeforeAndAfter) {
  const Node node = SmallNode();
  const auto row = RowOf(node, SmallShare(), {2}, *SmallProfile());
  const StateFeatures before = FeaturesOf(*node.spec, node.free, *SmallProfile());
  const StateFeatures after =
      FeaturesOf(*node.spec, AfterPlacing(node.free, SmallShare(), {2}), *SmallProfile());
  for (size_t i = 0; i < kStateFeatures; ++i) {
    const std::string name(StateFeatureTable()[i].name);
    EXPECT_EQ(row.at(name + "_before"), before[i]) << name;
    EXPECT_EQ(row.at(name + "_after"), after[i]) << name;
  }
}

TEST(EncodePlacements, SaysOfWhichKindThePodIs) {
  const auto demand = [](int gpus, int milli) {
    return Demand{.cpu = MilliCpu(1), .gpus = gpus, .per_gpu = MilliGpu(milli)};
  };
  const std::pair<const char*, Demand> cases[] = {{"is_no_gpu", demand(0, 0)},
                                                  {"is_small_share", demand(1, 499)},
                                                  {"is_large_share", demand(1, 500)},
                                                  {"is_one_gpu", demand(1, 1000)},
                                                  {"is_several_gpus", demand(2, 1000)}};
  for (const auto& [kind, pod] : cases) {
    const auto row =
        RowOf(IdleNode(), pod, DistinctGpuChoices(IdleNode().free, pod)[0], *SmallProfile());
    for (const auto& [other, unused] : cases) {
      EXPECT_EQ(row.at(other), kind == other ? 1 : 0) << kind << ", " << other;
    }
  }
}

TEST(EncodePlacements, KnowsNoFragmentsWithoutAProfile) {
  const WorkloadProfile empty("empty", {});
  const auto row = RowOf(SmallNode(), SmallShare(), {1}, empty);
  EXPECT_EQ(row.at("fragmentation_before"), 0);
  EXPECT_EQ(row.at("fragmentation_after"), 0);
  EXPECT_EQ(row.at("gpu_starved_after"), 0);
}

TEST(EncodePlacements, FillsInTheColumnsAskedForInTheirOrder) {
  const auto schema = FeatureSchema::Make({"gpu_free_after", "pod_cpu"}, {}).value();
  const GpuSet choices[] = {{1}, {2}};
  std::vector<float> rows(4);
  schema.EncodePlacements(SmallNode(), SmallShare(), choices, *SmallProfile(), rows);
  EXPECT_THAT(rows, ElementsAre(1.4f, 4, 1.4f, 4));
}

// Columns that do not depend on the GPUs are computed once for all choices of a node; that may
// not show.
TEST(EncodePlacements, GivesEachChoiceTheRowItHasAlone) {
  const uint64_t seed = 11;
  SCOPED_TRACE(seed);
  Rng rng(seed);
  const WorkloadProfilePtr profile = RandomProfile(rng, 60);
  const FeatureSchema schema = AllColumns();
  const size_t width = schema.columns().size();
  int compared = 0;
  while (compared < 2'000) {
    const Node node = RandomNode(rng, "node");
    const Demand demand = RandomDemand(rng);
    const GpuChoices choices = DistinctGpuChoices(node.free, demand);
    std::vector<float> together(choices.size() * width);
    schema.EncodePlacements(node, demand, choices, *profile, together);
    for (size_t i = 0; i < choices.size(); ++i, ++compared) {
      std::vector<float> alone(width);
      schema.EncodePlacements(node, demand, {&choices[i], 1}, *profile, alone);
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + i * width));
    }
  }
}

TEST(EncodeContext, GivesTheNumbersWorkedOutByHand) {
  const auto schema = FeatureSchema::Make({"pod_cpu"}, {"regime", "gpu_load"}).value();
  std::vector<float> row(2);
  schema.EncodeContext({.gpu_load_bucket = 12}, SmallProfile()->WithDepartures(false), row);
  EXPECT_THAT(row, ElementsAre(0, 0.75f));
  schema.EncodeContext({.gpu_load_bucket = 0}, *SmallProfile(), row);
  EXPECT_THAT(row, ElementsAre(1, 0));
}

TEST(FeatureSchema, RefusesColumnsByName) {
  struct Case {
    std::vector<std::string> columns, context;
    const char* want;
  };
  const Case cases[] = {
      {{}, {}, "columns: a policy reads at least one column"},
      {{"pod_cpu", "pod_karma"},
       {},
       "columns: there is no column \"pod_karma\"; there are pod_cpu"},
      {{"pod_cpu", "pod_gpu", "pod_cpu"}, {}, "columns: column \"pod_cpu\" comes twice"},
      {{"regime"}, {}, "columns: there is no column \"regime\""},
      {{"pod_cpu"}, {"pod_gpu"}, "context_columns: there is no column \"pod_gpu\"; there are gpu"},
      {{"pod_cpu"}, {"regime", "regime"}, "context_columns: column \"regime\" comes twice"},
  };
  for (const Case& c : cases) {
    const auto schema = FeatureSchema::Make(c.columns, c.context);
    EXPECT_EQ(schema.status().code(), absl::StatusCode::kInvalidArgument) << c.want;
    EXPECT_THAT(std::string(schema.status().message()), HasSubstr(c.want));
  }
}

std::string HashOf(std::vector<std::string> columns, std::vector<std::string> context) {
  return FeatureSchema::Make(std::move(columns), std::move(context)).value().Hash();
}

TEST(FeatureSchema, HashCoversNamesAndOrder) {
  const std::set<std::string> hashes = {HashOf({"pod_cpu", "pod_gpu"}, {}),
                                        HashOf({"pod_gpu", "pod_cpu"}, {}),
                                        HashOf({"pod_cpu"}, {}),
                                        HashOf({"pod_cpu"}, {"regime"}),
                                        HashOf({"pod_cpu"}, {"regime", "gpu_load"}),
                                        HashOf({"pod_cpu"}, {"gpu_load", "regime"})};
  EXPECT_THAT(hashes, SizeIs(6));
}

// Manifests in the field carry hashes like these: printf 'columns\n...' | sha256sum.
TEST(FeatureSchema, HashNeverChanges) {
  EXPECT_EQ(HashOf({"pod_cpu", "gpu_free_after"}, {"regime"}),
            "df26e7f5bb3fb010d68347cc73dc4c6a3076aab70f908310bd9c45f2746c588e");
  EXPECT_EQ(HashOf({"node_empty"}, {}),
            "5ad9be56aa4a7f84a9974ac79232bc9e79d34679d26dd59b37e01578acaaa6c0");
}

TEST(FeatureColumns, AreDescribed) {
  std::set<std::string_view> names;
  for (const auto columns : {PlacementColumns(), ContextColumns()}) {
    for (const FeatureColumn& column : columns) {
      EXPECT_TRUE(names.insert(column.name).second) << column.name << " comes twice";
      EXPECT_FALSE(column.unit.empty()) << column.name;
      EXPECT_FALSE(column.meaning.empty()) << column.name;
    }
  }
}

}  // namespace
}  // namespace berth
