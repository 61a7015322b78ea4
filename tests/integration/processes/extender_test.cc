// The program `berth-extender` as its users run it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <string>
#include <vector>

#include "support/background_program.h"
#include "support/run_program.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

// Nobody listens on port 1.
constexpr char kKubeconfig[] = R"(
current-context: nobody
contexts: [{name: nobody, context: {cluster: nobody, user: nobody}}]
clusters: [{name: nobody, cluster: {server: "http://127.0.0.1:1"}}]
users: [{name: nobody, user: {}}]
)";

class ExtenderProgram : public ::testing::Test {
 protected:
  std::vector<std::string> Extender(const std::string& http) {
    return {std::string(BERTH_BIN_DIR) + "/berth-extender",
            "--listen",
            "127.0.0.1:0",
            "--http",
            http,
            "--service",
            "127.0.0.1:1",
            "--kubeconfig",
            directory_.Write("kubeconfig", kKubeconfig)};
  }

  const TempDirectory directory_;
};

std::string AwaitField(BackgroundProgram& program, std::string_view message, std::string_view key) {
  const Result<std::string> line = program.AwaitLine(message, std::chrono::minutes(1));
  EXPECT_TRUE(line.ok()) << line.status();
  return LogField(*line, key);
}

TEST_F(ExtenderProgram, TellsItsHealthOnAnAddressThatTakesNoQuestions) {
  BackgroundProgram extender(Extender("0.0.0.0:0"));
  const std::string everywhere = AwaitField(extender, "serving health", "http");
  ASSERT_THAT(everywhere, HasSubstr("0.0.0.0:"));
  httplib::Client health("127.0.0.1", std::stoi(everywhere.substr(everywhere.find(':') + 1)));
  httplib::Client verbs("http://" + AwaitField(extender, "msg=\"serving\"", "address"));

  for (httplib::Client* client : {&health, &verbs}) {
    EXPECT_EQ(client->Get("/healthz")->status, 200);
    EXPECT_EQ(client->Get("/readyz")->status, 503);
    EXPECT_THAT(client->Get("/metrics")->body, HasSubstr("berth_build_info"));
  }
  EXPECT_NE(verbs.Post("/filter", "{}", "application/json")->status, 404);
  EXPECT_EQ(health.Post("/filter", "{}", "application/json")->status, 404);
  EXPECT_EQ(extender.Stop(), 0);
}

TEST_F(ExtenderProgram, DoesNotStartWithoutAnAddressThatItWasGiven) {
  BackgroundProgram first(Extender("127.0.0.1:0"));
  const std::string taken = AwaitField(first, "serving health", "http");
  const FinishedProgram second = RunProgram(Extender(taken));
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.output, HasSubstr("cannot listen on " + taken));
}

}  // namespace
}  // namespace berth
