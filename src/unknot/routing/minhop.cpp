// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unknot/routing/covers/dealt_by_size.hpp"
#include "unknot/routing/dealing/dealt_table.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/trees/guided_trees.hpp"
#include "unknot/routing/trees/least_served.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/routing/trees/table_block.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// With `first` only the parallel cables to the neighbour at the lowest port share.
template <class Entry>
void fill(const Network& network, bool first, std::span<const TerminalId> destinations, PathDags& dags,
          LeastServed& choice, ForwardingTable& table, Progress& progress) {
  const auto count = static_cast<std::uint32_t>(destinations.size());
  std::vector<std::uint32_t> parallel;
  TableBlock<Entry> block(network.router_count());
  progress.begin("trees", count);
  for (std::uint32_t begin = 0; begin < count; begin += TableBlock<Entry>::kColumns) {
    const std::uint32_t end = std::min(count, begin + TableBlock<Entry>::kColumns);
    block.clear(end - begin);
    for (std::uint32_t d = begin; d < end; ++d) {
      const RouterId root = network.router_of(destinations[d]);
      choice.begin(destinations[d]);
      const PathDag& dag = dags.towards(root);
      Entry* column = block.column(d - begin);
      for (std::uint32_t i = 0; i < dag.positions(); ++i) {
        std::span<const std::uint32_t> ways(&dag.channel[dag.first[i]], dag.first[i + 1] - dag.first[i]);
        if (first) {
          parallel.clear();
          for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
            if (dag.to[c] == dag.to[dag.first[i]]) parallel.push_back(dag.channel[c]);
          }
          ways = parallel;
        }
        const std::uint32_t router = dag.order[i];
        const std::uint32_t best = choice.take(ways, RouterId(router), destinations[d]);
        column[router] = static_cast<Entry>(best - network.out(RouterId(router)).first());
      }
      column[root.value] = ForwardingTable::here<Entry>;
    }
    block.store(table, destinations.subspan(begin, end - begin));
    if (progress.interrupted()) throw Interrupted();
    progress.update(end);
  }
}

Routing run_minhop(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "minhop";
  const std::string& paths = request.parameters.text("paths");
  if (deals(network, "minhop", paths, unheeded(request.guidance, {}))) {
    routing.paths = dealt_table(network, LegalReach(network, request.threads), request.threads, progress);
    return routing;
  }
  const bool first = paths == "first";
  routing.paths = ForwardingTable(network);
  const std::vector<TerminalId> destinations = terminals_in_order(network, request.guidance);
  PathDags dags = guided_dags(network, request.guidance);
  LeastServed choice(network, request.guidance);
  routing.table().with_entry_type([&]<class Entry>(Entry) {
    fill<Entry>(network, first, destinations, dags, choice, routing.table(), progress);
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
                              "by number, all at once: 65,536 hosts in half a second; auto: dealt in tables "
                              "of more than 100 million entries, but of trees, else balanced",
                      .fallback = "auto",
                      .choices = {"auto", "balanced", "first", "dealt"}}},
      .promise = {.deadlock_free = false, .minimal = true},
      .run = run_minhop,
      .heeds = {.order = true, .hop_weights = true, .ties = true},
  };
}

}  // namespace unknot
