// SPDX-License-Identifier: Apache-2.0
// Dimension order routing [Dally, Seitz 1987]: a packet corrects one coordinate after the other, along each
// by the shorter way. Between dimensions no cycle can be; within a line or a full mesh of routers neither. A
// ring has one, all the way round, so its packets are told apart by whether their path crosses the ring's
// dateline, the cable between its last and its first router. Those that do not cross it never use that cable;
// those that do go at most half way round, which is too short to close the circle. Each kind has a lane for
// the whole of its way along the ring.
//
// A path's service level has a bit for each dimension of rings: the path crosses a dateline there. The lane
// of a hop is the bit of its dimension, which SL-to-VL tables tell by the outgoing port: two lanes, and four
// dimensions of rings with the sixteen levels there are.
//
// Rings of four routers can do without. Only packets to the opposite router pass through another one there;
// if those of routers 0 and 1 go up and those of 2 and 3 go down, neither direction has its circle closed.
// That loads the ring's channels 1 to 3 instead of 2 each, so it is done only where lanes or levels run out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "unknot/network/grid.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/routing/trees/table_block.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostBits = 4;     // of a service level
constexpr std::uint32_t kSparingRing = 4;  // a ring of this many routers can do without a dateline

struct DimensionOrder {
  Grid grid;
  std::vector<std::uint32_t> rank;  ///< by dimension: when it is corrected
  std::vector<std::uint8_t> bit;    ///< by dimension: of the service level; 0 where there is no dateline
  std::uint32_t bits = 0;           ///< dimensions with datelines
  bool by_port = false;             ///< the lane is told by port and level; else it is the level
  [[nodiscard]] std::uint32_t lanes() const { return by_port && bits > 0 ? 2 : 1U << bits; }
};

std::vector<std::uint32_t> ranks(const Network& network, const Parameters& options) {
  const std::uint32_t dimensions = network.coordinates()->dimensions;
  std::vector<std::uint32_t> rank(dimensions, dimensions);
  if (!options.has("order")) {
    for (std::uint32_t d = 0; d < dimensions; ++d) rank[d] = d;
    return rank;
  }
  const std::vector<std::uint32_t>& order = options.list("order");
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (order[i] < dimensions) rank[order[i]] = i;
  }
  if (order.size() != dimensions || std::find(rank.begin(), rank.end(), dimensions) != rank.end()) {
    throw InputError(fmt::format("engine dor: order {} does not name each of the {} dimensions once, from 0",
                                 fmt::join(order, "x"), dimensions));
  }
  return rank;
}

/// Larger rings get their datelines first; rings of four as far as lanes and levels go.
DimensionOrder dimension_order(const Network& network, const EngineRequest& request) {
  DimensionOrder order{.grid = grid_of(network), .rank = ranks(network, request.parameters), .bit = {}};
  order.by_port = request.parameters.flag("sl2vl");
  order.bit.assign(order.rank.size(), 0);
  const auto add_dateline = [&order](std::size_t dimension) {
    order.bit[dimension] = static_cast<std::uint8_t>(1U << order.bits++);
  };
  const std::vector<std::uint32_t>& extent = network.coordinates()->extent;
  std::uint32_t large = 0;
  for (std::size_t d = 0; d < extent.size(); ++d)
    large += order.grid.ring[d] != 0 && extent[d] > kSparingRing ? 1 : 0;
  if (large > kMostBits) {
    throw RoutingFailure(
        fmt::format("{} dimensions are rings of more than {} routers, and the {} service levels tell the "
                    "datelines of {} apart",
                    large, kSparingRing, LaneMap::kLevels, kMostBits));
  }
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (order.grid.ring[d] != 0 && extent[d] > kSparingRing) add_dateline(d);
  }
  if (order.lanes() > request.virtual_lanes) {
    throw RoutingFailure(
        fmt::format("dor needs {} virtual lanes here, {} are allowed", order.lanes(), request.virtual_lanes),
        order.lanes());
  }
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (order.grid.ring[d] == 0 || extent[d] > kSparingRing || order.bits == kMostBits) continue;
    const std::uint32_t lanes = order.by_port ? 2 : 2U << order.bits;
    if (lanes <= request.virtual_lanes) add_dateline(d);
  }
  return order;
}

template <class Entry>
class DimensionOrderTrees {
 public:
  DimensionOrderTrees(const Network& network, const DimensionOrder& order)
      : network_(network),
        order_(order),
        dags_(network),
        block_(network.router_count()),
        served_(network.channel_count(), 0),
        level_(network.router_count(), 0),
        parallel_(has_parallel_channels(network)) {}

  void fill(Routing& routing, Progress& progress) {
    const std::uint32_t terminals = network_.terminal_count();
    routing.paths = ForwardingTable(network_);
    if (order_.bits > 0) routing.service_levels = ServiceLevels(network_, ServiceLevels::Rows::by_router);
    progress.begin("trees", terminals);
    for (std::uint32_t begin = 0; begin < terminals; begin += TableBlock<Entry>::kColumns) {
      const std::uint32_t end = std::min(terminals, begin + TableBlock<Entry>::kColumns);
      block_.clear(end - begin);
      for (std::uint32_t d = begin; d < end; ++d) {
        const bool beside =
            d > begin && network_.router_of(TerminalId(d)) == network_.router_of(TerminalId(d - 1));
        if (beside && forced_) {
          std::copy_n(block_.column(d - 1 - begin), network_.router_count(), block_.column(d - begin));
        } else {
          fill_column(TerminalId(d), block_.column(d - begin));
        }
        if (order_.bits > 0) store_levels(TerminalId(d), routing.service_levels);
      }
      block_.store(routing.table(), begin, end);
      if (progress.interrupted()) throw Interrupted();
      progress.update(end);
    }
  }

 private:
  static bool has_parallel_channels(const Network& network) {
    std::vector<RouterId> seen(network.router_count());  // by router: the last that a channel came from
    for (const RouterId r : network.routers()) {
      for (const ChannelId c : network.out(r)) {
        RouterId& last = seen[network.target(c).value];
        if (last == r) return true;
        last = r;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint32_t coordinate(std::uint32_t router, std::uint32_t dimension) const {
    const Coordinates& at = *network_.coordinates();
    return at.value[std::size_t{router} * at.dimensions + dimension];
  }

  /// On a whole grid the shortest paths are those that correct coordinates by the shorter way, in any order:
  /// dimension order is to leave by a channel of the first dimension there is.
  void fill_column(TerminalId destination, Entry* column) {
    const RouterId root = network_.router_of(destination);
    const PathDag& dag = dags_.towards(root);
    column[root.value] = ForwardingTable::here<Entry>;
    level_[root.value] = 0;
    forced_ = !parallel_;
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::uint32_t router = dag.order[i];
      const std::uint32_t best = choose(dag, i, destination);
      const std::uint32_t channel = dag.channel[best];
      const std::uint32_t next = dag.to[best];
      ++served_[channel];
      column[router] = static_cast<Entry>(channel - network_.out(RouterId(router)).first());
      level_[router] = static_cast<std::uint8_t>(level_[next] | crossing(router, next, channel));
    }
  }

  /// Candidate of the position: the first dimension's; of two ways round a ring the one that is due; of
  /// parallel cables the one that serves the fewest destinations.
  std::uint32_t choose(const PathDag& dag, std::uint32_t position, TerminalId destination) {
    std::uint32_t dimension = 0;
    std::uint32_t soonest = ~0U;
    for (std::uint32_t c = dag.first[position]; c < dag.first[position + 1]; ++c) {
      const std::uint32_t d = order_.grid.dimension[dag.channel[c]];
      if (order_.rank[d] >= soonest) continue;
      soonest = order_.rank[d];
      dimension = d;
    }
    const std::uint32_t router = dag.order[position];
    std::uint32_t best = ~0U;
    std::uint32_t wanted = ~0U;  // router, once two ways are known
    for (std::uint32_t c = dag.first[position]; c < dag.first[position + 1]; ++c) {
      if (order_.grid.dimension[dag.channel[c]] != dimension) continue;
      if (best != ~0U && dag.to[c] != dag.to[best] && wanted == ~0U) {
        forced_ = false;
        const bool up = order_.bit[dimension] != 0 ? even(router, destination, dimension)
                                                   : coordinate(router, dimension) < kSparingRing / 2;
        wanted = upwards(router, dag.to[c], dimension) == up ? dag.to[c] : dag.to[best];
        if (wanted == dag.to[c]) best = c;
      }
      if (wanted != ~0U && dag.to[c] != wanted) continue;
      if (best == ~0U || served_[dag.channel[c]] < served_[dag.channel[best]]) best = c;
    }
    return best;
  }

  /// The channel leads to the next larger coordinate, or from the last to the first.
  [[nodiscard]] bool upwards(std::uint32_t from, std::uint32_t to, std::uint32_t dimension) const {
    const std::uint32_t extent = network_.coordinates()->extent[dimension];
    return (coordinate(from, dimension) + 1) % extent == coordinate(to, dimension);
  }

  /// Packets to the opposite router of a ring go up from every other router, which loads all of a ring's
  /// channels alike. Which of the routers changes with the destination's other coordinates, and from each of
  /// its terminals to the next, to even out rings whose half is odd.
  [[nodiscard]] bool even(std::uint32_t router, TerminalId destination, std::uint32_t dimension) const {
    const RouterId root = network_.router_of(destination);
    std::uint32_t sum = coordinate(router, dimension);
    for (std::uint32_t d = 0; d < network_.coordinates()->dimensions; ++d) {
      if (d != dimension) sum += coordinate(root.value, d);
    }
    sum += destination.value - network_.terminals_at(root).first();
    return sum % 2 == 0;
  }

  /// Bit of the service level that the hop sets: it crosses a dateline.
  [[nodiscard]] std::uint8_t crossing(std::uint32_t from, std::uint32_t to, std::uint32_t channel) const {
    const std::uint32_t d = order_.grid.dimension[channel];
    const std::uint32_t a = coordinate(from, d);
    const std::uint32_t b = coordinate(to, d);
    return std::max(a, b) - std::min(a, b) > 1 ? order_.bit[d] : 0;
  }

  void store_levels(TerminalId destination, ServiceLevels& levels) const {
    const RouterId root = network_.router_of(destination);
    for (const RouterId r : network_.routers()) {
      if (network_.terminals_at(r).empty() || r == root) continue;
      levels.row(levels.row_of(network_.terminals_at(r)[0]))[destination.value] = level_[r.value];
    }
  }

  const Network& network_;
  const DimensionOrder& order_;
  PathDags dags_;
  TableBlock<Entry> block_;
  std::vector<std::uint32_t> served_;  // by channel: destinations
  std::vector<std::uint8_t> level_;    // by router: of its path to the destination at hand
  bool parallel_;                      // some routers are joined by several channels
  bool forced_ = false;                // the last column left no choice: its neighbour's is the same
};

/// On the way out by a port, the lane is the level's bit of the port's dimension.
std::shared_ptr<const LaneMap> lane_map(const Network& network, const DimensionOrder& order) {
  auto map = std::make_shared<LaneMap>(network, std::uint8_t{2});
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.out(r)) {
      LaneMap::Row row{};
      const std::uint8_t bit = order.bit[order.grid.dimension[c.value]];
      for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level)
        row[level] = (level & bit) != 0 ? 1 : 0;
      for (std::uint16_t in = 0; in <= network.port_count(r); ++in)
        map->set(r, in, network.source_port(c), row);
    }
  }
  return map;
}

Routing run_dor(const Network& network, const EngineRequest& request, Progress& progress) {
  const DimensionOrder order = dimension_order(network, request);
  Routing routing;
  routing.engine = "dor";
  routing.virtual_lanes = order.lanes();
  routing.lanes_needed = order.lanes();
  if (ForwardingTable::width_for(network) == 1) {
    DimensionOrderTrees<std::uint8_t>(network, order).fill(routing, progress);
  } else {
    DimensionOrderTrees<std::uint16_t>(network, order).fill(routing, progress);
  }
  // With one bit the level is the lane as it is.
  if (order.by_port && order.bits > 1) routing.lane_map = lane_map(network, order);
  return routing;
}

}  // namespace

Engine dor_engine() {
  return {
      .name = "dor",
      .summary = "dimension order on a torus, mesh, hypercube or HyperX; datelines take two lanes",
      .parameters =
          {{.name = "order",
            .kind = ParameterKind::list,
            .help = "dimensions, from 0, in the order they are corrected, as 2x0x1; as numbered if not given",
            .fallback = ""},
           {.name = "sl2vl",
            .kind = ParameterKind::flag,
            .help = "two lanes by SL-to-VL tables that look at ports; 0: a lane for each service level",
            .fallback = "1"}},
      .promise = {.deadlock_free = true, .minimal = true},
      .unsuitable = [](const Network& network) { return grid_trouble(network); },
      .run = run_dor,
  };
}

}  // namespace unknot
