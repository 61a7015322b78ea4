#include "extender/extender_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/log.h"
#include "base/rng.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr char kPod[] = R"({"metadata":{"name":"p","namespace":"ml","uid":"u"},"spec":{}})";

// Quoted replaces what is not.
bool IsUtf8(absl::string_view text) {
  return Quoted(std::string(text)).find("\xEF\xBF\xBD") == std::string::npos;
}

std::string Body(const std::string& rest, const std::string& pod = kPod) {
  return R"({"Pod":)" + pod + "," + rest + "}";
}

TEST(ExtenderArgs, ReadsWhatKubeSchedulerSends) {
  const auto args =
      ParseExtenderArgs(Body(R"("Nodes":null,"NodeNames":["n1","n2.rack-1.example"])"));
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod.uid, "u");
  EXPECT_EQ(args->pod.name, "p");
  EXPECT_EQ(args->pod.namespace_name, "ml");
  EXPECT_THAT(args->node_names, Optional(ElementsAre("n1", "n2.rack-1.example")));
  EXPECT_FALSE(args->full_nodes);
}

TEST(ExtenderArgs, ReadsKeysInAnyCaseAndOrder) {
  const std::string pod = kPod;
  for (const std::string& body :
       {R"({"pod":)" + pod + R"(,"nodes":null,"nodenames":["n1"]})",
        R"({"nodeNames":["n1"],"nodes":null,"POD":)" + pod + "}",
        R"({"Other":{"Pod":1,"x":[[]]},"NodeNames":["n1"],"Pod":)" + pod + R"(,"More":[1]})"}) {
    SCOPED_TRACE(body);
    const auto args = ParseExtenderArgs(body);
    ASSERT_TRUE(args.ok()) << args.status();
    EXPECT_EQ(args->pod.name, "p");
    EXPECT_THAT(args->node_names, Optional(ElementsAre("n1")));
  }
}

TEST(ExtenderArgs, KeepsTheWholePod) {
  const auto args = ParseExtenderArgs(Body(R"("NodeNames":[])", R"({
      "metadata":{"name":"p","namespace":"ml","uid":"u","annotations":{"berth.dev/gpu-model":"A100"}},
      "spec":{"containers":[
        {"name":"a","resources":{"requests":{"cpu":"1500m","nvidia.com/gpu":"1"}}},
        {"name":"b","resources":{"requests":{"cpu":"1","nvidia.com/gpu":"2"}}}],
        "priority":7}})"));
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_EQ(args->pod.requests.at("cpu"), 2500);
  EXPECT_EQ(args->pod.requests.at("nvidia.com/gpu"), 3);
  EXPECT_EQ(args->pod.annotations.at("berth.dev/gpu-model"), "A100");
  EXPECT_EQ(args->pod.priority, 7);
}

TEST(ExtenderArgs, TellsEmptyFromAbsent) {
  EXPECT_THAT(ParseExtenderArgs(Body(R"("NodeNames":[])"))->node_names, Optional(IsEmpty()));
  EXPECT_EQ(ParseExtenderArgs(Body(R"("NodeNames":null)"))->node_names, std::nullopt);
  EXPECT_EQ(ParseExtenderArgs(Body(R"("Nodes":null)"))->node_names, std::nullopt);
}

TEST(ExtenderArgs, NoticesWholeNodesAndSkipsThem) {
  const auto args = ParseExtenderArgs(
      Body(R"("Nodes":{"metadata":{},"items":[{"metadata":{"name":"n1"}}]},"NodeNames":null)"));
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_TRUE(args->full_nodes);
  EXPECT_EQ(args->node_names, std::nullopt);
}

TEST(ExtenderArgs, WholeNodesMayBeManyAndLarge) {
  std::string items;
  for (int i = 0; i < 100'000; ++i) items += R"({"a":[1,2,3,4,5,6,7,8,9,10]},)";
  items.pop_back();
  const auto args = ParseExtenderArgs(Body(R"("Nodes":{"items":[)" + items + "]}"));
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_TRUE(args->full_nodes);
}

TEST(ExtenderArgs, NamesComeOnceInTheOrderOfTheRequest) {
  const auto args = ParseExtenderArgs(Body(R"("NodeNames":["n2","n1","n2","n2","n1","n3"])"));
  EXPECT_THAT(args->node_names, Optional(ElementsAre("n2", "n1", "n3")));
}

std::string Repeat(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ExtenderArgs, RefusesWhatItCannotReadAndSaysWhere) {
  const std::string names = R"("NodeNames":["n1"])";
  const struct {
    std::string body, message;
  } cases[] = {
      {"", "not valid JSON at byte 1"},
      {"{", "not valid JSON at byte"},
      {Body(names).substr(0, 40), "not valid JSON at byte"},
      {Body(names) + "x", "not valid JSON at byte"},
      {"[]", "must be an object"},
      {"null", "must be an object"},
      {"7", "must be an object"},
      {R"("Pod")", "must be an object"},
      {"{}", "Pod: must be a pod object"},
      {"{" + names + "}", "Pod: must be a pod object"},
      {Body(names, "null"), "Pod: must be a pod object"},
      {Body(names, "[]"), "Pod: must be a pod object"},
      {Body(names, "\"p\""), "Pod: must be a pod object"},
      {Body(names, R"({"metadata":7})"), "metadata"},
      {Body(names, R"({"metadata":{"name":"p","namespace":"ml","uid":7}})"), "metadata.uid"},
      {Body(R"("NodeNames":"n1")"), "NodeNames: must be a list"},
      {Body(R"("NodeNames":{"n1":1})"), "NodeNames: must be a list"},
      {Body(R"("NodeNames":["n1",7])"), "NodeNames[1]: must be a string"},
      {Body(R"("NodeNames":["n1",null])"), "NodeNames[1]: must be a string"},
      {Body(R"("NodeNames":[["n1"]])"), "NodeNames[0]: must be a string"},
      {Body(R"("NodeNames":["n1)"
            "\xc3\x28"
            R"("])"),
       "not valid JSON at byte"},
      {Body(names, R"({"metadata":{"name":"p\ud800"}})"), "not valid JSON at byte"},
      {Body(names, R"({"spec":)" + Repeat("[", 100'000) + Repeat("]", 100'000) + "}"),
       "deeper than 64"},
      {Body(names, R"({"spec":)" + Repeat(R"({"x":)", 100'000)), "deeper than 64"},
      {Body(R"("Other":)" + Repeat("[", 100'000)), "deeper than 64"},
      {Body(R"("NodeNames":[)" + Repeat("\"\",", 200'001) + "\"\"]"), "too many values"},
      {Body(names, R"({"spec":[)" + Repeat("0,", 200'001) + "0]}"), "too many values"},
      {Body(names, R"({"spec":1e99999})"), "not valid JSON at byte"},
      {R"({"a":1,})", "not valid JSON at byte 8"},
      {R"({"a" 1})", "not valid JSON at byte 6"},
      {R"({a:1})", "not valid JSON at byte 2"},
  };
  for (const auto& [body, message] : cases) {
    SCOPED_TRACE(body.substr(0, 200));
    const auto args = ParseExtenderArgs(body);
    EXPECT_EQ(args.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(args.status().message()), HasSubstr(message));
  }
}

// Whatever bytes change, are lost or added: an answer or an error whose text is valid UTF-8.
TEST(ExtenderArgs, SurvivesRandomDamage) {
  const Rng::result_type seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Rng rng(seed);
  const std::string good = Body(R"("Nodes":null,"NodeNames":["n1","n\u00fc","n3"])", R"({
      "metadata":{"name":"p","namespace":"ml","uid":"u"},
      "spec":{"containers":[{"name":"a","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}})");
  for (int round = 0; round < 2000; ++round) {
    std::string body = good;
    for (uint64_t damage = 1 + rng() % 3; damage > 0; --damage) {
      const size_t at = rng() % body.size();
      const char byte = static_cast<char>(rng() % 2 == 0 ? rng() : R"("\{}[]:,0en)"[rng() % 12]);
      if (const auto how = rng() % 3; how == 0) {
        body[at] = byte;
      } else if (how == 1) {
        body.erase(at, 1 + rng() % 5);
      } else {
        body.insert(at, 1, byte);
      }
      if (body.empty()) body = "{";
    }
    const auto args = ParseExtenderArgs(body);
    if (args.ok()) continue;
    ASSERT_EQ(args.status().code(), absl::StatusCode::kInvalidArgument) << body;
    ASSERT_TRUE(IsUtf8(args.status().message())) << body;
  }
}

}  // namespace
}  // namespace berth
