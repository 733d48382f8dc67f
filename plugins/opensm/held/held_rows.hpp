// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "held/switch_ways.hpp"
#include "unknot/live/live_fabric.hpp"

namespace unknot::opensm {

/// What a LID stands for: packets to it follow the entries towards a host, or the ways to a switch without
/// hosts, and leave the switch `home` by a port, 0 where they are for the switch itself.
struct LidOwner {
  TerminalId host;  ///< whose entries they follow; invalid: the ways to `home`
  RouterId home;    ///< invalid: nobody has the LID
  std::uint8_t port = 0;
  bool operator==(const LidOwner&) const = default;
};

/// The tables as OpenSM has them, a byte for each switch and LID, kept from sweep to sweep: what differs is
/// written, and nothing else.
class HeldRows {
 public:
  static constexpr std::uint8_t kNoRow = 0xFF;

  /// All is written at the next update().
  void forget() { width_ = 0; }
  /// `owner`: by LID. `changes`: entries of the fabric that are others since the last call, `moved` switches
  /// the ways to which are. O(changes + LIDs), and O(switches) for each LID that has another owner.
  void update(const LiveFabric& fabric, const SwitchWays& ways, std::vector<LidOwner> owner,
              std::span<const EntryChange> changes, std::span<const RouterId> moved);
  /// By LID, at least as many as there were owners.
  [[nodiscard]] std::span<const std::uint8_t> row(RouterId r) const {
    return {bytes_.data() + r.value * width_, width_};
  }

 private:
  void list_lids(const Network& network);
  void write_column(const LiveFabric& fabric, const SwitchWays& ways, std::size_t lid);
  void write_all(const LiveFabric& fabric, const SwitchWays& ways);

  std::size_t width_ = 0;  // LIDs; 0: nothing is known
  std::vector<std::uint8_t> bytes_;
  std::vector<LidOwner> owner_;                             // by LID
  std::vector<std::vector<std::uint16_t>> lids_of_host_;    // by terminal
  std::vector<std::vector<std::uint16_t>> lids_of_switch_;  // by router: those that follow the ways to it
};

}  // namespace unknot::opensm
