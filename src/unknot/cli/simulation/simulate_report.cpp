// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/simulation/simulated_messages.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/simulate/statistics/steady_state.hpp"
#include "unknot/simulate/statistics/warm_up.hpp"

namespace unknot::cli {
namespace {

using simulate::DeadlockCycle;
using simulate::DeadlockStep;
using simulate::LoadPoint;
using simulate::PointMeans;
using simulate::Ports;
using simulate::RoutePlan;
using simulate::RunReport;
using simulate::Saturation;
using simulate::SaturationReport;
using simulate::SaturationRun;
using simulate::SteadyReport;

/// JSON knows no infinity.
Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}
Json finite_if(bool meant, double value) {
  return meant ? finite(value) : Json();
}
std::string number_where(bool meant, double value, int digits = 2) {
  return meant && std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

const SteadyReport* first_locked(const LoadPoint& point) {
  for (const SteadyReport& run : point.runs) {
    if (run.locked()) return &run;
  }
  return nullptr;
}

Json circle_json(const RunReport* run, const RoutePlan& plan) {
  if (run == nullptr) return {};
  return run->message_deadlock.empty() ? deadlock_json(run->deadlock, plan)
                                       : message_deadlock_json(*run, plan);
}

std::string state(const PointMeans& all) {
  if (all.deadlock) return "DEADLOCK";
  return all.lost ? "UNDELIVERED" : name_of(all.state());
}

/// One sentence on a point that is not simply steady; "" for the others.
std::string objection(const LoadPoint& point, const PointMeans& all) {
  std::set<std::string> reasons;
  for (const SteadyReport& run : point.runs) {
    if (!run.steady && !run.locked()) reasons.insert(run.verdict);
  }
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (all.deadlock) add("packets wait for each other in a circle, and the run was stopped");
  if (all.saturated && !all.deadlock && !all.has_latencies)
    add("not all measured packets had arrived at the end, so they have no latencies");
  for (const std::string& reason : reasons) add(reason);
  if (!all.warm_up_found && !all.deadlock)
    add("the warm-up did not end in the first half of the longest run-up");
  if (all.has_latencies && !all.interval_believable && !all.saturated && !all.deadlock)
    add("the confidence interval is not to be believed, as neighbouring batches are correlated");
  return text;
}

Json steady_run_json(const SteadyReport& run, const RoutePlan& plan) {
  const PointMeans alone = simulate::means({run.load, {run}});
  Json json = {{"load", run.load},
               {"offered", run.offered},
               {"created", run.created},
               {"accepted", run.accepted},
               {"warm_up", run.warm_up},
               {"warm_up_found", run.warm_up_found},
               {"steady", run.steady},
               {"verdict", run.verdict},
               {"saturated", run.saturated},
               {"all_arrived", !run.undelivered},
               {"state", name_of(alone.state())}};
  if (!plan.multicast.groups.empty()) {
    json["multicast_packets"] = run.to_groups;
    json["multicast_copies"] = run.copies;
  }
  if (plan.messages) json["classes"] = classes_json({run});
  add_run(json, run, plan);
  return json;
}

}  // namespace

Json settings_json(const simulate::Settings& settings) {
  Json json = Json::object();
  for (const simulate::SettingKey& key : simulate::setting_keys()) {
    if (key.get == nullptr) continue;
    // TOML's numbers and plain strings are JSON's.
    if (const auto value = key.get(settings)) json[key.parameter.name] = Json::parse(*value);
  }
  return json;
}

Json deadlock_json(const DeadlockCycle& cycle, const RoutePlan& plan) {
  if (cycle.empty()) return {};
  Json steps = Json::array();
  const Network& network = plan.network;
  for (const DeadlockStep& step : cycle) {
    const std::uint32_t from = plan.ports.input_from[step.input];
    const bool at_terminal = (from & Ports::kTerminal) != 0;
    steps.push_back({{"buffer", at_terminal ? network.terminal_name(TerminalId(from & ~Ports::kTerminal))
                                            : network.channel_name(ChannelId(from))},
                     {"lane", step.lane},
                     {"source", network.terminal_name(TerminalId(step.source))},
                     {"destination", simulate::destination_name(plan, step.destination)},
                     {"waits_for", step.for_lane ? "lane" : "room"}});
  }
  return steps;
}

std::string deadlock_text(const DeadlockCycle& cycle, const RoutePlan& plan) {
  if (cycle.empty()) return "";
  return fmt::format("{} packets wait for each other in a circle, each for the next:\n{}", cycle.size(),
                     simulate::describe(cycle, plan));
}

Json energy_json(const simulate::EnergyUse& use) {
  return {{"total_pj", use.total()},       {"per_flit_pj", use.per_flit()}, {"power_mw", use.power_mw()},
          {"buffers_pj", use.buffers},     {"switches_pj", use.switches},   {"channels_pj", use.channels},
          {"terminals_pj", use.terminals}, {"routers_pj", use.routers}};
}

std::string energy_text(const simulate::EnergyUse& use) {
  std::string text = fmt::format("{:.4g} pJ a flit, {:.4g} mW", use.per_flit(), use.power_mw());
  const double all = use.total();
  if (all == 0) return text;
  const char* before = ": ";
  for (const auto& [name, part] : {std::pair("buffers", use.buffers), std::pair("switches", use.switches),
                                   std::pair("channels", use.channels), std::pair("terminals", use.terminals),
                                   std::pair("routers", use.routers)}) {
    if (part == 0) continue;
    text += fmt::format("{}{} {:.1f} %", before, name, 100 * part / all);
    before = ", ";
  }
  return text;
}

std::string throttle_text(const simulate::ThrottleCounts& counts) {
  const double share =
      counts.arrived == 0 ? 0 : static_cast<double>(counts.marked) / static_cast<double>(counts.arrived);
  return fmt::format("{:.2f} % of packets met a long queue; their senders waited {} cycles between packets",
                     100 * share, grouped(counts.waited));
}

/// What is counted where it is asked for, of a run or of a point's runs together.
template <class Counted>
void add_counts(Json& json, const Counted& of) {
  if (of.throttle) {
    json["throttle"] = {{"arrived", of.throttle->arrived},
                        {"marked", of.throttle->marked},
                        {"waited_cycles", of.throttle->waited}};
  }
  if (of.energy) json["energy"] = energy_json(*of.energy);
}

void add_run(Json& json, const RunReport& run, const RoutePlan& plan) {
  // The packets that arrive first are those that wait least.
  const bool any = run.packets > 0 && !run.undelivered;
  json["packets"] = run.packets;
  json["latency_mean"] = finite_if(any, run.latency_mean);
  json["latency_half_width"] = finite_if(any, run.latency_half_width);
  json["interval_believable"] = any && run.interval_believable;
  json["latency_p50"] = finite_if(any, run.latency_p50);
  json["latency_p95"] = finite_if(any, run.latency_p95);
  json["latency_p99"] = finite_if(any, run.latency_p99);
  json["latency_max"] = finite_if(any, run.latency_max);
  json["queueing_mean"] = finite_if(any, run.queueing_mean);
  json["network_mean"] = finite_if(any, run.network_mean);
  json["hops_mean"] = finite_if(any, run.hops_mean);
  json["indirect_share"] = finite_if(any, run.indirect_share);
  json["utilisation_mean"] = run.utilisation_mean;
  json["utilisation_max"] = run.utilisation_max;
  json["cycles"] = run.cycles;
  json["flit_hops"] = run.flit_hops;
  add_counts(json, run);
  json["deadlock"] = run.locked();
  json["deadlock_cycle"] = circle_json(&run, plan);
}

Json point_json(const LoadPoint& point, const RoutePlan& plan, std::uint64_t first_seed) {
  if (point.runs.size() == 1) return steady_run_json(point.runs.front(), plan);
  const PointMeans all = means(point);
  Json json = {{"load", all.load},
               {"offered", all.offered},
               {"created", all.created},
               {"accepted", all.accepted},
               {"accepted_low", all.accepted_spread.low},
               {"accepted_high", all.accepted_spread.high},
               {"warm_up", all.warm_up},
               {"warm_up_found", all.warm_up_found},
               {"steady", all.steady},
               {"verdict", objection(point, all)},
               {"saturated", all.saturated},
               {"all_arrived", all.all_arrived},
               {"state", name_of(all.state())},
               {"packets", all.packets},
               {"latency_mean", finite_if(all.has_latencies, all.latency_mean)},
               {"latency_low", finite_if(all.has_latencies, all.latency_spread.low)},
               {"latency_high", finite_if(all.has_latencies, all.latency_spread.high)},
               {"latency_half_width", finite_if(all.has_latencies, all.latency_half_width)},
               {"interval_believable", all.has_latencies && all.interval_believable},
               {"latency_p50", finite_if(all.has_latencies, all.latency_p50)},
               {"latency_p95", finite_if(all.has_latencies, all.latency_p95)},
               {"latency_p99", finite_if(all.has_latencies, all.latency_p99)},
               {"latency_max", finite_if(all.has_latencies, all.latency_max)},
               {"queueing_mean", finite_if(all.has_latencies, all.queueing_mean)},
               {"network_mean", finite_if(all.has_latencies, all.network_mean)},
               {"hops_mean", finite_if(all.has_latencies, all.hops_mean)},
               {"indirect_share", finite_if(all.has_latencies, all.indirect_share)},
               {"utilisation_mean", all.utilisation_mean},
               {"utilisation_max", all.utilisation_max},
               {"cycles", all.cycles},
               {"flit_hops", all.flit_hops},
               {"deadlock", all.deadlock},
               {"deadlock_cycle", circle_json(first_locked(point), plan)}};
  add_counts(json, all);
  if (plan.messages) json["classes"] = classes_json(point.runs);
  Json seeds = Json::array();
  for (std::size_t i = 0; i < point.runs.size(); ++i) {
    Json run = {{"seed", first_seed + i}};
    run.update(steady_run_json(point.runs[i], plan));
    seeds.push_back(std::move(run));
  }
  json["seeds"] = std::move(seeds);
  return json;
}

std::string points_text(const std::vector<LoadPoint>& points, const RoutePlan& plan,
                        const simulate::Settings& settings) {
  const bool several = points.front().runs.size() > 1;
  const bool indirect = plan.kind == RoutePlan::Kind::ugal;
  std::vector<TextTable::Column> columns = {{"load"}, {"accepted"}, {"latency"}, {"±"}};
  if (several) columns.push_back({"over seeds"});
  for (const char* heading : {"p50", "p95", "p99", "max", "queueing", "network", "hops"})
    columns.push_back({heading});
  if (indirect) columns.push_back({"indirect"});
  for (const char* heading : {"mean use", "most used", "warm-up"}) columns.push_back({heading});
  columns.push_back({"state", Align::left});
  TextTable table(columns);
  std::string objections, deadlock;
  for (const LoadPoint& point : points) {
    const PointMeans all = means(point);
    const bool any = all.has_latencies;
    std::vector<std::string> cells = {fmt::format("{:g}", all.load), fmt::format("{:.4f}", all.accepted),
                                      number_where(any, all.latency_mean),
                                      number_where(any && all.interval_believable, all.latency_half_width)};
    if (several) {
      cells.push_back(any ? fmt::format("{:.2f} .. {:.2f}", all.latency_spread.low, all.latency_spread.high)
                          : "-");
    }
    for (const double value : {all.latency_p50, all.latency_p95, all.latency_p99, all.latency_max})
      cells.push_back(number_where(any, value, settings.speedup == 1 ? 0 : 1));
    for (const double value : {all.queueing_mean, all.network_mean, all.hops_mean})
      cells.push_back(number_where(any, value));
    if (indirect) cells.push_back(number_where(any, all.indirect_share, 3));
    cells.push_back(fmt::format("{:.3f}", all.utilisation_mean));
    cells.push_back(fmt::format("{:.3f}", all.utilisation_max));
    cells.push_back(grouped(all.warm_up));
    cells.push_back(state(all));
    table.add(std::move(cells));
    if (const std::string words = objection(point, all); !words.empty())
      objections += fmt::format("load {:g}: {}\n", all.load, words);
    if (const SteadyReport* found = first_locked(point); found != nullptr && deadlock.empty()) {
      deadlock = fmt::format("\nload {:g}: {}", all.load,
                             found->message_deadlock.empty() ? deadlock_text(found->deadlock, plan)
                                                             : message_deadlock_text(*found, plan));
    }
  }
  std::string text = table.text() + "\n";
  if (plan.messages) text += classes_table(points) + "\n";
  for (const LoadPoint& point : points) {
    const PointMeans all = means(point);
    if (all.throttle) text += fmt::format("load {:g}: {}\n", point.load, throttle_text(*all.throttle));
    if (all.energy) text += fmt::format("load {:g}: {}\n", point.load, energy_text(*all.energy));
  }
  if (points.back().runs.front().energy || points.back().runs.front().throttle) text += "\n";
  if (!objections.empty()) text += objections + "\n";
  text += fmt::format(
      "Latencies in cycles of {:g} ns, from creation to the last flit's arrival; ± half the 95 % interval.\n",
      settings.cycle_ns);
  // Of all loads alike: the traffic decides.
  const SteadyReport& any_run = points.back().runs.front();
  if (!plan.messages && any_run.offered < any_run.load * (1 - 1e-9)) {
    text += fmt::format(
        "A load is what the terminals that send most offer, what is accepted the mean of all: at most {:.4g} "
        "of the "
        "load, as others send less, or nothing (those whose flow would end at themselves).\n",
        any_run.offered / any_run.load);
  }
  if (settings.warmup == 0) text += simulate::warm_up_definition() + "\n";
  text += simulate::steady_state_definition() + "\n";
  text += simulate::saturation_definition();
  if (several) text += ", in at least half of the runs";
  return text + "\n" + deadlock;
}

Json saturation_json(const SaturationRun& run) {
  const SaturationReport& report = run.report;
  Json json = {{"zero_load_latency", finite(report.zero_load_latency)}};
  std::size_t i = 0;
  for (const Saturation* one : {&report.latency, &report.throughput, &report.plateau}) {
    Json& own = json[one->name];
    own = {{"load", finite(one->load)},
           {"definition", one->definition},
           {"saturates", one->saturates},
           {"holds_again", one->holds_again}};
    if (i < run.spreads.size()) {
      const simulate::SaturationSpread& spread = run.spreads[i++];
      own["seeds"] = {{"mean", finite(spread.mean)},
                      {"half_width", finite(spread.half_width)},
                      {"least", finite(spread.loads.low)},
                      {"greatest", finite(spread.loads.high)}};
    }
  }
  return json;
}

std::string saturation_text(const SaturationRun& run) {
  const SaturationReport& report = run.report;
  std::string text = "Saturation\n";
  std::size_t i = 0;
  for (const Saturation* one : {&report.latency, &report.throughput, &report.plateau}) {
    std::string spread;
    if (i < run.spreads.size()) {
      const simulate::SaturationSpread& own = run.spreads[i++];
      spread = fmt::format("; of each seed alone {:.4g} to {:.4g}, mean {:.4g} ± {:.2g} (95 %)",
                           own.loads.low, own.loads.high, own.mean, own.half_width);
    }
    text += fmt::format("{:<10}  {:.4g}{}: {}{}{}\n", one->name, one->load,
                        one->saturates ? "" : " (does not saturate)", one->definition,
                        one->holds_again ? "; it holds again at a higher load" : "", spread);
  }
  return text;
}

}  // namespace unknot::cli
