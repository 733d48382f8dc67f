// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What a hop out of a router's port costs; 1 for ports that nobody names.
struct HopWeight {
  std::uint64_t router_guid = 0;
  std::uint16_t port = 0;
  std::uint32_t weight = 1;
};

/// What an administrator says of a fabric, by GUID, so that it holds for a part of the fabric and for what
/// faults have left of it: GUIDs that a network does not have are passed over. Empty: nothing is said.
struct Guidance {
  /// The routers at the top: theirs, or those of a terminal's port or adapter, whose router it is.
  std::vector<std::uint64_t> roots = {};
  /// Routers that carry nothing between others; as for roots.
  std::vector<std::uint64_t> no_transit = {};
  /// Port GUIDs of terminals, in the order in which trees are made towards them; the others follow.
  std::vector<std::uint64_t> order = {};
  /// Port GUIDs of compute nodes and of nodes for input and output: after those of `order`, trees towards the
  /// first are made before those towards the second, and these before all others. Where compute nodes are,
  /// are the leaves of a fat tree; the others may be plugged in anywhere.
  std::vector<std::uint64_t> compute_nodes = {}, io_nodes = {};
  std::vector<HopWeight> hop_weights = {};
  /// A cable counts as loaded by what it carries over its rate (costs_by_rate()).
  bool by_rate = false;
  /// Of ports that serve as few: the first from a place on that moves (port_shifting), or any, by a seed that
  /// is not 0. One of the two at most (LeastServed).
  bool port_shifting = false;
  std::uint32_t scatter_seed = 0;

  [[nodiscard]] bool empty() const {
    return roots.empty() && no_transit.empty() && order.empty() && compute_nodes.empty() &&
           io_nodes.empty() && hop_weights.empty() && !by_rate && !ties();
  }
  [[nodiscard]] bool ties() const { return port_shifting || scatter_seed != 0; }
};

/// What an engine makes use of. Every engine of tables knows of no_transit: run_engine() sees to that.
struct Heeds {
  bool roots = false;
  bool order = false;
  bool nodes = false;  ///< compute_nodes and io_nodes
  bool hop_weights = false;
  bool by_rate = false;
  bool ties = false;  ///< port_shifting and scatter_seed
};

/// Names of what is said and not heeded, "roots and hop weights"; "" where there is nothing.
std::string unheeded(const Guidance& guidance, const Heeds& heeds);
/// The guidance without that.
Guidance heeded(Guidance guidance, const Heeds& heeds);

/// Routers that have one of the GUIDs, or a terminal whose port or adapter has it, ascending.
/// O(network log GUIDs).
std::vector<RouterId> routers_with(const Network& network, std::span<const std::uint64_t> guids);
/// Every terminal once, in the order in which trees are made towards them. O(network + GUIDs).
std::vector<TerminalId> terminals_in_order(const Network& network, const Guidance& guidance);
/// By channel; empty where no weight is other than 1, or is of a channel of the network. O(channels log
/// weights).
std::vector<std::uint32_t> weights_by_channel(const Network& network, std::span<const HopWeight> weights);

/// By channel: what a flow costs on it, inversely as its rate, in parts of a sixteenth of the fastest
/// cable's. Cables of unknown rate count as the fastest. Empty where all are alike. O(channels).
std::vector<std::uint32_t> costs_by_rate(const Network& network);

}  // namespace unknot
