// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/route_walk.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/verify/dependency_marks.hpp"
#include "unknot/verify/lane_stops.hpp"

namespace unknot {
namespace {

/// Marks are keyed by slot * lanes_in_key + lane, or by slot alone where no packet changes its lane.
template <class Marks, std::uint32_t kLanesInKey>
class RouteWalk {
 public:
  struct Scratch {
    explicit Scratch(const Network& network) : search(network) {}
    BreadthFirstSearch search;
    Tally tally;
  };

  RouteWalk(const Network& network, const Routing& routing, const DependencySlots& slots, Marks& marks)
      : network_(network), routing_(routing), lanes_(routing), slots_(slots), marks_(marks) {}

  void run(TerminalId source, std::uint32_t max_findings, Scratch& scratch) const {
    Tally& tally = scratch.tally;
    const RouterId home = network_.router_of(source);
    const auto distance = scratch.search.from(home);
    Tally own;  // of this source: its first findings are enough to know the first of all
    for (const TerminalId destination : network_.terminals()) {
      if (destination == source) continue;
      const RouterId goal = network_.router_of(destination);
      const auto route = routing_.routes()->route(source, destination);
      if (const auto trouble = walk(source, destination, route)) {
        ++own.unroutable;
        own.stop(*trouble);
        own.find(max_findings, *trouble);
        continue;
      }
      const auto hops = static_cast<std::uint32_t>(route.size());
      own.total_hops += hops;
      own.max_hops = std::max(own.max_hops, hops);
      if (hops > distance[goal.value]) ++own.longer;
    }
    tally.merge(own, max_findings);
  }

 private:
  /// Marks what the packets hold; what is wrong with the route, if anything.
  std::optional<Finding> walk(TerminalId source, TerminalId destination,
                              std::span<const ChannelId> route) const {
    const std::uint8_t level = routing_.service_levels.get(source, destination);
    RouterId at = network_.router_of(source);
    std::uint16_t in_port = network_.terminal_port(source);
    ChannelId held;
    std::uint32_t held_lane = 0;
    Finding stop{Finding::Kind::unreachable, source, destination, at};
    const auto kept_by_adapter = [&] {
      return !held.valid() && stopped_at_source(network_, lanes_, level, stop);
    };
    std::optional<Finding> trouble;
    for (const ChannelId c : route) {
      if (c.value >= network_.channel_count() || network_.source(c) != at) {
        trouble = Finding{Finding::Kind::stray_port, source, destination, at};
        break;
      }
      const std::uint8_t lane = lanes_.lane(level, at, in_port, network_.source_port(c));
      if (kept_by_adapter() || (lane >= kLanesToldApart &&
                                stopped_at(lanes_, level, at, in_port, network_.source_port(c), stop))) {
        trouble = stop;
        break;
      }
      if (held.valid()) mark(slots_.slot(held.value, c.value - network_.out(at).first()), held_lane, lane);
      held = c;
      held_lane = lane;
      at = network_.target(c);
      in_port = network_.target_port(c);
    }
    if (held.valid()) mark_end(slots_.end_slot(held.value), held_lane);
    if (!trouble && at != network_.router_of(destination)) {
      trouble = Finding{Finding::Kind::unreachable, source, destination, at};
    }
    if (!trouble && (kept_by_adapter() ||
                     stopped_at(lanes_, level, at, in_port, network_.terminal_port(destination), stop)))
      trouble = stop;
    return trouble;
  }

  void mark(std::uint64_t slot, std::uint32_t lane, std::uint32_t next_lane) const {
    if constexpr (kLanesInKey == 1) {
      marks_.add(slot, static_cast<typename Marks::Mask>(std::uint64_t{1} << lane));
    } else {
      marks_.add(slot * kLanesInKey + lane, static_cast<typename Marks::Mask>(1U << next_lane));
    }
  }
  void mark_end(std::uint64_t slot, std::uint32_t lane) const {
    if constexpr (kLanesInKey == 1) {
      mark(slot, lane, lane);
    } else {
      marks_.add(slot * kLanesInKey + lane, typename Marks::Mask{1});
    }
  }

  const Network& network_;
  const Routing& routing_;
  LaneFunction lanes_;
  const DependencySlots& slots_;
  Marks& marks_;
};

template <class Marks, std::uint32_t kLanesInKey>
TableWalk walk_with(const Network& network, const Routing& routing, std::uint32_t threads,
                    std::uint32_t max_findings, Progress& progress) {
  const DependencySlots slots(network);
  Marks marks(slots.count() * kLanesInKey);
  using Walk = RouteWalk<Marks, kLanesInKey>;
  const Walk walk(network, routing, slots, marks);
  const std::uint32_t terminals = network.terminal_count();
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, terminals));
  std::vector<std::unique_ptr<typename Walk::Scratch>> scratch(threads);
  SharedProgress shared(progress, "following routes", terminals);
  parallel_blocks(terminals, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!scratch[worker]) scratch[worker] = std::make_unique<typename Walk::Scratch>(network);
    for (std::uint32_t s = begin; s < end; ++s) {
      walk.run(TerminalId(s), max_findings, *scratch[worker]);
      shared.step();
    }
  });
  TableWalk result;
  for (const auto& one : scratch) {
    if (one) result.tally.merge(one->tally, max_findings);
  }
  result.graph = make_graph(network, slots, marks, kLanesInKey);
  return result;
}

}  // namespace

TableWalk walk_routes(const Network& network, const Routing& routing, std::uint32_t threads,
                      std::uint32_t max_findings, Progress& progress) {
  const auto walk = routing.lane_map != nullptr      ? walk_with<MarkSet<std::uint16_t>, LaneMap::kDrop>
                    : routing.service_levels.empty() ? walk_with<MarkSet<std::uint8_t, true>, 1>
                                                     : walk_with<MarkSet<std::uint64_t>, 1>;
  return walk(network, routing, threads, max_findings, progress);
}

}  // namespace unknot
