// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/collective/model/catalogue.hpp"

namespace unknot::cli {

namespace {

/// Of several groups: what each takes alone at least, and all together.
void add_groups(const Problem& problem, std::uint32_t together, Json& document, ScheduleText& text) {
  const Participants who = participants_of(problem);
  if (!who.groups) return;
  Json groups = Json::array();
  std::uint32_t alone = 0;
  for (const std::vector<NodeId>& group : *who.groups) {
    Participants one;
    one.nodes = group;
    const LowerBound bound = lower_bound(make_collective(problem.graph, problem.collective, one, problem));
    alone = std::max(alone, bound.steps);
    Json nodes = Json::array();
    for (const NodeId n : group) nodes.push_back(n.value);
    groups.push_back({{"nodes", std::move(nodes)}, {"lower_bound", bound.steps}});
  }
  document["groups"] = std::move(groups);
  const double contention = static_cast<double>(together) / std::max(1U, alone);
  document["contention"] = {{"alone", alone}, {"together", together}, {"ratio", contention}};
  text.lines.emplace_back(
      "groups", fmt::format("{}: alone each takes {} step{} at least, all together {}, {:.3g} times as many",
                            who.groups->size(), alone, alone == 1 ? "" : "s", together, contention));
}

}  // namespace

std::string collective_text(const Problem& problem) {
  return fmt::format("{}, {} message{}", problem.collective, grouped(problem.messages()),
                     problem.messages() == 1 ? "" : "s");
}

std::string bound_name(const LowerBound& bound) {
  return bound.reversed ? bound.name + ", time reversed" : bound.name;
}

std::string transfers_text(const ScheduleVerdict& verdict) {
  return fmt::format("{} transfers over {} channels", grouped(verdict.transfers), grouped(verdict.hops));
}

std::string steps_text(std::uint32_t steps, std::uint32_t fewest) {
  if (steps == fewest) return fmt::format("{}, the fewest: proven optimal", steps);
  return fmt::format("{}, {} above the bound", steps, steps - fewest);
}

void add_case(Json& document, const std::string& fabric, const CollectiveCase& given) {
  add_fabric(document, fabric, given.network);
  if (!given.faults.empty()) document["fail"] = given.faults;
  document["collective"] = given.problem.collective;
  document["nodes"] = given.problem.graph->node_count();
  document["messages"] = given.problem.messages();
  if (!given.routing.empty()) document["routes"] = given.routing;
}

void add_bound(const Problem& problem, const LowerBound& bound, Json& document, ScheduleText& text) {
  document["lower_bound"] = bound.steps;
  document["bound_proof"] = bound.name;
  document["bound_reason"] = bound.reason;
  text.lines.emplace_back("collective", collective_text(problem));
  text.lines.emplace_back("lower bound", fmt::format("{} steps, by {}", bound.steps, bound_name(bound)));
  text.lines.emplace_back("proof", bound.reason);
  add_groups(problem, bound.steps, document, text);
}

void raise_bound(std::uint32_t fewest, const std::string& solver, Json& document, ScheduleText& text) {
  const std::string reason =
      fmt::format("{} has shown that there is no schedule of {} steps", solver, fewest - 1);
  document["lower_bound"] = fewest;
  document["bound_proof"] = "search";
  document["bound_reason"] = reason;
  text.lines.emplace_back("no fewer than", fmt::format("{} steps: {}", fewest, reason));
}

Answer report_answer(int code, const std::string& fabric, const CollectiveCase& given, Json document,
                     const ScheduleText& text, const Common& common) {
  if (common.json) return {code, std::move(document), {}};
  std::string all = fabric_line(fabric, given.network) + "\n" + key_values(text.lines);
  if (!text.table.empty()) all += "\n" + text.table;
  return {code, {}, std::move(all)};
}

}  // namespace unknot::cli
