// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "unknot/routing/engines.hpp"
#include "unknot/routing/path_dag.hpp"
#include "unknot/routing/table_block.hpp"
#include "unknot/routing/up_down_order.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/up_down.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kFar = 0xFFFFFFFFU;

/// One tree for each destination inside the Up*/Down* rule.
///
/// Routers decide from the top down. One that stands on a path that came down must go down itself; any other
/// takes the shorter of its best way down and its best way up (whose rest is already decided, since it lies
/// above). So no packet can come down to a router that sends it up, which choosing each router's shortest
/// legal path on its own does not ensure.
template <class Entry>
class UpDownTrees {
 public:
  UpDownTrees(const Network& network, const UpDownOrder& order)
      : network_(network),
        order_(order),
        served_(network.channel_count(), 0),
        below_(network.router_count()),
        hops_(network.router_count()),
        bound_down_(network.router_count()) {}

  /// Fills the table; returns the number of (source router, destination terminal) pairs of terminals left
  /// without a path.
  std::uint64_t fill(ForwardingTable& table, Progress& progress) {
    std::uint64_t missing = 0;
    const std::uint32_t terminals = network_.terminal_count();
    TableBlock<Entry> block(network_.router_count());
    progress.begin("trees", terminals);
    RouterId built;
    for (std::uint32_t begin = 0; begin < terminals; begin += TableBlock<Entry>::kColumns) {
      const std::uint32_t end = std::min(terminals, begin + TableBlock<Entry>::kColumns);
      block.clear(end - begin);
      for (std::uint32_t d = begin; d < end; ++d) {
        const RouterId root = network_.router_of(TerminalId(d));
        if (root != built) measure_down(root);
        built = root;
        missing += fill_column(root, block.column(d - begin));
      }
      block.store(table, begin, end);
      if (progress.interrupted()) throw Interrupted();
      progress.update(end);
    }
    return missing;
  }

 private:
  /// Hops of the shortest way to the root that only goes down.
  void measure_down(RouterId root) {
    std::fill(below_.begin(), below_.end(), kFar);
    below_[root.value] = 0;
    queue_.assign(1, root.value);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const RouterId to(queue_[head]);
      for (const ChannelId c : network_.in(to)) {
        const RouterId from = network_.source(c);
        if (order_.up(from, to) || below_[from.value] != kFar) continue;
        below_[from.value] = below_[to.value] + 1;
        queue_.push_back(from.value);
      }
    }
  }

  std::uint64_t fill_column(RouterId root, Entry* column) {
    std::uint64_t missing = 0;
    std::fill(bound_down_.begin(), bound_down_.end(), 0);
    std::fill(hops_.begin(), hops_.end(), kFar);
    hops_[root.value] = 0;
    column[root.value] = ForwardingTable::here<Entry>;
    for (const std::uint32_t r : order_.top_down) {
      if (r == root.value) continue;
      const RouterId router(r);
      const IdRange<ChannelId> row = network_.out(router);
      std::uint32_t rest_up = kFar;
      for (const ChannelId c : row) {
        const RouterId next = network_.target(c);
        if (order_.up(router, next)) rest_up = std::min(rest_up, hops_[next.value]);
      }
      const std::uint32_t down = below_[r];
      if (down == kFar && rest_up == kFar) {
        missing += network_.terminals_at(router).size();
        continue;
      }
      const bool go_down = down != kFar && (bound_down_[r] != 0 || rest_up == kFar || down <= rest_up + 1);
      ChannelId best;
      for (const ChannelId c : row) {
        const RouterId next = network_.target(c);
        const bool fits = order_.up(router, next) ? !go_down && hops_[next.value] == rest_up
                                                  : go_down && below_[next.value] == down - 1;
        if (fits && (!best.valid() || served_[c.value] < served_[best.value])) best = c;
      }
      ++served_[best.value];
      column[r] = static_cast<Entry>(best.value - row.first());
      hops_[r] = go_down ? down : rest_up + 1;
      if (go_down) bound_down_[network_.target(best).value] = 1;
    }
    return missing;
  }

  const Network& network_;
  const UpDownOrder& order_;
  std::vector<std::uint32_t> served_;     // by channel: destinations it serves
  std::vector<std::uint32_t> below_;      // by router: hops straight down to the root, or kFar
  std::vector<std::uint32_t> hops_;       // by router: hops of the path decided on, or kFar
  std::vector<std::uint8_t> bound_down_;  // by router: a packet may come down to it
  std::vector<std::uint32_t> queue_;
};

std::uint64_t fill(const Network& network, const UpDownOrder& order, ForwardingTable& table,
                   Progress& progress) {
  table = ForwardingTable(network);
  return table.width() == 1 ? UpDownTrees<std::uint8_t>(network, order).fill(table, progress)
                            : UpDownTrees<std::uint16_t>(network, order).fill(table, progress);
}

/// Pairs that no routing could connect: they do not count against the roots.
std::uint64_t unconnected_pairs(const Network& network) {
  std::uint64_t pairs = 0;
  PathDags dags(network);
  for (const RouterId root : network.routers()) {
    const std::uint64_t here = network.terminals_at(root).size();
    if (here == 0) continue;
    dags.towards(root);
    for (const RouterId r : network.routers()) {
      if (dags.level()[r.value] == PathDags::kUnreached) pairs += here * network.terminals_at(r).size();
    }
  }
  return pairs;
}

Routing run(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "updn";
  UpDownOrder order;
  // Pairs that the roots leave without a path although the network connects them.
  const auto missing_below = [&](const std::vector<RouterId>& roots) {
    order = order_below(network, roots);
    const std::uint64_t missing = fill(network, order, routing.table, progress);
    return missing == 0 ? 0 : missing - std::min(missing, unconnected_pairs(network));
  };
  std::uint64_t missing = 1;
  if (request.parameters.has("roots")) {
    missing = missing_below(parse_roots(network, request.parameters.text("roots")));
  } else {
    for (const std::vector<RouterId>& roots : tree_roots(network)) {
      missing = missing_below(roots);
      if (missing == 0) break;
    }
    if (missing > 0) missing = missing_below({central_router(network)});
  }
  if (missing > 0) {
    throw RoutingFailure(fmt::format(
        "updn: with these roots {} pairs have no path that goes up, then down; choose others", missing));
  }
  if (find_down_up_turn(network, routing.table, order.place)) {
    throw std::logic_error("updn made a table that goes down and then up");
  }
  return routing;
}

std::string unsuitable(const Network& network) {
  for (const ChannelId c : network.channels()) {
    if (!network.reverse(c).valid()) {
      return fmt::format("{} is one-way, Up*/Down* needs both directions", network.channel_name(c));
    }
  }
  return "";
}

}  // namespace

Engine updn_engine() {
  return {
      .name = "updn",
      .summary = "Up*/Down*: one lane, no packet goes down and then up",
      .parameters =
          {{.name = "roots",
            .kind = ParameterKind::text,
            .help = "routers at the top: ids, names or GUIDs joined by +, or @FILE; chosen if not given",
            .fallback = ""}},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = unsuitable,
      .run = run,
  };
}

}  // namespace unknot
