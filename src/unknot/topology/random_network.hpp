// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// How a random network is kept connected.
enum class RandomMode : std::uint8_t {
  recursive_tree = 0,  ///< each router, in random order, joins a random earlier one; then uniform links
  uniform = 1,         ///< uniform links alone, drawn anew until the network is connected
  random_forest = 2,   ///< uniform links that join two parts, until one is left; then uniform links
  ring = 3,            ///< a ring in order of numbers; then uniform links
};

struct RandomParams {
  std::uint32_t switches = 64;
  std::uint64_t links = 128;
  std::uint64_t seed = 1;
  RandomMode mode = RandomMode::recursive_tree;
  bool parallel = false;         ///< may two routers be joined twice
  std::uint32_t ports = 0xFFFF;  ///< of each router, terminals included
};

/// Connected random network with exactly `links` cables. The paper that uses such networks (Domke, Hoefler,
/// Nagel 2011, sections IV and V) does not say how it draws them; these are four plausible ways. Ends always;
/// throws InputError for more links than fit or fewer than a connected network needs, and where mode
/// `uniform` would need too many attempts.
Network random_network(const RandomParams& params, const TerminalPlacement& terminals);

Topology random_topology();

}  // namespace unknot
