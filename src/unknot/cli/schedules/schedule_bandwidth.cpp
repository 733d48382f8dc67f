// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_bandwidth.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/make_forest.hpp"
#include "unknot/collective/bandwidth/member_graph.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {

Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const ScheduleTarget& target, const Common& common) {
  require_one_process(common, "schedule --goal bandwidth");
  (void)target;
  const CollectiveCase given = load_collective(fabric, collective, common);
  const Stopwatch time;
  const BandwidthProblem problem = make_bandwidth_problem(given.problem);
  ProgressBar bar(common);
  const BandwidthCut cut = bandwidth_optimum(problem, bar);
  const double optimum_seconds = time.seconds();
  const MemberGraph graph = take_switches_out(problem, cut, bar);
  const double split_seconds = time.seconds();
  const Forest forest = make_forest(problem, graph, bar);
  const double pack_seconds = time.seconds();
  const ForestVerdict verdict = check_forest(problem, forest);
  if (!verdict.valid()) throw std::runtime_error("the trees do not pass the checker: " + verdict.fault);
  const ForestDepth depth = depth_of(forest);
  Json document;
  add_fabric(document, fabric, given.network);
  document["collective"] = given.problem.collective;
  document["optimum"] = cut.time().text();
  document["reached"] = verdict.time.text();
  document["proven_optimal"] = verdict.time == cut.time();
  document["copies"] = forest.copies;
  document["trees"] = forest.trees.size();
  document["depth"] = depth.edges;
  document["channels"] = depth.channels;
  document["arcs"] = graph.arcs.size();
  document["shares_removed"] = graph.removed_by_shares;
  document["pairs_removed"] = graph.removed_by_pairs;
  document["s"] = {optimum_seconds, split_seconds - optimum_seconds, pack_seconds - split_seconds};
  document["seconds"] = time.seconds();
  return {kYes, std::move(document), {}};
}

}  // namespace unknot::cli
