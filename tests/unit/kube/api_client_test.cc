#include "kube/api_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

#include "support/fake_api_server.h"
#include "support/temp_directory.h"
#include "support/test_certificates.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = FakeApiServer::Kind;

constexpr std::chrono::seconds kPatience(30);

struct Reply {
  Status status;
  std::string body;
};

Reply Get(ApiClient& client, const std::string& target) {
  Reply reply;
  reply.status = client.Get(target, kPatience, [&reply](std::string_view bytes) {
    reply.body += bytes;
    return true;
  });
  return reply;
}

Reply Get(const ApiServerAccess& access, const std::string& target = "/version") {
  ApiClient client(access);
  return Get(client, target);
}

TEST(ApiClient, GetsTheBodyOverOneConnectionUnderThePrefix) {
  FakeApiServer server;
  ApiClient client({.url = server.url() + "/"});
  for (int i = 0; i < 3; ++i) EXPECT_THAT(Get(client, "/version").body, HasSubstr("v1.36.0"));
  ApiClient prefixed({.url = server.url() + "/api/v1"});
  EXPECT_THAT(Get(prefixed, "/nodes").body, HasSubstr("NodeList"));
}

TEST(ApiClient, TellsErrorsApart) {
  FakeApiServer server;
  ApiClient client({.url = server.url()});
  struct Case {
    int status;
    absl::StatusCode code;
  };
  for (const Case& c :
       {Case{400, absl::StatusCode::kInvalidArgument},
        Case{401, absl::StatusCode::kUnauthenticated},
        Case{403, absl::StatusCode::kPermissionDenied},
        Case{404, absl::StatusCode::kInvalidArgument}, Case{410, absl::StatusCode::kOutOfRange},
        Case{429, absl::StatusCode::kResourceExhausted},
        Case{301, absl::StatusCode::kInvalidArgument}, Case{500, absl::StatusCode::kUnavailable},
        Case{503, absl::StatusCode::kUnavailable}}) {
    server.AnswerLists(Kind::kNodes, FakeApiServer::Answer{.status = c.status, .body = "why"});
    const Reply reply = Get(client, "/api/v1/nodes");
    EXPECT_EQ(reply.status.code(), c.code) << c.status;
    EXPECT_THAT(reply.status.message(),
                HasSubstr("answers " + std::to_string(c.status) + ": \"why\""));
    EXPECT_EQ(reply.body, "");
  }
}

TEST(ApiClient, CutsAnEndlessErrorShort) {
  FakeApiServer server;
  server.AnswerLists(Kind::kNodes,
                     FakeApiServer::Answer{.status = 500, .body = std::string(10 << 20, 'x')});
  const Reply reply = Get({.url = server.url()}, "/api/v1/nodes");
  EXPECT_EQ(reply.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_LT(reply.status.message().size(), 1000u);
}

TEST(ApiClient, SaysWhenNobodyAnswers) {
  std::string url;
  {
    FakeApiServer server;
    url = server.url();
  }
  const Reply reply = Get({.url = url});
  EXPECT_EQ(reply.status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(reply.status.message(), HasSubstr("no answer from " + url));
  EXPECT_FALSE(Get({.url = "nonsense"}).status.ok());
}

TEST(ApiClient, FindsTheServerAgainAfterItsRestart) {
  FakeApiServer server;
  ApiClient client({.url = server.url()});
  EXPECT_TRUE(Get(client, "/version").status.ok());
  server.Stop();
  EXPECT_FALSE(Get(client, "/version").status.ok());
  server.Start();
  EXPECT_TRUE(Get(client, "/version").status.ok());
}

TEST(ApiClient, AReaderMayEndTheAnswer) {
  FakeApiServer server;
  server.Put(Kind::kNodes, {{"metadata", {{"name", "n"}}}});
  ApiClient client({.url = server.url()});
  const Status status = client.Get("/api/v1/nodes?watch=true&resourceVersion=0", kPatience,
                                   [](std::string_view) { return false; });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(Get(client, "/version").status.ok());
}

TEST(ApiClient, AnInterruptionEndsAWatch) {
  FakeApiServer server;
  ApiClient client({.url = server.url()});
  auto reply =
      std::async(std::launch::async, [&] { return Get(client, "/api/v1/nodes?watch=true"); });
  EXPECT_TRUE(server.AwaitWatches(Kind::kNodes));
  client.Interrupt();
  EXPECT_EQ(reply.get().status.code(), absl::StatusCode::kUnavailable);
  client.Interrupt();  // nothing to interrupt
  EXPECT_TRUE(Get(client, "/version").status.ok());
}

TEST(ApiClient, ShowsItsTokenAndReadsTheFileAnew) {
  TempDirectory directory;
  FakeApiServer server({.token = "secret"});
  EXPECT_EQ(Get({.url = server.url()}).status.code(), absl::StatusCode::kUnauthenticated);
  EXPECT_TRUE(Get({.url = server.url(), .token = "secret"}).status.ok());
  const auto file = directory.Write("token", "old");
  ApiClient client({.url = server.url(), .token = "ignored", .token_file = file});
  EXPECT_FALSE(Get(client, "/version").status.ok());
  directory.Write("token", " secret\r\n");
  EXPECT_TRUE(Get(client, "/version").status.ok());
  for (const char* bad : {"", "\n", "secret\r\nX-Evil: 1"}) {
    directory.Write("token", bad);
    const Status status = Get(client, "/version").status;
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated);
    EXPECT_THAT(status.message(), HasSubstr("no token in " + file.string()));
  }
  ApiClient endless({.url = server.url(), .token_file = "/dev/zero"});
  EXPECT_EQ(Get(endless, "/version").status.code(), absl::StatusCode::kUnauthenticated);
}

class ApiClientTls : public ::testing::Test {
 protected:
  FakeApiServer::Options Serving(const TestIdentity& identity) {
    return {.certificate = identity.certificate, .key = identity.key};
  }

  const TestAuthority authority_;
  const TestIdentity local_ = authority_.Issue("kube-apiserver", "IP:127.0.0.1,DNS:localhost");
};

TEST_F(ApiClientTls, TrustsTheAuthorityItIsGiven) {
  FakeApiServer server(Serving(local_));
  ApiClient client({.url = server.url(), .ca_pem = authority_.certificate()});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Get(client, "/version").status.ok());
  // Others may stand beside it.
  const std::string bundle = TestAuthority("other").certificate() + authority_.certificate();
  EXPECT_TRUE(Get({.url = server.url(), .ca_pem = bundle}).status.ok());
}

TEST_F(ApiClientTls, RefusesAServerThatNobodyItTrustsVouchesFor) {
  FakeApiServer server(Serving(local_));
  const TestAuthority stranger("stranger");
  for (const std::string& ca : {stranger.certificate(), std::string()}) {
    const Status status = Get({.url = server.url(), .ca_pem = ca}).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(status.message(), AllOf(HasSubstr("the server's certificate: "),
                                        HasSubstr("unable to get local issuer certificate")));
  }
  EXPECT_TRUE(Get({.url = server.url(), .insecure = true}).status.ok());
}

TEST_F(ApiClientTls, RefusesAnotherName) {
  FakeApiServer server(Serving(authority_.Issue("api", "DNS:api.example,IP:10.0.0.1")));
  const std::string ca = authority_.certificate();
  EXPECT_THAT(Get({.url = server.url(), .ca_pem = ca}).status.message(),
              HasSubstr("IP address mismatch"));
  EXPECT_THAT(
      Get({.url = server.url(), .ca_pem = ca, .server_name = "other.example"}).status.message(),
      HasSubstr("hostname mismatch"));
  EXPECT_TRUE(Get({.url = server.url(), .ca_pem = ca, .server_name = "api.example"}).status.ok());
  const std::string by_name = "https://localhost:" + std::to_string(server.port());
  EXPECT_TRUE(Get({.url = by_name, .ca_pem = ca, .server_name = "api.example"}).status.ok());
}

TEST_F(ApiClientTls, ProvesWhoItIs) {
  FakeApiServer::Options options = Serving(local_);
  options.client_authority = authority_.certificate();
  FakeApiServer server(options);
  const TestIdentity me = authority_.Issue("berth"), stranger = TestAuthority().Issue("berth");
  ApiServerAccess access = {.url = server.url(), .ca_pem = authority_.certificate()};
  EXPECT_FALSE(Get(access).status.ok());
  access.client_certificate_pem = stranger.certificate;
  access.client_key_pem = stranger.key;
  EXPECT_FALSE(Get(access).status.ok());
  access.client_certificate_pem = me.certificate;
  EXPECT_THAT(Get(access).status.message(), HasSubstr("does not belong to the certificate"));
  access.client_key_pem = me.key;
  EXPECT_TRUE(Get(access).status.ok());
}

TEST(EscapeForQuery, EscapesWhatAUrlCouldMistake) {
  EXPECT_EQ(EscapeForQuery("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(EscapeForQuery("1007 ml/p=&+%?ü"), "1007%20ml%2Fp%3D%26%2B%25%3F%C3%BC");
}

}  // namespace
}  // namespace berth
