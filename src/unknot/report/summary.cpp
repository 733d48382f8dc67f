// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "unknot/report/document.hpp"
#include "unknot/support/text/grouped.hpp"

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

/// 1234.56 as "1,234.6".
std::string mean_in_words(double mean) {
  const std::string text = fmt::format("{:.1f}", mean);
  const std::size_t point = text.find('.');
  return grouped(std::stoull(text.substr(0, point))) + text.substr(point);
}

std::string network_sentence(const Content& content) {
  const Network& network = content.network;
  std::string text = fmt::format(
      "{}{} has {} router{}, {} terminal{} and {} channel{} between routers; a path between terminals needs "
      "{}{} "
      "of them at most, {:.2f} in the mean.",
      content.fabric == "-" ? "The fabric" : content.fabric,
      content.faults.empty() ? "" : " without what has failed (" + content.faults + ")",
      grouped(network.router_count()), plural(network.router_count()), grouped(network.terminal_count()),
      plural(network.terminal_count()), grouped(network.channel_count()), plural(network.channel_count()),
      content.distances.exact ? "" : "about ", content.distances.diameter, content.distances.mean_hops);
  return text;
}

/// Those that hold, first; what is wrong with the others.
void add_routings(const std::vector<RoutingPart>& routings, std::vector<std::string>& sentences) {
  std::vector<const RoutingPart*> good;
  std::vector<std::string> names;
  for (const RoutingPart& part : routings) {
    if (!holds(part)) continue;
    good.push_back(&part);
    names.push_back(part.name);
  }
  if (!good.empty()) {
    const RoutingPart& best = **std::min_element(good.begin(), good.end(),
                                                 [](auto a, auto b) { return max_load(*a) < max_load(*b); });
    const bool one = good.size() == 1;
    sentences.push_back(
        fmt::format("{} deliver{} every pair and cannot deadlock; the busiest channel {}carries {} pairs of "
                    "terminals, {} in the mean.",
                    fmt::join(names, ", "), one ? "s" : "",
                    one ? "" : fmt::format("under {}, the least of these, ", best.name),
                    grouped(max_load(best)), mean_in_words(load_statistics(best.load).mean)));
  }
  for (const RoutingPart& part : routings) {
    if (!part.failure.empty())
      sentences.push_back(fmt::format("No routing by {}: {}.", part.name, part.failure));
    if (part.failure.empty() && !part.verdict.complete()) {
      sentences.push_back(
          fmt::format("{} loses {} pairs.", part.name, grouped(part.verdict.unroutable_pairs)));
    }
    if (part.verdict.witness) {
      sentences.push_back(fmt::format("{} can deadlock: {} channels wait for each other in a circle.",
                                      part.name, grouped(part.verdict.witness->steps.size())));
    }
  }
}

/// "dfsssp is saturated at load 0.5": the least load at which it does not go on.
std::string simulation_words(const SimulationPart& part) {
  const simulate::PointMeans* stops = nullptr;
  double most = 0;
  for (const simulate::PointMeans& point : part.points) {
    most = std::max(most, point.load);
    if ((point.saturated || point.failed()) && (stops == nullptr || point.load < stops->load)) stops = &point;
  }
  if (stops == nullptr) return fmt::format("{} accepts all that is offered, up to {}", part.routing, most);
  return fmt::format("{} {} at {}", part.routing,
                     stops->deadlock ? "deadlocks"
                     : stops->lost   ? "leaves packets undelivered"
                                     : "is saturated",
                     stops->load);
}

std::string simulation_sentence(const std::vector<SimulationPart>& parts) {
  std::vector<std::string> words;
  words.reserve(parts.size());
  for (const SimulationPart& part : parts) words.push_back(simulation_words(part));
  return fmt::format("Simulated under {} traffic, by offered load: {}.", parts.front().traffic,
                     fmt::join(words, ", "));
}

std::string schedule_sentence(const SchedulePart& part) {
  const std::uint32_t steps = part.verdict.steps;
  std::string text = fmt::format("The schedule does {} in {} step{}", part.problem.collective, grouped(steps),
                                 plural(steps));
  if (!part.verdict.valid()) {
    return text + fmt::format(" and breaks the rules {} time{}.", grouped(part.verdict.violations()),
                              plural(part.verdict.violations()));
  }
  if (steps <= part.lower_bound) return text + ", checked; no schedule has fewer.";
  return text + fmt::format(", checked; none has fewer than {}.", grouped(part.lower_bound));
}

}  // namespace

std::vector<std::string> summary(const Content& content) {
  std::vector<std::string> sentences;
  if (content.schedule) sentences.push_back(schedule_sentence(*content.schedule));
  add_routings(content.routings, sentences);
  if (!content.simulations.empty()) sentences.push_back(simulation_sentence(content.simulations));
  sentences.push_back(network_sentence(content));
  return sentences;
}

}  // namespace unknot::report
