#include "base/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::HasSubstr;

TEST(Address, ReadsHostAndPort) {
  struct Case {
    std::string text, host;
    int port;
    bool loopback;
  };
  const Case cases[] = {
      {"127.0.0.1:8790", "127.0.0.1", 8790, true},
      {"127.1.2.3:0", "127.1.2.3", 0, true},
      {"localhost:65535", "localhost", 65535, true},
      {"[::1]:80", "::1", 80, true},
      {"0.0.0.0:80", "0.0.0.0", 80, false},
      {"[::]:80", "::", 80, false},
      {"berth.example.org:80", "berth.example.org", 80, false},
  };
  for (const Case& c : cases) {
    const Result<Address> address = ParseAddress(c.text);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->host, c.host);
    EXPECT_EQ(address->port, c.port);
    EXPECT_EQ(address->IsLoopback(), c.loopback) << c.text;
    EXPECT_EQ(address->ToString(), c.text);
  }
}

TEST(Address, RefusesWhatIsNone) {
  for (const std::string text :
       {"", ":", "8790", ":8790", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1",
        "127.0.0.1:65536", "127.0.0.1:80 ", "::1:80", "[]:80", "[::1:80", "unix:/run/berth:80",
        "http://127.0.0.1:80", "127.0.0.1:99999999999999999999"}) {
    const Result<Address> address = ParseAddress(text);
    EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(address.status().message()), HasSubstr("HOST:PORT"));
  }
}

}  // namespace
}  // namespace berth
