#include "kube/watch_event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

WatchEvent Parse(ObjectKind kind, const std::string& line) {
  const Result<WatchEvent> event = ParseWatchEvent(kind, line);
  EXPECT_TRUE(event.ok()) << event.status();
  return event.value_or(WatchEvent{});
}

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}";
}

const char* const kPod =
    R"({"metadata":{"name":"p","namespace":"ml","uid":"u1","resourceVersion":"7"}})";
const PodFacts kPodFacts = {.uid = "u1", .namespace_name = "ml", .name = "p"};

TEST(WatchEvent, ChangesOfPods) {
  for (const char* type : {"ADDED", "MODIFIED"}) {
    const WatchEvent event = Parse(ObjectKind::kPod, Event(type, kPod));
    EXPECT_EQ(event.version, "7");
    EXPECT_EQ(event.added, std::string(type) == "ADDED");
    EXPECT_EQ(event.change, FactEvent(kPodFacts));
    EXPECT_THAT(event.skipped, IsEmpty());
  }
  EXPECT_EQ(Parse(ObjectKind::kPod, Event("DELETED", kPod)).change, FactEvent(PodGone{"u1"}));
}

TEST(WatchEvent, ChangesOfNodes) {
  const char* node = R"({"metadata":{"name":"n1","resourceVersion":"8"}})";
  EXPECT_EQ(Parse(ObjectKind::kNode, Event("MODIFIED", node)).change,
            FactEvent(NodeFacts{.name = "n1"}));
  EXPECT_EQ(Parse(ObjectKind::kNode, Event("DELETED", node)).change, FactEvent(NodeGone{"n1"}));
}

// RS-07: a pod that is being deleted is still there, a terminated one is not.
TEST(WatchEvent, TerminatedPodsAreGone) {
  const auto with = [](const char* rest) {
    return Event("MODIFIED", std::string(R"({"metadata":{"name":"p","uid":"u1"},)") + rest + "}");
  };
  for (const char* phase : {"Succeeded", "Failed"}) {
    const std::string line = with((R"("status":{"phase":")" + std::string(phase) + "\"}").c_str());
    EXPECT_EQ(Parse(ObjectKind::kPod, line).change, FactEvent(PodGone{"u1"}));
  }
  EXPECT_EQ(Parse(ObjectKind::kPod, with(R"("status":{"phase":"Running"})")).change,
            FactEvent(PodFacts{.uid = "u1", .name = "p"}));
}

TEST(WatchEvent, ABookmarkIsNothingButAVersion) {
  const WatchEvent event =
      Parse(ObjectKind::kPod,
            R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"7777"}}})");
  EXPECT_EQ(event.version, "7777");
  EXPECT_EQ(event.change, std::nullopt);
  EXPECT_THAT(event.skipped, IsEmpty());
}

TEST(WatchEvent, AnEventWithoutAVersionLeavesItUnchanged) {
  for (const char* object : {R"({"metadata":{"name":"p","uid":"u1"}})",
                             R"({"metadata":{"name":"p","uid":"u1","resourceVersion":null}})",
                             R"({"metadata":{"name":"p","uid":"u1","resourceVersion":9}})"}) {
    EXPECT_THAT(Parse(ObjectKind::kPod, Event("ADDED", object)).version, IsEmpty());
  }
}

TEST(WatchEvent, AnObjectThatCannotBeReadIsSkippedButItsVersionCounts) {
  const WatchEvent event =
      Parse(ObjectKind::kPod,
            Event("ADDED", R"({"metadata":{"name":"p","namespace":"ml","resourceVersion":"9"}})"));
  EXPECT_EQ(event.version, "9");
  EXPECT_EQ(event.change, std::nullopt);
  EXPECT_EQ(event.skipped, "\"ml/p\": pod without metadata.uid");
}

TEST(WatchEvent, WhatIsGoneNeedsOnlyItsKey) {
  const char* odd = R"({"metadata":{"uid":"u1"},"spec":5})";
  EXPECT_EQ(Parse(ObjectKind::kPod, Event("DELETED", odd)).change, FactEvent(PodGone{"u1"}));
  EXPECT_THAT(Parse(ObjectKind::kPod, Event("DELETED", "{}")).skipped,
              HasSubstr("no metadata.uid"));
  EXPECT_THAT(Parse(ObjectKind::kNode, Event("DELETED", "{}")).skipped,
              HasSubstr("no metadata.name"));
}

// WA-02: "too old" inside the stream, and errors that are something else.
TEST(WatchEvent, ErrorsAreToldApart) {
  struct Case {
    std::string line;
    absl::StatusCode code;
    const char* message;
  };
  const Case cases[] = {
      {Event("ERROR", R"({"kind":"Status","code":410,"message":"too old resource version"})"),
       absl::StatusCode::kOutOfRange, "410: too old resource version"},
      {Event("ERROR", R"({"kind":"Status","code":429,"message":"slow down"})"),
       absl::StatusCode::kAborted, "429: slow down"},
      {Event("ERROR", R"({"code":500})"), absl::StatusCode::kAborted, "500"},
      {Event("ERROR", "null"), absl::StatusCode::kAborted, "says 0"},
      {Event("SURPRISE", kPod), absl::StatusCode::kAborted, "unknown type of event: \"SURPRISE\""},
      {R"({"object":{}})", absl::StatusCode::kAborted, "unknown type of event: \"\""},
      {R"({"type":5,"object":{}})", absl::StatusCode::kAborted, "type is number, not text"},
      {Event("ADDED", "[]"), absl::StatusCode::kAborted, "object is array, not an object"},
      {"[]", absl::StatusCode::kAborted, "not an object"},
      {"{\"type\":", absl::StatusCode::kAborted, "not JSON"},
      {"\xff\xfe", absl::StatusCode::kAborted, "not JSON"},
      {Event("ADDED", std::string(100'000, '[')), absl::StatusCode::kAborted, "nested deeper"},
  };
  for (const Case& c : cases) {
    const Result<WatchEvent> event = ParseWatchEvent(ObjectKind::kPod, c.line);
    EXPECT_EQ(event.status().code(), c.code) << event.status();
    EXPECT_THAT(event.status().message(), HasSubstr(c.message));
  }
}

TEST(ListPage, ReadsObjectsVersionAndContinue) {
  const Result<ListPage> page = ParseListPage(ObjectKind::kPod, R"({
    "metadata": {"resourceVersion": "12", "continue": "more"},
    "items": [{"metadata": {"name": "p", "namespace": "ml", "uid": "u1"}},
              {"metadata": {"name": "q", "namespace": "ml"}},
              5,
              {"metadata": {"name": "r", "uid": "u3"}, "status": {"phase": "Failed"}}]})");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->version, "12");
  EXPECT_EQ(page->continue_token, "more");
  EXPECT_THAT(page->pods, ElementsAre(kPodFacts));
  EXPECT_THAT(page->nodes, IsEmpty());
  EXPECT_THAT(page->skipped, ElementsAre("\"ml/q\": pod without metadata.uid",
                                         "\"/\": it is number, not an object"));
}

TEST(ListPage, AnEmptyListMayBeNull) {
  for (const char* items : {"[]", "null"}) {
    const Result<ListPage> page =
        ParseListPage(ObjectKind::kNode,
                      std::string(R"({"metadata":{"resourceVersion":"1"},"items":)") + items + "}");
    ASSERT_TRUE(page.ok()) << page.status();
    EXPECT_THAT(page->nodes, IsEmpty());
    EXPECT_THAT(page->continue_token, IsEmpty());
  }
}

TEST(ListPage, RefusesWhatIsNoList) {
  for (const char* body : {"", "null", "[]", "{}", R"({"metadata":{},"items":[]})",
                           R"({"metadata":{"resourceVersion":""},"items":[]})",
                           R"({"metadata":{"resourceVersion":"1"},"items":{}})",
                           R"({"metadata":{"resourceVersion":"1"},"items":[)"}) {
    EXPECT_EQ(ParseListPage(ObjectKind::kNode, body).status().code(), absl::StatusCode::kAborted)
        << body;
  }
}

}  // namespace
}  // namespace berth
