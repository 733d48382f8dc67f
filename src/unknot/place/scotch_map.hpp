// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/place/host_distances.hpp"
#include "unknot/place/places.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Scotch's static mapping of the ranks onto the fabric by dual recursive bipartitioning [Pellegrini, Roman
/// 1996]: ranks that exchange much come near each other, in hops of the fabric, whatever the tables are. What
/// it puts on a host beyond its places goes to the nearest host with one left. The same seed gives the same
/// placement. Safe to call from several threads, which take turns. Empty where Scotch gives up, or where
/// there are more than 4096 hosts, which take it minutes.
Placement scotch_map(const Network& network, const Places& places, const HostDistances& distances,
                     const CommunicationMatrix& sent, std::uint64_t seed);

}  // namespace unknot::place
