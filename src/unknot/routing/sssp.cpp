// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/engines.hpp"
#include "unknot/routing/trees/guided_trees.hpp"

namespace unknot {
namespace {

Routing run_sssp(const Network& network, const EngineRequest& request, Progress& progress) {
  PathDags dags = guided_dags(network, request.guidance);
  Routing routing;
  routing.engine = "sssp";
  routing.paths =
      guided_trees(network, dags, request.guidance, request.parameters.real("passes"), progress).table;
  return routing;
}

}  // namespace

Engine sssp_engine() {
  return {
      .name = "sssp",
      .summary = "globally balanced shortest paths, one tree for each destination; lanes are left to others",
      .parameters = {passes_parameter("0")},
      .promise = {.deadlock_free = false, .minimal = true},
      .run = run_sssp,
      .heeds = kGuidedTrees,
  };
}

}  // namespace unknot
