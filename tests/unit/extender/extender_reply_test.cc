#include "extender/extender_reply.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

// The bytes that kube-scheduler gets. Its types have no JSON tags, so the names are Go's.
TEST(ExtenderReply, FilterBytes) {
  EXPECT_EQ(ToJson(FilterReply{.node_names = {"n1", "n2"},
                               .failed = {{"n3", "not now"}},
                               .failed_and_unresolvable = {{"n4", "never"}},
                               .error = ""}),
            R"({"Error":"","FailedAndUnresolvableNodes":{"n4":"never"},)"
            R"("FailedNodes":{"n3":"not now"},"NodeNames":["n1","n2"],"Nodes":null})");
}

TEST(ExtenderReply, NodeNamesAreNeverNull) {
  EXPECT_EQ(ToJson(FilterReply{.error = "no"}),
            R"({"Error":"no","FailedAndUnresolvableNodes":{},"FailedNodes":{},)"
            R"("NodeNames":[],"Nodes":null})");
}

TEST(ExtenderReply, PrioritizeBytes) {
  const std::vector<HostPriority> list = {{"n1", 10}, {"n2", 0}};
  EXPECT_EQ(ToJson(list), R"([{"Host":"n1","Score":10},{"Host":"n2","Score":0}])");
  EXPECT_EQ(ToJson(std::vector<HostPriority>{}), "[]");
}

TEST(ExtenderReply, BrokenUtf8IsReplaced) {
  const std::string broken = "n\xc3\x28";
  EXPECT_EQ(ToJson(std::vector<HostPriority>{{broken, 1}}),
            "[{\"Host\":\"n\xEF\xBF\xBD(\",\"Score\":1}]");
  EXPECT_EQ(ToJson(FilterReply{.node_names = {broken}, .failed = {{broken, broken}}}),
            "{\"Error\":\"\",\"FailedAndUnresolvableNodes\":{},"
            "\"FailedNodes\":{\"n\xEF\xBF\xBD(\":\"n\xEF\xBF\xBD(\"},"
            "\"NodeNames\":[\"n\xEF\xBF\xBD(\"],\"Nodes\":null}");
}

}  // namespace
}  // namespace berth
