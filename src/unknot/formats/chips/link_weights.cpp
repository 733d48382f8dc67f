// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/link_weights.hpp"

#include <algorithm>

#include "unknot/formats/chips/chip_names.hpp"
#include "unknot/formats/chips/garnet_config.hpp"
#include "unknot/formats/chips/weight_program.hpp"
#include "unknot/formats/chips/weighted_ways.hpp"
#include "unknot/network/grid.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostLinks = 200000;

/// The weights give the ways, and no total is too large.
bool weights_give(const Network& network, const WantedWays& wanted,
                  const std::vector<std::uint32_t>& weights) {
  return std::all_of(wanted.destinations.begin(), wanted.destinations.end(), [&](const auto& to) {
    const WeightedWays ways = weighted_ways(network, weights, to.router);
    if (ways.farthest + 1 >= GarnetConfig::kNoPath) return false;
    for (std::size_t r = 0; r < ways.positions.size(); ++r)
      if (!to.positions[r].empty() && ways.positions[r] != to.positions[r]) return false;
    return true;
  });
}

/// Whether the channel goes up along its dimension, from the last to the first router of a ring too.
bool goes_up(const Network& network, ChannelId c, std::uint32_t dimension) {
  const Coordinates& at = *network.coordinates();
  const auto value = [&](RouterId r) {
    return at.value[static_cast<std::size_t>(r.value) * at.dimensions + dimension];
  };
  const std::uint32_t from = value(network.source(c));
  const std::uint32_t to = value(network.target(c));
  if (to == from + 1) return true;
  return at.wraps && to == 0 && from + 1 == at.extent[dimension];
}

/// A weight for each dimension, the first or the last of them the lightest. Of the two directions of a ring
/// one is so little lighter that it decides between halves of the ring alone.
std::vector<std::uint32_t> grid_weights(const Network& network, const Grid& grid, bool first_lightest,
                                        bool up_lighter) {
  const Coordinates& at = *network.coordinates();
  std::uint32_t step = 1;
  if (at.wraps) {
    for (const std::uint32_t extent : at.extent) step += extent;
  }
  std::vector<std::uint32_t> weights;
  weights.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    const std::uint32_t dimension = grid.dimension[c.value];
    const std::uint32_t rank = first_lightest ? dimension : at.dimensions - 1 - dimension;
    const bool more = at.wraps && goes_up(network, c, dimension) != up_lighter;
    weights.push_back(step * (1 + rank) + (more ? 1 : 0));
  }
  return weights;
}

}  // namespace

std::vector<std::uint32_t> find_link_weights(const Network& network, const WantedWays& wanted) {
  require_single_cables(network, "Garnet");
  std::vector<std::uint32_t> weights(network.channel_count(), 1);
  if (weights_give(network, wanted, weights)) return weights;
  if (network.coordinates() != nullptr && grid_trouble(network).empty()) {
    const Grid grid = grid_of(network);
    for (const bool first_lightest : {true, false}) {
      for (const bool up_lighter : {true, false}) {
        weights = grid_weights(network, grid, first_lightest, up_lighter);
        if (weights_give(network, wanted, weights)) return weights;
      }
    }
  }
  // What one look at all ways takes: links beside each router on each way.
  const std::uint64_t links = std::uint64_t{network.channel_count()} * wanted.destinations.size();
  if (links > kMostLinks) {
    throw InputError(
        "found no weights of links with which Garnet takes these ways and no others: neither equal "
        "ones nor one for each dimension do, and the network is too large to search for others");
  }
  const WeightProgram::Outcome outcome = WeightProgram(network, wanted).solve(weights);
  if (outcome == WeightProgram::Outcome::none) {
    throw InputError(
        "no weights of links give these ways and no others: whatever they are, a way beside them "
        "weighs no more");
  }
  if (outcome == WeightProgram::Outcome::found && weights_give(network, wanted, weights)) return weights;
  throw InputError("found no weights of links with which Garnet takes these ways and no others");
}

}  // namespace unknot
