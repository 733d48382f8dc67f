// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"

namespace unknot {

/// A network whose terminals have several addresses (LIDs, with LMC above 0) is a network: each terminal is
/// there once for each address, one after the other, on one port and under the same name and GUIDs
/// (Network::further_address()). An engine routes to each of them as to any other, so that all addresses
/// share lanes and loads; writers find a LID for each. What an engine has made for it is brought back by
/// with_further_addresses().
///
/// The terminals have 2^lmc consecutive LIDs each, the first a multiple of 2^lmc (InfiniBand 4.1.2). A first
/// LID that is stated stays where it is such a multiple and all of them are free; routers and service nodes
/// keep theirs where no terminal needs it; others get the lowest that are free, but none that is kept for a
/// port which is gone. `lmc`: 0 to 7. O(network * 2^lmc).
Network addressed_network(const Network& network, std::uint32_t lmc);

}  // namespace unknot
