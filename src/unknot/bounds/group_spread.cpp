// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/group_spread.hpp"

#include <bit>

#include "unknot/bounds/group_options.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

constexpr std::size_t kFlowsBetweenLooks = 64;
constexpr double kAll = 1 - 1e-9;  // but for rounding

}  // namespace

GroupSpread::GroupSpread(const Network& network, const AdaptiveRouting& routing)
    : network_(network),
      routing_(routing),
      plane_(only_plane(routing)),
      lanes_(routing),
      by_router_(routing.service_levels.empty() && lanes_.stays()),
      chance_(network.channel_count(), 0) {
  require_fit(network, routing);
}

/// Where lanes stay, a packet goes on alike from whichever port it came.
GroupSpread::State GroupSpread::state(RouterId r, std::uint8_t lane, std::uint16_t in_port,
                                      double chance) const {
  const std::uint64_t way = lanes_.stays() ? 0 : std::uint64_t{lane} << 16U | in_port;
  return {std::uint64_t{r.value} << 32U | way, chance};
}

bool GroupSpread::spread(TerminalId source, TerminalId destination) {
  const std::uint16_t levels = levels_of(routing_, source, destination);
  const double each = 1.0 / std::max(1, std::popcount(levels));
  double arrived = 0;
  for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) {
    if ((levels >> level & 1U) != 0) arrived += spread_level(level, each, source, destination);
  }
  return arrived > kAll;
}

double GroupSpread::spread_level(std::uint8_t level, double chance, TerminalId source,
                                 TerminalId destination) {
  const bool adaptive = (routing_.adaptive_levels >> level & 1U) != 0;
  const std::uint8_t injected = lanes_.injected(level, source);
  if (injected >= kLaneDropped) return 0;
  double arrived = 0;
  here_.assign(1, state(network_.router_of(source), injected, network_.terminal_port(source), chance));
  for (std::uint32_t hops = 0; !here_.empty(); ++hops) {
    next_.clear();
    for (const State& one : here_) {
      const RouterId r(static_cast<std::uint32_t>(one.key >> 32U));
      const auto lane = lanes_.stays() ? injected : static_cast<std::uint8_t>(one.key >> 16U);
      const auto in_port = static_cast<std::uint16_t>(one.key);
      const std::uint16_t entry = plane_.entry(r, destination);
      if (entry == AdaptivePlane::kNone) continue;
      if (entry == AdaptivePlane::kHere) {
        const std::uint8_t last = lanes_.next(level, lane, r, in_port, network_.terminal_port(destination));
        if (last < kLaneDropped) arrived += one.chance;
        continue;
      }
      // no way without a return is longer
      if (hops >= network_.router_count()) refuse_return(network_, routing_, source, destination, r);
      const auto options = options_of(plane_, r, entry, adaptive);
      for (const std::uint16_t option : options) {
        const ChannelId c = network_.out(r)[option];
        const std::uint8_t taken = lanes_.next(level, lane, r, in_port, network_.source_port(c));
        if (taken >= kLaneDropped) continue;
        const double part = one.chance / static_cast<double>(options.size());
        if (chance_[c.value] == 0) touched_.push_back(c);
        chance_[c.value] += part;
        next_.push_back(state(network_.target(c), taken, network_.target_port(c), part));
      }
    }
    std::sort(next_.begin(), next_.end(), [](const State& a, const State& b) { return a.key < b.key; });
    here_.clear();
    for (const State& one : next_) {
      if (!here_.empty() && here_.back().key == one.key) {
        here_.back().chance += one.chance;
      } else {
        here_.push_back(one);
      }
    }
  }
  return arrived;
}

GroupLoad group_load(const Network& network, const AdaptiveRouting& routing, std::span<const Flow> flows,
                     Progress& progress) {
  GroupSpread spread(network, routing);
  GroupLoad found{std::vector<double>(network.channel_count(), 0), {}};
  std::vector<double> received(network.terminal_count(), 0);
  std::vector<std::pair<ChannelId, double>> shares;  // of the flow at hand
  progress.begin("spreading packets", flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i % kFlowsBetweenLooks == 0) {
      progress.update(i);
      if (progress.interrupted()) throw Interrupted();
    }
    const Flow& flow = flows[i];
    shares.clear();
    const bool arrives = network.router_of(flow.source) == network.router_of(flow.destination) ||
                         spread.run(flow.source, flow.destination,
                                    [&](ChannelId c, double chance) { shares.emplace_back(c, chance); });
    if (!arrives) {
      ++found.delivered.lost_flows;
      continue;
    }
    for (const auto& [channel, chance] : shares) found.load[channel.value] += flow.weight * chance;
    found.delivered.total += flow.weight;
    double& here = received[flow.destination.value];
    here += flow.weight;
    found.delivered.peak_ejection = std::max(found.delivered.peak_ejection, here);
  }
  return found;
}

}  // namespace unknot
