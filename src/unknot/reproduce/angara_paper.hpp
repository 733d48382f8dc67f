// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/load/channel_load.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"

// What the experiments on the Angara paper share.
namespace unknot::angara_paper {

inline constexpr const char* kPaper =
    "Mukosey, Semenov, Tretiakov: Optimized graph based routing algorithm for the Angara interconnect";

/// Loads and the longest route of one engine's tables on one network, on one thread.
struct TableMeasures {
  LoadStatistics load;
  std::uint32_t max_hops = 0;
};
TableMeasures measure(const Network& network, const std::string& engine, std::uint64_t seed,
                      Progress& progress);

using Dimensions = std::vector<std::uint32_t>;
/// "torus:4x2x2"
std::string torus_spec(const Dimensions& dimensions);
std::uint32_t nodes_of(const Dimensions& dimensions);

/// Parameters "systems" (how many tori of each number of dimensions) and "nodes" (of the largest).
Parameter systems_parameter();
Parameter nodes_parameter();

/// All tori of that many dimensions of sizes 2 to 8 and at most `nodes` nodes, in order of size: with 447
/// there are 49 of two dimensions and 339 of three, as in the paper, and 1189 of four. At most `most` of them
/// (0: all), spread evenly.
std::vector<Dimensions> paper_tori(std::uint32_t dimensions, std::uint32_t most, std::uint32_t nodes);

}  // namespace unknot::angara_paper
