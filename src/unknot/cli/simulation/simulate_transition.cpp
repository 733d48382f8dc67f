// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_transition.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/change/fabric_change.hpp"
#include "unknot/cli/routing/change/transition_report.hpp"
#include "unknot/cli/simulation/simulate_report.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/simulate/play_transition.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/transition/plan_check.hpp"

namespace unknot::cli {
namespace {

using simulate::TransitionPhase;
using simulate::TransitionReport;

/// Nothing where the proof was left out, else the first unsafe step, counted from 1; 0: there is none.
using Proof = std::optional<std::size_t>;

Proof prove(const Network& network, const Routing& before, const std::vector<TransitionStep>& steps,
            const Common& common, Progress& progress) {
  const PlanVerdict verdict = verify_plan(network, before, steps, common.threads, progress);
  stop_if_interrupted();
  return verdict.deadlock_free() ? 0 : verdict.first_unsafe() + 1;
}

std::string proof_words(const Proof& proof) {
  if (!proof) return "not checked for deadlocks (--no-proof)";
  if (*proof == 0) return "every step proven deadlock-free";
  return fmt::format("NOT proven deadlock-free: step {} can lock", *proof);
}

/// "delivered", "deadlock" or "undelivered".
std::string state_of(const TransitionReport& played) {
  if (!played.deadlock.empty()) return "deadlock";
  return played.complete() ? "delivered" : "undelivered";
}

std::string phase_name(std::size_t phase) {
  return phase == 0 ? "before the first step" : fmt::format("in step {}", phase);
}

std::string verdict_words(const TransitionReport& played) {
  const std::string where = phase_name(played.phases.size() - 1);
  if (!played.deadlock.empty()) return "DEADLOCK " + where;
  if (!played.complete()) {
    return fmt::format("UNDELIVERED {}: {} packets travel on and on", where, grouped(played.travelling));
  }
  if (played.lost_in_the_end == 0) return "every packet has left, and none sent after the last step is lost";
  return fmt::format("{} PACKETS LOST that were sent after the last step", grouped(played.lost_in_the_end));
}

Json phases_json(const TransitionReport& played, const std::vector<TransitionStep>& steps) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < played.phases.size(); ++i) {
    const TransitionPhase& phase = played.phases[i];
    Json row = {{"step", i}, {"begins", phase.begins}, {"arrived", phase.arrived}, {"lost", phase.lost}};
    if (i > 0) row["what"] = steps[i - 1].what;
    if (i > 0 && steps[i - 1].wait) row["waited"] = phase.waited;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string phases_text(const TransitionReport& played, const std::vector<TransitionStep>& steps) {
  TextTable table({{"step"}, {"what", Align::left}, {"begins"}, {"waited"}, {"arrived"}, {"lost"}});
  for (std::size_t i = 0; i < played.phases.size(); ++i) {
    const TransitionPhase& phase = played.phases[i];
    table.add({i == 0 ? "-" : std::to_string(i), i == 0 ? "the old tables" : step_text(steps[i - 1]),
               grouped(phase.begins), i > 0 && steps[i - 1].wait ? grouped(phase.waited) : "-",
               grouped(phase.arrived), grouped(phase.lost)});
  }
  return table.text();
}

}  // namespace

Answer simulate_transition(const TransitionRun& run, const simulate::Settings& given, const Common& common) {
  const FabricChange change =
      read_change("simulate --transition", run.fabric, run.tables, run.faults, run.changed_fabric, common);
  const Network& network = change.after;
  Routing before = carry_over(change.before, change.old, network, compare_networks(change.before, network));
  const std::vector<TransitionStep> steps = parse_transition(network, before, read_file(run.steps),
                                                             run.steps == "-" ? "standard input" : run.steps);
  const TrafficPattern pattern = make_pattern(network, run.traffic);
  stop_if_interrupted();
  simulate::RoutePlan plan = simulate::plan_changing(network, before, simulate::lanes_of(before, steps));
  const simulate::Settings settings = simulate::for_lanes(given, plan.lanes_needed);
  Proof proven;
  TransitionReport played;
  {
    ProgressBar bar(common);
    if (run.proof) proven = prove(network, before, steps, common, bar);
    played = simulate::play_transition(plan, settings, pattern, steps, run.step_cycles, bar);
  }
  const bool good = played.complete() && played.lost_in_the_end == 0;
  if (common.json) {
    Json document;
    add_fabric(document, run.fabric, network);
    if (!run.faults.empty()) add_faults(document, run.faults, network);
    if (!run.changed_fabric.empty()) document["to"] = run.changed_fabric;
    document["tables"] = run.tables.tables;
    document["transition"] = run.steps;
    document["traffic"] = run.traffic;
    document["step_cycles"] = run.step_cycles;
    document["safe"] = proven ? Json(*proven == 0) : Json();
    document["first_unsafe_step"] = proven && *proven > 0 ? Json(*proven) : Json();
    document["steps"] = phases_json(played, steps);
    document["state"] = state_of(played);
    document["deadlock"] = !played.deadlock.empty();
    document["deadlock_step"] = played.deadlock.empty() ? Json() : Json(played.phases.size() - 1);
    document["deadlock_cycle"] = deadlock_json(played.deadlock, plan);
    document["travelling"] = played.travelling;
    document["lost_in_the_end"] = played.lost_in_the_end;
    document["cycles"] = played.cycles;
    document["vcs"] = settings.vcs;
    document["seed"] = settings.seed;
    document["settings"] = settings_json(settings);
    document["settings_file"] = simulate::settings_text(settings);
    return {good ? kYes : kNo, std::move(document), {}};
  }
  const std::string circle = deadlock_text(played.deadlock, plan);
  return {
      good ? kYes : kNo,
      {},
      fabric_line(run.fabric, network) + "\n" +
          key_values({{"tables", run.tables.tables},
                      {"transition", fmt::format("{}: {} step{} of {} cycles", run.steps, steps.size(),
                                                 steps.size() == 1 ? "" : "s", grouped(run.step_cycles))},
                      {"lanes", proof_words(proven)},
                      {"traffic", run.traffic + ", every terminal as fast as it can"},
                      {"settings", fmt::format("{} lane{}, buffers of {} flits, packets of {}; seed {}",
                                               settings.vcs, settings.vcs == 1 ? "" : "s", settings.vc_buffer,
                                               settings.packet_flits, settings.seed)}}) +
          "\n" + phases_text(played, steps) + "\n" + key_values({{"verdict", verdict_words(played)}}) +
          (circle.empty() ? "" : "\n" + circle)};
}

}  // namespace unknot::cli
