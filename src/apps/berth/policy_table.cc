#include "apps/berth/policy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace berth {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::array<std::string, 10>;

constexpr size_t kTextColumns = 3;  // to the left; numbers to the right

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

Row RowOf(const PolicyListing::InRole& policy) {
  Row row;
  row.fill("-");
  row[0] = policy.role;
  row[1] = policy.name;
  if (!policy.version.empty()) row[2] = policy.version;
  if (!policy.record) return row;
  const PolicyListing::Record& record = *policy.record;
  row[3] = std::to_string(record.decisions);
  row[8] = std::to_string(record.guarded);
  row[9] = std::to_string(record.asked_again);
  if (record.decisions == 0) return row;
  if (policy.role != "active") {  // which is what others are compared with
    row[4] = fmt::format("{:.1f} %", 100 * static_cast<double>(record.differ) /
                                         static_cast<double>(record.decisions));
    row[5] = fmt::format("{:+.2f} %", 100 * record.regret);
  }
  row[6] = fmt::format("{:.2f} ms", Milliseconds(record.p50));
  row[7] = fmt::format("{:.2f} ms", Milliseconds(record.p99));
  return row;
}

std::string TableText(const std::vector<Row>& rows) {
  std::array<size_t, std::tuple_size_v<Row>> width{};
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += "  ";
      text += i < kTextColumns ? fmt::format("{:<{}}", row[i], width[i])
                               : fmt::format("{:>{}}", row[i], width[i]);
    }
    text += "\n";
  }
  return text;
}

std::string DirectoriesText(const std::vector<PolicyListing::Directory>& directories) {
  size_t width = 0;
  for (const auto& found : directories) width = std::max(width, found.directory.size());
  std::string text;
  for (const PolicyListing::Directory& found : directories) {
    text += fmt::format("  {:<{}}  {}", found.directory, width,
                        found.problem.empty()
                            ? fmt::format("{} {}, {:.12}", found.name, found.version, found.sha256)
                            : "cannot be read: " + found.problem);
    if (!found.wanted.empty()) text += fmt::format("  ({})", fmt::join(found.wanted, ", "));
    text += "\n";
  }
  return text;
}

std::string Indented(const std::string& text) {
  std::string indented;
  bool at_start = true;
  for (const char c : text) {
    if (at_start) indented += "  ";
    indented += c;
    at_start = c == '\n';
  }
  return indented;
}

Json JsonOf(const PolicyListing::InRole& policy) {
  Json json = {{"role", policy.role}, {"policy", policy.name}, {"version", policy.version}};
  if (!policy.record) return json;
  const PolicyListing::Record& record = *policy.record;
  json.update({{"decisions", record.decisions},
               {"differ", record.differ},
               {"regret", record.regret},
               {"p50Ms", Milliseconds(record.p50)},
               {"p99Ms", Milliseconds(record.p99)},
               {"guarded", record.guarded},
               {"askedAgain", record.asked_again}});
  return json;
}

}  // namespace

std::string PolicyTable(const PolicyListing& listing) {
  std::vector<Row> rows = {{"ROLE", "POLICY", "VERSION", "DECISIONS", "DIFFER", "REGRET", "P50",
                            "P99", "GUARDED", "ASKED AGAIN"}};
  for (const PolicyListing::InRole& policy : listing.roles) rows.push_back(RowOf(policy));
  std::string text = TableText(rows);
  if (!listing.refused.empty()) {
    text += fmt::format("\nREFUSED: what rollout.yaml asks for is not in charge: {}\n",
                        listing.refused);
  }
  text += "\npolicies in the folder (what rollout.yaml wants of them):\n";
  text += DirectoriesText(listing.directories);
  if (listing.rollout_yaml.empty()) return text;
  return text + "\nrollout.yaml:\n" + Indented(listing.rollout_yaml);
}

Json PolicyListingJson(const PolicyListing& listing) {
  Json roles = Json::array();
  for (const PolicyListing::InRole& policy : listing.roles) roles.push_back(JsonOf(policy));
  Json policies = Json::array();
  for (const PolicyListing::Directory& found : listing.directories) {
    policies.push_back({{"directory", found.directory},
                        {"policy", found.name},
                        {"version", found.version},
                        {"sha256", found.sha256},
                        {"problem", found.problem},
                        {"wanted", found.wanted}});
  }
  return {{"roles", std::move(roles)},
          {"policies", std::move(policies)},
          {"rolloutYaml", listing.rollout_yaml},
          {"refused", listing.refused}};
}

}  // namespace berth
