// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/lane_spreading.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace unknot {
namespace {

/// Calls visit(source router, its row of levels, destination, channels) for each path between routers.
template <class Visit>
void for_each_path(const Network& network, const ForwardingTable& table, const ServiceLevels& levels,
                   const Visit& visit) {
  std::vector<std::uint32_t> channels;
  for (const RouterId source : network.routers()) {
    const IdRange<TerminalId> here = network.terminals_at(source);
    if (here.empty()) continue;
    const std::uint32_t row = levels.empty() ? 0 : levels.row_of(here[0]);
    for (const TerminalId destination : network.terminals()) {
      channels.clear();
      RouterId at = source;
      for (ChannelId c = table.next(network, at, destination); c.valid();
           c = table.next(network, at, destination)) {
        channels.push_back(c.value);
        at = network.target(c);
      }
      if (!channels.empty()) visit(std::uint64_t{here.size()}, row, destination, channels);
    }
  }
}

}  // namespace

std::vector<std::uint64_t> lane_loads(const Network& network, const ForwardingTable& table,
                                      const ServiceLevels& levels, std::uint32_t lanes) {
  std::vector<std::uint64_t> load(std::size_t{network.channel_count()} * lanes, 0);
  for_each_path(network, table, levels,
                [&](std::uint64_t sources, std::uint32_t row, TerminalId destination,
                    const std::vector<std::uint32_t>& channels) {
                  const std::uint32_t lane = levels.empty() ? 0 : levels.row(row)[destination.value];
                  for (const std::uint32_t c : channels) load[std::size_t{c} * lanes + lane] += sources;
                });
  return load;
}

std::uint32_t spread_by_load(const Network& network, const ForwardingTable& table, LaneAssignment& assignment,
                             std::uint32_t budget) {
  const std::uint32_t needed = assignment.lanes;
  if (budget <= needed) return needed;
  if (assignment.levels.empty()) assignment.levels = ServiceLevels(network, ServiceLevels::Rows::by_router);

  std::vector<std::uint64_t> busiest(needed, 0);
  {
    const std::vector<std::uint64_t> load = lane_loads(network, table, assignment.levels, needed);
    for (std::size_t i = 0; i < load.size(); ++i)
      busiest[i % needed] = std::max(busiest[i % needed], load[i]);
  }
  std::vector<std::uint32_t> share(needed, 1);
  for (std::uint32_t spare = needed; spare < budget; ++spare) {
    std::uint32_t fullest = 0;
    for (std::uint32_t i = 1; i < needed; ++i) {
      if (busiest[i] * share[fullest] > busiest[fullest] * share[i]) fullest = i;
    }
    ++share[fullest];
  }
  std::vector<std::uint32_t> first(needed, 0);
  std::partial_sum(share.begin(), share.end() - 1, first.begin() + 1);

  std::vector<std::uint64_t> load(std::size_t{network.channel_count()} * budget, 0);
  for_each_path(network, table, assignment.levels,
                [&](std::uint64_t sources, std::uint32_t row, TerminalId destination,
                    const std::vector<std::uint32_t>& channels) {
                  std::uint8_t& level = assignment.levels.row(row)[destination.value];
                  const std::uint32_t layer = level;
                  std::uint32_t best = first[layer];
                  std::pair<std::uint64_t, std::uint64_t> least{~0ULL, ~0ULL};
                  for (std::uint32_t lane = first[layer]; lane < first[layer] + share[layer]; ++lane) {
                    std::pair<std::uint64_t, std::uint64_t> cost{0, 0};
                    for (const std::uint32_t c : channels) {
                      const std::uint64_t here = load[std::size_t{c} * budget + lane];
                      cost.first = std::max(cost.first, here);
                      cost.second += here;
                    }
                    if (cost < least) {
                      least = cost;
                      best = lane;
                    }
                  }
                  level = static_cast<std::uint8_t>(best);
                  for (const std::uint32_t c : channels) load[std::size_t{c} * budget + best] += sources;
                });
  return budget;
}

}  // namespace unknot
