// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/exchange/exchange_check.hpp"
#include "unknot/collective/exchange/make_exchange.hpp"
#include "unknot/collective/files/exchange_file.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {
namespace {

/// "29/2 = 14.5"
std::string time_text(const Fraction& time) {
  return time.under() == 1 ? time.text() : fmt::format("{} = {:.6g}", time.text(), time.value());
}

Problem problem_of(const BandwidthRequest& request) {
  const CollectiveRequest& all = request.all;
  return in_file(all.said_in, [&] { return make_collective(all.graph, all.row->name, all.who, all.rules); });
}

std::size_t nodes_of(const Problem& problem) {
  const std::vector<Role> roles = problem.roles();
  return static_cast<std::size_t>(
      std::count_if(roles.begin(), roles.end(), [](Role role) { return role != Role::switch_only; }));
}

Json lengths_json(const NodeGraph& graph, const ExchangeBound& bound) {
  Json lengths = Json::array();
  for (const ArcId a : graph.arcs()) {
    if (bound.length[a.value] > 0)
      lengths.push_back({graph.tail(a).value, graph.head(a).value, bound.length[a.value]});
  }
  return {{"lengths", std::move(lengths)}, {"distances", bound.distances}, {"capacity", bound.capacity}};
}

void add_paths(const ExchangeBound& bound, const ExchangePlan& plan, const ExchangeVerdict& verdict,
               Json& document, ReportLines& lines) {
  const double gap = verdict.valid() ? verdict.time.value() / bound.time().value() - 1 : 0;
  const bool optimal = verdict.valid() && verdict.time == bound.time();
  document["reached"] = verdict.valid() ? Json(verdict.time.text()) : Json();
  document["gap"] = verdict.valid() ? Json(gap) : Json();
  document["proven_optimal"] = optimal;
  document["copies"] = plan.copies;
  document["paths"] = plan.routes.size();
  document["channels"] = verdict.channels;
  document["valid"] = verdict.valid();
  document["fault"] = verdict.valid() ? Json() : Json(verdict.fault);
  if (!verdict.valid()) {
    lines.emplace_back("valid", "NO: " + verdict.fault);
    return;
  }
  lines.emplace_back(
      "reached", optimal ? time_text(verdict.time) + ", the least: proven optimal"
                         : fmt::format("{}, {:.2f} % over the bound", time_text(verdict.time), 100 * gap));
  lines.emplace_back(
      "paths", fmt::format("{}, of messages in {} part{}, at most {} channel{} long",
                           grouped(plan.routes.size()), grouped(plan.copies), plan.copies == 1 ? "" : "s",
                           verdict.channels, verdict.channels == 1 ? "" : "s"));
  lines.emplace_back("valid",
                     fmt::format("yes, as checked: busiest {} -> {}", verdict.from.value, verdict.to.value));
}

/// All at once: one step, in which the busiest arc carries all that it has to.
void add_time(const CostModel& model, std::uint64_t bytes, const ExchangeVerdict& verdict, Json& document,
              ReportLines& lines) {
  const double seconds = model.alpha + model.hop * verdict.channels +
                         verdict.time.value() * static_cast<double>(bytes) * model.beta;
  document["bytes"] = bytes;
  document["cost"] = cost_json(model);
  document["time"] = seconds;
  lines.emplace_back("cost", cost_text(model));
  lines.emplace_back("time",
                     fmt::format("{:.6g} us for messages of {} bytes", seconds * 1e6, grouped(bytes)));
}

/// `plan`: null where there is no more than a bound.
Answer report(const std::string& fabric, const BandwidthRequest& request, const Problem& problem,
              const BandwidthInput& input, const ExchangeBound& bound, const ExchangePlan* plan,
              const ExchangeVerdict& verdict, const Stopwatch& time, const Common& common) {
  Json document;
  ReportLines lines;
  begin_report(fabric, request, nodes_of(problem), document, lines);
  const bool known = plan != nullptr && verdict.valid() && verdict.time == bound.time();
  document["optimum"] = known ? Json(bound.time().text()) : Json();
  document["bound"] = bound.time().text();
  document["cut"] = lengths_json(*problem.graph, bound);
  lines.emplace_back("bound", fmt::format("{} of the time that a message takes over a capacity of 1",
                                          time_text(bound.time())));
  lines.emplace_back(
      "proof", fmt::format("lengths of channels: {} of distance between ends, {} of capacity times length",
                           grouped(bound.distances), grouped(bound.capacity)));
  if (plan != nullptr) add_paths(bound, *plan, verdict, document, lines);
  if (input.bytes > 0 && plan != nullptr && verdict.valid())
    add_time(cost_of(input, *problem.graph), input.bytes, verdict, document, lines);
  document["seconds"] = time.seconds();
  const int code = plan == nullptr || verdict.valid() ? kYes : kNo;
  if (common.json) return {code, std::move(document), {}};
  return {code, {}, fabric_line(fabric, request.all.network) + "\n" + key_values(lines)};
}

/// Counted once more, by itself.
void require_bound(const Problem& problem, const ExchangeBound& bound, std::uint32_t threads) {
  if (count_lengths(problem, bound.length, threads).time() != bound.time())
    throw std::runtime_error("the lengths that prove the bound do not hold");
}

}  // namespace

Answer exchange_command(const std::string& fabric, const BandwidthRequest& request,
                        const BandwidthInput& input, const ScheduleTarget& target, const Common& common) {
  const Stopwatch time;
  ProgressBar bar(common);
  const Problem problem = problem_of(request);
  const ExchangeFlow flow(problem, {.threads = common.threads}, bar);
  require_bound(problem, flow.bound(), common.threads);
  if (input.bounds) return report(fabric, request, problem, input, flow.bound(), nullptr, {}, time, common);
  ExchangeDocument document{{fabric, request.all.faults, request.collective, participants_of(problem)},
                            flow.plan()};
  const ExchangeVerdict verdict = check_exchange(problem, document.plan);
  if (!verdict.valid()) throw std::runtime_error("the paths do not pass the checker: " + verdict.fault);
  if (!target.file.empty()) {
    write_target(target, exchange_json(document), common);
    if (target.file == "-") return {kYes};
  }
  return report(fabric, request, problem, input, flow.bound(), &document.plan, verdict, time, common);
}

Answer check_exchange_file(const std::string& fabric, const CollectiveInput& collective,
                           const BandwidthInput& input, const std::string& content, const std::string& file,
                           const Common& common) {
  const ExchangeDocument document = parse_exchange(content, file == "-" ? "standard input" : file);
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthRequest request = load_bandwidth_request(fabric, collective, input, common, &document, file);
  if (!request.is_exchange()) {
    throw InputError(
        fmt::format("{}: paths are for messages that each have a receiver of their own, {} is made by trees",
                    file, request.collective));
  }
  const Problem problem = problem_of(request);
  const ExchangeVerdict verdict = check_exchange(problem, document.plan);
  const ExchangeFlow flow(problem, {.threads = common.threads}, bar);
  require_bound(problem, flow.bound(), common.threads);
  return report(fabric, request, problem, input, flow.bound(), &document.plan, verdict, time, common);
}

}  // namespace unknot::cli
