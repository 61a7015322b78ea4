// What the program says about policies that are broken or mean harm, and that it only says so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temp_directory.h"
#include "support/torch_policies.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kBerth = std::string(BERTH_BIN_DIR) + "/berth";

std::string ForwardOf(const std::string& lines) {
  return "def forward(self, candidates: Tensor, context: Tensor) -> Tensor:\n" + lines;
}

std::string Scoring(const std::string& expression) {
  return ModuleBytes(ForwardOf("    return " + expression + "\n"));
}

std::string WithWeights(const torch::Tensor& weights) {
  return ModuleBytes(ForwardOf("    return (candidates * self.weights).sum(1)\n"), weights);
}

// A policy whose tensors were on a GPU when it was saved.
std::string SavedOnAGpu() {
  return WithRecord(WithWeights(torch::ones({2})), "data.pkl", [](std::string data) {
    const std::string cpu("X\x03\0\0\0cpu", 8), cuda("X\x06\0\0\0cuda:0", 11);
    const size_t at = data.find(cpu);
    EXPECT_NE(at, data.npos);
    return data.replace(at, cpu.size(), cuda);
  });
}

class PolicyProbe : public ::testing::Test {
 protected:
  // The two columns and the one context column that all policies here read.
  fs::path Write(const std::string& bytes) const {
    const fs::path policy = directory_.path() / "policy";
    WritePolicy(policy, ManifestFor(bytes, {"gpu_free_after", "cpu_free_after"}, {"gpu_load"}),
                bytes);
    return policy;
  }

  // What verify says, which probes as serve does.
  FinishedProgram Verify(const std::string& bytes) const {
    return RunProgram({kBerth, "policy", "verify", Write(bytes)});
  }

  const TempDirectory directory_;
};

struct BrokenFile {
  const char* what;
  std::string bytes;
  std::string want;
};

std::vector<BrokenFile> DamagedFiles() {
  const std::string sound = Scoring("candidates.sum(1)");
  std::vector<BrokenFile> files;
  for (const size_t cut :
       {size_t{0}, size_t{1}, size_t{30}, size_t{100}, sound.size() / 2, sound.size() - 1}) {
    files.push_back(
        {"a truncated zip", sound.substr(0, cut), "is not a sound TorchScript file: it"});
  }
  files.push_back({"a deflated bomb", WithZeros(sound, "code/bomb.py", 100 << 20),
                   "entry \"archive/code/bomb.py\" makes it too large when unpacked"});
  return files;
}

std::vector<BrokenFile> WrongFiles() {
  return {
      {"weights for other columns", WithWeights(torch::ones({5})),
       "forward fails on 1 rows of 2 columns and a context of 1: The size of tensor a (2) must "
       "match the size of tensor b (5)"},
      {"weights that are not numbers", WithWeights(torch::full({2}, std::nanf(""))),
       "breaks the policy contract: a score is not finite"},
      {"one column of scores", Scoring("candidates.sum(1, True)"),
       "forward must return float[1], not float[1, 1]"},
      {"one score for all", Scoring("candidates.sum().unsqueeze(0)"),
       "forward must return float[2], not float[1]"},
      {"whole scores", Scoring("candidates.sum(1).long()"),
       "forward must return float[1], not long int[1]"},
      {"a softmax over the rows", Scoring("torch.softmax(candidates.sum(1), 0)"),
       "breaks the policy contract: the score of a row is"},
      {"chance", Scoring("candidates.sum(1) + torch.rand([1])"),
       "forward uses aten::rand (line 2: "},
      {"a print", ModuleBytes(ForwardOf("    print(context)\n    return candidates.sum(1)\n")),
       "forward uses prim::Print (line 2: \"print(context)\"): it writes to what the service "
       "logs: drop it"},
  };
}

std::vector<BrokenFile> HostileFiles(const std::string& target) {
  const std::string write = "torch.from_file('" + target + "', True, 8)";
  const std::string gigabyte =
      "    x = torch.zeros([268435456])\n    return candidates.sum(1) + x[0]\n";
  return {
      {"an endless loop",
       ModuleBytes(ForwardOf("    while bool(context[0] < 2):\n        context = context * 1\n"
                             "    return candidates.sum(1)\n")),
       "forward has a loop (line 2: "},
      {"code that runs when it is loaded",
       ModuleBytes(ForwardOf("    return candidates.sum(1)\n") +
                   "def __getstate__(self) -> int:\n    return 1\n"
                   "def __setstate__(self, state: int) -> None:\n    x = " +
                   write + "\n    assert x.numel() == 8\n"),
       "__setstate__ (__torch__.py line "},
      {"code that writes a file",
       ModuleBytes(ForwardOf("    x = " + write + "\n    return candidates.sum(1) + x[0]\n")),
       "forward uses aten::from_file (line 2: "},
      {"a gigabyte made by forward", ModuleBytes(ForwardOf(gigabyte)),
       "can't allocate memory: you tried to allocate 1073741824 bytes"},
      {"a gigabyte of weights, stored as one number",
       WithWeights(torch::ones({1, 1}).expand({1 << 28, 1})),
       "forward fails on 1 rows of 2 columns"},
      {"a slow forward",
       Scoring("candidates[:, :1].matmul(torch.ones([1, 2000])).exp().log().sum(1)"),
       " ms for 5000 rows, may take 20 ms: make the net smaller"},
      {"a forward that does not come to an end",
       Scoring("candidates[:, 0] + torch.ones([6000, 6000]).matmul(torch.ones([6000, 6000])).sum() "
               "* 0"),
       "took more than 10 s of processor time to check"},
  };
}

TEST_F(PolicyProbe, RefusesDamagedFiles) {
  for (const BrokenFile& file : DamagedFiles()) {
    const FinishedProgram verify = Verify(file.bytes);
    EXPECT_EQ(verify.status, 1) << file.what;
    EXPECT_THAT(verify.output, HasSubstr(file.want)) << file.what;
  }
}

TEST_F(PolicyProbe, RefusesFilesThatAreNoScorers) {
  for (const BrokenFile& file : WrongFiles()) {
    const FinishedProgram verify = Verify(file.bytes);
    EXPECT_EQ(verify.status, 1) << file.what;
    EXPECT_THAT(verify.output, HasSubstr("policy/policy.pt: ")) << file.what;
    EXPECT_THAT(verify.output, HasSubstr(file.want)) << file.what;
  }
}

TEST_F(PolicyProbe, SurvivesFilesThatMeanHarm) {
  const fs::path target = directory_.path() / "written";
  for (const BrokenFile& file : HostileFiles(target)) {
    const FinishedProgram verify = Verify(file.bytes);
    EXPECT_EQ(verify.status, 1) << file.what;
    EXPECT_THAT(verify.output, HasSubstr(file.want)) << file.what;
    EXPECT_FALSE(fs::exists(target)) << file.what;
  }
}

TEST_F(PolicyProbe, LetsSoundPoliciesServe) {
  for (const char* name : {"berth", "fgd", "fgd-bestfit", "linear"}) {
    const fs::path shipped = fs::path(BERTH_SOURCE_DIR) / "policies" / name;
    const fs::path copy = directory_.path() / name;  // without its results, to probe alone
    fs::create_directory(copy);
    for (const char* file : {"manifest.json", "policy.pt"}) fs::copy(shipped / file, copy / file);
    const FinishedProgram verify = RunProgram({kBerth, "policy", "verify", copy});
    EXPECT_EQ(verify.status, 0);
    EXPECT_EQ(verify.output,
              copy.string() + ": may serve; there is no results.json to compare with\n");
  }
  EXPECT_EQ(Verify(SavedOnAGpu()).status, 0) << "weights come to the CPU when they are loaded";
}

TEST_F(PolicyProbe, IsWhatServeDoesFirst) {
  const fs::path policy =
      Write(ModuleBytes(ForwardOf("    for i in range(2):\n        context = context * 2\n"
                                  "    return candidates.sum(1) + context\n")));
  const FinishedProgram serve = RunProgram(
      {kBerth, "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--policy", policy});
  EXPECT_EQ(serve.status, 1);
  EXPECT_THAT(serve.output,
              AllOf(HasSubstr("msg=\"cannot serve\""), HasSubstr("forward has a loop (line 2: ")));
}

}  // namespace
}  // namespace berth
