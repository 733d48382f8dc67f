// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/check_transition.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/change/transition_report.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/cli/routing/verdict_report.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/verify/transition/plan_check.hpp"
#include "unknot/verify/transition/plan_delivery.hpp"

namespace unknot::cli {
namespace {

std::string circle(const Network& network, const std::vector<LaneChannel>& cycle) {
  std::string text;
  for (const LaneChannel& hop : cycle) {
    text +=
        fmt::format("{}{}, lane {}", text.empty() ? "" : "; ", network.channel_name(hop.channel), hop.lane);
  }
  return text;
}

}  // namespace

Answer check_transition(const std::string& fabric, const Network& network, Routing before,
                        const std::string& file, const Common& common) {
  const std::vector<TransitionStep> steps =
      parse_transition(network, before, read_file(file), file == "-" ? "standard input" : file);
  ProgressBar bar(common);
  Json rows = Json::array();
  TextTable table({{"step"},
                   {"what", Align::left},
                   {"entries"},
                   {"levels"},
                   {"not delivered meanwhile"},
                   {"safe", Align::left}});
  std::string circles;
  const PlanVerdict plan = verify_plan(network, before, steps, common.threads, bar);
  stop_if_interrupted();
  Routing after = before;
  for (const TransitionStep& step : steps) apply_step(step, after);
  VerifyOptions options;
  options.threads = common.threads;
  const Verdict end = verify(network, after, options, bar);
  const std::vector<std::uint64_t> undelivered =
      undelivered_in_steps(network, before, steps, end.unroutable_pairs, common.threads);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepVerdict& verdict = plan.steps[i];
    rows.push_back({{"what", steps[i].what},
                    {"entries", steps[i].entries.size()},
                    {"levels", steps[i].levels.size()},
                    {"undelivered_pairs", undelivered[i]},
                    {"deadlock_free", verdict.deadlock_free()}});
    if (steps[i].wait) rows.back()["wait"] = true;
    table.add(
        {std::to_string(i + 1), step_text(steps[i]), grouped(steps[i].entries.size()),
         grouped(steps[i].levels.size()), grouped(undelivered[i]),
         verdict.deadlock_free() ? "yes" : fmt::format("NO, CYCLE of {} channels", verdict.cycle.size())});
    if (!verdict.deadlock_free()) {
      rows.back()["cycle"] = circle(network, verdict.cycle);
      circles += fmt::format("\nstep {}: {}\n", i + 1, circle(network, verdict.cycle));
    }
  }
  if (common.json) {
    Json document;
    add_fabric(document, fabric, network);
    document["transition"] = file;
    add_traffic(document, false, false);
    document["steps"] = std::move(rows);
    document["safe"] = plan.deadlock_free();
    add_verdict(document, network, end);
    return {plan.deadlock_free() && end.usable() ? kYes : kNo, std::move(document), {}};
  }
  const std::string explanation = explain(network, end);
  return {plan.deadlock_free() && end.usable() ? kYes : kNo,
          {},
          fabric_line(fabric, network) + "\n" + table.text() + circles + "\n" +
              key_values({{"traffic covered", "data"},
                          {"in the end", ""},
                          {"every pair delivered",
                           end.complete() ? "yes"
                                          : fmt::format("NO, {} of {} are not", grouped(end.unroutable_pairs),
                                                        grouped(end.pairs))},
                          {"deadlock-free", deadlock_answer(end)}}) +
              (explanation.empty() ? "" : "\n" + explanation)};
}

}  // namespace unknot::cli
