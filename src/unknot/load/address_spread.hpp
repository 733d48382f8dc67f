// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// How the paths to the addresses of a terminal differ (Routing::further), over the ordered pairs of
/// terminals of different routers that every address delivers.
struct AddressSpread {
  std::uint32_t addresses = 1;
  std::uint64_t pairs = 0;
  double different = 0;  ///< mean number of different paths of a pair
  /// Mean number of paths of a pair such that no two take one channel, each address in turn counting where it
  /// may.
  double disjoint = 0;
};

/// O(routers * terminals * addresses * hops), in parallel; the same at any number of threads.
AddressSpread address_spread(const Network& network, const Routing& routing, std::uint32_t threads = 0);

/// By channel: pairs of terminals that take it under any of the addresses, which is addresses times the mean
/// load where each pair sends evenly over all addresses. O of channel_load() for each address.
std::vector<std::uint64_t> load_of_addresses(const Network& network, const Routing& routing,
                                             std::uint32_t threads = 0);

}  // namespace unknot
