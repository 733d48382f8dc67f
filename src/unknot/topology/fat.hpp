// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// The same routers and channels, ports and coordinates included, with `terminals` one-port terminals on each
/// router: a slim network made fat. InputError where a router of `slim` has none: it is no direct network.
/// [Jaros 2010, section 8.5]
Network fatten(const Network& slim, std::uint32_t terminals);

/// "fat:2,hypercube:3": every direct family with F terminals on each router.
Topology fat_topology();

}  // namespace unknot
