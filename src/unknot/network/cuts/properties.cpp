// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/properties.hpp"

#include <algorithm>

namespace unknot {

double moore_bound(std::uint32_t degree, std::uint32_t diameter, bool one_way) {
  double bound = 1;
  double at_distance = degree;
  const double growth = one_way ? degree : degree - 1.0;
  for (std::uint32_t k = 0; k < diameter && at_distance > 0; ++k) {
    // Rings grow by a constant, over diameters too long to count through.
    if (growth == 1) return 1 + static_cast<double>(diameter) * degree;
    bound += at_distance;
    at_distance *= growth;
    if (bound > 1e300) break;  // the ratio is zero for every use
  }
  return bound;
}

Properties properties(const Network& network, const PropertiesOptions& options) {
  Properties result;
  result.routers = network.router_count();
  result.terminals = network.terminal_count();
  result.channels = network.channel_count();
  std::uint64_t one_way = 0;
  for (const ChannelId c : network.channels()) one_way += network.reverse(c).valid() ? 0 : 1;
  result.cables = (network.channel_count() - one_way) / 2 + one_way;

  bool first = true;
  for (const RouterId r : network.routers()) {
    const std::uint32_t degree = network.out(r).size();
    const std::uint32_t here = network.terminals_at(r).size();
    std::uint32_t ports = degree + here;
    for (const ChannelId c : network.in(r)) ports += network.reverse(c).valid() ? 0 : 1;
    result.radix = std::max(result.radix, ports);
    result.min_degree = first ? degree : std::min(result.min_degree, degree);
    result.max_degree = std::max(result.max_degree, degree);
    first = false;
    if (here == 0) continue;
    result.min_terminals = result.max_terminals == 0 ? here : std::min(result.min_terminals, here);
    result.max_terminals = std::max(result.max_terminals, here);
  }
  if (result.routers > 0) result.mean_degree = static_cast<double>(result.channels) / result.routers;

  result.distances = distance_statistics(network, options.distances);
  if (result.distances.exact && result.distances.unreachable_pairs == 0 && result.routers > 0) {
    result.moore_ratio =
        result.routers / moore_bound(result.max_degree, result.distances.router_diameter, one_way > 0);
  }
  if (result.terminals > 0) {
    const auto terminals = static_cast<double>(result.terminals);
    result.ports_per_terminal = (2.0 * static_cast<double>(result.cables) + terminals) / terminals;
    result.links_per_terminal = (static_cast<double>(result.cables) + terminals) / terminals;
  }
  result.bisection = bisection_upper_bound(network, options.bisection);
  result.bisection_bound = spectral_cut_bound(network, options.spectrum);
  result.spectrum = adjacency_spectrum(network, options.spectrum);
  return result;
}

}  // namespace unknot
