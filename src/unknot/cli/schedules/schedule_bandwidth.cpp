// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_bandwidth.hpp"

#include <fmt/format.h>

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
#include "unknot/cli/schedules/proven_optimum.hpp"
#include "unknot/cli/schedules/schedule_exchange.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/pipelining.hpp"
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/collective/files/goal_write.hpp"
#include "unknot/play/c_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostMembers = 4096;  ///< each has a place in a tree of each: some two gibibytes

BandwidthProblem problem_of(const BandwidthRequest& request) {
  const CollectiveRequest& all = request.all;
  return in_file(all.said_in,
                 [&] { return make_bandwidth_problem(all.graph, request.collective, all.who, all.rules); });
}

/// What is said of trees, where there are any.
void add_forest(const BandwidthProblem& problem, const Fraction& optimum, const Forest& forest,
                const ForestVerdict& verdict, Json& document,
                std::vector<std::pair<std::string, std::string>>& lines) {
  const bool optimal = verdict.valid() && verdict.time == optimum;
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
      "trees", fmt::format("{}{}, of shares in {} part{}, {} edge{} deep, over at most {} channel{}",
                           problem.all_reduce ? "to the root and back: " : "", grouped(forest.trees.size()),
                           grouped(forest.copies), forest.copies == 1 ? "" : "s", depth.edges,
                           depth.edges == 1 ? "" : "s", depth.channels, depth.channels == 1 ? "" : "s"));
  const NodeId from = problem.backward ? verdict.to : verdict.from;
  const NodeId to = problem.backward ? verdict.from : verdict.to;
  lines.emplace_back("valid", fmt::format("yes, as checked: {} edges, busiest {} -> {}",
                                          grouped(verdict.edges), from.value, to.value));
}

/// How trees are run for messages of the size that is given. A message of an all-reduce has a share for each
/// node.
Pipeline pipeline_for(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                      const ForestVerdict& verdict) {
  const CostModel model = cost_of(input, *problem.graph);
  const double share = static_cast<double>(input.bytes) /
                       (problem.all_reduce ? static_cast<double>(problem.members.size()) : 1);
  const PipelineShape shape = shape_of(forest, verdict.time, problem.all_reduce);
  return input.chunks > 0 ? pipeline_of(shape, model, share, input.chunks)
                          : best_pipeline(shape, model, share);
}

/// Parts, one behind the other, of what a tree carries: those of --chunks or of --bytes, else one.
std::uint64_t chunks_of(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                        const ForestVerdict& verdict) {
  if (input.bytes > 0) return pipeline_for(problem, input, forest, verdict).chunks;
  return std::max<std::uint64_t>(input.chunks, 1);
}

/// Of a share of 1 MiB where no size is known.
std::uint64_t chunk_bytes(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                          std::uint64_t chunks) {
  const std::uint64_t shares = problem.all_reduce ? problem.members.size() : 1;
  const std::uint64_t bytes = input.bytes > 0 ? input.bytes : shares * kGoalMessageBytes;
  const std::uint64_t parts = shares * forest.copies * chunks;
  return (bytes + parts - 1) / parts;
}

void add_pipeline(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                  const ForestVerdict& verdict, Json& document, ReportLines& lines) {
  const CostModel model = cost_of(input, *problem.graph);
  const Pipeline pipeline = pipeline_for(problem, input, forest, verdict);
  document["bytes"] = input.bytes;
  document["cost"] = cost_json(model);
  document["chunks"] = pipeline.chunks;
  document["steps"] = pipeline.steps;
  document["time"] = pipeline.seconds;
  lines.emplace_back("cost", cost_text(model));
  lines.emplace_back(
      "time", fmt::format("{:.6g} us for {} bytes: {} chunk{}, {} steps", pipeline.seconds * 1e6,
                          grouped(input.bytes), grouped(pipeline.chunks), pipeline.chunks == 1 ? "" : "s",
                          grouped(pipeline.steps)));
}

/// `forest`: null where there is no more than a bound.
Answer report(const std::string& fabric, const BandwidthRequest& request, const BandwidthProblem& problem,
              const BandwidthInput& input, const ProvenOptimum& optimum, const Forest* forest,
              const ForestVerdict& verdict, const Stopwatch& time, const Common& common) {
  Json document;
  ReportLines lines;
  begin_report(fabric, request, problem.members.size(), document, lines);
  document["optimum"] = optimum.time().text();
  document["cut"] = optimum.json();
  lines.emplace_back("optimum", fmt::format("{} of the time that a share takes over a capacity of 1",
                                            optimum.time().text()));
  lines.emplace_back("proof", optimum.text());
  if (forest != nullptr) add_forest(problem, optimum.time(), *forest, verdict, document, lines);
  if (input.bytes > 0 && forest != nullptr && verdict.valid())
    add_pipeline(problem, input, *forest, verdict, document, lines);
  document["seconds"] = time.seconds();
  const int code = forest == nullptr || verdict.valid() ? kYes : kNo;
  if (common.json) return {code, std::move(document), {}};
  return {code, {}, fabric_line(fabric, request.all.network) + "\n" + key_values(lines)};
}

}  // namespace

Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common) {
  require_one_process(common, "schedule --goal bandwidth");
  require_writable(target, common);
  const PlanFormat* plan = find_moves_format(target.format);
  if (plan != nullptr && plan->of_machine == nullptr) require_moves(*plan);
  if (target.format != "json" && target.format != "c" && plan == nullptr) {
    throw InputError(fmt::format(
        "--format {}: trees and paths are written as json, trees as c, mscclpp, chakra and goal, too",
        target.format));
  }
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthRequest request = load_bandwidth_request(fabric, collective, input, common);
  if (request.is_exchange() && target.format != "json" && !target.file.empty())
    throw InputError(fmt::format("--format {}: paths are written as json only", target.format));
  if (request.is_exchange()) return exchange_command(fabric, request, input, target, common);
  const BandwidthProblem problem = problem_of(request);
  if (!input.bounds && problem.members.size() > kMostMembers) {
    throw InputError(fmt::format("{} nodes: trees are made for {} at most; --bounds gives the optimum alone",
                                 problem.members.size(), kMostMembers));
  }
  const ProvenOptimum optimum(problem, bar);
  if (input.bounds) return report(fabric, request, problem, input, optimum, nullptr, {}, time, common);
  const Forest forest = optimum.trees(bar);
  const ForestVerdict verdict = check_forest(problem, forest);
  if (!verdict.valid()) throw std::runtime_error("the trees do not pass the checker: " + verdict.fault);
  if (plan != nullptr && !target.file.empty()) {
    if (plan->of_machine != nullptr && !request.all.faults.empty())
      throw InputError(fmt::format("--format {}: of the whole machine alone, without --fail", target.format));
    if (plan->of_machine != nullptr) {
      write_target(target, plan->of_machine(fabric), common);
    } else {
      const std::uint64_t chunks = chunks_of(problem, input, forest, verdict);
      write_moves(target, *plan, mscclpp::moves_of(problem, forest, chunks),
                  request.collective + " " + fabric, request.all.network,
                  chunk_bytes(problem, input, forest, chunks), common);
    }
    if (target.file == "-") return {kYes};
  } else if (!target.file.empty()) {
    if (target.format == "c") {
      const PipelinedSteps steps =
          pipelined_steps(request.all.graph, problem, forest, chunks_of(problem, input, forest, verdict));
      write_target(target, play::c_source(steps.problem, steps.schedule, fabric, play::Channels::shared),
                   common);
    } else {
      write_target(target,
                   forest_json({{fabric, request.all.faults, request.collective, problem.who},
                                problem.backward ? time_reversed(forest) : forest}),
                   common);
    }
    if (target.file == "-") return {kYes};
  }
  return report(fabric, request, problem, input, optimum, &forest, verdict, time, common);
}

Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common) {
  ForestDocument document = parse_forest(content, file == "-" ? "standard input" : file);
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthRequest request = load_bandwidth_request(fabric, collective, input, common, &document, file);
  const BandwidthProblem problem = problem_of(request);
  if (problem.backward) document.forest = time_reversed(document.forest);
  const ForestVerdict verdict = check_forest(problem, document.forest);
  const ProvenOptimum optimum(problem, bar);
  return report(fabric, request, problem, input, optimum, &document.forest, verdict, time, common);
}

LoadedTrees load_trees(const std::string& fabric, const CollectiveInput& collective, std::uint64_t chunks,
                       const std::string& content, const std::string& file, const Common& common) {
  ForestDocument document = parse_forest(content, file == "-" ? "standard input" : file);
  BandwidthRequest request = load_bandwidth_request(fabric, collective, {}, common, &document, file);
  const BandwidthProblem problem = problem_of(request);
  if (problem.backward) document.forest = time_reversed(document.forest);
  const ForestVerdict verdict = check_forest(problem, document.forest);
  if (!verdict.valid())
    throw InputError(fmt::format("{}: the trees do not deliver: {}", file, verdict.fault));
  return {std::move(request.all.network),
          pipelined_steps(request.all.graph, problem, document.forest, chunks)};
}

}  // namespace unknot::cli
