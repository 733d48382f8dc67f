// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/routing/engines.hpp"
#include "unknot/routing/layers/first_fit.hpp"
#include "unknot/routing/layers/lane_budget.hpp"
#include "unknot/routing/trees/first_found_table.hpp"
#include "unknot/routing/trees/lightest_tree.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/routing/trees/up_down_shape.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostLayers = 250;      // levels are bytes while the number needed is being found
constexpr std::uint64_t kCableWeights = 0x1A5;  // stream of random numbers

/// The paths of LASH: one shortest path for each (source router, destination router). A tree for each
/// destination router, shared by its terminals, gives just that, in a table that looks at destinations only:
/// the rest of a path is the path of the router it passes.
///
/// Each tree takes the paths that carry least so far. Where a path must be the reverse of the way back, loads
/// cannot decide, since they change between the two: there the cables' weights are fixed.
class RouterTrees {
 public:
  RouterTrees(const Network& network, PathDags& dags)
      : network_(network),
        dags_(dags),
        weight_(network.channel_count() + PathDag::kPadding, 0),
        distance_(network.router_count() + PathDag::kPadding, 0),
        pick_(network.router_count()),
        below_(network.router_count()) {}

  /// Paths and their reverses: each cable weighs the same both ways, at random, so that the lightest of the
  /// shortest paths between two routers is one and the same in both directions.
  void weigh_cables(std::uint64_t seed) {
    Random random(seed, kCableWeights);
    balance_ = false;
    for (const ChannelId c : network_.channels()) {
      const ChannelId back = network_.reverse(c);
      // 40 bits: two paths of equal weight are out of the question, an overflow too.
      weight_[c.value] = back.valid() && back < c ? weight_[back.value] : random.next64() >> 24;
    }
  }

  template <class Entry>
  ForwardingTable build(Progress& progress) {
    ForwardingTable table(network_);
    progress.begin("trees", network_.router_count());
    for (const RouterId root : network_.routers()) {
      const IdRange<TerminalId> destinations = network_.terminals_at(root);
      if (destinations.empty()) continue;
      const PathDag& dag = dags_.towards(root);
      lightest_tree(dag, weight_.data(), distance_.data(), pick_.data());
      Entry* const entries = table.entries<Entry>().data();
      for (const RouterId r : network_.routers()) below_[r.value] = network_.terminals_at(r).size();
      for (std::uint32_t i = dag.positions(); i-- > 0;) {
        const std::uint32_t router = dag.order[i];
        const std::uint32_t channel = dag.channel[pick_[i]];
        below_[dag.to[pick_[i]]] += below_[router];
        if (balance_) weight_[channel] += below_[router] * destinations.size();
        std::fill_n(entries + std::size_t{router} * network_.terminal_count() + destinations.first(),
                    destinations.size(),
                    static_cast<Entry>(channel - network_.out(RouterId(router)).first()));
      }
      if (progress.interrupted()) throw Interrupted();
      progress.update(root.value + 1ULL);
    }
    return table;
  }

 private:
  const Network& network_;
  PathDags& dags_;
  bool balance_ = true;
  std::vector<std::uint64_t> weight_;    // by channel: paths so far, or the cable's own
  std::vector<std::uint64_t> distance_;  // by router
  std::vector<std::uint32_t> pick_;      // by position of the DAG: candidate
  std::vector<std::uint64_t> below_;     // by router: terminals in its subtree
};

void require_both_directions(const Network& network) {
  for (const ChannelId c : network.channels()) {
    if (!network.reverse(c).valid()) {
      throw RoutingFailure(
          fmt::format("lash cannot pair directions here: {} is one-way", network.channel_name(c)));
    }
  }
}

/// Whether shortest paths of the network can close a cycle at all.
bool up_down(const Network& network, PathDags& dags) {
  UpDownShape shape(network);
  for (const RouterId root : network.routers()) {
    if (!network.terminals_at(root).empty()) shape.look_at(dags.towards(root));
  }
  return shape.up_down();
}

ForwardingTable balanced_table(const Network& network, PathDags& dags, bool reversible, std::uint64_t seed,
                               Progress& progress) {
  RouterTrees trees(network, dags);
  if (reversible) trees.weigh_cables(seed);
  return ForwardingTable::width_for(network) == 1 ? trees.build<std::uint8_t>(progress)
                                                  : trees.build<std::uint16_t>(progress);
}

Routing run_lash(const Network& network, const EngineRequest& request, Progress& progress) {
  const bool both = request.parameters.text("pairs") == "both";
  if (both) require_both_directions(network);
  PathDags dags(network);
  Routing routing;
  routing.engine = "lash";
  routing.paths = request.parameters.text("paths") == "first"
                      ? first_found_table(network, progress)
                      : balanced_table(network, dags, both, request.seed, progress);
  // Where all paths go up, then down, no cycle can be: nothing to assign.
  if (up_down(network, dags)) return routing;
  const FirstFitUnit unit = both ? FirstFitUnit::both_ways : FirstFitUnit::router_pair;
  take_lanes(network, first_fit(network, routing.table(), unit, kMostLayers, progress), request.virtual_lanes,
             false, routing);
  return routing;
}

}  // namespace

Engine lash_engine() {
  return {
      .name = "lash",
      .summary = "LASH: one shortest path for two routers, each on the first lane where it closes no cycle",
      .parameters = {{.name = "pairs",
                      .kind = ParameterKind::text,
                      .help =
                          "each direction on its own, or path and reverse path on one lane as OpenSM does",
                      .fallback = "ordered",
                      .choices = {"ordered", "both"}},
                     {.name = "paths",
                      .kind = ParameterKind::text,
                      .help = "least loaded, or the first found as in OpenSM, without any balance",
                      .fallback = "balanced",
                      .choices = {"balanced", "first"}}},
      .promise = {.deadlock_free = true, .minimal = true},
      .run = run_lash,
  };
}

}  // namespace unknot
