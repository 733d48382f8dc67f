// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::watch {

/// What a change of the fabric does to tables that nobody has changed yet. Pairs are ordered pairs of
/// terminals that both networks have, moved ones included.
struct RouteDamage {
  std::uint64_t pairs = 0;
  std::uint64_t broken = 0;        ///< at some address of the destination delivered before, and not now
  std::uint64_t lost_before = 0;   ///< not broken, but at some address not delivered before either
  std::uint32_t destinations = 0;  ///< with at least one broken pair
  TerminalId source, destination;  ///< the first broken pair, in the new network; invalid where there is none
};

/// Follows the old tables on both networks, hop by hop; `carried` is carry_over() of them, and says where a
/// terminal that has moved, or that has another address, is still reached. `change` is that
/// of MovedTerminals::as_new. Delivered is what verify calls so, lanes included. O(terminals * routers), with
/// lanes that drop packets O(terminals^2 * hops), in parallel, the same at any number of threads.
RouteDamage route_damage(const Network& before, const Routing& old, const Network& after,
                         const Routing& carried, const NetworkChange& change, std::uint32_t threads,
                         Progress& progress);

}  // namespace unknot::watch
