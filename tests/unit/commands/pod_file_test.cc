#include "apps/berth/pod_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(PodFile, ReadsAPodThatWasNeverCreated) {
  const Result<PodFacts> pod = ParsePodFile(
      R"({"metadata": {"generateName": "trainer-"},
          "spec": {"containers": [{"resources": {"requests": {"cpu": "500m"}}}]}})",
      "pod.json");
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->name, "trainer-");
  EXPECT_EQ(pod->namespace_name, "default");
  EXPECT_EQ(pod->requests.at("cpu"), 500);
}

TEST(PodFile, KeepsWhatTheApiServerSaid) {
  const Result<PodFacts> pod = ParsePodFile(
      R"({"kind": "Pod", "metadata": {"name": "t", "namespace": "ml", "uid": "u1"}})", "pod.json");
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->name, "t");
  EXPECT_EQ(pod->namespace_name, "ml");
  EXPECT_EQ(pod->uid, "u1");
}

TEST(PodFile, SaysWhatIsWrong) {
  struct Case {
    std::string text, want;
  };
  const Case cases[] = {
      {"", "is no JSON object"},
      {"kind: Pod\n", "is no JSON object"},
      {"[]", "is no JSON object"},
      {"{", "is no JSON object"},
      {R"({"kind": "List", "items": []})", "kind is \"List\", must be \"Pod\""},
      {R"({"kind": 7})", "kind is 7, must be \"Pod\""},
      {R"({"kind": )" + std::string(100'000, '['), "is no JSON object"},
      {R"({"kind": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
       "is no JSON object"},
      {"{\"kind\": \"\xff\"}", "is no JSON object"},
      {"{}", "metadata.name"},
      {R"({"metadata": []})", "metadata"},
      {R"({"metadata": {"name": 7}})", "metadata.name"},
      {R"({"metadata": {"name": "t"}, "spec": {"containers": 7}})", "spec.containers"},
  };
  for (const Case& c : cases) {
    const Result<PodFacts> pod = ParsePodFile(c.text, "pod.json");
    ASSERT_FALSE(pod.ok()) << c.text;
    EXPECT_THAT(std::string(pod.status().message()), StartsWith("pod.json: "));
    EXPECT_THAT(std::string(pod.status().message()), HasSubstr(c.want));
  }
}

TEST(PodFile, IsReadFromDisk) {
  const TempDirectory directory;
  const std::string file = directory.Write("pod.json", R"({"metadata": {"name": "t"}})");
  const Result<PodFacts> pod = ReadPodFile(file);
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->name, "t");

  EXPECT_EQ(ReadPodFile("/dev/zero").status().message(), "/dev/zero is longer than 16777216 bytes");
  for (const std::string path : {directory.path() / "no-such.json", directory.path()}) {
    EXPECT_EQ(ReadPodFile(path).status().message(), path + ": cannot be read");
  }
  EXPECT_THAT(std::string(ReadPodFile(directory.Write("empty", "")).status().message()),
              HasSubstr("is no JSON object"));
}

}  // namespace
}  // namespace berth
