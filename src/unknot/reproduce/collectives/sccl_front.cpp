// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/front/all_reduce_front.hpp"
#include "unknot/collective/front/step_front.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// A point as SCCL writes it: rounds of `chunks` chunks. Of an all-reduce chunks are those of the whole
/// message, which has a share for each of the eight GPUs; of an all-to-all those of a message.
struct ScclPoint {
  const char* collective;
  std::uint32_t chunks, steps, rounds;
  std::uint32_t shares;  ///< of a message
  const char* source;
};

constexpr const char* kToolText = "printed by SCCL's own tool (msccl-tools, SYNTHESIS.md)";
constexpr const char* kToolFile =
    "an algorithm that comes with SCCL's tool (msccl-tools, autosynth: 3 chunks of a message, 2 steps, 8 "
    "rounds)";
constexpr const char* kJoined =
    "by SCCL's rule: an all-reduce is the reverse of an all-gather and the all-gather, 8C chunks, 2S steps, "
    "2R rounds";
constexpr ScclPoint kScclPoints[] = {
    {"AAB", 1, 2, 2, 1, kToolText},        {"AAB", 2, 2, 3, 1, kToolText},
    {"AAB", 3, 3, 4, 1, kToolText},        {"AAB", 4, 3, 5, 1, kToolText},
    {"AAB", 5, 3, 6, 1, kToolText},        {"AAB", 6, 3, 7, 1, kToolText},
    {"all-reduce", 8, 4, 4, 8, kJoined},   {"all-reduce", 16, 4, 6, 8, kJoined},
    {"all-reduce", 48, 6, 14, 8, kJoined}, {"AAS", 3, 2, 8, 1, kToolFile},
};

/// Steps, time and bound of the points of a collective.
struct OurPoint {
  std::uint32_t steps = 0, chunks = 1;
  Fraction time, bound;
};

Front front_of(const std::shared_ptr<const NodeGraph>& graph, const char* row, Progress& progress) {
  const StepProblem problem = make_step_problem(make_collective(graph, row));
  Fraction end;
  if (!problem.personal) end = bandwidth_optimum(make_bandwidth_problem(graph, row), progress).time();
  return find_front(problem, end, {}, progress);
}

std::vector<OurPoint> points_of(const std::shared_ptr<const NodeGraph>& graph, const std::string& collective,
                                Progress& progress) {
  std::vector<OurPoint> result;
  if (collective == "all-reduce") {
    const Front inward = front_of(graph, "AAR", progress);
    const Front outward = front_of(graph, "AAB", progress);
    for (const AllReducePoint& point : join_fronts(inward, outward))
      result.push_back({point.steps, 1, point.time, point.bound});
    return result;
  }
  for (const FrontPoint& point : front_of(graph, collective.c_str(), progress).points)
    result.push_back({point.steps(), point.schedule.chunks, point.verdict.time, point.bound});
  return result;
}

std::string point_text(const OurPoint& point) {
  return fmt::format("{} in {} steps{}", point.time.text(), point.steps,
                     point.time == point.bound ? ", the least: proven" : "");
}

ReproducedRow compared(const ScclPoint& published, const std::vector<OurPoint>& ours) {
  const Fraction time(std::uint64_t{published.rounds} * published.shares, published.chunks);
  const OurPoint* best = nullptr;  // in no more steps
  for (const OurPoint& point : ours) {
    if (point.steps <= published.steps) best = &point;
  }
  ReproducedRow row;
  row.label = fmt::format("{}: {} chunk{}, {} steps, {} rounds", published.collective, published.chunks,
                          published.chunks == 1 ? "" : "s", published.steps, published.rounds);
  row.published = {fmt::format("{} in {} steps (derived)", time.text(), published.steps), time.value(),
                   time.value()};
  row.note = published.source;
  row.wanted = Wanted::lower;
  if (best == nullptr) {
    row.ours = Quantity::words("none");
    row.verdict = Agreement::differs;
    row.note.clear();
    return row;
  }
  row.ours = {point_text(*best), best->time.value(), best->time.value()};
  row.verdict = best->time == time && best->steps == published.steps ? Agreement::equal
                : best->time <= time                                 ? Agreement::better
                                                                     : Agreement::differs;
  if (row.verdict == Agreement::differs) row.note.clear();
  return row;
}

Reproduction run_sccl_front(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps against bytes: SCCL's algorithms on the DGX-1";
  result.text = {
      "SCCL gives an algorithm as chunks of a message, steps and rounds: in a round a link of capacity 1 "
      "carries a "
      "chunk. Here rounds for each chunk are a time, in shares over a capacity of 1, and ours is the least "
      "of the "
      "front of `unknot schedule dgx1 --collective COLLECTIVE --goal front` in no more steps. An algorithm "
      "of the "
      "front is checked by code that did not make it; the least is proven by weights of links or by a cut; "
      "of an all-reduce it is that of a reduce-scatter and then an all-gather, as SCCL makes it, but for the "
      "last, which nothing beats.",
      "Only points that could be read are here. The table of the paper could not; of broadcast, gather and "
      "scatter "
      "ours stand below without a published value. That two steps of an all-gather take 3/2 SCCL does not "
      "prove: its "
      "tool assumes 4/3 after three chunks in four rounds have turned out not to be possible."};
  const auto graph = std::make_shared<const NodeGraph>(make_network("dgx1"));
  std::vector<std::pair<std::string, std::vector<OurPoint>>> known;
  const auto ours = [&](const std::string& collective) -> const std::vector<OurPoint>& {
    for (const auto& [name, points] : known) {
      if (name == collective) return points;
    }
    return known.emplace_back(collective, points_of(graph, collective, progress)).second;
  };
  known.reserve(8);
  for (const ScclPoint& published : kScclPoints)
    result.rows.push_back(compared(published, ours(published.collective)));
  ReproducedTable table;
  table.title = "The fronts of the DGX-1, and of eight GPUs in a ring";
  table.headings = {"network", "collective", "steps", "time", "least", "chunks"};
  const std::vector<const char*> all{"AAB", "all-reduce", "OAB", "OAS", "AAS"};
  const auto ring = std::make_shared<const NodeGraph>(make_network("ring:8"));
  for (const auto& [name, on] : {std::pair("dgx1", graph), std::pair("ring:8", ring)}) {
    if (request.parameters.number("networks") == 1 && on == ring) break;
    for (const char* collective : all) {
      for (const OurPoint& point : on == graph ? ours(collective) : points_of(on, collective, progress)) {
        table.lines.push_back({name, collective, std::to_string(point.steps), point.time.text(),
                               point.time == point.bound ? "proven" : "at least " + point.bound.text(),
                               std::string(collective) == "all-reduce" ? "-" : std::to_string(point.chunks)});
      }
    }
  }
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment sccl_front_experiment() {
  return {
      .name = "sccl-front",
      .summary = "steps against bytes on the DGX-1: SCCL's algorithms, met or beaten, with proofs",
      .paper = "Cai et al.: Synthesizing Optimal Collective Algorithms, PPoPP 2021",
      .place = "all-gather, all-reduce and all-to-all on the DGX-1, as its tool prints them",
      .typical_seconds = 10,
      .quick = "networks=1",
      .parameters = {{.name = "networks", .help = "1: the DGX-1 alone; 0: all", .fallback = "0", .max = 1}},
      .run = run_sccl_front};
}

}  // namespace unknot
