// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/routing/dealing/row_filler.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/trees/guided_trees.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/routing/trees/table_block.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Each router balances on its own: of the channels one hop nearer it takes the one that serves the fewest
/// destinations so far, the first of equals. With `first` only the parallel cables to the neighbour at the
/// lowest port share.
template <class Entry>
void fill(const Network& network, bool first, std::span<const TerminalId> destinations, PathDags& dags,
          ForwardingTable& table, Progress& progress) {
  const auto count = static_cast<std::uint32_t>(destinations.size());
  std::vector<std::uint32_t> served(network.channel_count(), 0);
  TableBlock<Entry> block(network.router_count());
  progress.begin("trees", count);
  for (std::uint32_t begin = 0; begin < count; begin += TableBlock<Entry>::kColumns) {
    const std::uint32_t end = std::min(count, begin + TableBlock<Entry>::kColumns);
    block.clear(end - begin);
    for (std::uint32_t d = begin; d < end; ++d) {
      const RouterId root = network.router_of(destinations[d]);
      const PathDag& dag = dags.towards(root);
      Entry* column = block.column(d - begin);
      for (std::uint32_t i = 0; i < dag.positions(); ++i) {
        std::uint32_t best = dag.channel[dag.first[i]];
        for (std::uint32_t c = dag.first[i] + 1; c < dag.first[i + 1]; ++c) {
          if (first && dag.to[c] != dag.to[dag.first[i]]) continue;
          if (served[dag.channel[c]] < served[best]) best = dag.channel[c];
        }
        ++served[best];
        const std::uint32_t router = dag.order[i];
        column[router] = static_cast<Entry>(best - network.out(RouterId(router)).first());
      }
      column[root.value] = ForwardingTable::here<Entry>;
    }
    block.store(table, destinations.subspan(begin, end - begin));
    if (progress.interrupted()) throw Interrupted();
    progress.update(end);
  }
}

/// Nobody counts: each router deals the terminals of a destination router out to the channels that lead
/// nearer.
ForwardingTable dealt(const Network& network, std::uint32_t threads, Progress& progress) {
  const std::uint32_t routers = network.router_count();
  UpDownOrder flat{.place = std::vector<std::uint32_t>(routers, 0),
                   .top_down = std::vector<std::uint32_t>(routers)};
  std::iota(flat.top_down.begin(), flat.top_down.end(), 0U);
  const LegalReach reach(network, threads);
  const LeafGroups groups = one_group(network, flat.place);
  const PathWeights weights(network, flat, groups, 0);
  ForwardingTable table = ForwardingTable::unfilled(network);
  fill_rows({network, reach, groups, weights}, threads, table, progress);
  return table;
}

Routing run_minhop(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "minhop";
  const std::string& paths = request.parameters.text("paths");
  if (paths == "dealt") {
    if (!request.guidance.order.empty() || !request.guidance.hop_weights.empty())
      throw InputError("minhop:paths=dealt makes no use of an order of destinations, nor of hop weights");
    routing.paths = dealt(network, request.threads, progress);
    return routing;
  }
  const bool first = paths == "first";
  routing.paths = ForwardingTable(network);
  const std::vector<TerminalId> destinations = terminals_in_order(network, request.guidance);
  PathDags dags = guided_dags(network, request.guidance);
  routing.table().with_entry_type([&]<class Entry>(Entry) {
    fill<Entry>(network, first, destinations, dags, routing.table(), progress);
  });
  return routing;
}

}  // namespace

Engine minhop_engine() {
  return {
      .name = "minhop",
      .summary = "shortest paths, each router spreads the destinations over its own channels",
      .parameters = {{.name = "paths",
                      .kind = ParameterKind::text,
                      .help = "balanced by what channels serve so far; or always to the neighbour at the "
                              "lowest port, as OpenSM's dor goes where there are no dimensions; or dealt out "
                              "by number, all at once: 65,536 hosts in half a second",
                      .fallback = "balanced",
                      .choices = {"balanced", "first", "dealt"}}},
      .promise = {.deadlock_free = false, .minimal = true},
      .run = run_minhop,
      .heeds = {.order = true, .hop_weights = true},
  };
}

}  // namespace unknot
