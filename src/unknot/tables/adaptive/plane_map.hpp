// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Which plane (private forwarding table) a router looks a packet up in: a function of the port it came in by
/// and of its lane or its service level. Ports are the router's port numbers, terminals' included; plane 0
/// where nothing is told.
class PlaneMap {
 public:
  enum class Key : std::uint8_t { lane, level };
  static constexpr std::uint32_t kKeys = 16;
  using Row = std::array<std::uint8_t, kKeys>;

  PlaneMap(const Network& network, Key key);

  [[nodiscard]] Key key() const { return key_; }
  /// `lane`: the one it came on.
  [[nodiscard]] std::uint8_t plane(RouterId r, std::uint16_t in_port, std::uint8_t lane,
                                   std::uint8_t level) const {
    return row(r, in_port)[(key_ == Key::lane ? lane : level) & (kKeys - 1)];
  }
  [[nodiscard]] const Row& row(RouterId r, std::uint16_t in_port) const {
    return rows_[first_[r.value] + in_port];
  }
  /// The port must be at most the router's port_count().
  void set(RouterId r, std::uint16_t in_port, const Row& row) { rows_[first_[r.value] + in_port] = row; }
  /// Largest plane that is named.
  [[nodiscard]] std::uint8_t highest() const;

  bool operator==(const PlaneMap&) const = default;

 private:
  Key key_;
  std::vector<std::size_t> first_;  // by router
  std::vector<Row> rows_;
};

}  // namespace unknot
