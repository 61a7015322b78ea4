#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "berth/features.h"
#include "policy/feature_columns.h"
#include "policy/sha256.h"

namespace berth {
namespace {

template <class Table>
std::vector<FeatureColumn> About(const Table& table) {
  std::vector<FeatureColumn> columns;
  for (const auto& column : table) columns.push_back(column.about);
  return columns;
}

std::vector<std::string_view> Names(std::span<const FeatureColumn> columns) {
  std::vector<std::string_view> names;
  for (const FeatureColumn& column : columns) names.push_back(column.name);
  return names;
}

// Positions of `names` among `columns`; `field` names the list in errors.
Result<std::vector<size_t>> Positions(const std::vector<std::string>& names,
                                      std::span<const FeatureColumn> columns,
                                      std::string_view field) {
  std::vector<size_t> positions;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(columns, name, &FeatureColumn::name);
    if (found == columns.end()) {
      return absl::InvalidArgumentError(fmt::format("{}: there is no column {}; there are {}",
                                                    field, Quoted(name),
                                                    fmt::join(Names(columns), ", ")));
    }
    const auto position = static_cast<size_t>(found - columns.begin());
    if (std::ranges::count(positions, position) > 0) {
      return absl::InvalidArgumentError(
          fmt::format("{}: column {} comes twice", field, Quoted(name)));
    }
    positions.push_back(position);
  }
  return positions;
}

}  // namespace

std::span<const FeatureColumn> PlacementColumns() {
  static const std::vector<FeatureColumn> columns = About(PlacementTable());
  return columns;
}

std::span<const FeatureColumn> ContextColumns() {
  static const std::vector<FeatureColumn> columns = About(ContextTable());
  return columns;
}

Result<FeatureSchema> FeatureSchema::Make(std::vector<std::string> columns,
                                          std::vector<std::string> context_columns) {
  if (columns.empty()) {
    return absl::InvalidArgumentError("columns: a policy reads at least one column");
  }
  auto placement = Positions(columns, PlacementColumns(), "columns");
  if (!placement.ok()) return placement.status();
  auto context = Positions(context_columns, ContextColumns(), "context_columns");
  if (!context.ok()) return context.status();
  FeatureSchema schema;
  schema.columns_ = std::move(columns);
  schema.context_columns_ = std::move(context_columns);
  schema.placement_indices_ = *std::move(placement);
  schema.context_indices_ = *std::move(context);
  return schema;
}

std::string FeatureSchema::Hash() const {
  return Sha256Hex(fmt::format("columns\n{}\ncontext_columns\n{}\n", fmt::join(columns_, "\n"),
                               fmt::join(context_columns_, "\n")));
}

void FeatureSchema::EncodePlacements(const Node& node, const Demand& demand,
                                     std::span<const GpuSet> choices,
                                     const WorkloadProfile& profile, std::span<float> rows) const {
  const size_t width = placement_indices_.size();
  BERTH_CHECK(rows.size() == choices.size() * width, "room for one row per choice");
  for (size_t r = 0; r < choices.size(); ++r) {
    const FreeState after = AfterPlacing(node.free, demand, choices[r]);
    const Placement placement{node, demand, after, profile};
    for (size_t c = 0; c < width; ++c) {
      const PlacementColumn& column = PlacementTable()[placement_indices_[c]];
      const bool known = r > 0 && !column.depends_on_gpus;
      rows[r * width + c] = known ? rows[c] : static_cast<float>(column.value(placement));
    }
  }
}

void FeatureSchema::EncodeContext(const ClusterContext& context, std::span<float> row) const {
  BERTH_CHECK(row.size() == context_indices_.size(), "room for one number per context column");
  for (size_t c = 0; c < row.size(); ++c) {
    row[c] = static_cast<float>(ContextTable()[context_indices_[c]].value(context));
  }
}

}  // namespace berth
