#include "base/status_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(StatusServer, TellsHealthReadinessAndMetrics) {
  Metrics metrics;
  metrics.AddCounter("berth_things_total", "Things.").Increment();
  std::atomic<bool> ready = false;
  const auto server = StatusServer::Start("127.0.0.1", 0, metrics, [&]() -> Status {
    if (ready) return {};
    return absl::UnavailableError("not synced");
  });
  ASSERT_TRUE(server.ok()) << server.status();
  httplib::Client client("127.0.0.1", (*server)->port());
  EXPECT_EQ(client.Get("/healthz")->status, 200);
  EXPECT_EQ(client.Get("/readyz")->status, 503);
  EXPECT_EQ(client.Get("/readyz")->body, "not synced\n");
  ready = true;
  EXPECT_EQ(client.Get("/readyz")->status, 200);
  EXPECT_THAT(client.Get("/metrics")->body, HasSubstr("berth_things_total 1"));
}

TEST(StatusServer, SaysThatThePortIsTaken) {
  const Metrics metrics;
  const auto first = StatusServer::Start("127.0.0.1", 0, metrics, [] { return Status(); });
  ASSERT_TRUE(first.ok()) << first.status();
  const int port = (*first)->port();
  const auto second = StatusServer::Start("127.0.0.1", port, metrics, [] { return Status(); });
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(std::to_string(port)));
}

}  // namespace
}  // namespace berth
