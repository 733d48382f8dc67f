// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/paper.hpp"
#include "unknot/reproduce/network_set.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/play_schedule.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

constexpr std::array kNetworks = {"hypercube:4",   "torus:4x4",          "mesh:4x4",   "ring:8",
                                  "kautz:b=3,n=2", "kary-ntree:k=4,n=2", "slimfly:q=5"};
constexpr std::array kFlits = {1U, 8U, 64U, 1024U};
constexpr std::uint32_t kPacketFlits = 64;
constexpr std::uint32_t kLanes = 4;  // of exchanges without a schedule, or as many as the routing needs

/// A complete exchange of messages of one length, with a schedule and without.
struct Exchange {
  const char* spec;
  std::uint32_t flits = 0;
  std::uint32_t nodes = 0, steps = 0, bound = 0;
  std::uint64_t held_up = 0;
  double scheduled = 0;  // cycles, as are the others
  double at_once = 0, shift = 0, linear = 0;
  double combined = 0;  // the best of the algorithms
  std::string algorithm;
};

simulate::Settings settings_for(std::uint32_t flits, std::uint64_t seed) {
  simulate::Settings settings;
  settings.vcs = 1;
  settings.packet_flits = std::min(flits, kPacketFlits);
  settings.seed = seed;
  return settings;
}

double unscheduled(const simulate::RoutePlan& plan, const char* order, const Exchange& exchange,
                   std::uint64_t seed, Progress& progress) {
  simulate::Settings settings = settings_for(exchange.flits, seed);
  settings.vcs = std::max(kLanes, plan.lanes_needed);
  const Workload workload = make_workload(
      plan.network,
      fmt::format("all-to-all:bytes={},{}", std::uint64_t{exchange.flits} * settings.flit_bytes, order),
      seed);
  const simulate::WorkloadReport report =
      run_workload(plan, for_lanes(settings, plan.lanes_needed), workload, progress);
  if (!report.complete) throw std::runtime_error("an exchange without a schedule does not complete");
  return report.completion_cycles;
}

void play(Exchange& exchange, const Problem& problem, const Network& network, const Schedule& schedule,
          std::uint64_t seed, Progress& progress) {
  for (const simulate::PlayedStep& step :
       play_schedule(network, *problem.graph, schedule, settings_for(exchange.flits, seed), exchange.flits, 1,
                     progress)) {
    exchange.scheduled += static_cast<double>(step.steps);
    exchange.held_up += step.held_up;
  }
}

/// What an algorithm that combines messages makes of a complete exchange.
struct Combined {
  std::string name;
  CombinedSchedule schedule;
};

/// All algorithms but `direct`, which sends each message by itself.
std::vector<Combined> combined_exchanges(const Problem& problem, std::uint64_t seed, Progress& progress) {
  CombiningOptions options;
  options.seed = seed;
  options.threads = 1;
  std::vector<Combined> all;
  for (const CombiningChoice& choice :
       combining_choices(make_combined(problem.collective, problem, Outcome::as_given, 1))) {
    if (choice.name != "direct") all.push_back({choice.name, choice.make(options, progress).schedule});
  }
  return all;
}

void play_combined(Exchange& exchange, const std::vector<Combined>& all, const Problem& problem,
                   const Network& network, std::uint64_t seed, Progress& progress) {
  for (const Combined& one : all) {
    double cycles = 0;
    for (const simulate::PlayedStep& step :
         play_schedule(network, *problem.graph, one.schedule, settings_for(exchange.flits, seed),
                       exchange.flits, 1, progress)) {
      cycles += static_cast<double>(step.steps);
      exchange.held_up += step.held_up;
    }
    if (!exchange.algorithm.empty() && cycles >= exchange.combined) continue;
    exchange.combined = cycles;
    exchange.algorithm = one.name;
  }
}

/// All lengths on one network.
std::vector<Exchange> exchanges_on(const char* spec, std::uint64_t most_flits, std::uint64_t seed,
                                   Progress& progress) {
  const Network network = make_network(spec);
  const auto graph =
      std::make_shared<const NodeGraph>(network, NodeGraphOptions{.model = NodeModel::terminals});
  const Problem problem = make_collective(graph, "AAS", {});
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  options.seed = seed;
  options.threads = 1;
  const Solution found = solve(problem, "auto:levels=2", options, progress);
  if (found.conflicts > 0) throw std::runtime_error("no schedule was found");
  const simulate::RoutePlan adaptive = simulate::plan_paths(network, {}, 1);
  EngineRequest request;
  request.virtual_lanes = 8;
  request.seed = seed;
  request.threads = 1;
  const simulate::RoutePlan tables =
      simulate::plan_routing(network, route(network, "dfsssp", request, progress), false);
  const std::vector<Combined> combined = combined_exchanges(problem, seed, progress);
  std::vector<Exchange> all;
  for (const std::uint32_t flits : kFlits) {
    if (flits > most_flits) continue;
    Exchange one;
    one.spec = spec;
    one.flits = flits;
    one.nodes = network.terminal_count();
    one.steps = found.steps;
    one.bound = options.lower_bound;
    play(one, problem, network, found.schedule, seed, progress);
    play_combined(one, combined, problem, network, seed, progress);
    one.at_once = unscheduled(adaptive, "order=random", one, seed, progress);
    one.shift = unscheduled(tables, "order=shift,at_once=1", one, seed, progress);
    one.linear = unscheduled(tables, "order=linear,at_once=1", one, seed, progress);
    all.push_back(one);
  }
  return all;
}

Reproduction run_jaros_simulated(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Schedules on simulated routers";
  result.text = {
      fmt::format(
          "A complete exchange (AAS) among terminals with one port each, `nodes` of them, flit by flit on "
          "input-queued wormhole routers. With a schedule by `--solver auto`: one lane, each message on "
          "its own path, a step after the other; what nodes need to agree that a step is over is not "
          "counted. Without one, with {} lanes or as many as the routing needs: `at once`, all messages from "
          "the beginning, in random order, their packets in turn, on any shortest path (lanes by hops); "
          "`shift` and `linear`, one message after the other, to the next terminals in turn or from the "
          "first on, by the tables of dfsssp. Nobody waits for anybody there. Packets have at most {} "
          "flits.",
          kLanes, kPacketFlits),
      "`held up` counts messages that took longer than alone on an empty network: within a step of a valid "
      "schedule "
      "there is to be none. Times are cycles, that of one flit on a link. `combined` is the "
      "quickest of the algorithms that combine messages on their way (Bruck's, rings, pairwise exchange, a "
      "search for few steps; `unknot list combining`), `by` its name, played in the same manner: a transfer "
      "is as long as all that it carries. `gain` is the best time without a schedule over the better of the "
      "two with one."};
  const std::uint64_t most = request.parameters.number("flits");
  std::vector<std::vector<Exchange>> found(kNetworks.size());
  for_each_case(static_cast<std::uint32_t>(kNetworks.size()), request.threads, "exchanges", progress,
                [&](std::uint32_t i, Progress& inner) {
                  found[i] = exchanges_on(kNetworks[i], most, request.seed, inner);
                });
  ReproducedTable table{.title = "Completion, cycles",
                        .headings = {"network", "nodes", "flits", "steps", "at least", "schedule", "combined",
                                     "by", "at once", "shift", "linear", "gain"},
                        .lines = {}};
  for (const std::vector<Exchange>& exchanges : found) {
    for (const Exchange& one : exchanges) {
      result.rows.push_back(expected(fmt::format("{}, {} flits: messages held up", one.spec, one.flits),
                                     one.held_up == 0 ? "none" : std::to_string(one.held_up),
                                     one.held_up == 0, "none"));
      const double best = std::min({one.at_once, one.shift, one.linear});
      const double with = std::min(one.scheduled, one.combined);
      table.lines.push_back({one.spec, std::to_string(one.nodes), std::to_string(one.flits),
                             std::to_string(one.steps), std::to_string(one.bound),
                             fmt::format("{:.0f}", one.scheduled), fmt::format("{:.0f}", one.combined),
                             one.algorithm, fmt::format("{:.0f}", one.at_once),
                             fmt::format("{:.0f}", one.shift), fmt::format("{:.0f}", one.linear),
                             fmt::format("{:.2f}", best / with)});
    }
  }
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment jaros_simulated_experiment() {
  return {.name = "collectives-simulated",
          .summary = "schedules of complete exchanges on simulated routers, beside exchanges without one",
          .paper = kThesis,
          .place = "beyond chapter 8",
          .typical_seconds = 20,
          .quick = "flits=8",
          .parameters = {{.name = "flits", .help = "of the longest message", .fallback = "1024", .min = 1}},
          .run = run_jaros_simulated};
}

}  // namespace unknot
