// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/place/placed_load.hpp"
#include "unknot/place/placement_bound.hpp"
#include "unknot/place/places.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

struct SearchOptions {
  std::uint32_t starts = 4;             ///< placements that the search begins from, each on its own
  std::uint64_t routes = 20'000'000;    ///< routes that each of them walks: the work
  std::optional<Placement> given = {};  ///< one more to begin from, and to compare with
  LinkWidths widths = {};
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

/// Where one search began and where it ended.
struct Attempt {
  std::string start;  ///< "in order", "given", "scotch"
  Cost before, after;
};

struct Placed {
  Placement placement;     ///< the best: never worse than in order, or than the one given
  std::uint32_t best = 0;  ///< the attempt that found it
  std::vector<Attempt> attempts;
  PlacementBound bound;
};

/// Places ranks so that the busiest channel has as few bytes as can be found, of these the busiest channel
/// between routers as few, then the sum of squares: simulated annealing by exchanges of two places
/// [Kirkpatrick, Gelatt, Vecchi 1983], begun from the ranks in order (twice as hot), and from Scotch's
/// mappings under several seeds. The loads are those of the tables in force. The searches run beside each
/// other; the result is the same at any number of threads.
///
/// InputError where there are more ranks than places, or two hosts without a route.
Placed find_placement(const Network& network, const Routing& routing, const Places& places,
                      const CommunicationMatrix& sent, const SearchOptions& options, Progress& progress);

}  // namespace unknot::place
