// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "unknot/angara/torus.hpp"

namespace unknot::angara {

/// A route as the header of a packet carries it: a positive first step or none, how far to go along each
/// dimension and which way (the direction bits with their counts), a negative last step or none. The packet
/// goes the first step, then every direction in direction order, then the last step. [section 2.1]
///
/// 64 bits: a signed byte for each of six dimensions, then first and last step as direction + 1, 0 for none.
class RouteCode {
 public:
  constexpr RouteCode() = default;

  [[nodiscard]] std::int32_t steps(std::uint32_t dimension) const {
    return static_cast<std::int8_t>(bits_ >> (8 * dimension));
  }
  void set_steps(std::uint32_t dimension, std::int32_t steps) {
    bits_ &= ~(std::uint64_t{0xFF} << (8 * dimension));
    bits_ |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(steps)) << (8 * dimension);
  }
  [[nodiscard]] std::optional<Direction> first_step() const { return special(kFirst); }
  [[nodiscard]] std::optional<Direction> last_step() const { return special(kLast); }
  void set_first_step(std::optional<Direction> d) { set_special(kFirst, d); }
  void set_last_step(std::optional<Direction> d) { set_special(kLast, d); }

  /// Channels on the route.
  [[nodiscard]] std::uint32_t hops() const {
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < kMostDimensions; ++d) sum += static_cast<std::uint32_t>(std::abs(steps(d)));
    return sum + (first_step() ? 1U : 0U) + (last_step() ? 1U : 0U);
  }
  /// Calls visit(direction, count) for each straight stretch, in the order they are gone.
  template <class Visit>
  void for_each_stretch(std::uint32_t dimensions, const Visit& visit) const {
    if (const auto d = first_step()) visit(*d, 1U);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      if (const std::int32_t count = steps(d); count > 0)
        visit(static_cast<Direction>(d), static_cast<std::uint32_t>(count));
    }
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      if (const std::int32_t count = steps(d); count < 0)
        visit(static_cast<Direction>(dimensions + d), static_cast<std::uint32_t>(-count));
    }
    if (const auto d = last_step()) visit(*d, 1U);
  }
  /// Changes of direction on the way.
  [[nodiscard]] std::uint32_t turns(std::uint32_t dimensions) const {
    std::uint32_t stretches = 0;
    Direction before = 0xFF;
    for_each_stretch(dimensions, [&](Direction d, std::uint32_t) {
      if (d != before) ++stretches;
      before = d;
    });
    return stretches == 0 ? 0 : stretches - 1;
  }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }
  auto operator<=>(const RouteCode&) const = default;  // NOLINT(modernize-use-nullptr): a false positive

 private:
  static constexpr std::uint32_t kFirst = 48;
  static constexpr std::uint32_t kLast = 52;
  [[nodiscard]] std::optional<Direction> special(std::uint32_t at) const {
    const auto plus_one = static_cast<std::uint8_t>(bits_ >> at & 0xFU);
    return plus_one == 0 ? std::nullopt : std::optional<Direction>(static_cast<Direction>(plus_one - 1));
  }
  void set_special(std::uint32_t at, std::optional<Direction> d) {
    bits_ &= ~(std::uint64_t{0xF} << at);
    if (d) bits_ |= std::uint64_t{*d + 1U} << at;
  }
  std::uint64_t bits_ = 0;
};

/// The code of a sequence of directions: without first and last step where it can do without, else with a
/// first step, with a last step, with both. Nothing where the rules of the header do not allow the sequence.
std::optional<RouteCode> encode(const Torus& torus, std::span<const Direction> directions);

/// Calls visit(slot) for each channel of the route from `node`; returns the node it ends at, kNone where a
/// channel is missing (those before it have been visited).
template <class Visit>
std::uint32_t walk(const Torus& torus, std::uint32_t node, RouteCode code, const Visit& visit) {
  code.for_each_stretch(torus.dimensions(), [&](Direction d, std::uint32_t count) {
    for (; count > 0 && node != Torus::kNone; --count) {
      const std::uint32_t slot = torus.slot(node, d);
      node = torus.next(slot);
      if (node != Torus::kNone) visit(slot);
    }
  });
  return node;
}

}  // namespace unknot::angara
