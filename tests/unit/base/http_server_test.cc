#include "base/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/tcp.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "support/raw_connection.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HttpServerTest : public ::testing::Test {
 protected:
  HttpServerTest() {
    server_.routes().Get("/hello", [](const auto&, httplib::Response& response) {
      response.set_content("hello", "text/plain");
    });
    server_.routes().Post("/length", [](const httplib::Request& request, auto& response) {
      response.set_content(std::to_string(request.body.size()), "text/plain");
    });
    server_.routes().Get("/throw", [](const auto&, auto&) { throw std::runtime_error("\xff"); });
    port_ = server_.Bind("127.0.0.1", 0).value();
  }

  ~HttpServerTest() override { server_.Stop(); }

  void Start() {
    thread_ = std::jthread([this] { server_.Serve(); });
  }

  std::string Ask(const std::string& bytes) {
    RawConnection connection(port_);
    connection.Send(bytes);
    return connection.ReadAll();
  }

  HttpServer server_{{.max_body_bytes = 1000, .max_connections = 300}};
  int port_ = 0;
  std::jthread thread_;
};

TEST_F(HttpServerTest, AnswersManyRequestsOnOneConnection) {
  Start();
  RawConnection connection(port_);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(connection.Send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"));
  }
  connection.Send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answers = connection.ReadAll();
  int count = 0;
  for (size_t at = answers.find("200 OK"); at != std::string::npos;
       at = answers.find("200 OK", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 51);
}

TEST_F(HttpServerTest, IdleConnectionsLeaveRoomForOthers) {
  Start();
  std::vector<std::unique_ptr<RawConnection>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<RawConnection>(port_));
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(std::chrono::minutes(1));  // a sanitizer on a busy machine is slow
  const auto answer = client.Get("/hello");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "hello");
}

TEST_F(HttpServerTest, ConnectionsBeyondTheLimitAreClosed) {
  Start();
  std::vector<std::unique_ptr<RawConnection>> open;
  for (int i = 0; i < 300; ++i) {
    open.push_back(std::make_unique<RawConnection>(port_));
    open.back()->Send("GET /hello HTTP/1.1\r\n\r\n");  // once answered, it surely counts
    ASSERT_THAT(open.back()->ReadUntil("hello"), HasSubstr("200 OK"));
  }
  EXPECT_EQ(Ask("GET /hello HTTP/1.1\r\n\r\n"), "");
}

TEST_F(HttpServerTest, StopEndsIdleConnections) {
  Start();
  RawConnection used(port_);
  used.Send("GET /hello HTTP/1.1\r\n\r\n");
  used.ReadUntil("hello");
  RawConnection unused(port_);
  server_.Stop();
  thread_.join();  // would take minutes if idle connections were waited for
  EXPECT_THAT(used.ReadAll(), HasSubstr("hello"));
  EXPECT_EQ(unused.ReadAll(), "");
}

TEST_F(HttpServerTest, StopBeforeServeEndsServe) {
  server_.Stop();
  server_.Serve();
}

TEST_F(HttpServerTest, StopLetsARequestFinish) {
  std::promise<void> entered, release;
  server_.routes().Get("/slow", [&](const auto&, httplib::Response& response) {
    entered.set_value();
    release.get_future().wait();
    response.set_content("done", "text/plain");
  });
  Start();
  auto answer = std::async(std::launch::async,
                           [this] { return httplib::Client("127.0.0.1", port_).Get("/slow"); });
  entered.get_future().wait();
  server_.Stop();
  release.set_value();
  const auto result = answer.get();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->body, "done");
}

TEST_F(HttpServerTest, OneServerPerPort) {
  HttpServer second;
  const Result<int> bound = second.Bind("127.0.0.1", port_);
  EXPECT_EQ(bound.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(bound.status().message()),
              HasSubstr("127.0.0.1:" + std::to_string(port_)));
}

TEST_F(HttpServerTest, AThrowingHandlerIsAnInternalError) {
  Start();
  httplib::Client client("127.0.0.1", port_);
  EXPECT_EQ(client.Get("/throw")->status, 500);
  EXPECT_EQ(client.Get("/hello")->status, 200);
}

TEST_F(HttpServerTest, AnswersAreNeverCompressed) {
  Start();
  const std::string answer =
      Ask("GET /hello HTTP/1.1\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, Not(HasSubstr("Content-Encoding")));
  EXPECT_THAT(answer, ::testing::EndsWith("\r\n\r\nhello"));
}

TEST_F(HttpServerTest, WaitsForTheBodyAfter100Continue) {
  Start();
  RawConnection connection(port_);
  connection.Send(
      "POST /length HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n"
      "Connection: close\r\n\r\n");
  EXPECT_THAT(connection.ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 100 "));
  connection.Send("12345");
  EXPECT_THAT(connection.ReadAll(), ::testing::EndsWith("\r\n\r\n5"));
}

// What the server will not take, and what it answers; afterwards it still serves.
TEST_F(HttpServerTest, RefusesWhatItWillNotTake) {
  Start();
  const std::string head = "POST /length HTTP/1.1\r\nHost: a\r\n";
  const std::string close = "Connection: close\r\n";
  const struct {
    std::string name, bytes, answer;
  } cases[] = {
      {"gzip", head + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b..", " 415 "},
      {"gzip, and a request hidden in the body",
       head + "Content-Encoding: gzip\r\nContent-Length: 26\r\n\r\nGET /hello HTTP/1.1\r\n\r\n...",
       " 415 "},
      {"multipart",
       head + "Content-Type: multipart/form-data; boundary=x\r\n"
              "Content-Length: 2\r\n\r\nab",
       " 415 "},
      {"chunked", head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", " 411 "},
      {"no length", head + "\r\nendless", " 411 "},
      {"body too long", head + close + "Content-Length: 1001\r\n\r\n" + std::string(1001, ' '),
       " 413 "},
      {"no request at all", "\x16\x03\x01\x02\r\n\r\n", " 400 "},
      {"long URI", "GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n" + close + "\r\n", " 414 "},
      {"endless request line", std::string(100'000, 'a'), ""},
      {"endless header", "GET /hello HTTP/1.1\r\nX: " + std::string(100'000, 'a'), ""},
      {"endless headers",
       [] {
         std::string bytes = "GET /hello HTTP/1.1\r\n";
         for (int i = 0; i < 10'000; ++i) bytes += "X-" + std::to_string(i) + ": a\r\n";
         return bytes;
       }(),
       ""},
  };
  for (const auto& [name, bytes, expected] : cases) {
    SCOPED_TRACE(name);
    const std::string answer = Ask(bytes);
    EXPECT_THAT(answer, HasSubstr(expected));
    EXPECT_THAT(answer, Not(HasSubstr("200 OK")));
    EXPECT_EQ(httplib::Client("127.0.0.1", port_).Get("/hello")->status, 200);
  }
}

// A request that arrives byte by byte may not hold its connection for ever.
TEST_F(HttpServerTest, ARequestThatComesTooSlowlyIsCutOff) {
  HttpServer server({.request_patience = std::chrono::milliseconds(100)});
  server.routes().Post("/length", [](const httplib::Request& request, auto& response) {
    response.set_content(std::to_string(request.body.size()), "text/plain");
  });
  const int port = server.Bind("127.0.0.1", 0).value();
  const std::jthread thread([&server] { server.Serve(); });
  const std::string head = "POST /length HTTP/1.1\r\nContent-Length: 100000\r\n\r\n";
  for (const auto& [at_once, slowly] : {std::pair<std::string, char>("", 'a'),
                                        {"POST /length HTTP/1.1\r\nX: ", 'a'},
                                        {head, ' '}}) {
    RawConnection connection(port);
    connection.Send(at_once);
    std::thread sender([&connection, byte = slowly] {
      while (connection.Send(std::string(1, byte))) {  // ends when the server has closed
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
    EXPECT_THAT(connection.ReadAll(), Not(HasSubstr("200 OK"))) << at_once;
    sender.join();
    EXPECT_EQ(httplib::Client("127.0.0.1", port).Post("/length", "12345", "a/b")->body, "5");
  }
  server.Stop();
}

// What comes after a body that was cut off is no request.
TEST_F(HttpServerTest, TheLateRestOfABodyIsNoRequest) {
  HttpServer server({.request_patience = std::chrono::milliseconds(50)});
  server.routes().Post("/length", [](const auto&, auto&) {});
  bool called = false;
  server.routes().Get("/hidden", [&called](const auto&, auto&) { called = true; });
  const int port = server.Bind("127.0.0.1", 0).value();
  std::jthread thread([&server] { server.Serve(); });
  RawConnection connection(port);
  connection.Send("POST /length HTTP/1.1\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_THAT(connection.ReadUntil("\r\n\r\n"), HasSubstr(" 400 "));
  connection.Send("GET /hidden HTTP/1.1\r\n\r\n");
  EXPECT_THAT(connection.ReadAll(), Not(HasSubstr("200 OK")));
  server.Stop();
  thread.join();
  EXPECT_FALSE(called);
}

TEST_F(HttpServerTest, AConnectionIsClosedWhenNothingComes) {
  HttpServer server({.idle_patience = std::chrono::milliseconds(50)});
  server.routes().Get("/hello", [](const auto&, httplib::Response& response) {
    response.set_content("hello", "text/plain");
  });
  const int port = server.Bind("127.0.0.1", 0).value();
  const std::jthread thread([&server] { server.Serve(); });
  RawConnection unused(port), used(port);
  used.Send("GET /hello HTTP/1.1\r\n\r\n");
  EXPECT_EQ(unused.ReadAll(), "");
  EXPECT_THAT(used.ReadAll(), ::testing::EndsWith("hello"));
  server.Stop();
}

// The server's socket of this process that is connected to the client's port; -1 if there is none.
int ServerSocketOf(int client_port) {
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in peer{};
    socklen_t size = sizeof(peer);
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        ntohs(peer.sin_port) == client_port) {
      return fd;
    }
  }
  return -1;
}

// With Nagle's algorithm an answer in two packets waits for the client's delayed acknowledgement.
TEST_F(HttpServerTest, AnswersAreSentAtOnce) {
  Start();
  RawConnection connection(port_);
  connection.Send("GET /hello HTTP/1.1\r\n\r\n");
  connection.ReadUntil("hello");
  int no_delay = 0;
  socklen_t size = sizeof(no_delay);
  const int fd = ServerSocketOf(connection.local_port());
  ASSERT_EQ(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, &size), 0);
  EXPECT_NE(no_delay, 0);
}

TEST_F(HttpServerTest, TakesTheLongestBodyAllowed) {
  Start();
  EXPECT_EQ(
      httplib::Client("127.0.0.1", port_).Post("/length", std::string(1000, ' '), "a/b")->body,
      "1000");
}

}  // namespace
}  // namespace berth
