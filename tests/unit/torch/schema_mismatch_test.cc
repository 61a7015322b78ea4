#include "torch/schema_mismatch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

using Names = std::vector<std::string>;

FeatureSchema Schema(Names columns, Names context) {
  return FeatureSchema::Make(std::move(columns), std::move(context)).value();
}

TEST(ExplainSchemaMismatch, NamesTheColumnThatDiffers) {
  const FeatureSchema original = Schema({"pod_cpu", "pod_gpu", "node_gpus"}, {"regime"});
  struct Case {
    Names columns, context;
    const char* want;
  };
  const Case cases[] = {
      {{"pod_cpu", "pod_memory", "node_gpus"},
       {"regime"},
       "columns[1] is \"pod_memory\" but was \"pod_gpu\""},
      {{"pod_cpu", "node_gpus"}, {"regime"}, "columns[1] \"pod_gpu\" is missing"},
      {{"pod_cpu", "pod_gpu"}, {"regime"}, "columns[2] \"node_gpus\" is missing"},
      {{"pod_cpu", "pod_gpu", "pod_memory", "node_gpus"},
       {"regime"},
       "columns[2] \"pod_memory\" was not there"},
      {{"node_gpus", "pod_gpu", "pod_cpu"},
       {"regime"},
       "columns[0] \"node_gpus\" and [2] \"pod_cpu\" were the other way round"},
      {{"pod_cpu", "pod_gpu", "node_gpus"}, {}, "context_columns[0] \"regime\" is missing"},
      {{"pod_cpu", "pod_gpu", "node_gpus"},
       {"gpu_load"},
       "context_columns[0] is \"gpu_load\" but was \"regime\""},
      {{"pod_cpu"},
       {"regime"},
       "columns and context_columns differ in more than one name, or in names unknown here"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ExplainSchemaMismatch(Schema(c.columns, c.context), original.Hash()), c.want);
  }
}

}  // namespace
}  // namespace berth
