// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/destinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {

Destinations::Destinations(const Network& network, const TrafficPattern& pattern, std::uint64_t seed)
    : terminals_(network.terminal_count()), share_(terminals_, 1.0) {
  if (pattern.packet_draw || pattern.all_pairs) {
    const PacketDraw draw = pattern.packet_draw.value_or(PacketDraw());
    kind_ = draw.hotspots > 0 ? Kind::hotspot : draw.self ? Kind::uniform_self : Kind::uniform;
    fraction_ = draw.hot_fraction;
    std::vector<std::uint32_t> order(terminals_);
    std::iota(order.begin(), order.end(), 0U);
    Random(seed, 2).shuffle(order);
    hotspots_.assign(order.begin(), order.begin() + draw.hotspots);
    return;
  }
  kind_ = Kind::flows;
  std::vector<Flow> flows;
  pattern.flows(seed, 0, flows);
  if (flows.empty()) throw InputError(fmt::format("pattern {}: no terminal sends anything", pattern.name));
  std::stable_sort(flows.begin(), flows.end(),
                   [](const Flow& a, const Flow& b) { return a.source < b.source; });
  std::fill(share_.begin(), share_.end(), 0.0);
  for (const Flow& flow : flows) share_[flow.source.value] += flow.weight;
  first_.assign(std::size_t{terminals_} + 1, 0);
  std::vector<double> so_far(terminals_, 0.0);
  for (const Flow& flow : flows) {
    const std::uint32_t t = flow.source.value;
    ++first_[t + 1];
    target_.push_back(flow.destination.value);
    so_far[t] += flow.weight;
    below_.push_back(so_far[t] / share_[t]);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  const double most = *std::max_element(share_.begin(), share_.end());
  for (double& share : share_) share /= most;
  mean_share_ = std::accumulate(share_.begin(), share_.end(), 0.0) / terminals_;
}

std::uint32_t Destinations::draw(std::uint32_t terminal, TerminalRandom& random) const {
  switch (kind_) {
    case Kind::uniform_self:
      return random.below(terminals_);
    case Kind::hotspot:
      if (random.unit() < fraction_) {
        const std::uint32_t hot = hotspots_[random.below(static_cast<std::uint32_t>(hotspots_.size()))];
        if (hot != terminal) return hot;
      }
      [[fallthrough]];
    case Kind::uniform: {
      const std::uint32_t drawn = random.below(terminals_ - 1);
      return drawn < terminal ? drawn : drawn + 1;
    }
    case Kind::flows:
      break;
  }
  const std::uint32_t first = first_[terminal];
  const std::uint32_t last = first_[terminal + 1];
  if (last - first == 1) return target_[first];
  const auto at = std::upper_bound(below_.begin() + first, below_.begin() + last, random.unit());
  return target_[std::min<std::size_t>(static_cast<std::size_t>(at - below_.begin()), last - 1)];
}

}  // namespace unknot::simulate
