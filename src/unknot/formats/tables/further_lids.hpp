// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Most addresses of a terminal beside its lowest: LMC is 7 at most (InfiniBand specification, volume 1,
/// section 4.1.2).
inline constexpr std::size_t kMostFurther = 127;

/// InputError where InfiniBand has not so many LIDs. `advice` ends the sentence.
void require_unicast_lids(const LidMap& lids, const char* advice);

/// The LIDs that this project writes for the network and the addresses that the routing has tables for:
/// LidMap::of(network) where it has one of each terminal, else those of addressed_network(), which are there
/// in all files of one routing; the further ones of a terminal follow its lowest without a gap. Several
/// addresses are InfiniBand's: InputError for more of them than it has, LIDs or levels beyond its own, source
/// routes, and for a network that has its terminals once for each address.
LidMap lids_of_addresses(const Network& network, const Routing& routing);

/// For files with a row for each LID: on_every_address(), with these LIDs.
OnEveryAddress on_every_lid(const Network& network, const Routing& routing);

}  // namespace unknot
