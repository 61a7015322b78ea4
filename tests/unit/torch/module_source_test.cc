#include "torch/module_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/temp_directory.h"
#include "support/torch_policies.h"
#include "torch/torch_model.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

constexpr char kForward[] = R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    return candidates.sum(1)
)";

// The file with this put for its code.
std::string WithCode(const std::string& code) {
  return WithRecord(ModuleBytes(kForward), "code/__torch__.py",
                    [&](const std::string&) { return code; });
}

std::string Replaced(std::string text, const std::string& old, const std::string& with) {
  const size_t at = text.find(old);
  EXPECT_NE(at, text.npos) << text;
  return text.replace(at, old.size(), with);
}

TEST(CheckModuleSource, AcceptsWhatRunsNothingWhenLoaded) {
  EXPECT_EQ(CheckModuleSource(ModuleBytes(kForward)), absl::OkStatus());
  EXPECT_EQ(CheckModuleSource(ModuleBytes(R"(
def forward(self, candidates: Tensor, context: Tensor, dim: int = 1, by: float = -0.5) -> Tensor:
    return candidates.sum(dim) * by
)")),
            absl::OkStatus());
}

// A file that writes another one when it is loaded: what all this is for.
TEST(CheckModuleSource, FindsTheCodeThatLoadingWouldRun) {
  const TempDirectory directory;
  const std::string written = directory.path() / "written";
  const std::string call = "torch.from_file(\"" + written + "\", True, 8)";
  const std::string with_setstate = ModuleBytes(std::string(kForward) + R"(
def __getstate__(self) -> int:
    return 1

def __setstate__(self, state: int) -> None:
    x = )" + call + "\n    assert x.numel() == 8\n");
  const auto edited = [&](const std::string& old, const std::string& with) {
    return WithRecord(ModuleBytes(kForward), "code/__torch__.py",
                      [&](const std::string& code) { return Replaced(code, old, with); });
  };
  struct Case {
    std::string bytes;
    const char* want;
  };
  const Case cases[] = {
      {with_setstate, "__setstate__ (__torch__.py line 10: \"def __setstate__"},
      {edited("context: Tensor)", "context: Tensor, other: Tensor = " + call + ")"),
       "a call in a default value of \"forward\" (__torch__.py line "},
      {edited("  __buffers__ = []", "  __buffers__ = []\n  other : Final[Tensor] = " + call),
       "a call among the attributes of \"Policy\" (__torch__.py line "},
  };
  for (const Case& c : cases) {
    const Status status = CheckModuleSource(c.bytes);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.want));
    EXPECT_THAT(std::string(status.message()), HasSubstr("would run when the file is loaded"));
    EXPECT_FALSE(std::filesystem::exists(written)) << c.want;
  }
  // Were it not for the check:
  EXPECT_TRUE(LoadTorchModel(with_setstate, 2).ok());
  EXPECT_TRUE(std::filesystem::exists(written));
}

TEST(CheckModuleSource, RefusesWhatItCannotJudge) {
  const std::string sound = ModuleBytes(kForward);
  struct Case {
    std::string bytes;
    absl::StatusCode code;
    const char* want;
  };
  const Case cases[] = {
      {"PK", absl::StatusCode::kInvalidArgument, "libtorch cannot read it"},
      {WithCode("class Policy(Module:\n"), absl::StatusCode::kInvalidArgument,
       "libtorch cannot read it"},
      {WithRecord(sound, "data.pkl",
                  [](const std::string& data) {
                    return Replaced(data, "c__torch__\nPolicy\n",
                                    "c__torch__.torch.classes.quantized\nConv2dPackedParamsBase\n");
                  }),
       absl::StatusCode::kFailedPrecondition,
       "\"data.pkl\" has an object of a class in torch.classes"},
      {WithZeros(sound, "model.json", 1), absl::StatusCode::kFailedPrecondition,
       "is of a format that ended with PyTorch 1.1"},
  };
  for (const Case& c : cases) {
    const Status status = CheckModuleSource(c.bytes);
    EXPECT_EQ(status.code(), c.code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
