// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Tables of shortest paths, dealt out, on as few lanes as are soon found, for networks of tens of thousands
/// of terminals: lanes grow (LaneGrowth) until few pairs are left, these get lanes path by path (SpareLanes),
/// and every router deals the terminals of a destination router out to the candidates that a lane allows
/// (dealt_trees()). Work is done for 64 destination routers at a time, in whole words, and nothing is done
/// for a terminal but to deal it out.
///
/// All cables must go both ways, and the network must be connected. Throws RoutingFailure, in the name of
/// `engine`, where more than `most_lanes` lanes are needed; Interrupted. The same at any number of threads
/// (0: all). Memory: four bits for each channel and router with terminals, two bytes for each router and
/// router with terminals, and the tables.
Routing covered_routing(const Network& network, const std::string& engine, std::uint32_t most_lanes,
                        std::uint64_t seed, std::uint32_t threads, Progress& progress);

/// Empty where covered_routing() can take the network; else a sentence.
std::string cover_trouble(const Network& network);

}  // namespace unknot
