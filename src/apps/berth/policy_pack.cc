#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "apps/berth/policy_commands.h"
#include "apps/berth/policy_probe_command.h"
#include "base/bounded_file.h"
#include "base/real_clock.h"
#include "base/version.h"
#include "torch/archive.h"
#include "torch/pack.h"
#include "torch/policy_writer.h"
#include "torch/torch_version.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxAboutBytes = 1 << 20;

constexpr char kExamples[] = R"(
Examples:
  A module that torch.jit.save wrote becomes a policy that `berth serve --policy` takes:
    cat > about.json <<'EOF'
    {"name": "mine", "version": "1",
     "columns": ["fragmentation_before", "fragmentation_after"], "context_columns": []}
    EOF
    berth policy pack module.pt --about about.json --out policies/mine
  forward(candidates: float32[N, columns], context: float32[C]) gives float32[N], higher is better.
  Which columns there are, and what they mean:
    berth policy inspect policies/berth
  It is tried out first, as before it serves: what would be refused there is not packed.
  about.json may also have training, feature_ranges, results and profile:
  policies/manifest.schema.json describes them.)";

struct PackOptions {
  std::string module;
  std::string about;
  std::string out;
};

Status In(const std::string& file, const Status& why) {
  return {why.code(), fmt::format("{}: {}", file, std::string(why.message()))};
}

Status Pack(const PackOptions& options) {
  const Result<std::string> module = ReadBounded(fs::path(options.module), kMaxArchiveBytes);
  if (!module.ok()) return module.status();
  const Result<std::string> about = ReadBounded(fs::path(options.about), kMaxAboutBytes);
  if (!about.ok()) return about.status();
  if (Status sound = CheckArchive(*module); !sound.ok()) return In(options.module, sound);
  const PolicyManifest packer{
      .libtorch = std::string(TorchVersion()),
      .created = UtcTime(RealWallClock().Now()),
      .created_by = fmt::format("berth policy pack {} ({})", Version(), Commit())};
  Result<PolicyManifest> manifest = PackManifest(*about, *module, packer);
  if (!manifest.ok()) return In(options.about, manifest.status());
  Result<FeatureSchema> schema = FeatureSchema::Make(manifest->columns, manifest->context_columns);
  if (!schema.ok()) return schema.status();
  const PolicyFile file{*manifest, *std::move(schema), *module};
  if (const auto may_serve = ProbeWith(kThisProgram)(file); !may_serve.ok()) {
    return In(options.module, may_serve.status());
  }
  return WritePolicy(options.out, *module, *std::move(manifest));
}

int Run(const PackOptions& options) {
  if (const Status status = Pack(options); !status.ok()) {
    std::cerr << "berth policy pack: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << fmt::format("wrote {0}/policy.pt and {0}/manifest.json\n", options.out);
  return EXIT_SUCCESS;
}

}  // namespace

void AddPolicyPack(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<PackOptions>();
  CLI::App* sub = policy.add_subcommand("pack", "Make a policy of a TorchScript module");
  sub->footer(kExamples);
  sub->add_option("MODULE", options->module, "What torch.jit.save wrote")
      ->type_name("FILE")
      ->required();
  sub->add_option("--about", options->about, "Name, version and columns (JSON)")
      ->type_name("FILE")
      ->required();
  sub->add_option("--out", options->out, "Directory to write to")->type_name("DIR")->required();
  sub->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
