#include "extender/extender_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/http_server.h"
#include "base/http_status.h"
#include "base/real_clock.h"
#include "fake_scoring_client.h"
#include "support/captured_log.h"
#include "support/raw_connection.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const json kPod = {{"metadata", {{"name", "p"}, {"namespace", "ml"}, {"uid", "u"}}},
                   {"spec", {{"containers", json::array()}}}};

std::string Body(const json& names) {
  return json{{"Pod", kPod}, {"Nodes", nullptr}, {"NodeNames", names}}.dump();
}

// A running extender, as `berth-extender` wires it, before a service that answers as told.
class ExtenderRoutesTest : public ::testing::Test {
 protected:
  ExtenderRoutesTest()
      : extender_(
            service_, [this] { return synced_; }, {}, clock_, metrics_, log_.logger()),
        server_({.max_body_bytes = 1 << 20}) {
    AddExtenderRoutes(server_.routes(), extender_);
    AddStatusRoutes(server_.routes(), metrics_, [this] { return extender_.Ready(); });
    port_ = server_.Bind("127.0.0.1", 0).value();
    thread_ = std::jthread([this] { server_.Serve(); });
    client_ = std::make_unique<httplib::Client>("127.0.0.1", port_);
    client_->set_keep_alive(true);
    client_->set_tcp_nodelay(true);
  }
  ~ExtenderRoutesTest() override { server_.Stop(); }

  httplib::Result Post(const std::string& verb, const std::string& body) {
    return client_->Post("/" + verb, body, "application/json");
  }

  FakeScoringClient service_;
  Status synced_;
  RealClock clock_;
  Metrics metrics_;
  CapturedLog log_;
  Extender extender_;
  HttpServer server_;
  int port_ = 0;
  std::jthread thread_;
  std::unique_ptr<httplib::Client> client_;
};

TEST_F(ExtenderRoutesTest, AnswersBothVerbs) {
  const auto filter = Post("filter", Body({"n1", "n2"}));
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->status, 200);
  EXPECT_EQ(filter->get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(json::parse(filter->body)["NodeNames"], json({"n1", "n2"}));
  const auto prioritize = Post("prioritize", Body({"n1", "n2"}));
  EXPECT_EQ(prioritize->status, 200);
  EXPECT_EQ(prioritize->body, R"([{"Host":"n1","Score":10},{"Host":"n2","Score":5}])");
}

TEST_F(ExtenderRoutesTest, AnErrorHasATextBody) {
  synced_ = absl::UnavailableError("not synced");
  const auto prioritize = Post("prioritize", Body({"n1"}));
  EXPECT_EQ(prioritize->status, 503);
  EXPECT_EQ(prioritize->get_header_value("Content-Type"), "text/plain");
  EXPECT_EQ(prioritize->body, "not synced\n");
}

TEST_F(ExtenderRoutesTest, ReadyFollowsTheWatchAndTheService) {
  EXPECT_EQ(client_->Get("/healthz")->status, 200);
  EXPECT_EQ(client_->Get("/readyz")->status, 200);
  synced_ = absl::UnavailableError("not synced: nodes and pods are being listed");
  EXPECT_EQ(client_->Get("/readyz")->status, 503);
  EXPECT_EQ(client_->Get("/readyz")->body, "not synced: nodes and pods are being listed\n");
  EXPECT_EQ(client_->Get("/healthz")->status, 200);
}

TEST_F(ExtenderRoutesTest, MetricsAreThere) {
  Post("filter", Body({"n1"}));
  EXPECT_THAT(client_->Get("/metrics")->body,
              HasSubstr(R"(berth_extender_requests_total{outcome="answered",verb="filter"} 1)"));
}

TEST_F(ExtenderRoutesTest, FiveThousandCandidatesKeepTheirNames) {
  json names = json::array();
  for (int i = 0; i < 5000; ++i) {
    names.push_back("n" + std::to_string(i) + ".rack-" + std::to_string(i % 50) + ".example.org");
  }
  EXPECT_EQ(json::parse(Post("filter", Body(names))->body)["NodeNames"], names);
  const json list = json::parse(Post("prioritize", Body(names))->body);
  ASSERT_EQ(list.size(), 5000u);
  const std::vector<int> scores = {10, 5, 4, 3, 2, 2, 2, 2, 1};
  for (size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(list[i]["Host"], names[i]);
    ASSERT_EQ(list[i]["Score"], scores[std::min<size_t>(i, 8)]);
  }
}

// curl without a header says that it sends a form, and httplib limits forms to 8 KiB.
TEST_F(ExtenderRoutesTest, TheContentTypeDoesNotMatter) {
  const json names = std::vector<std::string>(1, std::string(20'000, 'n'));
  for (const std::string type : {"application/x-www-form-urlencoded", "text/plain", ""}) {
    EXPECT_EQ(client_->Post("/filter", Body(names), type)->status, 200) << type;
  }
}

TEST_F(ExtenderRoutesTest, IdleConnectionsCostNothing) {
  std::vector<std::unique_ptr<RawConnection>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<RawConnection>(port_));
  EXPECT_EQ(Post("filter", Body({"n1"}))->status, 200);
}

TEST_F(ExtenderRoutesTest, ExpectIsAnsweredBeforeTheBody) {
  const std::string body = Body({"n1"});
  RawConnection connection(port_);
  connection.Send(
      "POST /filter HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_THAT(connection.ReadUntil("\r\n\r\n"), HasSubstr("HTTP/1.1 100 "));
  connection.Send(body);
  EXPECT_THAT(connection.ReadAll(), HasSubstr("HTTP/1.1 200 "));
}

TEST_F(ExtenderRoutesTest, AClientThatGoesAwayInTheMiddleIsNoMatter) {
  for (int i = 0; i < 20; ++i) {
    RawConnection connection(port_);
    connection.Send("POST /filter HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{");
  }
  EXPECT_EQ(Post("filter", Body({"n1"}))->status, 200);
}

bool IsJson(const std::string& text) { return json::accept(text); }

// json::accept also checks UTF-8; so a text is valid when it can be part of a JSON string.
bool IsUtf8(const std::string& text) {
  try {
    return !json(text).dump().empty();
  } catch (const json::exception&) {
    return false;
  }
}

TEST_F(ExtenderRoutesTest, HostileBytesGetAnAnswerAndHarmNobody) {
  const std::string good = Body({"n1"});
  std::string deep = good;
  deep.insert(deep.find("\"containers\""),
              "\"x\":" + std::string(100'000, '[') + std::string(100'000, ']') + ",");
  std::string broken = good;
  broken.replace(broken.find("\"n1\""), 4, "\"n1\xc3\x28\"");
  std::string broken_pod = good;
  broken_pod.replace(broken_pod.find("\"p\""), 3, "\"p\xec\"");
  std::string surrogate = good;
  surrogate.replace(surrogate.find("\"p\""), 3, "\"p\\ud800\"");
  const struct {
    std::string name, body;
    int status;
  } cases[] = {
      {"deep", deep, 400},
      {"broken UTF-8 in a name", broken, 400},
      {"broken UTF-8 in the pod", broken_pod, 400},
      {"half a surrogate pair", surrogate, 400},
      {"half a body", good.substr(0, good.size() / 2), 400},
      {"zero bytes", std::string(1000, '\0'), 400},
      {"random bytes", "\x80\xff\xfe{\"Pod\"", 400},
      {"blanks beyond the limit", good + std::string(2 << 20, ' '), 413},
      {"blanks within the limit", good + std::string(1000, ' '), 200},
      {"a huge number", R"({"Pod":1e99999})", 400},
      {"a name that needs escapes", Body({"\"\\\n\u2028"}), 200},
  };
  for (const auto& [name, body, status] : cases) {
    SCOPED_TRACE(name);
    for (const std::string verb : {"filter", "prioritize"}) {
      const auto answer = Post(verb, body);
      ASSERT_TRUE(answer) << answer.error();
      EXPECT_EQ(answer->status, status) << answer->body;
      EXPECT_TRUE(answer->status == 200 ? IsJson(answer->body) : IsUtf8(answer->body));
    }
    EXPECT_EQ(Post("filter", good)->status, 200);
  }
  EXPECT_TRUE(IsUtf8(log_.text()));
}

TEST_F(ExtenderRoutesTest, CompressedBodiesAreNotUnpacked) {
  const auto answer =
      client_->Post("/filter", {{"Content-Encoding", "gzip"}}, "\x1f\x8b\x08", "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 415);
}

}  // namespace
}  // namespace berth
