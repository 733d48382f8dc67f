// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/port_weights.hpp"

#include <algorithm>

#include "unknot/routing/dealing/deal.hpp"

namespace unknot {

void PortWeights::find(const LiveNetwork& network, const PathWeights& weights, RouterId router,
                       std::uint32_t ports, std::span<const std::uint32_t> groups) {
  const std::span<const ChannelId> out = network.out(router);
  const std::size_t stride = ports;
  const std::size_t count =
      groups.empty() ? 0 : std::size_t{*std::max_element(groups.begin(), groups.end())} + 1;
  if (weights_.size() < count * stride) weights_.resize(count * stride);
  Port none;
  none.paths = weights.paths(0);
  ports_.assign(network.network().out(router).size(), none);
  for (const ChannelId c : out) {
    Port& port = ports_[network.position(c)];
    port.to = network.target(c).value;
    port.paths = weights.paths(port.to);
    port.factor = weights.factor(c.value);
    port.up = weights.up(c.value);
  }
  shares_.resize(ports_.size());
  scales_.resize(ports_.size());
  // Each weighs one more than its share, and shares may be rounded up.
  const auto room =
      static_cast<float>(Deal::kMostWeight - std::min<std::size_t>(2 * out.size(), Deal::kMostWeight / 2));
  for (const std::uint32_t g : groups) {
    float up_sum = 0;
    float down_sum = 0;
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      const Port& port = ports_[p];
      const bool leads = port.up || weights.above(port.to, g);
      const float share = leads ? port.factor * port.paths[g] : 0;
      shares_[p] = share;
      (port.up ? up_sum : down_sum) += share;
    }
    const float up_scale = up_sum > 0 ? room / up_sum : 0;
    const float down_scale = down_sum > 0 ? room / down_sum : 0;
    for (std::size_t p = 0; p < ports_.size(); ++p) scales_[p] = ports_[p].up ? up_scale : down_scale;
    std::uint32_t* const found = weights_.data() + g * stride;
    for (std::size_t p = 0; p < ports_.size(); ++p)
      found[p] = 1U + static_cast<std::uint32_t>(static_cast<std::int32_t>(shares_[p] * scales_[p]));
  }
}

}  // namespace unknot
