// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Fills a forwarding table from rows "destination, port", one router after the other, as files give them.
class TableFiller {
 public:
  explicit TableFiller(const Network& network);

  /// The rows that follow are of this router; false when it was begun before.
  bool begin(RouterId router);
  /// Port exists on the router that was begun.
  [[nodiscard]] bool has_port(std::uint32_t port) const { return port < position_.size(); }
  /// Packets for `destination` leave by `port`, which must exist. Its own router must deliver by the
  /// terminal's port; any other port that no channel leaves by is a stray one.
  void set(TerminalId destination, std::uint32_t port) {
    const bool own = network_.router_of(destination) == router_;
    const bool delivers = own && port == network_.terminal_port(destination);
    const std::uint32_t entry = delivers ? ForwardingTable::kHere : position_[port];
    table_.set(router_, destination, entry);
    if (entry == ForwardingTable::kStray && port != 0)
      table_.set_stray(router_, destination, static_cast<std::uint16_t>(port));
  }
  [[nodiscard]] RouterId router() const { return router_; }
  /// The filler is spent.
  ForwardingTable take() { return std::move(table_); }

 private:
  const Network& network_;
  ForwardingTable table_;
  RouterId router_;
  std::vector<bool> begun_;              // by router
  std::vector<std::uint32_t> position_;  // by port of the router at hand
};

}  // namespace unknot
