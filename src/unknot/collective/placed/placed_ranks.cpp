// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/placed_ranks.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"

namespace unknot {

PlacedRanks::PlacedRanks(const Network& network, const Routing& routing, std::vector<TerminalId> hosts)
    : network_(&network), hosts_(std::move(hosts)) {
  NodeGraphOptions options;
  options.model = NodeModel::terminals;
  graph_ = std::make_shared<const NodeGraph>(network, options);
  routes_ = std::make_shared<const PairRoutes>(network, *graph_, routing);
  std::vector<std::uint8_t> taken(network.terminal_count());
  for (const TerminalId host : hosts_) {
    if (taken[host.value]++ != 0) {
      throw InputError(
          fmt::format("two ranks are on {}: give each a host of its own", network.terminal_name(host)));
    }
  }
  for (std::uint32_t a = 0; a < ranks(); ++a) {
    for (std::uint32_t b = 0; b < ranks(); ++b) {
      if (a != b && lines(a, b).empty()) {
        throw InputError(fmt::format("there is no route from {} to {}", network.terminal_name(hosts_[a]),
                                     network.terminal_name(hosts_[b])));
      }
    }
  }
}

std::string PlacedRanks::line_name(std::uint32_t line) const {
  if (is_channel(line)) return network_->channel_name(ChannelId(line));
  const std::uint32_t cable = line - network_->channel_count();
  const TerminalId t(cable / 2);
  const std::string router =
      fmt::format("{} port {}", network_->router_name(network_->router_of(t)), network_->terminal_port(t));
  const std::string host = network_->terminal_name(t);
  return cable % 2 == 0 ? host + " -> " + router : router + " -> " + host;
}

PlacedRanks PlacedRanks::with_hosts(std::vector<TerminalId> hosts) const {
  PlacedRanks result = *this;
  result.hosts_ = std::move(hosts);
  return result;
}

std::vector<std::uint32_t> grid_of_ranks(const PlacedRanks& placed) {
  const Network& network = placed.network();
  const Coordinates* at = network.coordinates();
  if (at == nullptr || placed.ranks() != network.terminal_count()) return {};
  for (std::uint32_t r = 0; r < placed.ranks(); ++r) {
    if (placed.host(r).value != r) return {};
  }
  const std::uint32_t each = network.terminal_count() / network.router_count();
  if (each == 0) return {};
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).size() != each) return {};
    std::uint32_t number = 0;
    for (std::uint32_t d = 0; d < at->dimensions; ++d)
      number = number * at->extent[d] + at->value[std::size_t{r.value} * at->dimensions + d];
    if (number != r.value) return {};
  }
  std::vector<std::uint32_t> grid = at->extent;
  if (each > 1) grid.push_back(each);
  return grid;
}

namespace {

/// How far it is from one rank to another: channels, or the time of a byte on each where capacities are
/// stated.
double distance(const PlacedRanks& placed, std::uint32_t from, std::uint32_t to) {
  double sum = 0;
  for (const std::uint32_t line : placed.lines(from, to)) {
    if (!placed.is_channel(line)) continue;
    const std::uint32_t capacity = placed.network().channel_capacity(ChannelId(line));
    sum += capacity == 0 ? 1 : 1.0 / capacity;
  }
  return sum;
}

}  // namespace

std::uint32_t ranks_of_a_box(const PlacedRanks& placed) {
  const std::uint32_t ranks = placed.ranks();
  if (ranks < 4) return 0;
  const double near = distance(placed, 0, 1);
  std::uint32_t size = 2;
  while (size < ranks && distance(placed, 0, size) <= near) ++size;
  if (size == ranks || ranks % size != 0) return 0;
  for (std::uint32_t r = 1; r < ranks; ++r) {
    const std::uint32_t first = r / size * size;
    if (r != first && distance(placed, first, r) > near) return 0;
    if (r == first && distance(placed, r - 1, r) <= near) return 0;
  }
  return size;
}

}  // namespace unknot
