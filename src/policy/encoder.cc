#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "berth/features.h"
#include "cluster/state_features.h"
#include "policy/feature_columns.h"
#include "policy/sha256.h"

namespace berth {
namespace {

// Positions in PlacementColumns(): the columns of the table first, then every state feature before,
// then every state feature after.
size_t FirstBefore() { return PlacementTable().size(); }
size_t FirstAfter() { return FirstBefore() + kStateFeatures; }

template <class Table>
std::vector<FeatureColumn> About(const Table& table) {
  std::vector<FeatureColumn> columns;
  for (const auto& column : table) columns.push_back(column.about);
  return columns;
}

std::vector<std::string> StateNames() {
  std::vector<std::string> names;
  for (const char* when : {"before", "after"}) {
    for (const FeatureColumn& feature : StateFeatureTable()) {
      names.push_back(fmt::format("{}_{}", feature.name, when));
    }
  }
  return names;
}

std::vector<FeatureColumn> AllPlacementColumns() {
  static const std::vector<std::string> names = StateNames();
  std::vector<FeatureColumn> columns = About(PlacementTable());
  for (size_t i = 0; i < names.size(); ++i) {
    const FeatureColumn& feature = StateFeatureTable()[i % kStateFeatures];
    columns.push_back({names[i], feature.unit, feature.meaning});
  }
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
  static const std::vector<FeatureColumn> columns = AllPlacementColumns();
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
  for (const size_t column : schema.placement_indices_) {
    schema.reads_after_ |= column >= FirstAfter();
    schema.reads_before_ |= column >= FirstBefore() && column < FirstAfter();
  }
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
  StateFeatures before{}, after{};
  if (reads_before_) before = FeaturesOf(*node.spec, node.free, profile);
  for (size_t r = 0; r < choices.size(); ++r) {
    const FreeState state = AfterPlacing(node.free, demand, choices[r]);
    if (reads_after_) after = FeaturesOf(*node.spec, state, profile);
    for (size_t c = 0; c < width; ++c) {
      const size_t column = placement_indices_[c];
      rows[r * width + c] =
          column >= FirstAfter() ? after[column - FirstAfter()]
          : column >= FirstBefore()
              ? before[column - FirstBefore()]
              : static_cast<float>(PlacementTable()[column].value({node, demand, state, profile}));
    }
  }
}

void FeatureSchema::EncodeContext(const ClusterContext& context, const WorkloadProfile& profile,
                                  std::span<float> row) const {
  BERTH_CHECK(row.size() == context_indices_.size(), "room for one number per context column");
  for (size_t c = 0; c < row.size(); ++c) {
    row[c] = static_cast<float>(ContextTable()[context_indices_[c]].value(context, profile));
  }
}

}  // namespace berth
