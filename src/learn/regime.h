#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace berth {

// What happens to pods once they are placed. A learned policy has weights for each.
enum class Regime {
  kPacking,  // they stay for ever, until nothing fits any more
  kLiving,   // they run and leave, while others wait for a place
};
inline constexpr std::array kRegimes = {Regime::kPacking, Regime::kLiving};

constexpr std::string_view NameOf(Regime regime) {
  return regime == Regime::kLiving ? "living" : "packing";
}

// Something for each regime.
template <class Value>
class PerRegime {
 public:
  Value& operator[](Regime regime) { return values_[static_cast<size_t>(regime)]; }
  const Value& operator[](Regime regime) const { return values_[static_cast<size_t>(regime)]; }

  bool operator==(const PerRegime&) const = default;

 private:
  std::array<Value, kRegimes.size()> values_{};
};

}  // namespace berth
