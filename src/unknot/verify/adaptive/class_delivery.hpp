// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/adaptive/class_block.hpp"
#include "unknot/verify/adaptive/last_cables.hpp"

namespace unknot {

/// What becomes of the packets of a block, over all choices.
struct ClassDelivery {
  ClassBits lost;       ///< some choices lose them
  ClassBits looping;    ///< some choices never end
  bool longer = false;  ///< some way is not a shortest one
  std::uint32_t max_hops = 0, max_distance = 0;
  std::vector<TerminalId> dropped;        ///< some are lost on the cable to it; perhaps several times
  std::vector<AdaptiveFinding> findings;  ///< the first ones, by router
};

/// The longest remaining way of each packet is found by rounds: in round k those are done of which every
/// choice leads to packets done in round k - 1. That number falls with every hop, so that whoever gets one is
/// on no loop. O(rounds * channels) set operations at most.
ClassDelivery deliver(const Network& network, const PacketWays& ways, const RelationView& view,
                      const LastCables& last_cables, const ClassBlock& block, const ClassReach& reach,
                      std::uint32_t max_findings);

}  // namespace unknot
