#include <httplib.h>

#include <nlohmann/json.hpp>

#include "bench/answers.h"
#include "bench/full_objects.h"
#include "bench/program_usage.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "demo/berth_processes.h"
#include "demo/objects.h"
#include "kube/api_client.h"
#include "support/fake_api_server.h"

namespace berth {
namespace {

using nlohmann::json;
using Kind = FakeApiServer::Kind;

void Fill(FakeApiServer& api_server, const BusyCluster& cluster) {
  for (const NodeSpec& node : cluster.nodes) {
    json object = NodeObject(node);
    FillOutNode(object);
    api_server.Put(Kind::kNodes, std::move(object));
  }
  for (const Pod& pod : cluster.pods) {
    json object = PodObject(pod);
    FillOutPod(object);
    api_server.Put(Kind::kPods, std::move(object));
  }
}

// Reads a list page by page and throws it away. Returns its size in bytes.
Result<size_t> ReadList(httplib::Client& client, const std::string& path) {
  size_t bytes = 0;
  std::string token;
  do {
    const httplib::Result page =
        client.Get(path + "?limit=500" + (token.empty() ? "" : "&continue=" + token));
    if (!page || page->status != 200) return absl::UnavailableError("no list of " + path);
    bytes += page->body.size();
    // Not parsed: the token stands in the list's metadata, before or after the items.
    const size_t at = page->body.find("\"continue\":\"");
    if (at == std::string::npos) return bytes;
    const size_t begin = at + 12;
    token = EscapeForQuery(page->body.substr(begin, page->body.find('"', begin) - begin));
  } while (!token.empty());
  return bytes;
}

// What the API server itself takes for the lists: the least that any client needs.
Status MeasureBareList(const FakeApiServer& api_server, Report& report) {
  httplib::Client client("127.0.0.1", api_server.port());
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  const auto start = Stopwatch::now();
  const Result<size_t> nodes = ReadList(client, "/api/v1/nodes");
  if (!nodes.ok()) return nodes.status();
  const Result<size_t> pods = ReadList(client, "/api/v1/pods");
  if (!pods.ok()) return pods.status();
  report.Add("list_bare_client_seconds", SecondsSince(start));
  report.Add("list_mib", static_cast<double>(*nodes + *pods) / (1 << 20));
  return {};
}

void AddMemory(const std::string& program, const ProgramUsage& usage, Report& report) {
  report.Add(program + "_rss_mib", usage.resident_mib);
  report.Add(program + "_pss_mib", usage.proportional_mib);
  report.Add(program + "_peak_mib", usage.peak_mib);
}

// From nothing to ready, on the cluster that the API server shows.
Result<std::unique_ptr<BerthProcesses>> MeasureStart(const BenchInput& input,
                                                     const FakeApiServer& api_server,
                                                     Report& report) {
  const auto start = Stopwatch::now();
  auto berth = BerthProcesses::StartService(input.bin, "");
  if (!berth.ok()) return berth.status();
  report.Add("serve_start_seconds", SecondsSince(start));
  const ProgramUsage idle = UsageOf((*berth)->service_pid());

  const auto list = Stopwatch::now();
  Status status = (*berth)->StartExtender(input.bin, api_server.url());
  if (!status.ok()) return status;
  const double took = SecondsSince(list);
  const ProgramUsage serve = UsageOf((*berth)->service_pid());
  const ProgramUsage extender = UsageOf((*berth)->extender_pid());
  report.Add("list_to_ready_seconds", took);
  report.Add("list_extender_cpu_seconds", extender.cpu_seconds);
  report.Add("list_serve_cpu_seconds", serve.cpu_seconds - idle.cpu_seconds);
  AddMemory("serve_idle", idle, report);
  AddMemory("serve", serve, report);
  report.Add("serve_beside_idle_mib", serve.resident_mib - idle.resident_mib);
  AddMemory("extender", extender, report);
  return berth;
}

void AddDegraded(BerthProcesses& berth, Report& report) {
  const std::string label = "{policy=\"" + berth.policy() + "\"}";
  report.Add("policy_late_answers", berth.ServiceMetric("berth_policy_late_answers_total" + label));
}

}  // namespace

Status MeasurePrograms(const BenchInput& input, Report& report) {
  report.Section("From start to ready, before an API server that lives in this process");
  FakeApiServer api_server;
  Fill(api_server, input.cluster);
  Status status = MeasureBareList(api_server, report);
  if (!status.ok()) return status;
  {
    auto berth = MeasureStart(input, api_server, report);
    if (!berth.ok()) return berth.status();
    status = MeasureAnswers(input, "torchscript", api_server, **berth, report);
    if (!status.ok()) return status;
    AddDegraded(**berth, report);
    AddMemory("serve_after_answers", UsageOf((*berth)->service_pid()), report);
  }
  auto berth = BerthProcesses::Start(input.bin, "fgd-bestfit", api_server.url());
  if (!berth.ok()) return berth.status();
  return MeasureAnswers(input, "heuristic", api_server, **berth, report);
}

}  // namespace berth
