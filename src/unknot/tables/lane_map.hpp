// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// The virtual lane a packet takes when it leaves a router: a function of its service level, the port it came
/// in by and the port it leaves by (InfiniBand's SL-to-VL tables). Port 0 as incoming means the router
/// itself. Ports are the router's port numbers, terminals' included.
///
/// InfiniBand says nothing of a table that nobody has written. Pairs of ports of which no row is told (left
/// out of a file, or of a port that has come) take each level to the lane of its number: were they to drop,
/// a packet that waits there would be overlooked.
class LaneMap {
 public:
  static constexpr std::uint32_t kLevels = 16;
  using Row = std::array<std::uint8_t, kLevels>;
  static constexpr std::uint8_t kDrop =
      15;  ///< InfiniBand: VL15 carries management only; a data level there is dropped

  /// Identity on every router: level l travels on lane l modulo `lanes`.
  LaneMap(const Network& network, std::uint8_t lanes);

  [[nodiscard]] std::uint8_t lane(std::uint8_t level, RouterId r, std::uint16_t in_port,
                                  std::uint16_t out_port) const {
    return rows_[at(r, in_port, out_port)][level & (kLevels - 1)];
  }
  /// Ports must be at most the router's port_count().
  void set(RouterId r, std::uint16_t in_port, std::uint16_t out_port, const Row& row) {
    rows_[at(r, in_port, out_port)] = row;
  }
  [[nodiscard]] const Row& get(RouterId r, std::uint16_t in_port, std::uint16_t out_port) const {
    return rows_[at(r, in_port, out_port)];
  }
  /// Lanes that a terminal's own adapter puts its packets on, towards its router: lane 0 for all levels where
  /// only others are told, null where none is.
  [[nodiscard]] const Row* source(TerminalId t) const {
    return sources_.empty() ? nullptr : &sources_[t.value];
  }
  void set_source(const Network& network, TerminalId t, const Row& row);
  /// No adapter says anything any more.
  void forget_sources() { sources_.clear(); }
  /// True when no router looks at ports and all agree: the lane is a function of the level alone. Port pairs
  /// that no packet between terminals uses (incoming port 0, unconnected ports) do not count.
  [[nodiscard]] bool uniform(const Network& network, Row* common) const;

 private:
  [[nodiscard]] std::size_t at(RouterId r, std::uint16_t in_port, std::uint16_t out_port) const {
    return first_[r.value] + static_cast<std::size_t>(in_port) * ports_[r.value] + out_port;
  }
  std::vector<std::size_t> first_;    // by router
  std::vector<std::uint32_t> ports_;  // by router: port_count + 1
  std::vector<Row> rows_;
  std::vector<Row> sources_;  // by terminal; empty where no adapter says anything
};

/// What OpenSM makes of "level l on lane l" where ports have fewer lanes than levels need: each port's tables
/// are cut to its lanes, 1, 2, 4, 8 or 15, by a mask. `lanes`: by channel, those of the port that it leaves
/// by; ports of terminals have all. O(squares of the numbers of ports).
LaneMap cut_to_ports(const Network& network, std::span<const std::uint8_t> lanes);

}  // namespace unknot
