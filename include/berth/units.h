#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace berth {

// A whole number of one unit. Units never mix by accident: construction is explicit, arithmetic
// stays within the unit, and value() is the only way out.
template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(int64_t value) : value_(value) {}

  constexpr int64_t value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity other) const { return Quantity(value_ + other.value_); }
  constexpr Quantity operator-(Quantity other) const { return Quantity(value_ - other.value_); }
  constexpr Quantity operator*(int64_t times) const { return Quantity(value_ * times); }
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

 private:
  int64_t value_ = 0;
};

using MilliCpu = Quantity<struct MilliCpuTag>;  // thousandths of a core
using MiB = Quantity<struct MiBTag>;            // 2^20 bytes
using MilliGpu = Quantity<struct MilliGpuTag>;  // thousandths of one GPU
using Seconds = Quantity<struct SecondsTag>;

inline constexpr MilliGpu kWholeGpu{1000};

// A name that only compares with names of its own kind.
template <class Tag>
class Name {
 public:
  Name() = default;
  explicit Name(std::string value) : value_(std::move(value)) {}

  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }

  auto operator<=>(const Name&) const = default;

  template <class H>
  friend H AbslHashValue(H h, const Name& name) {
    return H::combine(std::move(h), name.value_);
  }

 private:
  std::string value_;
};

using NodeName = Name<struct NodeNameTag>;
using PodUid = Name<struct PodUidTag>;      // unique for all time, unlike a pod's name
using GpuModel = Name<struct GpuModelTag>;  // product name as the node reports it; empty: unknown

}  // namespace berth
