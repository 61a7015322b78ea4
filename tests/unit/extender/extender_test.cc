#include "extender/extender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/real_clock.h"
#include "fake_scoring_client.h"
#include "support/captured_log.h"
#include "support/fake_clock.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

json Pod(const json& requests) {
  return {{"metadata", {{"name", "p"}, {"namespace", "ml"}, {"uid", "u"}}},
          {"spec", {{"containers", {{{"name", "c"}, {"resources", {{"requests", requests}}}}}}}}};
}

std::string Body(const json& names, const json& pod = Pod({{"nvidia.com/gpu", "1"}})) {
  return json{{"Pod", pod}, {"Nodes", nullptr}, {"NodeNames", names}}.dump();
}

class ExtenderTest : public ::testing::Test {
 protected:
  Extender Make(std::vector<std::string> managed_resources = {}) {
    return Extender(
        service_, [this] { return synced_; }, std::move(managed_resources), clock_, metrics_,
        log_.logger());
  }

  FakeScoringClient service_;
  Status synced_;
  RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
};

TEST_F(ExtenderTest, FilterTellsNotNowFromNever) {
  service_.on_filter = [](const PodFacts&, auto) {
    return FilterAnswer{.refused = {{"no single GPU has the free share", false, {1, 3}},
                                    {"the GPU model is not allowed", true, {2}}}};
  };
  Extender extender = Make();
  const ExtenderAnswer answer = extender.Filter(Body({"n0", "n1", "n2", "n3", "n4"}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body,
            R"({"Nodes":null,"NodeNames":["n0","n4"],)"
            R"("FailedNodes":{"n1":"no single GPU has the free share",)"
            R"("n3":"no single GPU has the free share"},)"
            R"("FailedAndUnresolvableNodes":{"n2":"the GPU model is not allowed"},"Error":""})");
}

TEST_F(ExtenderTest, PrioritizeGivesIntegerScoresByRank) {
  service_.on_score = [](const PodFacts&, auto) {
    return ScoreAnswer{.order = {2, 0, 1, 3}, .feasible = 2, .unknown = 1};
  };
  Extender extender = Make();
  const ExtenderAnswer answer = extender.Prioritize(Body({"n0", "n1", "n2", "ghost"}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"([{"Host":"n0","Score":5},{"Host":"n1","Score":0},)"
                         R"({"Host":"n2","Score":10},{"Host":"ghost","Score":0}])");
}

TEST_F(ExtenderTest, TheServiceIsAskedAboutThePodAndEachNameOnce) {
  PodFacts pod;
  std::vector<std::string> names;
  service_.on_filter = [&](const PodFacts& asked, auto nodes) {
    pod = asked;
    names.assign(nodes.begin(), nodes.end());
    return FilterAnswer{};
  };
  Extender extender = Make();
  const ExtenderAnswer answer = extender.Filter(Body({"n1", "ghost", "n1"}));
  EXPECT_EQ(pod.uid, "u");
  EXPECT_EQ(pod.requests.at("nvidia.com/gpu"), 1);
  EXPECT_THAT(names, ElementsAre("n1", "ghost"));
  EXPECT_EQ(json::parse(answer.body)["NodeNames"], json({"n1", "ghost"}));
}

TEST_F(ExtenderTest, UnknownNodesPassAndAreCounted) {
  service_.on_filter = [](const PodFacts&, auto) { return FilterAnswer{.unknown = {1}}; };
  Extender extender = Make();
  const json reply = json::parse(extender.Filter(Body({"n1", "ghost"})).body);
  EXPECT_EQ(reply["NodeNames"], json({"n1", "ghost"}));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("berth_extender_unknown_nodes_total{verb=\"filter\"} 1\n"));
}

TEST_F(ExtenderTest, NoCandidatesNoQuestionNoError) {
  synced_ = absl::UnavailableError("not synced");
  Extender extender = Make();
  const json reply = json::parse(extender.Filter(Body(json::array())).body);
  EXPECT_EQ(reply["NodeNames"], json::array());
  EXPECT_EQ(reply["Error"], "");
  EXPECT_EQ(extender.Prioritize(Body(json::array())).body, "[]");
  EXPECT_EQ(service_.asked, 0);
}

TEST_F(ExtenderTest, WithoutNamesItSaysHowToConfigureKubeScheduler) {
  Extender extender = Make();
  for (const json& nodes : {json(nullptr), json{{"items", {{{"metadata", {{"name", "n1"}}}}}}}}) {
    const std::string body =
        json{{"Pod", Pod({})}, {"Nodes", nodes}, {"NodeNames", nullptr}}.dump();
    const ExtenderAnswer filter = extender.Filter(body);
    EXPECT_EQ(filter.status, 200);
    const json reply = json::parse(filter.body);
    EXPECT_THAT(reply["Error"].get<std::string>(), HasSubstr("nodeCacheCapable: true"));
    EXPECT_EQ(reply["NodeNames"], json::array());
    const ExtenderAnswer prioritize = extender.Prioritize(body);
    EXPECT_EQ(prioritize.status, 400);
    EXPECT_THAT(prioritize.body, HasSubstr("nodeCacheCapable: true"));
  }
  EXPECT_EQ(service_.asked, 0);
}

TEST_F(ExtenderTest, ABadBodyIsTheCallersFault) {
  Extender extender = Make();
  for (const ExtenderAnswer& answer : {extender.Filter("{"), extender.Prioritize("{")}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer.body, HasSubstr("not valid JSON"));
  }
}

// Each way in which the question cannot be asked or answered: what filter and prioritize say, and
// under which cause it is counted.
TEST_F(ExtenderTest, WhatCannotBeAnsweredIsSaidAtOnceAndCountedByCause) {
  const struct {
    Status synced, answer;
    std::string error, cause;
  } cases[] = {
      {absl::UnavailableError("not synced: nodes"), {}, "not synced: nodes", "not_synced"},
      {{}, absl::UnavailableError("connection refused"), "connection refused", "unavailable"},
      {{}, absl::DeadlineExceededError("too late"), "too late", "deadline"},
      {{}, absl::InvalidArgumentError("node_names: too many"), "node_names: too many", "failed"},
      {{}, absl::InternalError("odd"), "odd", "failed"},
  };
  for (const auto& [synced, answer, error, cause] : cases) {
    SCOPED_TRACE(error);
    Metrics metrics;
    synced_ = synced;
    service_.on_filter = [&](const PodFacts&, auto) { return answer; };
    service_.on_score = [&](const PodFacts&, auto) { return answer; };
    Extender extender(
        service_, [this] { return synced_; }, {}, clock_, metrics, log_.logger());

    const ExtenderAnswer filter = extender.Filter(Body({"n1"}));
    EXPECT_EQ(filter.status, 200);
    EXPECT_EQ(json::parse(filter.body)["Error"], error);
    EXPECT_EQ(json::parse(filter.body)["NodeNames"], json::array());
    EXPECT_EQ(json::parse(filter.body)["FailedNodes"], json::object());
    const ExtenderAnswer prioritize = extender.Prioritize(Body({"n1"}));
    EXPECT_EQ(prioritize.status, 503);
    EXPECT_EQ(prioritize.body, error + "\n");
    for (const std::string verb : {"filter", "prioritize"}) {
      EXPECT_THAT(metrics.Text(), HasSubstr("berth_extender_requests_total{outcome=\"" + cause +
                                            "\",verb=\"" + verb + "\"} 1\n"));
    }
  }
}

// A service that hangs costs kube-scheduler three deadlines, whichever verbs they were, and then
// one a second.
TEST_F(ExtenderTest, AServiceThatHangsIsAskedOnceASecond) {
  service_.on_filter = [](const PodFacts&, auto) { return absl::DeadlineExceededError("late"); };
  service_.on_score = [](const PodFacts&, auto) { return absl::DeadlineExceededError("late"); };
  FakeClock clock;
  Extender extender(
      service_, [this] { return synced_; }, {}, clock, metrics_, log_.logger());
  const auto ask = [&] {
    EXPECT_NE(json::parse(extender.Filter(Body({"n1"})).body)["Error"], "");
    EXPECT_EQ(extender.Prioritize(Body({"n1"})).status, 503);
  };
  for (int i = 0; i < 20; ++i) ask();
  EXPECT_EQ(service_.asked, 3);
  clock.Advance(Breaker::kPause);
  for (int i = 0; i < 20; ++i) ask();
  EXPECT_EQ(service_.asked, 4);
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_requests_total{outcome=\"breaker_open\","
                                         "verb=\"prioritize\"} 39\n"));

  service_.on_filter = [](const PodFacts&, auto) { return FilterAnswer{}; };
  clock.Advance(Breaker::kPause);
  EXPECT_EQ(json::parse(extender.Filter(Body({"n1"})).body)["Error"], "");
  EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("cause=deadline error=\"late\""),
                                        HasSubstr("answered again\" unanswered=80")));
}

TEST_F(ExtenderTest, RepeatedRequestsLeaveNoTrace) {
  Extender extender = Make();
  const std::string filter = extender.Filter(Body({"n1", "n2"})).body;
  const std::string prioritize = extender.Prioritize(Body({"n1", "n2"})).body;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(extender.Filter(Body({"n1", "n2"})).body, filter);
    EXPECT_EQ(extender.Prioritize(Body({"n1", "n2"})).body, prioritize);
  }
}

TEST_F(ExtenderTest, ByDefaultEveryPodIsBerthsBusiness) {
  Extender extender = Make();
  extender.Filter(Body({"n1"}, Pod({{"cpu", "1"}})));
  EXPECT_EQ(service_.asked, 1);
}

TEST_F(ExtenderTest, PodsWithoutManagedResourcesPassEverywhereWithoutPreference) {
  synced_ = absl::UnavailableError("not synced");  // does not matter for them
  Extender extender = Make({"nvidia.com/gpu", "berth.dev/gpu-milli"});
  for (const json& requests : {json{{"cpu", "1"}}, json{{"nvidia.com/gpu", "0"}}, json::object()}) {
    const std::string body = Body({"n1", "n2"}, Pod(requests));
    const json reply = json::parse(extender.Filter(body).body);
    EXPECT_EQ(reply["NodeNames"], json({"n1", "n2"}));
    EXPECT_EQ(reply["Error"], "");
    EXPECT_EQ(extender.Prioritize(body).body,
              R"([{"Host":"n1","Score":0},{"Host":"n2","Score":0}])");
  }
  EXPECT_EQ(service_.asked, 0);
  EXPECT_THAT(log_.Lines(), IsEmpty());
}

TEST_F(ExtenderTest, PodsWithAManagedResourceAreAskedAbout) {
  Extender extender = Make({"nvidia.com/gpu", "berth.dev/gpu-milli"});
  extender.Filter(Body({"n1"}, Pod({{"nvidia.com/gpu", "1"}})));
  extender.Filter(Body({"n1"}, Pod({{"berth.dev/gpu-milli", "500"}})));
  EXPECT_EQ(service_.asked, 2);
}

TEST_F(ExtenderTest, APodThatCannotBeReadIsLeftToTheService) {
  std::string unreadable;
  service_.on_filter = [&](const PodFacts& pod, auto) {
    unreadable = pod.unreadable;
    return FilterAnswer{.refused = {{pod.unreadable, true, {0}}}};
  };
  Extender extender = Make({"nvidia.com/gpu"});
  const json reply =
      json::parse(extender.Filter(Body({"n1"}, Pod({{"nvidia.com/gpu", "1,5"}}))).body);
  EXPECT_THAT(unreadable, HasSubstr("1,5"));
  EXPECT_EQ(reply["FailedAndUnresolvableNodes"]["n1"], unreadable);
}

TEST_F(ExtenderTest, ReasonsThatAPodWroteMakeNoSeriesOfTheirOwn) {
  service_.on_filter = [](const PodFacts&, auto) {
    return FilterAnswer{.refused = {{"no single GPU has the free share", false, {0, 1}},
                                    {"request \"x7f\" of container \"c\"", true, {2}},
                                    {"request \"x80\" of container \"c\"", true, {3}}}};
  };
  Extender extender = Make();
  extender.Filter(Body({"a", "b", "c", "d"}));
  EXPECT_THAT(metrics_.Text(), Not(HasSubstr("x7f")));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_refused_nodes_total{reason=\"other\"}"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_candidates_total{verb=\"filter\"} 4\n"));
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("berth_extender_request_seconds_count{verb=\"filter\"} 1\n"));
}

TEST_F(ExtenderTest, ReadyNeedsTheWatchAndTheService) {
  Extender extender = Make();
  EXPECT_TRUE(extender.Ready().ok());
  service_.ready = absl::UnavailableError("service");
  EXPECT_EQ(extender.Ready().message(), "service");
  synced_ = absl::UnavailableError("watch");
  EXPECT_EQ(extender.Ready().message(), "watch");
}

}  // namespace
}  // namespace berth
