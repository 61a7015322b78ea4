#include "torch/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace berth {
namespace {

using ::testing::HasSubstr;

// The shipped policy, which libtorch wrote.
std::string SoundArchive() {
  std::ifstream file(BERTH_SOURCE_DIR "/policies/fgd-bestfit/policy.pt", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr size_t kEndBytes = 22, kLocator64Bytes = 20;

class Archive {
 public:
  size_t end() const { return bytes.size() - kEndBytes; }

  // Where the directory's entry of a file begins. Its name stands in its local header, too, which
  // comes first.
  size_t Entry(const std::string& name) const { return bytes.rfind(name) - 46; }

  template <class T>
  Archive& Put(size_t offset, T value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
    return *this;
  }

  // Makes the 64-bit record of the end something else, so that the plain one counts.
  Archive& DropEnd64() { return Put<uint32_t>(end() - kLocator64Bytes, 0); }

  std::string bytes = SoundArchive();
};

TEST(CheckArchive, AcceptsWhatLibtorchWrites) {
  EXPECT_TRUE(CheckArchive(SoundArchive()).ok()) << CheckArchive(SoundArchive());
  EXPECT_TRUE(CheckArchive(Archive().DropEnd64().bytes).ok());
}

TEST(CheckArchive, SaysWhatIsWrong) {
  const std::string sound = SoundArchive();
  Archive a;
  const size_t end = a.end(), data = a.Entry("archive/data.pkl"),
               code = a.Entry("archive/code/__torch__.py.debug_pkl");
  struct Case {
    const char* what;
    std::string bytes;
    const char* want;
  };
  const Case cases[] = {
      {"nothing", "", "too short"},
      {"a pickle", std::string(100, '\x80'), "does not end as a zip archive"},
      {"cut off", sound.substr(0, sound.size() - 1), "does not end as a zip archive"},
      {"bytes behind the end", sound + "x", "does not end as a zip archive"},
      {"another count in the 64-bit record", Archive().Put<uint16_t>(end + 10, 5).bytes,
       "two directories that differ"},
      {"another directory in the 64-bit record", Archive().Put<uint32_t>(end + 16, 0).bytes,
       "two directories that differ"},
      {"a 64-bit record outside", Archive().Put<uint64_t>(end - kLocator64Bytes + 8, ~0ull).bytes,
       "two directories that differ"},
      {"too few entries", Archive().DropEnd64().Put<uint16_t>(end + 10, 5).bytes,
       "more entries than it says"},
      {"too many entries", Archive().DropEnd64().Put<uint16_t>(end + 10, 7).bytes,
       "directory is torn"},
      {"a directory outside", Archive().DropEnd64().Put<uint32_t>(end + 16, 1u << 30).bytes,
       "directory lies outside"},
      {"a directory too long", Archive().DropEnd64().Put<uint32_t>(end + 12, 1u << 30).bytes,
       "directory lies outside"},
      {"a name too long", Archive().Put<uint16_t>(data + 28, 60'000).bytes, "directory is torn"},
      {"encrypted data", Archive().Put<uint16_t>(data + 8, 1).bytes,
       "entry \"archive/data.pkl\" is encrypted"},
      {"deflated data", Archive().Put<uint16_t>(data + 10, 8).bytes,
       "entry \"archive/data.pkl\" is compressed"},
      {"code in an unknown compression", Archive().Put<uint16_t>(code + 10, 12).bytes,
       "is compressed"},
      {"two sizes of stored data", Archive().Put<uint32_t>(data + 24, 5).bytes, "has two sizes"},
      {"data outside", Archive().Put<uint32_t>(data + 42, 1u << 30).bytes, "lies outside"},
      {"data too long",
       Archive().Put<uint32_t>(data + 20, 1u << 30).Put<uint32_t>(data + 24, 1u << 30).bytes,
       "lies outside"},
      {"code that unpacks to a gigabyte", Archive().Put<uint32_t>(code + 24, 1u << 30).bytes,
       "__torch__.py.debug_pkl\" makes it too large when unpacked"},
  };
  for (const Case& c : cases) {
    const Status status = CheckArchive(c.bytes);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.what;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.want)) << c.what;
  }
}

// For the sanitizers: no damage makes the check read outside the file.
TEST(CheckArchive, SurvivesEveryDamagedByteAndEveryCut) {
  const std::string sound = SoundArchive();
  int refused = 0;
  for (size_t i = 0; i < sound.size(); ++i) {
    for (int value : {0x00, 0x7f, 0xff}) {
      std::string damaged = sound;
      damaged[i] = static_cast<char>(value);
      refused += CheckArchive(damaged).ok() ? 0 : 1;
    }
    EXPECT_FALSE(CheckArchive(std::string(sound, 0, i)).ok()) << i;
    const std::string tail = sound.substr(i + 1);
    refused += CheckArchive(tail).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace berth
