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
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShownNodes = 16;
constexpr std::size_t kMostMembers = 4096;  ///< each has a place in a tree of each: some two gibibytes

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

CapacityUnit capacity_unit(const std::string& word) {
  if (word == "rates") return CapacityUnit::rates;
  if (word == "cables") return CapacityUnit::cables;
  return word == "stated" ? CapacityUnit::stated : CapacityUnit::automatic;
}

/// "1 is 100 Gb/s, as stated"
std::string unit_text(const NodeGraph& graph) {
  if (graph.unit() == CapacityUnit::cables) return "1 is a cable";
  const std::string gigabits = gigabits_text(graph.unit_megabits());
  if (graph.unit() == CapacityUnit::rates) return fmt::format("1 is {} Gb/s of data", gigabits);
  std::string text = fmt::format("1 is {} Gb/s, as stated", gigabits);
  if (const std::uint32_t assumed = graph.assumed_links(); assumed > 0) {
    text += fmt::format("; {} of which nothing is known count{} as 1 Gb/s",
                        assumed == 1 ? "a link" : fmt::format("{} links", grouped(assumed)),
                        assumed == 1 ? "s" : "");
  }
  return text;
}

struct BandwidthCase {
  CollectiveCase all;
  BandwidthProblem problem;
};

BandwidthCase load_case(const std::string& fabric, CollectiveInput wanted, const BandwidthInput& input,
                        const Common& common, const ScheduleDocument* document = nullptr,
                        const std::string& file = "") {
  if (!input.terminal_capacity) wanted.terminal_capacity = 0;
  wanted.unit = capacity_unit(input.capacity);
  BandwidthCase result{load_collective(fabric, wanted, common, document, file), {}};
  if (input.terminal_capacity && result.all.problem.graph->unit() != CapacityUnit::cables)
    throw InputError("--terminal-capacity counts cables, and capacities here are in Gb/s: see --capacity");
  result.problem = make_bandwidth_problem(result.all.problem);
  return result;
}

BandwidthCut proven_optimum(const BandwidthProblem& problem, Progress& progress) {
  BandwidthCut cut = bandwidth_optimum(problem, progress);
  if (count_cut(problem, cut.inside).time() != cut.time())
    throw std::runtime_error("the cut that proves the optimum does not hold");
  return cut;
}

/// What is said of trees, where there are any.
void add_forest(const BandwidthProblem& problem, const BandwidthCut& cut, const Forest& forest,
                const ForestVerdict& verdict, Json& document,
                std::vector<std::pair<std::string, std::string>>& lines) {
  const bool optimal = verdict.valid() && verdict.time == cut.time();
  const ForestDepth depth = verdict.valid() ? depth_of(forest) : ForestDepth{};
  document["reached"] = verdict.valid() ? Json(verdict.time.text()) : Json();
  document["proven_optimal"] = optimal;
  document["copies"] = forest.copies;
  document["trees"] = forest.trees.size();
  document["depth"] = depth.edges;
  document["channels"] = depth.channels;
  document["valid"] = verdict.valid();
  document["fault"] = verdict.valid() ? Json() : Json(verdict.fault);
  if (!verdict.valid()) {
    lines.emplace_back("valid",
                       fmt::format("NO: {}{}", verdict.fault, problem.backward ? ", in reversed time" : ""));
    return;
  }
  lines.emplace_back("reached",
                     optimal ? verdict.time.text() + ", the least: proven optimal" : verdict.time.text());
  lines.emplace_back(
      "trees",
      fmt::format("{}, of shares in {} part{}, {} edge{} deep, over at most {} channel{}",
                  grouped(forest.trees.size()), grouped(forest.copies), forest.copies == 1 ? "" : "s",
                  depth.edges, depth.edges == 1 ? "" : "s", depth.channels, depth.channels == 1 ? "" : "s"));
  const NodeId from = problem.backward ? verdict.to : verdict.from;
  const NodeId to = problem.backward ? verdict.from : verdict.to;
  lines.emplace_back("valid", fmt::format("yes, as checked: {} edges, busiest {} -> {}",
                                          grouped(verdict.edges), from.value, to.value));
}

/// `forest`: null where there is no more than a bound.
Answer report(const std::string& fabric, const BandwidthCase& given, const BandwidthCut& cut,
              const Forest* forest, const ForestVerdict& verdict, const Stopwatch& time,
              const Common& common) {
  const BandwidthProblem& problem = given.problem;
  const std::uint32_t unit = problem.graph->unit_megabits();
  Json document;
  add_fabric(document, fabric, given.all.network);
  if (!given.all.faults.empty()) document["fail"] = given.all.faults;
  document["collective"] = given.all.problem.collective;
  document["nodes"] = problem.members.size();
  document["optimum"] = cut.time().text();
  document["cut"] = cut_json(cut);
  document["unit_megabits"] = unit == 0 ? Json() : Json(unit);
  document["assumed_links"] = problem.graph->assumed_links();
  std::vector<std::pair<std::string, std::string>> lines{
      {"collective",
       fmt::format("{} among {} nodes", given.all.problem.collective, grouped(problem.members.size()))}};
  if (!given.all.faults.empty()) lines.emplace_back("failed", given.all.faults);
  lines.emplace_back("capacity", unit_text(*problem.graph));
  lines.emplace_back(
      "optimum", fmt::format("{} of the time that a share takes over a capacity of 1", cut.time().text()));
  lines.emplace_back("proof", cut_text(problem, cut));
  if (forest != nullptr) add_forest(problem, cut, *forest, verdict, document, lines);
  document["seconds"] = time.seconds();
  const int code = forest == nullptr || verdict.valid() ? kYes : kNo;
  if (common.json) return {code, std::move(document), {}};
  return {code, {}, fabric_line(fabric, given.all.network) + "\n" + key_values(lines)};
}

}  // namespace

void add_bandwidth_options(CLI::App& app, BandwidthInput& input) {
  app.add_option("--goal", input.goal,
                 "steps: as few as can be; bandwidth: as little time for each byte of large messages")
      ->check(CLI::IsMember({"steps", "bandwidth"}))
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option(
         "--capacity", input.capacity,
         "With --goal bandwidth: what a link carries counts by cables, by rates or as the fabric states "
         "it; without it as stated where anything is, else by rates where all are known")
      ->check(CLI::IsMember({"cables", "rates", "stated"}))
      ->type_name("WORD");
}

Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common) {
  require_one_process(common, "schedule --goal bandwidth");
  require_writable(target, common);
  if (target.format != "json")
    throw InputError(fmt::format("--format {}: trees are written as json only", target.format));
  CollectiveInput wanted = collective;
  wanted.collective = base_of(collective.collective);
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthCase given = load_case(fabric, wanted, input, common);
  const BandwidthProblem& problem = given.problem;
  if (!input.bounds && problem.members.size() > kMostMembers) {
    throw InputError(fmt::format("{} nodes: trees are made for {} at most; --bounds gives the optimum alone",
                                 problem.members.size(), kMostMembers));
  }
  const BandwidthCut cut = proven_optimum(problem, bar);
  if (input.bounds) return report(fabric, given, cut, nullptr, {}, time, common);
  const Forest forest = make_forest(problem, take_switches_out(problem, cut, bar), bar);
  const ForestVerdict verdict = check_forest(problem, forest);
  if (!verdict.valid()) throw std::runtime_error("the trees do not pass the checker: " + verdict.fault);
  if (!target.file.empty()) {
    write_file(target.file, forest_json({fabric, given.all.faults, given.all.problem.collective,
                                         participants_of(given.all.problem),
                                         problem.backward ? time_reversed(forest) : forest}));
    if (target.file == "-") return {kYes};
    note(common, fmt::format("wrote {} in format {}", target.file, target.format));
  }
  return report(fabric, given, cut, &forest, verdict, time, common);
}

Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common) {
  ForestDocument document = parse_forest(content, file == "-" ? "standard input" : file);
  const ScheduleDocument who{
      document.fabric, document.faults, document.collective, document.participants, {}};
  CollectiveInput wanted = collective;
  wanted.collective = base_of(collective.collective);
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthCase given = load_case(fabric, wanted, input, common, &who, file);
  if (given.problem.backward) document.forest = time_reversed(document.forest);
  const ForestVerdict verdict = check_forest(given.problem, document.forest);
  const BandwidthCut cut = proven_optimum(given.problem, bar);
  return report(fabric, given, cut, &document.forest, verdict, time, common);
}

}  // namespace unknot::cli
