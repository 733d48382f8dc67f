// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "unknot/network/distances_to.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/lane_stops.hpp"
#include "unknot/verify/tally.hpp"

// Pieces that the two ways of following tables share: by_level_walk.hpp (the lane depends on the path alone)
// and by_port_walk.hpp (SL-to-VL tables look at ports).
namespace unknot {

/// The router where a packet that starts at `router` is lost; for a loop, the first router it comes to twice.
RouterId where_lost(const Network& network, const ForwardingTree& tree, RouterId router);

/// Counts the pairs of one destination. Where `lanes_differ` is false every delivered path has a usable lane;
/// else `lane_trouble(finding)` is asked for each source, those beside the destination too: it returns true
/// after having set the kind and place of the finding. O(routers), or O(terminals) where lanes differ or
/// pairs are lost.
template <class LaneTrouble>
void count_pairs(const Network& network, const ForwardingTree& tree, const DistancesTo& distances,
                 TerminalId destination, std::uint32_t max_findings, bool lanes_differ,
                 const LaneTrouble& lane_trouble, Tally& tally) {
  using Fate = ForwardingTree::Fate;
  const RouterId home = network.router_of(destination);
  for (const RouterId r : network.routers()) {
    const IdRange<TerminalId> sources = network.terminals_at(r);
    const std::uint64_t pairs = sources.size() - (r == home ? 1U : 0U);
    if (sources.empty() || pairs == 0) continue;
    const Fate fate = tree.fate(r.value);
    std::uint64_t lost = 0;
    if (fate != Fate::delivered) {
      lost = pairs;
      if (fate == Fate::loop) tally.looping += pairs;
      for (const TerminalId source : sources) {
        if (tally.findings.size() >= max_findings) break;
        if (source == destination) continue;
        const Finding::Kind kind = fate == Fate::loop    ? Finding::Kind::loop
                                   : fate == Fate::stray ? Finding::Kind::stray_port
                                                         : Finding::Kind::unreachable;
        tally.find(max_findings, {kind, source, destination, where_lost(network, tree, r)});
      }
    } else if (lanes_differ) {
      for (const TerminalId source : sources) {
        if (source == destination) continue;
        Finding finding{Finding::Kind::missing_service_level, source, destination, r};
        if (!lane_trouble(finding)) continue;
        ++lost;
        tally.stop(finding);
        tally.find(max_findings, finding);
      }
    }
    tally.unroutable += lost;
    if (lost == pairs) continue;
    const std::uint32_t hops = tree.hops(r.value);
    tally.total_hops += (pairs - lost) * hops;
    tally.max_hops = std::max(tally.max_hops, hops);
    if (hops > distances.distance()[r.value]) tally.longer += pairs - lost;
  }
}

}  // namespace unknot
