// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/simulated_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_draft.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot {
namespace {

using simulate::RoutePlan;

/// To be raised when the simulator gives other results than before: results on file are then no longer taken.
constexpr int kModel = 4;

simulate::Settings settings_of(const SimulatedPoint& point) {
  simulate::SettingsDraft draft;
  draft.add(simulate::preset_layer(point.preset));
  std::vector<std::string> assignments = point.assignments;
  assignments.push_back(fmt::format("seed={}", point.seed));
  draft.add(simulate::parse_assignments(assignments));
  return draft.resolve().settings;
}

const char* name_of(RoutePlan::Kind kind) {
  switch (kind) {
    case RoutePlan::Kind::minimal:
      return "minimal";
    case RoutePlan::Kind::valiant:
      return "valiant";
    case RoutePlan::Kind::ugal:
      return "ugal";
    case RoutePlan::Kind::tables:
    case RoutePlan::Kind::source:
    case RoutePlan::Kind::adaptive:
      break;
  }
  throw std::logic_error("a point without an engine is routed on many paths");
}

RoutePlan plan_of(const SimulatedPoint& point, const Network& network) {
  if (point.engine.empty()) return simulate::plan_paths(network, point.choice, 1);
  Progress quiet;
  EngineRequest request;
  request.seed = point.seed;
  request.threads = 1;
  return simulate::plan_routing(network, route(network, point.engine, request, quiet), false);
}

/// The workload with its terminals in a random order: terminal t does what order[t] did.
Workload reordered(Workload workload, std::uint32_t terminals, std::uint64_t seed, std::uint32_t order) {
  if (workload.tasks != nullptr) throw std::logic_error("only messages without dependencies are reordered");
  std::vector<TerminalId> place(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) place[t] = TerminalId(t);
  Random random(seed, order);
  random.shuffle(place);
  std::vector<TerminalId> rank(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) rank[place[t].value] = TerminalId(t);
  workload.count = [rank, count = workload.count](TerminalId t) { return count(rank[t.value]); };
  workload.message = [place, rank, message = workload.message](TerminalId t, std::uint32_t k) {
    Message moved = message(rank[t.value], k);
    moved.destination = place[moved.destination.value];
    return moved;
  };
  workload.totals.reset();
  return workload;
}

void take(PointResult& result, const simulate::RunReport& report, double cycle_ns) {
  result.latency = report.latency_mean * cycle_ns;
  result.half_width = std::isfinite(report.latency_half_width) ? report.latency_half_width * cycle_ns : -1;
  result.p99 = report.latency_p99 * cycle_ns;
  result.hops = report.hops_mean;
  result.indirect = report.indirect_share;
  result.deadlocked = !report.deadlock.empty();
  result.flit_hops = static_cast<double>(report.flit_hops);
}

}  // namespace

std::string point_key(const SimulatedPoint& point) {
  const std::string settings = simulate::settings_text(settings_of(point));
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(settings)));
  std::string routing = point.engine;
  if (routing.empty()) {
    routing = fmt::format("{}, {}", name_of(point.choice.kind), point.choice.lane_scheme);
    const simulate::Ugal& ugal = point.choice.ugal;
    if (point.choice.kind == RoutePlan::Kind::ugal) {
      routing += fmt::format(", n={} c={}{} T={}", ugal.indirect, ugal.penalty,
                             ugal.by_length ? " by length" : "", ugal.threshold);
    }
  }
  return fmt::format("{} | {} | {}{}{} | settings {:016x} seed {} model {}", point.network, routing,
                     point.traffic, point.load > 0 ? fmt::format(" at {}", point.load) : "",
                     point.order > 0 ? fmt::format(" in order {}", point.order) : "", hash.value(),
                     point.seed, kModel);
}

PointResult simulate_point(const SimulatedPoint& point, const Progress& progress) {
  const simulate::Settings settings = settings_of(point);
  const Network network = make_network(point.network);
  const RoutePlan plan = plan_of(point, network);
  PointResult result;
  if (point.load > 0) {
    const TrafficPattern pattern = make_pattern(network, point.traffic);
    const simulate::SteadyReport report = simulate::run_steady(plan, settings, pattern, point.load, progress);
    take(result, report, settings.cycle_ns);
    result.offered = report.offered;
    result.accepted = report.accepted;
    result.steady = report.steady;
    return result;
  }
  Workload workload = make_workload(network, point.traffic, point.seed);
  if (point.order > 0) {
    workload = reordered(std::move(workload), network.terminal_count(), point.seed, point.order);
  }
  const simulate::WorkloadReport report = simulate::run_workload(plan, settings, workload, progress);
  take(result, report, settings.cycle_ns);
  result.completion = report.completion_ns;
  result.effective = report.effective_throughput;
  result.complete = report.complete;
  return result;
}

}  // namespace unknot
