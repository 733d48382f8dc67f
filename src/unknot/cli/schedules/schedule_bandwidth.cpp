// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_bandwidth.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShownNodes = 16;

/// The row of the collective, by any of its names.
std::string base_of(const std::string& name) {
  if (name.empty()) return name;
  const CombinedRow& row = find_combined_collective(name);
  if (row.outcome == Outcome::all_reduce) {
    throw InputError(fmt::format(
        "{}: with --goal bandwidth ask for reduce-scatter and all-gather, which are its two halves", name));
  }
  if (row.outcome != Outcome::as_given)
    throw InputError(fmt::format("{}: it has no part in --goal bandwidth", name));
  return row.base;
}

bool all_rates_known(const Network& network) {
  const auto channels = network.channels();
  const auto terminals = network.terminals();
  return std::all_of(channels.begin(), channels.end(),
                     [&](ChannelId c) { return network.channel_rate(c) != 0; }) &&
         std::all_of(terminals.begin(), terminals.end(),
                     [&](TerminalId t) { return network.terminal_rate(t) != 0; });
}

/// "3 5 7 and 13 more"
std::string nodes_text(const std::vector<NodeId>& nodes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(nodes.size(), kShownNodes); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " ", nodes[i].value);
  if (nodes.size() > kShownNodes) text += fmt::format(" and {} more", nodes.size() - kShownNodes);
  return text;
}

std::string cut_text(const BandwidthProblem& problem, const BandwidthCut& cut) {
  const char* way = problem.backward ? "leave" : "enter";
  return fmt::format("{} share{} must {} node{} {}, over a capacity of {}", grouped(cut.shares),
                     cut.shares == 1 ? "" : "s", way, cut.inside.size() == 1 ? "" : "s",
                     nodes_text(cut.inside), grouped(cut.capacity));
}

Json cut_json(const BandwidthCut& cut) {
  Json inside = Json::array();
  for (const NodeId n : cut.inside) inside.push_back(n.value);
  return {{"inside", std::move(inside)}, {"shares", cut.shares}, {"capacity", cut.capacity}};
}

}  // namespace

void add_bandwidth_options(CLI::App& app, BandwidthInput& input) {
  app.add_option("--goal", input.goal,
                 "steps: as few as can be; bandwidth: as little time for each byte of large messages")
      ->check(CLI::IsMember({"steps", "bandwidth"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--capacity", input.capacity,
                 "With --goal bandwidth: what a link carries counts by cables or rates; without it by rates "
                 "where all are known")
      ->check(CLI::IsMember({"cables", "rates"}))
      ->type_name("WORD");
}

Answer bandwidth_command(const std::string& fabric, CollectiveInput collective, const BandwidthInput& input,
                         const Common& common) {
  require_one_process(common, "schedule --goal bandwidth");
  collective.collective = base_of(collective.collective);
  collective.by_rate =
      input.capacity == "rates" ||
      (input.capacity.empty() && all_rates_known(load_collective_network(fabric, collective, common)));
  const CollectiveCase given = load_collective(fabric, collective, common);
  const Stopwatch time;
  const BandwidthProblem problem = make_bandwidth_problem(given.problem);
  ProgressBar bar(common);
  const BandwidthCut cut = bandwidth_optimum(problem, bar);
  const BandwidthCut counted = count_cut(problem, cut.inside);
  if (counted.time() != cut.time()) throw std::runtime_error("the cut that proves the optimum does not hold");
  const Forest forest = make_forest(problem, take_switches_out(problem, cut, bar), bar);
  const ForestVerdict verdict = check_forest(problem, forest);
  if (!verdict.valid()) throw std::runtime_error("the trees do not pass the checker: " + verdict.fault);
  const bool optimal = verdict.time == cut.time();
  const ForestDepth depth = depth_of(forest);
  const std::uint32_t unit = problem.graph->unit_megabits();
  if (common.json) {
    Json document;
    add_fabric(document, fabric, given.network);
    if (!given.faults.empty()) document["fail"] = given.faults;
    document["collective"] = given.problem.collective;
    document["nodes"] = problem.members.size();
    document["optimum"] = cut.time().text();
    document["cut"] = cut_json(cut);
    document["unit_megabits"] = unit == 0 ? Json() : Json(unit);
    document["reached"] = verdict.time.text();
    document["proven_optimal"] = optimal;
    document["copies"] = forest.copies;
    document["trees"] = forest.trees.size();
    document["depth"] = depth.edges;
    document["channels"] = depth.channels;
    document["valid"] = true;
    document["seconds"] = time.seconds();
    return {kYes, std::move(document), {}};
  }
  std::vector<std::pair<std::string, std::string>> lines{
      {"collective",
       fmt::format("{} among {} nodes", given.problem.collective, grouped(problem.members.size()))}};
  if (!given.faults.empty()) lines.emplace_back("failed", given.faults);
  lines.emplace_back(
      "capacity",
      unit == 0 ? "1 is a cable" : fmt::format("1 is {:g} Gb/s of data", static_cast<double>(unit) / 1000));
  lines.emplace_back(
      "optimum", fmt::format("{} of the time that a share takes over a capacity of 1", cut.time().text()));
  lines.emplace_back("proof", cut_text(problem, cut));
  lines.emplace_back("reached",
                     optimal ? verdict.time.text() + ", the least: proven optimal" : verdict.time.text());
  lines.emplace_back(
      "trees",
      fmt::format("{}, of shares in {} part{}, {} edge{} deep, over at most {} channels",
                  grouped(forest.trees.size()), grouped(forest.copies), forest.copies == 1 ? "" : "s",
                  depth.edges, depth.edges == 1 ? "" : "s", depth.channels));
  lines.emplace_back("valid",
                     fmt::format("yes, as checked: {} edges, busiest {} -> {}", grouped(verdict.edges),
                                 problem.backward ? verdict.to.value : verdict.from.value,
                                 problem.backward ? verdict.from.value : verdict.to.value));
  return {kYes, {}, fabric_line(fabric, given.network) + "\n" + key_values(lines)};
}

}  // namespace unknot::cli
