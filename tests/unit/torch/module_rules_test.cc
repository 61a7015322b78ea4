#include "torch/module_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <string>

#include "base/rng.h"
#include "support/torch_policies.h"

namespace berth {
namespace {

using ::testing::ContainsRegex;

std::string ForwardOf(const std::string& lines) {
  return "def forward(self, candidates: Tensor, context: Tensor) -> Tensor:\n" + lines;
}

TEST(CheckModuleRules, AcceptsWhatScorersAreMadeOf) {
  Rng rng(1);
  EXPECT_EQ(CheckModuleRules(NetworkBytes(rng, 3, 2)), absl::OkStatus());
  for (const char* lines : {
           "    x = torch.relu(candidates).tanh().sigmoid()\n"
           "    return torch.softmax(x, 1)[:, 0]\n",
           "    x = torch.where(candidates > 1, candidates, torch.zeros_like(candidates))\n"
           "    return torch.stack([x.sum(1), x.mean(1)], 1).clamp(0.0, 1.0).max(1)[0]\n",
           "    if context.size(0) > 2:\n"
           "        return candidates[:, 0] * context[2]\n"
           "    assert context.size(0) == 1, 'one number'\n"
           "    return candidates[:, 0] * int(context[0].item())\n",
           "    x = torch.layer_norm(candidates, [2])\n"
           "    return torch.gelu(x).sum(1)\n",
       }) {
    EXPECT_EQ(CheckModuleRules(ModuleBytes(ForwardOf(lines))), absl::OkStatus()) << lines;
  }
}

TEST(CheckModuleRules, NamesTheLineOfWhatIsOff) {
  struct Case {
    const char* lines;
    const char* want;
  };
  const Case cases[] = {
      {"    while bool(candidates.sum() > 0):\n        candidates = candidates + 1\n"
       "    return candidates[:, 0]\n",
       "^forward has a loop .line 2: \"while bool.candidates.sum.. > 0.:\".: a loop may never end: "
       "write it with tensor operations$"},
      {"    if context.size(0) > 1:\n        for i in range(3):\n            candidates = "
       "candidates + i\n"
       "    return candidates[:, 0]\n",
       "has a loop .line 3: "},
      {"    return candidates[:, 0] + torch.rand([1])\n",
       "uses aten::rand .line 2: \"return .*it draws random numbers"},
      {"    print(candidates)\n    return candidates[:, 0]\n", "uses prim::Print .line 2"},
      {"    x = torch.from_file('/etc/passwd', False, 8)\n    return candidates[:, 0] + x[0]\n",
       "uses aten::from_file .line 2: .*it reads or writes files"},
      {"    return candidates[:, 0].sort()[0]\n", "uses aten::sort .line 2: .*it compares rows"},
      {"    return candidates[:, 0].cumsum(0)\n", "uses aten::cumsum .line 2: .*docs/policies.md"},
      {"    candidates += 1\n    return candidates[:, 0]\n",
       "changes a tensor in place with aten::add_ .line 2"},
      {"    x = candidates[:, 0]\n    return torch.add(x, x, out=x)\n",
       "gives aten::add a tensor to write into .line 3"},
      {"    return torch.zeros([3], device='cuda:0')\n", "names the device cuda:0"},
  };
  for (const Case& c : cases) {
    const Status status = CheckModuleRules(ModuleBytes(ForwardOf(c.lines)));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << c.lines << status;
    EXPECT_THAT(std::string(status.message()), ContainsRegex(c.want));
  }
}

TEST(CheckModuleRules, LooksIntoWhatForwardCallsAndAtNothingElse) {
  const std::string looping =
      "def turn(self, x: Tensor) -> Tensor:\n    for i in range(3):\n        x = x + i\n    return "
      "x\n";
  EXPECT_THAT(
      std::string(CheckModuleRules(
                      ModuleBytes(looping + ForwardOf("    return self.turn(candidates)[:, 0]\n")))
                      .message()),
      ContainsRegex("has a loop .line 2: \"for i in range.3.:\""));
  EXPECT_EQ(CheckModuleRules(ModuleBytes(looping + ForwardOf("    return candidates[:, 0]\n"))),
            absl::OkStatus());
}

// data.pkl says of how many numbers a tensor's memory is; here that is more than there are.
TEST(CheckModuleRules, FindsATensorThatIsLargerThanItsRecord) {
  const std::string sound =
      ModuleBytes(ForwardOf("    return (candidates * self.weights).sum(1)\n"), torch::ones({2}));
  EXPECT_EQ(CheckModuleRules(sound), absl::OkStatus());
  const std::string lying = WithRecord(sound, "data.pkl", [](std::string data) {
    const std::string stored_on("cpuq", 4);  // the device, its memo number, and then the count
    const size_t at = data.find(stored_on) + stored_on.size() + 1;
    EXPECT_EQ(data.substr(at, 2), std::string("K\x02"));
    data[at + 1] = 3;
    return data;
  });
  EXPECT_THAT(std::string(CheckModuleRules(lying).message()),
              ContainsRegex("has a tensor of another size than the record with its numbers"));
}

TEST(CheckModuleRules, WantsAForward) {
  EXPECT_THAT(
      std::string(CheckModuleRules(ModuleBytes("def backward(self, x: Tensor):\n    return x\n"))
                      .message()),
      ContainsRegex("has no forward: write def forward"));
}

}  // namespace
}  // namespace berth
