// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// Slim Fly on the McKay-Miller-Siran graph of a prime q = 1 mod 4: 2 q^2 routers of degree (3q-1)/2,
/// diameter
/// 2. Router (s, column, row) is number s q^2 + column q + row. (0,x,y) and (0,x,y') are neighbours where
/// y-y' is an even power of the smallest primitive root of q, (1,m,c) and (1,m,c') where c-c' is an odd
/// power, and (0,x,y) and (1,m,c) where y = m x + c. InputError for another q. [Besta, Hoefler 2014; Hafner
/// 2004]
Network slimfly(std::uint32_t q, const TerminalPlacement& terminals);

Topology slimfly_topology();

}  // namespace unknot
