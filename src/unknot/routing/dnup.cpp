// SPDX-License-Identifier: Apache-2.0
// Down*/Up*, the mirror of Up*/Down*. Updn ranks routers from the roots: a packet climbs towards them, then
// comes down. Dnup ranks them from the terminals: a packet first moves away from the routers that carry
// terminals, then back towards them, never away again. On a regular tree the two agree. They differ where the
// roots are not at one distance from all terminals: dnup needs no roots, and hosts may be plugged in nearer
// to the middle than some switches are. Where the ranking leaves pairs without a path, routers are ranked
// around the most central of them, as updn does it.
#include <algorithm>
#include <utility>

#include "unknot/routing/dealing/turned_tree.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"

namespace unknot {
namespace {

Routing run_dnup(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "dnup";
  LevelOrder levels = level_order(network);
  UpDownOrder order = std::move(levels.order);
  if (levels.missing > 0 && levels.missing > unconnected_pairs(network)) {
    order = order_for_all_pairs(network, request.threads);
  }
  fill_least_served(network, order, terminals_in_order(network, request.guidance), routing.table(), progress);
  require_up_down(network, order, routing.table());
  return routing;
}

}  // namespace

Engine dnup_engine() {
  return {
      .name = "dnup",
      .summary = "Down*/Up*: updn's mirror, ranks from the terminals instead of the roots; one lane",
      .parameters = {},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = one_way_trouble,
      .run = run_dnup,
      .heeds = {.order = true},
  };
}

}  // namespace unknot
