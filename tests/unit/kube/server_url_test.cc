#include "kube/server_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

TEST(ServerUrl, ReadsGoodOnes) {
  struct Case {
    const char* text;
    ServerUrl url;
  };
  const Case cases[] = {
      {"https://h", {true, "h", 443, ""}},
      {"http://h", {false, "h", 80, ""}},
      {"https://10.0.0.1:6443", {true, "10.0.0.1", 6443, ""}},
      {"https://10.0.0.1:6443/", {true, "10.0.0.1", 6443, ""}},
      {"https://rancher.example/k8s/clusters/c-1",
       {true, "rancher.example", 443, "/k8s/clusters/c-1"}},
      {"http://h:8001/a//", {false, "h", 8001, "/a"}},
      {"https://[fd00::1]:6443", {true, "fd00::1", 6443, ""}},
      {"https://[::1]/p", {true, "::1", 443, "/p"}},
  };
  for (const Case& c : cases) {
    const Result<ServerUrl> url = ParseServerUrl(c.text);
    ASSERT_TRUE(url.ok()) << url.status();
    EXPECT_EQ(*url, c.url) << c.text;
  }
}

TEST(ServerUrl, RefusesOthersAndQuotesThem) {
  for (const std::string text : {"",
                                 "h",
                                 "h:443",
                                 "10.0.0.1:6443",
                                 "ftp://h",
                                 "https://",
                                 "https:///path",
                                 "https://:443",
                                 "https://h:",
                                 "https://h:0",
                                 "https://h:65536",
                                 "https://h:-1",
                                 "https://h:4x",
                                 "https://[::1",
                                 "https://[]:443",
                                 "https://[::1]443",
                                 "https://fd00::1",
                                 "https://u:p@h",
                                 "https://h/?a=b",
                                 "https://h/#x",
                                 "https://h h",
                                 " https://h",
                                 "https://h\n",
                                 "HTTPS//h",
                                 "//h"}) {
    const Result<ServerUrl> url = ParseServerUrl(text);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_THAT(url.status().message(),
                ::testing::HasSubstr(" is not a server's URL such as https://10.0.0.1:6443"));
  }
}

}  // namespace
}  // namespace berth
