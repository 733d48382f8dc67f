// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/transit/route_without_transit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/transit/stub_network.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kFar = 0xFFFFFFFFU;

class Assembly {
 public:
  Assembly(const Network& network, const std::vector<RouterId>& closed, const StubNetwork& stubs,
           const Routing& routing)
      : network_(network),
        closed_(closed),
        stubs_(stubs),
        routing_(routing),
        table_(network),
        levels_(network, routing.service_levels.empty() ? ServiceLevels::Rows::none
                                                        : ServiceLevels::Rows::by_terminal),
        served_(network.channel_count(), 0),
        first_copy_(network.terminal_count()) {
    for (const TerminalId t : stubs.network.terminals()) {
      TerminalId& first = first_copy_[stubs.terminal[t.value].value];
      if (!first.valid()) {
        first = t;
      } else {
        other_copies_.emplace(key(stubs.terminal[t.value], part_of(t)), t);
      }
    }
  }

  Routing run() {
    for (const RouterId r : network_.routers()) {
      if (!is_closed(r)) copy_router(stubs_.stubs[r.value][0], r);
    }
    for (const RouterId r : closed_) {
      for (const TerminalId d : network_.terminals()) {
        if (!network_.terminals_at(r).empty() && network_.router_of(d) != r) leave(r, d);
      }
    }
    Routing whole = routing_;
    whole.paths = std::move(table_);
    whole.service_levels = levels_.compacted(network_);
    // Of a network that is not this one.
    whole.report.load_bound.reset();
    return whole;
  }

 private:
  [[nodiscard]] bool is_closed(RouterId r) const {
    return std::binary_search(closed_.begin(), closed_.end(), r);
  }

  [[nodiscard]] std::uint32_t part_of(TerminalId copy) const {
    return stubs_.part[stubs_.network.router_of(copy).value];
  }
  static std::uint64_t key(TerminalId t, std::uint32_t part) { return std::uint64_t{part} << 32 | t.value; }
  /// The terminal as that part has it; invalid where it has none.
  [[nodiscard]] TerminalId copy_in(std::uint32_t part, TerminalId t) const {
    const TerminalId first = first_copy_[t.value];
    if (!first.valid() || part_of(first) == part) return first;
    const auto other = other_copies_.find(key(t, part));
    return other == other_copies_.end() ? TerminalId() : other->second;
  }

  /// The table and the levels of an open router, by terminal of the whole.
  void copy_router(RouterId stub, RouterId whole) {
    const std::uint32_t part = stubs_.part[stub.value];
    for (const TerminalId d : network_.terminals()) {
      const TerminalId there = copy_in(part, d);
      if (!there.valid()) continue;
      if (const ChannelId next = next_hop(stub, there); next.valid()) set(whole, d, next);
      for (const TerminalId s : network_.terminals_at(whole)) {
        if (s != d) set_level(s, d, copy_in(part, s), there);
      }
    }
  }

  void leave(RouterId r, TerminalId d) {
    const RouterId home = network_.router_of(d);
    if (is_closed(home)) {
      // Nothing else enters or leaves by this cable: any level will do.
      for (const ChannelId c : network_.out(r)) {
        if (network_.target(c) == home) return set(r, d, c);
      }
    }
    std::tuple<std::uint32_t, std::uint64_t> least{kFar, 0};
    ChannelId best;
    RouterId by;
    for (const RouterId stub : stubs_.stubs[r.value]) {
      const TerminalId there = copy_in(stubs_.part[stub.value], d);
      if (!there.valid()) continue;
      const ChannelId next = next_hop(stub, there);
      if (!next.valid()) continue;
      const std::tuple<std::uint32_t, std::uint64_t> key{hops(stub, there), served_[next.value]};
      if (best.valid() && key >= least) continue;
      std::tie(least, best, by) = std::tie(key, next, stub);
    }
    if (!best.valid() || std::get<0>(least) == kFar) return;
    set(r, d, best);
    ++served_[best.value];
    const TerminalId speaker = stubs_.network.terminals_at(by)[0];
    const TerminalId there = copy_in(stubs_.part[by.value], d);
    for (const TerminalId s : network_.terminals_at(r)) set_level(s, d, speaker, there);
  }

  /// Channel of the whole network; invalid where there is none.
  [[nodiscard]] ChannelId next_hop(RouterId stub, TerminalId d) const {
    const ChannelId next = routing_.table().next(stubs_.network, stub, d);
    return next.valid() ? stubs_.channel[next.value] : next;
  }

  [[nodiscard]] std::uint32_t hops(RouterId from, TerminalId d) const {
    std::uint32_t count = 0;
    while (from != stubs_.network.router_of(d)) {
      const ChannelId next = routing_.table().next(stubs_.network, from, d);
      if (!next.valid() || ++count > stubs_.network.router_count()) return kFar;
      from = stubs_.network.target(next);
    }
    return count;
  }

  void set(RouterId r, TerminalId d, ChannelId channel) {
    table_.set(r, d, channel.value - network_.out(r).first());
  }

  void set_level(TerminalId s, TerminalId d, TerminalId speaker, TerminalId there) {
    if (levels_.empty()) return;
    levels_.row(levels_.row_of(s))[d.value] = routing_.service_levels.get(speaker, there);
  }

  const Network& network_;
  const std::vector<RouterId>& closed_;
  const StubNetwork& stubs_;
  const Routing& routing_;
  ForwardingTable table_;
  ServiceLevels levels_;
  std::vector<std::uint64_t> served_;   // by channel out of a closed router: destinations
  std::vector<TerminalId> first_copy_;  // by terminal, of the stubs' network
  std::unordered_map<std::uint64_t, TerminalId> other_copies_;
};

/// Whether packets of some pair pass through a closed router between two others.
bool passes_through(const Network& network, const Routing& routing, const std::vector<RouterId>& closed) {
  std::vector<bool> is_closed(network.router_count(), false);
  for (const RouterId r : closed) is_closed[r.value] = true;
  if (const SourceRoutes* routes = routing.routes(); routes != nullptr) {
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId d : network.terminals()) {
        const std::span<const ChannelId> route = routes->route(s, d);
        for (std::size_t i = 1; i < route.size(); ++i) {
          if (is_closed[network.source(route[i]).value]) return true;
        }
      }
    }
    return false;
  }
  std::vector<TerminalId> last_seen(network.router_count());  // by router: destination of the last walk here
  for (const TerminalId d : network.terminals()) {
    const RouterId home = network.router_of(d);
    for (const RouterId start : network.routers()) {
      if (network.terminals_at(start).empty()) continue;
      for (RouterId at = start; at != home && last_seen[at.value] != d;) {
        last_seen[at.value] = d;
        const ChannelId next = routing.table().next(network, at, d);
        if (!next.valid()) break;
        at = network.target(next);
        if (at != home && is_closed[at.value]) return true;
      }
    }
  }
  return false;
}

/// What the engine makes of the network as it is, where that will do.
std::optional<Routing> as_it_is(const Network& network, const std::vector<RouterId>& closed,
                                const std::function<Routing(const Network&)>& route_network) {
  try {
    Routing routing = route_network(network);
    if (!passes_through(network, routing, closed)) return routing;
  } catch (const RoutingFailure&) {
    // Fewer paths may need fewer lanes.
  }
  return std::nullopt;
}

}  // namespace

Routing route_without_transit(const Network& network, const std::vector<RouterId>& closed,
                              const std::function<Routing(const Network&)>& route_network) {
  if (std::optional<Routing> whole = as_it_is(network, closed, route_network)) return std::move(*whole);
  const StubNetwork stubs = stub_network(network, closed);
  const Routing routing = route_network(stubs.network);
  if (routing.routes() != nullptr)
    throw RoutingFailure("routers without transit are for forwarding tables, not for source routes");
  if (routing.lane_map != nullptr)
    throw RoutingFailure("routers without transit are for tables without SL-to-VL tables");
  return Assembly(network, closed, stubs, routing).run();
}

}  // namespace unknot
