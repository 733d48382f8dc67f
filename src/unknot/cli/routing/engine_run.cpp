// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/engine_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/resources.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::cli {

EngineRun measured_engine(const Network& network, const std::string& engine, const EngineRunOptions& options,
                          const Common& common, Progress& progress) {
  EngineRun run;
  run.engine = engine;
  EngineRequest request;
  request.virtual_lanes = options.virtual_lanes;
  request.seed = common.seed;
  request.threads = common.threads;
  const Heeds heeds = find_engine(split_spec(engine).name).heeds;
  request.guidance = heeded(options.guidance, heeds);
  if (const std::string lost = unheeded(options.guidance, heeds); !lost.empty())
    note(common, fmt::format("{} makes no use of {}", engine, lost));
  std::shared_ptr<AddressedRun> addressed;
  if (options.lmc > 0) {
    addressed = std::make_shared<AddressedRun>();
    addressed->lmc = options.lmc;
    addressed->network = addressed_network(network, options.lmc);
  }
  const double cpu_before = cpu_seconds();
  const Stopwatch routing_time;
  try {
    run.routing = route(addressed ? addressed->network : network, engine, request, progress);
    if (addressed && run.routing->routes() != nullptr)
      throw RoutingFailure("it makes source routes, which lead to one address of a host");
  } catch (const RoutingFailure& failure) {
    run.routing.reset();
    run.unrouted_pairs = std::uint64_t{network.terminal_count()} * (network.terminal_count() - 1);
    run.failure = fmt::format("{}; none of the {} pairs of terminals is routed", failure.what(),
                              grouped(run.unrouted_pairs));
    run.lanes_needed = failure.lanes_needed();
  }
  run.seconds = routing_time.seconds();
  run.cpu_seconds = cpu_seconds() - cpu_before;
  if (options.memory) run.peak_mib = peak_memory_mib();
  if (!run.routing) return run;

  stop_if_interrupted();
  limit_lanes(*run.routing, options.virtual_lanes);  // the proof is about what was asked for
  if (addressed) {
    addressed->routing = std::move(*run.routing);
    run.routing = with_further_addresses(network, addressed->network, addressed->routing);
    measure_addresses(*addressed, network, *run.routing, common.threads);
    run.addressed = addressed;
  }
  VerifyOptions checks;
  checks.threads = common.threads;
  const bool management = options.management.wanted() && run.routing->routes() == nullptr;
  checks.certificate = options.certificate && !management;
  if (!management) {
    run.multicast = make_multicast(network, *run.routing, options.multicast, options.virtual_lanes, progress);
  }
  const Stopwatch verify_time;
  run.verdict = verify(network, *run.routing, checks, progress);
  run.verify_seconds = verify_time.seconds();
  if (management) {
    stop_if_interrupted();
    checks.certificate = options.certificate;
    try {
      run.management = managed_run(network, *run.routing, run.addressed.get(), options.management,
                                   options.multicast, options.virtual_lanes, checks, progress);
    } catch (const RoutingFailure&) {  // levels for questions and answers need lanes without a cycle
      run.routing.reset();
      run.failure =
          "its tables can deadlock, so that there are no levels for --management-hosts; without, they are "
          "computed and judged";
      return run;
    }
    run.multicast = run.management->multicast;
    run.verify_seconds += run.management->verify_seconds;
    run.verdict = with_proof_of(run.management->managed, run.verdict, run.management->verdict);
  }
  if (options.classes.wanted()) {
    const ManagedRun* const managed = run.management.get();
    run.wanted_classes = options.classes;
    run.classes = check_classes(network, managed == nullptr ? nullptr : &managed->managed,
                                routings_of_classes(network, *run.routing, managed, options.classes,
                                                    run.multicast ? &run.multicast->tables : nullptr),
                                common.threads, progress);
  }
  stop_if_interrupted();
  run.transit = transit_run(network, *run.routing, options.guidance);
  if (run.management)
    add_management_transit(run.management->managed.network, run.management->result.routing, run.transit);
  const std::vector<std::uint64_t> load = channel_load(network, *run.routing, common.threads);
  run.load = load_statistics(load);
  run.by_rate = options.guidance.by_rate;
  run.load_by_rate = largest_load_by_rate(network, load);
  if (options.samples > 0) {
    stop_if_interrupted();
    run.congestion = congestion(network, *run.routing, make_pattern(network, "bisection"), options.samples,
                                common.seed, common.threads, progress);
  }
  return run;
}

namespace {

/// With those of management.
const Routing& lanes_of(const EngineRun& run) {
  return run.management ? run.management->result.routing : *run.routing;
}

}  // namespace

Json engine_run_json(const Network& network, const EngineRun& run) {
  Json json = {{"engine", run.engine}, {"seconds", run.seconds}, {"cpu_seconds", run.cpu_seconds}};
  if (run.peak_mib) json["peak_mib"] = *run.peak_mib;
  if (!run.routing) {
    json["failure"] = run.failure;
    json["unroutable_pairs"] = run.unrouted_pairs;
    if (run.lanes_needed > 0) json["lanes_needed"] = run.lanes_needed;
    return json;
  }
  json["verify_seconds"] = run.verify_seconds;
  json["virtual_lanes"] = lanes_of(run).virtual_lanes;
  json["lanes_needed"] = lanes_of(run).lanes_needed;
  if (!run.routing->report.note.empty()) json["note"] = run.routing->report.note;
  if (run.routing->report.load_bound) {
    json["load_bound"] = *run.routing->report.load_bound;
    json["proven_optimal"] = run.load.max <= *run.routing->report.load_bound;
  }
  if (run.routing->report.single_route_share)
    json["single_route_share"] = *run.routing->report.single_route_share;
  add_verdict(json, run.management ? run.management->managed.network : network, run.verdict);
  add_management(json, run.verdict, run.management.get());
  if (run.management) add_management_cost(json, *run.management);
  const Network& named = run.management ? run.management->managed.network : network;
  add_multicast(json, named, run.verdict);
  if (run.multicast) add_multicast_cost(json, named, *run.multicast);
  if (run.classes) add_classes(json, *run.classes, run.wanted_classes);
  add_transit(json, network, run.transit);
  if (run.ports) {
    json["port_lanes"] = {{"channels", run.ports->channels},
                          {"lanes", run.ports->lanes},
                          {"deadlock_free", run.ports->deadlock_free}};
  }
  json["channel_load"] = load_json(run.load);
  if (run.addressed) add_addresses(json, *run.addressed);
  if (run.load_by_rate) json["max_load_by_rate"] = *run.load_by_rate;
  if (run.congestion) {
    json["effective_bisection_bandwidth"] = run.congestion->effective_bisection_bandwidth;
    json["standard_error"] = run.congestion->standard_error;
    json["samples"] = run.congestion->samples;
  }
  return json;
}

std::string engine_runs_text(const Network& network, const std::vector<EngineRun>& runs) {
  const auto any = [&](auto&& holds) { return std::any_of(runs.begin(), runs.end(), holds); };
  const bool bisected = any([](const EngineRun& r) { return r.congestion.has_value(); });
  const bool loses = any([](const EngineRun& r) { return r.routing && !r.verdict.complete(); });
  std::vector<TextTable::Column> columns = {
      {"engine", Align::left}, {"time"}, {"lanes"}, {"needed"}, {"max load"}, {"mean load"}, {"sigma4"}};
  if (bisected) columns.push_back({"eBB"});
  columns.push_back({"max/mean hops"});
  if (loses) columns.push_back({"lost pairs"});
  columns.push_back({"deadlock", Align::left});
  columns.push_back({"checked"});
  TextTable table(columns);

  std::string explanations;
  for (const EngineRun& run : runs) {
    std::vector<std::string> cells = {run.engine, duration(run.seconds)};
    if (!run.routing) {
      cells.resize(columns.size(), "-");
      cells[columns.size() - 2] = "no tables";
      table.add(std::move(cells));
      explanations += fmt::format("\n{}: {}\n", run.engine, run.failure);
      continue;
    }
    cells.push_back(std::to_string(lanes_of(run).virtual_lanes));
    cells.push_back(std::to_string(lanes_of(run).lanes_needed));
    cells.push_back(grouped(run.load.max));
    cells.push_back(fmt::format("{:.1f}", run.load.mean));
    cells.push_back(fmt::format("{:.1f}", run.load.sigma4));
    if (bisected) cells.push_back(run.congestion ? bandwidth_text(*run.congestion) : "-");
    cells.push_back(fmt::format("{} / {:.2f}", run.verdict.max_hops, run.verdict.mean_hops()));
    if (loses) cells.push_back(grouped(run.verdict.unroutable_pairs));
    cells.push_back(deadlock_cell(run.verdict));
    cells.push_back(duration(run.verify_seconds));
    table.add(std::move(cells));
    if (!run.routing->report.note.empty())
      explanations += fmt::format("\n{}: {}\n", run.engine, run.routing->report.note);
    if (run.addressed) explanations += fmt::format("\n{}: {}", run.engine, addresses_text(*run.addressed));
    if (run.transit) {
      explanations += fmt::format("\n{}: closed to transit: {}\n{}", run.engine,
                                  transit_answer(network, *run.transit), transit_text(network, *run.transit));
    }
    if (run.load_by_rate && run.by_rate) {
      explanations += fmt::format("\n{}: the busiest cable for its rate carries {:.2f} pairs a Gb/s\n",
                                  run.engine, *run.load_by_rate);
    }
    if (run.management) {
      if (const std::string text = management_text(*run.management); !text.empty())
        explanations += fmt::format("\n{}: {}", run.engine, text);
    }
    if (run.multicast) {
      const Network& named = run.management ? run.management->managed.network : network;
      if (const std::string text = multicast_text(named, *run.multicast); !text.empty())
        explanations += fmt::format("\n{}: {}", run.engine, text);
    }
    if (run.ports) {
      explanations += fmt::format(
          "\n{}: on {} channels with fewer lanes OpenSM cuts levels to them: {}, with {} lane{} elsewhere\n",
          run.engine, grouped(run.ports->channels), run.ports->deadlock_free ? "free" : "CYCLE",
          run.ports->lanes, run.ports->lanes == 1 ? "" : "s");
    }
    if (run.classes) {
      explanations += fmt::format("\n{}: {}", run.engine,
                                  classes_text(run.management ? &run.management->managed : nullptr, network,
                                               *run.classes, run.wanted_classes));
    }
    const std::string explanation =
        explain(run.management ? run.management->managed.network : network, run.verdict);
    if (!explanation.empty()) explanations += fmt::format("\n{}: {}", run.engine, explanation);
  }
  return table.text() + explanations;
}

std::string bandwidth_text(const Congestion& congestion) {
  return fmt::format("{:.3f} ± {:.3f}", congestion.effective_bisection_bandwidth, congestion.standard_error);
}

std::string traffic_line(const std::vector<EngineRun>& runs, bool management, bool multicast) {
  const auto routes = std::count_if(runs.begin(), runs.end(), [](const EngineRun& run) {
    return find_engine(split_spec(run.engine).name).gives_routes;
  });
  if (routes == 0 || !(management || multicast)) return traffic_line(management, multicast);
  if (static_cast<std::size_t>(routes) == runs.size()) return traffic_line(false, false);
  std::string line = traffic_line(management, multicast);
  line.pop_back();
  return line + " That of source routes covers data alone.\n";
}

}  // namespace unknot::cli
