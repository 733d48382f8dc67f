// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/change/transition_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/tables/transition_file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::cli {
std::string step_text(const TransitionStep& step) {
  return (step.wait ? "after a packet's lifetime: " : "") + shown(step.what);
}

Json transition_json(const Network& network, const Transition& transition) {
  return {{"steps", transition_steps(network, transition.before.service_levels, transition.steps)},
          {"drained_paths", transition.drained},
          {"drained_paths_alive", transition.drained_alive}};
}

Json transition_summary(const Transition& transition) {
  Json steps = Json::array();
  for (const TransitionStep& step : transition.steps) {
    steps.push_back({{"what", step.what}, {"entries", step.entries.size()}, {"levels", step.levels.size()}});
    if (step.wait) steps.back()["wait"] = true;
  }
  return {{"steps", std::move(steps)},
          {"drained_paths", transition.drained},
          {"drained_paths_alive", transition.drained_alive},
          {"proven", true}};
}

std::string transition_text(const Transition& transition) {
  std::string text = fmt::format("safe transition, every step proven: {} step{}\n", transition.steps.size(),
                                 transition.steps.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < transition.steps.size(); ++i) {
    const TransitionStep& step = transition.steps[i];
    text += fmt::format("  {}. {}: {} entries, {} levels\n", i + 1, step_text(step),
                        grouped(step.entries.size()), grouped(step.levels.size()));
  }
  if (transition.drained > 0) {
    text += fmt::format("  {} paths are drained meanwhile, {} of which the old tables still deliver\n",
                        grouped(transition.drained), grouped(transition.drained_alive));
  }
  return text;
}

}  // namespace unknot::cli
