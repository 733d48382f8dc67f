// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/table_walk.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/verify/by_level_walk.hpp"
#include "unknot/verify/by_port_walk.hpp"
#include "unknot/verify/dependency_marks.hpp"
#include "unknot/verify/lane_stops.hpp"
#include "unknot/verify/route_walk.hpp"

namespace unknot {
namespace {

/// Highest lane that any level in use may travel on.
std::uint32_t highest_lane(const ServiceLevels& levels, const LaneOfLevel& lanes) {
  std::uint32_t highest_level = 0;
  for (std::uint32_t row = 0; row < levels.row_count(); ++row) {
    std::uint8_t above = 0;  // level + 1: a missing one counts as 0
    for (const std::uint8_t level : levels.row(row))
      above = std::max(above, static_cast<std::uint8_t>(level + 1U));
    highest_level = std::max(highest_level, above == 0 ? 0U : above - 1U);
  }
  std::uint32_t highest = 0;
  for (std::uint32_t level = 0; level <= highest_level; ++level) {
    if (lanes[level] < kLanesToldApart) highest = std::max<std::uint32_t>(highest, lanes[level]);
  }
  return highest;
}

template <class Walk>
Tally run_walk(const Network& network, const Walk& walk, std::uint32_t threads, std::uint32_t max_findings,
               Progress& progress) {
  const InNeighbours neighbours(network);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<std::unique_ptr<typename Walk::Scratch>> scratch(threads);
  SharedProgress shared(progress, "following tables", groups.count());
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!scratch[worker])
                      scratch[worker] = std::make_unique<typename Walk::Scratch>(network, neighbours);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      walk.run(groups.group(g), max_findings, *scratch[worker]);
                      shared.step();
                    }
                  });
  Tally tally;
  for (const auto& one : scratch) {
    if (one) tally.merge(one->tally, max_findings);
  }
  return tally;
}

template <class Marks>
TableWalk walk_by_level(const Network& network, const Routing& routing, const LaneOfLevel& lanes,
                        std::uint32_t threads, std::uint32_t max_findings, Progress& progress) {
  const DependencySlots slots(network);
  Marks marks(slots.count());
  const ByLevelWalk<Marks> walk(network, routing, lanes, slots, marks);
  TableWalk result;
  result.tally = run_walk(network, walk, threads, max_findings, progress);
  result.graph = make_graph(network, slots, marks, 1);
  return result;
}

TableWalk walk_by_port(const Network& network, const Routing& routing, std::uint32_t threads,
                       std::uint32_t max_findings, Progress& progress) {
  const DependencySlots slots(network);
  MarkSet<ByPortWalk::Mask> marks(slots.count() * ByPortWalk::kMaxPortLanes);
  const ByPortWalk walk(network, routing, slots, marks);
  TableWalk result;
  result.tally = run_walk(network, walk, threads, max_findings, progress);
  result.graph = make_graph(network, slots, marks, ByPortWalk::kMaxPortLanes);
  return result;
}

}  // namespace

TableWalk walk_tables(const Network& network, const Routing& routing, std::uint32_t threads,
                      std::uint32_t max_findings, Progress& progress) {
  require_fit(network, routing);
  if (routing.routes() != nullptr) return walk_routes(network, routing, threads, max_findings, progress);
  const LaneMap* map = routing.lane_map.get();
  if (const auto lanes = lanes_by_level(network, LaneFunction(routing))) {
    // Most routings need one lane or eight at most; wider sets cost memory traffic.
    const std::uint32_t highest = highest_lane(routing.service_levels, *lanes);
    const auto walk_with = highest == 0  ? walk_by_level<OneLaneMarks>
                           : highest < 8 ? walk_by_level<EightLaneMarks>
                                         : walk_by_level<ManyLaneMarks>;
    TableWalk walk = walk_with(network, routing, *lanes, threads, max_findings, progress);
    // Only in a loop can a packet leave by the port it came in by, which uniform tables may treat otherwise.
    if (map == nullptr || walk.tally.looping == 0) return walk;
  }
  return walk_by_port(network, routing, threads, max_findings, progress);
}

}  // namespace unknot
