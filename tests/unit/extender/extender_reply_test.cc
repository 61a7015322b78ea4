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
            R"({"Nodes":null,"NodeNames":["n1","n2"],"FailedNodes":{"n3":"not now"},)"
            R"("FailedAndUnresolvableNodes":{"n4":"never"},"Error":""})");
}

TEST(ExtenderReply, NodeNamesAreNeverNull) {
  EXPECT_EQ(ToJson(FilterReply{.error = "no"}), R"({"Nodes":null,"NodeNames":[],"FailedNodes":{},)"
                                                R"("FailedAndUnresolvableNodes":{},"Error":"no"})");
}

TEST(ExtenderReply, PrioritizeBytes) {
  const std::vector<HostPriority> list = {{"n1", 10}, {"n2", 0}};
  EXPECT_EQ(ToJson(list), R"([{"Host":"n1","Score":10},{"Host":"n2","Score":0}])");
  EXPECT_EQ(ToJson(std::vector<HostPriority>{}), "[]");
}

TEST(ExtenderReply, WhateverTheNamesHold) {
  const struct {
    std::string name, quoted;
  } cases[] = {{"", "\"\""},
               {"a.b-c/d", "\"a.b-c/d\""},
               {"a\"b\\c\n\x01", R"("a\"b\\c\n\u0001")"},
               {"\x7f", "\"\x7f\""},
               {"Z\xC3\xBCrich", "\"Z\xC3\xBCrich\""},
               {"n\xC3\x28", "\"n\xEF\xBF\xBD(\""}};  // broken UTF-8 is replaced
  for (const auto& [name, quoted] : cases) {
    SCOPED_TRACE(quoted);
    EXPECT_EQ(ToJson(std::vector<HostPriority>{{name, 1}}),
              "[{\"Host\":" + quoted + ",\"Score\":1}]");
    EXPECT_EQ(ToJson(FilterReply{.node_names = {name, name},
                                 .failed = {{name, name}},
                                 .failed_and_unresolvable = {{name, name}, {name, name}},
                                 .error = name}),
              "{\"Nodes\":null,\"NodeNames\":[" + quoted + "," + quoted + "],\"FailedNodes\":{" +
                  quoted + ":" + quoted + "},\"FailedAndUnresolvableNodes\":{" + quoted + ":" +
                  quoted + "," + quoted + ":" + quoted + "},\"Error\":" + quoted + "}");
  }
}

}  // namespace
}  // namespace berth
