// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/load/channel_load.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"

// What the experiments on the Angara paper share.
namespace unknot::angara_paper {

/// As the paper has it: it begins with tables drawn at random, and no other.
inline constexpr const char* kGeneticEngine = "angara-genetic:first=random";
/// An engine's name, without parameters.
inline std::string engine_name(std::string_view spec) {
  return std::string(spec.substr(0, spec.find(':')));
}

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

enum class Orders : std::uint8_t {
  all,  ///< 2x3 and 3x2 are two systems: direction-order routing tells them apart
  one,  ///< sizes ascending: every torus once, up to the order of its dimensions
};
/// Tori of that many dimensions of sizes 2 to 8 and at most `nodes` nodes, by number of nodes: with 447 and
/// all orders there are 49 of two dimensions and 339 of three, as in the paper, and 1189 of four, 102 in one
/// order of each. At most `most` of them (0: all), spread evenly.
std::vector<Dimensions> paper_tori(std::uint32_t dimensions, std::uint32_t most, std::uint32_t nodes,
                                   Orders orders = Orders::all);

}  // namespace unknot::angara_paper
