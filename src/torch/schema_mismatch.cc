#include "torch/schema_mismatch.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"

namespace berth {
namespace {

using Names = std::vector<std::string>;
using Matches = std::function<bool(const Names&)>;

std::optional<std::string> TryNamesAt(const Names& names, size_t at,
                                      std::span<const FeatureColumn> known,
                                      const Matches& matches) {
  for (const FeatureColumn& column : known) {
    Names edited = names;
    if (at < names.size()) {
      edited[at] = column.name;
      if (matches(edited)) {
        return fmt::format("[{}] is {} but was {}", at, Quoted(names[at]), Quoted(column.name));
      }
      edited = names;
    }
    edited.insert(edited.begin() + at, std::string(column.name));
    if (matches(edited)) return fmt::format("[{}] {} is missing", at, Quoted(column.name));
  }
  return std::nullopt;
}

std::optional<std::string> TryWithout(const Names& names, size_t at, const Matches& matches) {
  Names edited = names;
  edited.erase(edited.begin() + at);
  if (!matches(edited)) return std::nullopt;
  return fmt::format("[{}] {} was not there", at, Quoted(names[at]));
}

std::optional<std::string> TrySwaps(const Names& names, size_t at, const Matches& matches) {
  for (size_t other = at + 1; other < names.size(); ++other) {
    Names edited = names;
    std::swap(edited[at], edited[other]);
    if (matches(edited)) {
      return fmt::format("[{}] {} and [{}] {} were the other way round", at, Quoted(names[at]),
                         other, Quoted(names[other]));
    }
  }
  return std::nullopt;
}

std::optional<std::string> FindEdit(const Names& names, std::span<const FeatureColumn> known,
                                    const Matches& matches) {
  for (size_t at = 0; at <= names.size(); ++at) {
    if (auto edit = TryNamesAt(names, at, known, matches)) return edit;
    if (at == names.size()) break;
    if (auto edit = TryWithout(names, at, matches)) return edit;
    if (auto edit = TrySwaps(names, at, matches)) return edit;
  }
  return std::nullopt;
}

}  // namespace

std::string ExplainSchemaMismatch(const FeatureSchema& schema, std::string_view hash) {
  const auto has_hash = [&](const Names& columns, const Names& context) {
    const auto edited = FeatureSchema::Make(columns, context);
    return edited.ok() && edited->Hash() == hash;
  };
  const Names& columns = schema.columns();
  const Names& context = schema.context_columns();
  if (auto edit = FindEdit(columns, PlacementColumns(),
                           [&](const Names& edited) { return has_hash(edited, context); })) {
    return "columns" + *edit;
  }
  if (auto edit = FindEdit(context, ContextColumns(),
                           [&](const Names& edited) { return has_hash(columns, edited); })) {
    return "context_columns" + *edit;
  }
  return "columns and context_columns differ in more than one name, or in names unknown here";
}

}  // namespace berth
