// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMaxPort = std::numeric_limits<std::uint16_t>::max();

/// values[i] becomes values[order[i]]; an empty vector stays empty.
template <class T>
void permute(std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  if (values.empty()) return;
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t from : order) sorted.push_back(std::move(values[from]));
  values = std::move(sorted);
}

/// Turns counts in first[1..n] into offsets: first[i] is where row i starts.
void accumulate_rows(std::vector<std::uint32_t>& first) {
  std::partial_sum(first.begin(), first.end(), first.begin());
}

}  // namespace

void NetworkBuilder::reserve(std::size_t routers, std::size_t cables, std::size_t terminals) {
  next_port_.reserve(routers);
  links_.reserve(cables);
  terminals_.reserve(terminals);
}

RouterId NetworkBuilder::add_router() {
  return add_routers(1);
}

RouterId NetworkBuilder::add_routers(std::uint32_t count) {
  const RouterId first(router_count());
  next_port_.resize(next_port_.size() + count, 1);
  return first;
}

std::uint16_t NetworkBuilder::take_port(RouterId r) {
  std::uint32_t& next = next_port_.at(r.value);
  if (next > kMaxPort) throw InputError(fmt::format("router {} needs more than {} ports", r.value, kMaxPort));
  return static_cast<std::uint16_t>(next++);
}

void NetworkBuilder::use_port(RouterId r, std::uint16_t port) {
  std::uint32_t& next = next_port_.at(r.value);
  next = std::max<std::uint32_t>(next, port + 1U);
}

void NetworkBuilder::add_cable(RouterId a, RouterId b, LinkRate rate) {
  const std::uint16_t port_a = take_port(a);
  add_cable(a, port_a, b, take_port(b), rate);
}

void NetworkBuilder::add_cable(RouterId a, std::uint16_t port_a, RouterId b, std::uint16_t port_b,
                               LinkRate rate) {
  if (a == b) throw InputError(fmt::format("router {} is connected to itself", a.value));
  use_port(a, port_a);
  use_port(b, port_b);
  links_.push_back({a, b, port_a, port_b, rate, true});
}

void NetworkBuilder::add_channel(RouterId from, RouterId to, LinkRate rate) {
  const std::uint16_t from_port = take_port(from);
  add_channel(from, from_port, to, take_port(to), rate);
}

void NetworkBuilder::add_channel(RouterId from, std::uint16_t from_port, RouterId to, std::uint16_t to_port,
                                 LinkRate rate) {
  add_cable(from, from_port, to, to_port, rate);
  links_.back().two_way = false;
}

void NetworkBuilder::set_both(std::vector<BothWays>& numbers, std::uint32_t there, std::uint32_t back) const {
  if (there == 0 && back == 0) return;
  numbers.resize(links_.size());
  numbers.back() = {there, back};
}

void NetworkBuilder::set_latency(std::uint32_t there, std::uint32_t back) {
  set_both(latencies_, there, back);
}

void NetworkBuilder::set_capacity(std::uint32_t there, std::uint32_t back) {
  set_both(capacities_, there, back);
}

void NetworkBuilder::set_as(const Network& network, ChannelId channel) {
  const bool both = links_.back().two_way;
  const ChannelId back = network.reverse(channel);
  set_latency(network.channel_latency(channel), both ? network.channel_latency(back) : 0);
  set_capacity(network.channel_capacity(channel), both ? network.channel_capacity(back) : 0);
}

TerminalId NetworkBuilder::add_terminal(RouterId router) {
  return add_terminal(router, take_port(router));
}

TerminalId NetworkBuilder::add_terminal(RouterId router, std::uint16_t port) {
  use_port(router, port);
  terminals_.push_back({router, port});
  return TerminalId(static_cast<std::uint32_t>(terminals_.size() - 1));
}

TerminalId NetworkBuilder::add_further_address() {
  Terminal last = terminals_.back();
  last.further = true;
  terminals_.push_back(last);
  return TerminalId(static_cast<std::uint32_t>(terminals_.size() - 1));
}

void NetworkBuilder::set_coordinates(Coordinates coordinates) {
  coordinates_ = std::make_shared<const Coordinates>(std::move(coordinates));
}

Network NetworkBuilder::with_coordinates(Network network, Coordinates coordinates) {
  network.coordinates_ = std::make_shared<const Coordinates>(std::move(coordinates));
  return network;
}

Network NetworkBuilder::with_lids(Network network, std::vector<std::uint32_t> router_lids,
                                  std::vector<std::uint32_t> terminal_lids,
                                  const std::vector<std::uint32_t>& service_lids) {
  network.labels_.router_lid = std::move(router_lids);
  network.labels_.terminal_lid = std::move(terminal_lids);
  for (std::size_t i = 0; i < service_lids.size(); ++i)
    network.labels_.service_nodes.at(i).lid = service_lids[i];
  return network;
}

Network NetworkBuilder::with_kept_lids(Network network, std::vector<KeptLids> kept) {
  network.labels_.kept_lids = std::move(kept);
  return network;
}

Network NetworkBuilder::with_router_ports(const Network& network) {
  Network net(network);
  Labels& labels = net.labels_;
  const std::uint32_t total = network.terminal_count() + network.router_count();
  labels.terminal_name.clear();
  labels.terminal_node_guid.clear();
  labels.terminal_port_guid.clear();
  labels.terminal_lid.clear();
  net.terminal_router_.clear();
  net.terminal_port_.clear();
  net.terminal_router_.reserve(total);
  net.terminal_port_.reserve(total);
  labels.router_lid.resize(network.router_count());
  const auto copy = [&](TerminalId t) {
    net.terminal_router_.push_back(network.router_of(t));
    net.terminal_port_.push_back(network.terminal_port(t));
    labels.terminal_name.push_back(network.terminal_name(t));
    labels.terminal_node_guid.push_back(network.terminal_node_guid(t));
    labels.terminal_port_guid.push_back(network.terminal_port_guid(t));
    labels.terminal_lid.push_back(network.terminal_lid(t));
  };
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) copy(t);
    net.terminal_router_.push_back(r);
    net.terminal_port_.push_back(0);
    labels.terminal_name.push_back(network.router_name(r));
    labels.terminal_node_guid.push_back(network.router_guid(r));
    labels.terminal_port_guid.push_back(network.router_guid(r));
    labels.terminal_lid.push_back(network.router_lid(r));
    labels.router_lid[r.value] = network.router_lid(r);
    net.terminal_first_[r.value + 1] = static_cast<std::uint32_t>(net.terminal_router_.size());
  }
  // What is known of the hosts alone: a router's own port has no cable and no adapter.
  const auto widen = [&](auto& values) {
    if (values.empty()) return;
    std::remove_cvref_t<decltype(values)> wide;
    wide.reserve(total);
    for (const RouterId r : network.routers()) {
      for (const TerminalId t : network.terminals_at(r)) wide.push_back(values[t.value]);
      wide.push_back(0);
    }
    values = std::move(wide);
  };
  widen(labels.terminal_adapter_port);
  widen(labels.terminal_adapter_ports);
  widen(labels.terminal_rate);
  widen(labels.terminal_latency);
  widen(labels.terminal_capacity);
  return net;
}

Network NetworkBuilder::with_addresses(const Network& network, std::uint32_t count) {
  Network net(network);
  Labels& labels = net.labels_;
  const std::size_t total = std::size_t{network.terminal_count()} * count;
  if (total >= TerminalId::kNone) throw InputError("a network can have at most 4294967294 terminals");
  const auto widen = [&](auto& values, const auto& value_of) {
    values.clear();
    values.reserve(total);
    for (const TerminalId t : network.terminals()) {
      for (std::uint32_t rank = 0; rank < count; ++rank) values.push_back(value_of(t, rank));
    }
  };
  widen(net.terminal_router_, [&](TerminalId t, std::uint32_t) { return network.router_of(t); });
  widen(net.terminal_port_, [&](TerminalId t, std::uint32_t) { return network.terminal_port(t); });
  widen(labels.terminal_name, [&](TerminalId t, std::uint32_t) { return network.terminal_name(t); });
  widen(labels.terminal_node_guid,
        [&](TerminalId t, std::uint32_t) { return network.terminal_node_guid(t); });
  widen(labels.terminal_port_guid,
        [&](TerminalId t, std::uint32_t) { return network.terminal_port_guid(t); });
  widen(labels.terminal_lid,
        [&](TerminalId t, std::uint32_t rank) { return network.terminal_lid(t) + rank; });
  const Labels& old = network.labels_;
  const auto widen_known = [&](auto& values, const auto& from) {
    if (!from.empty()) widen(values, [&](TerminalId t, std::uint32_t) { return from[t.value]; });
  };
  widen_known(labels.terminal_adapter_port, old.terminal_adapter_port);
  widen_known(labels.terminal_adapter_ports, old.terminal_adapter_ports);
  widen_known(labels.terminal_rate, old.terminal_rate);
  widen_known(labels.terminal_latency, old.terminal_latency);
  widen_known(labels.terminal_capacity, old.terminal_capacity);
  labels.lmc = 0;  // each LID has its terminal
  for (std::uint32_t& first : net.terminal_first_) first *= count;
  return net;
}

Network NetworkBuilder::build() && {
  Network net;
  const std::uint32_t routers = router_count();
  std::size_t channels = 0;
  for (const Link& link : links_) channels += link.two_way ? 2 : 1;
  if (channels >= ChannelId::kNone) throw InputError("a network can have at most 4294967294 channels");
  net.router_count_ = routers;

  // Channels by source router (counting sort), then by port within a row.
  net.out_first_.assign(routers + 1, 0);
  for (const Link& link : links_) {
    ++net.out_first_[link.a.value + 1];
    if (link.two_way) ++net.out_first_[link.b.value + 1];
  }
  accumulate_rows(net.out_first_);
  struct End {
    std::uint32_t link;
    std::uint16_t port;
    bool backward;
  };
  std::vector<End> ends(channels);
  {
    std::vector<std::uint32_t> fill(net.out_first_.begin(), net.out_first_.end() - 1);
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      ends[fill[link.a.value]++] = {i, link.port_a, false};
      if (link.two_way) ends[fill[link.b.value]++] = {i, link.port_b, true};
    }
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    const auto row = ends.begin();
    std::sort(row + net.out_first_[r], row + net.out_first_[r + 1],
              [](const End& x, const End& y) { return x.port < y.port; });
    net.max_out_degree_ = std::max(net.max_out_degree_, net.out_first_[r + 1] - net.out_first_[r]);
  }

  net.source_.resize(channels);
  net.target_.resize(channels);
  net.source_port_.resize(channels);
  net.target_port_.resize(channels);
  net.reverse_.assign(channels, ChannelId());
  const bool rates =
      std::any_of(links_.begin(), links_.end(), [](const Link& link) { return link.rate != 0; });
  if (rates) labels_.channel_rate.assign(channels, 0);
  for (const auto& [numbers, label] : {std::pair(&latencies_, &labels_.channel_latency),
                                       std::pair(&capacities_, &labels_.channel_capacity)}) {
    if (numbers->empty()) continue;
    numbers->resize(links_.size());
    label->assign(channels, 0);
  }
  std::vector<ChannelId> forward(links_.size());
  for (std::uint32_t c = 0; c < channels; ++c) {
    const Link& link = links_[ends[c].link];
    const bool back = ends[c].backward;
    net.source_[c] = back ? link.b : link.a;
    net.target_[c] = back ? link.a : link.b;
    net.source_port_[c] = back ? link.port_b : link.port_a;
    net.target_port_[c] = back ? link.port_a : link.port_b;
    if (rates) labels_.channel_rate[c] = link.rate;
    for (const auto& [numbers, label] : {std::pair(&latencies_, &labels_.channel_latency),
                                         std::pair(&capacities_, &labels_.channel_capacity)}) {
      if (numbers->empty()) continue;
      const BothWays& both = (*numbers)[ends[c].link];
      (*label)[c] = back ? both.back : both.there;
    }
    // The first of the two directions that comes by leaves its id for the second.
    ChannelId& other = forward[ends[c].link];
    if (other.valid()) {
      net.reverse_[c] = other;
      net.reverse_[other.value] = ChannelId(c);
    } else if (link.two_way) {
      other = ChannelId(c);
    }
  }
  ends = {};
  forward = {};
  links_ = {};
  latencies_ = {};
  capacities_ = {};

  net.in_first_.assign(routers + 1, 0);
  for (const RouterId t : net.target_) ++net.in_first_[t.value + 1];
  accumulate_rows(net.in_first_);
  net.in_.resize(channels);
  {
    std::vector<std::uint32_t> fill(net.in_first_.begin(), net.in_first_.end() - 1);
    for (std::uint32_t c = 0; c < channels; ++c) net.in_[fill[net.target_[c].value]++] = ChannelId(c);
  }

  // Terminals by router, in the order of their making within one.
  std::vector<std::uint32_t> order(terminals_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t x, std::uint32_t y) {
    return terminals_[x].router < terminals_[y].router;
  });
  net.terminal_first_.assign(routers + 1, 0);
  for (const std::uint32_t from : order) {
    net.terminal_router_.push_back(terminals_[from].router);
    net.terminal_port_.push_back(terminals_[from].port);
    ++net.terminal_first_[terminals_[from].router.value + 1];
  }
  accumulate_rows(net.terminal_first_);
  permute(labels_.terminal_name, order);
  permute(labels_.terminal_node_guid, order);
  permute(labels_.terminal_port_guid, order);
  permute(labels_.terminal_lid, order);
  permute(labels_.terminal_adapter_port, order);
  permute(labels_.terminal_adapter_ports, order);
  permute(labels_.terminal_rate, order);
  permute(labels_.terminal_latency, order);
  permute(labels_.terminal_capacity, order);

  // A port leads to one place: incoming one-way channels take a port too.
  std::vector<std::uint16_t> ports;
  for (const RouterId r : net.routers()) {
    ports.clear();
    for (const ChannelId c : net.out(r)) ports.push_back(net.source_port_[c.value]);
    for (const ChannelId c : net.in(r)) {
      if (!net.reverse_[c.value].valid()) ports.push_back(net.target_port_[c.value]);
    }
    for (const TerminalId t : net.terminals_at(r)) {
      if (!terminals_[order[t.value]].further) ports.push_back(net.terminal_port_[t.value]);
    }
    std::sort(ports.begin(), ports.end());
    const auto twice = std::adjacent_find(ports.begin(), ports.end());
    if (twice != ports.end()) throw InputError(fmt::format("router {} uses port {} twice", r.value, *twice));
  }

  net.levels_ = std::move(levels_);
  net.coordinates_ = std::move(coordinates_);
  net.labels_ = std::move(labels_);
  net.description_ = std::move(description_);
  return net;
}

}  // namespace unknot
