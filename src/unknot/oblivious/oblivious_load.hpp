// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Which paths packets spread over, chosen without regard to the load.
enum class ObliviousPaths : std::uint8_t {
  minimal,  ///< all shortest paths between two routers
  /// Shortest paths to a random other router with terminals, then on to the destination (Valiant 1982). The
  /// intermediate is never the source or the destination; a path may pass the destination before it gets
  /// to the intermediate, pass the source again after it, and turn back at the intermediate.
  valiant,
};
/// "minimal" or "valiant"; InputError for another word.
ObliviousPaths oblivious_paths_from(std::string_view word);
std::string_view name_of(ObliviousPaths paths);

/// How a demand loads the channels when it is split evenly: every shortest path between two routers (Valiant:
/// every intermediate, and then every shortest path of each half) carries the same share.
struct ObliviousLoad {
  /// By channel, in units of what one terminal can inject.
  std::vector<double> load;
  double max = 0;
  double min = 0;
  double mean = 0;    ///< over all channels between routers, the unused ones included
  ChannelId busiest;  ///< the first of the most loaded ones; invalid where there is no channel
  /// Largest part of the demand that fits: min(1, 1 / max load), all channels and terminals of equal rate.
  /// The terminals that receive count, too, where the demand knows them (RouterDemand::peak_ejection). 0
  /// where pairs are lost: however small a part of the demand, some of it never arrives.
  double saturation = 1;
  /// Ordered pairs of routers with demand that have no path, or no intermediate; they load no channel.
  std::uint64_t lost_pairs = 0;
  RouterId lost_source, lost_destination;  ///< the first of them by destination, then source
};

/// Channel loads of all shortest paths or of Valiant's routing, in closed form: no path is listed and nothing
/// is sampled. [Kathareios et al., SC'15, section 4.2 and figure 6: the bounds that its simulations approach]
///
/// O(endpoint routers * channels), parallel over destinations; the same bytes at any number of threads.
/// Memory: 16 times the channels, and O(routers) for each thread. InputError where two routers have more
/// than 1e308 shortest paths.
///
///     const Network network = make_network("slimfly:q=13,p=10");
///     const RouterDemand demand = RouterDemand::uniform(network);
///     Progress silent;
///     oblivious_load(network, ObliviousPaths::minimal, demand, 0, silent).saturation;  // 0.9132
ObliviousLoad oblivious_load(const Network& network, ObliviousPaths paths, const RouterDemand& demand,
                             std::uint32_t threads, Progress& progress);

}  // namespace unknot
