// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/report/compare/compared_parts.hpp"
#include "unknot/support/text/grouped.hpp"

namespace unknot::report {
namespace {

/// Why two schedules are not compared; "" where they are.
std::string why_no_comparison(const PageData::Schedule& before, const PageData::Schedule& after) {
  if (before.collective != after.collective) {
    return fmt::format("The schedules do {} before and {} after: they are not compared.", before.collective,
                       after.collective);
  }
  std::vector<std::string> old = before.names, fresh = after.names;
  std::sort(old.begin(), old.end());
  std::sort(fresh.begin(), fresh.end());
  if (old == fresh) return "";
  return fmt::format(
      "The schedules of {} are among other nodes, {} before and {} after: they are not compared.",
      before.collective, grouped(before.names.size()), grouped(after.names.size()));
}

Json schedule_side(const std::optional<PageData::Schedule>& schedule) {
  if (!schedule) return {};
  Json steps = Json::array();
  for (const PageData::ScheduleStep& step : schedule->steps) {
    Json transfers = Json::array();
    for (const PageData::Transfer& one : step.transfers) {
      transfers.push_back({{"words", one.words},
                           {"from", one.from},
                           {"to", one.to},
                           {"colour", one.colour},
                           {"arcs", one.arcs}});
    }
    steps.push_back({{"busy", step.busy}, {"transfers", std::move(transfers)}});
  }
  return {{"collective", schedule->collective},
          {"lower_bound", schedule->lower_bound},
          {"valid", schedule->valid},
          {"findings", schedule->findings},
          {"capacity", schedule->capacity},
          {"network",
           {{"x", schedule->x},
            {"y", schedule->y},
            {"node", schedule->node},
            {"names", schedule->names},
            {"from", schedule->from},
            {"to", schedule->to},
            {"bent", schedule->bent}}},
          {"steps", std::move(steps)}};
}

}  // namespace

Json compared_schedules(const PageData& before, const PageData& after) {
  if (!before.schedule && !after.schedule) return {};
  const bool both = before.schedule && after.schedule;
  return {{"before", schedule_side(before.schedule)},
          {"after", schedule_side(after.schedule)},
          {"why_not", both ? why_no_comparison(*before.schedule, *after.schedule) : ""}};
}

std::vector<std::string> schedule_sentences(const PageData& before, const PageData& after) {
  if (!before.schedule || !after.schedule) return {};
  const PageData::Schedule &old = *before.schedule, &fresh = *after.schedule;
  if (std::string why = why_no_comparison(old, fresh); !why.empty()) return {std::move(why)};
  if (old.steps.size() == fresh.steps.size() && old.lower_bound == fresh.lower_bound &&
      old.valid == fresh.valid) {
    return {};
  }
  std::string text =
      fmt::format("The schedule of {} has {} steps, before {}; the lower bound is {}, before {}",
                  fresh.collective, grouped(fresh.steps.size()), grouped(old.steps.size()),
                  grouped(fresh.lower_bound), grouped(old.lower_bound));
  if (old.valid != fresh.valid)
    text += fresh.valid ? "; it breaks no rule any more" : "; it BREAKS THE RULES now";
  return {text + "."};
}

}  // namespace unknot::report
