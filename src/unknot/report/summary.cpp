// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "unknot/report/document.hpp"

namespace unknot::report {
namespace {

const char* plural(std::uint64_t count) {
  return count == 1 ? "" : "s";
}

bool holds(const RoutingPart& part) {
  return part.failure.empty() && part.verdict.complete() && part.verdict.deadlock_free;
}

std::uint64_t max_load(const RoutingPart& part) {
  return load_statistics(part.load).max;
}

std::string network_sentence(const Content& content) {
  const Network& network = content.network;
  std::string text = fmt::format(
      "{}{} has {} router{}, {} terminal{} and {} channel{} between routers; a path between terminals needs "
      "{}{} "
      "of them at most, {:.2f} in the mean.",
      content.fabric == "-" ? "The fabric" : content.fabric,
      content.faults.empty() ? "" : " without what has failed (" + content.faults + ")",
      network.router_count(), plural(network.router_count()), network.terminal_count(),
      plural(network.terminal_count()), network.channel_count(), plural(network.channel_count()),
      content.distances.exact ? "" : "about ", content.distances.diameter, content.distances.mean_hops);
  return text;
}

void add_routings(const std::vector<RoutingPart>& routings, std::vector<std::string>& sentences) {
  if (routings.empty()) return;
  std::vector<const RoutingPart*> good;
  for (const RoutingPart& part : routings) {
    if (holds(part)) good.push_back(&part);
  }
  if (!good.empty()) {
    const auto best = std::min_element(good.begin(), good.end(),
                                       [](auto a, auto b) { return max_load(*a) < max_load(*b); });
    std::vector<std::string> names;
    for (const RoutingPart* part : good) names.push_back(part->name);
    sentences.push_back(fmt::format("{} deliver{} every pair and cannot deadlock{}.", fmt::join(names, ", "),
                                    good.size() == 1 ? "s" : "",
                                    good.size() == 1 ? "" : ", proven for each"));
    sentences.push_back(fmt::format(
        "{} pairs of terminals share the busiest channel under {}{}; the mean is {:.1f}.", max_load(**best),
        (*best)->name, good.size() == 1 ? "" : ", the fewest of these", load_statistics((*best)->load).mean));
  }
  for (const RoutingPart& part : routings) {
    if (!part.failure.empty()) {
      sentences.push_back(fmt::format("{} found no routing: {}.", part.name, part.failure));
      continue;
    }
    if (!part.verdict.complete())
      sentences.push_back(fmt::format("{} loses {} pairs.", part.name, part.verdict.unroutable_pairs));
    if (part.verdict.witness) {
      sentences.push_back(fmt::format("{} can deadlock: {} channels wait for each other in a circle.",
                                      part.name, part.verdict.witness->steps.size()));
    }
  }
}

std::string simulation_sentence(const SimulationPart& part) {
  const auto stops = std::find_if(part.points.begin(), part.points.end(),
                                  [](const auto& p) { return p.saturated || p.deadlock; });
  const std::string where = fmt::format("Under {} traffic, {}", part.traffic, part.routing);
  if (stops == part.points.end()) {
    const auto most = std::max_element(part.points.begin(), part.points.end(),
                                       [](const auto& a, const auto& b) { return a.load < b.load; });
    return fmt::format("{} accepts what is offered at every load simulated, up to {}.", where, most->load);
  }
  return fmt::format("{} {} at load {}.", where, stops->deadlock ? "DEADLOCKS" : "is saturated", stops->load);
}

std::string schedule_sentence(const SchedulePart& part) {
  const std::uint32_t steps = part.verdict.steps;
  std::string text =
      fmt::format("The schedule does {} in {} step{}", part.problem.collective, steps, plural(steps));
  if (!part.verdict.valid()) {
    return text + fmt::format(" and breaks the rules {} time{}.", part.verdict.violations(),
                              plural(part.verdict.violations()));
  }
  if (steps <= part.lower_bound) return text + ", checked; no schedule has fewer.";
  return text + fmt::format(", checked; none has fewer than {}.", part.lower_bound);
}

}  // namespace

std::vector<std::string> summary(const Content& content) {
  std::vector<std::string> sentences = {network_sentence(content)};
  add_routings(content.routings, sentences);
  for (const SimulationPart& part : content.simulations) sentences.push_back(simulation_sentence(part));
  if (content.schedule) sentences.push_back(schedule_sentence(*content.schedule));
  return sentences;
}

}  // namespace unknot::report
