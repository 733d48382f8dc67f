// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/schedule_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot::drawing {
namespace {

void require_fitting(const NodeGraph& graph, const Schedule& schedule) {
  require_drawable(graph.node_count());
  std::uint64_t hops = 0;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      hops += schedule.path(t).size();
      const auto check = [&](NodeId n) {
        if (n.value >= graph.node_count())
          throw InputError(fmt::format("step {}: there is no node {} to draw", step + 1, n.value));
      };
      check(schedule.origin(t));
      for (const NodeId n : schedule.path(t)) check(n);
    }
  }
  if (hops > kMostHops || schedule.step_count() > kMostHops / 10) {
    throw InputError(fmt::format("a drawing takes at most {} channels over all transfers, and {} steps",
                                 kMostHops, kMostHops / 10));
  }
}

}  // namespace

void require_drawable(std::uint32_t nodes) {
  if (nodes > kMostNodes)
    throw InputError(fmt::format("a drawing takes at most {} nodes; there are {}", kMostNodes, nodes));
}

ScheduleView::ScheduleView(const Problem& problem, const Schedule& schedule)
    : problem_(&problem), schedule_(&schedule) {
  const NodeGraph& graph = *problem.graph;
  require_fitting(graph, schedule);
  for (std::uint32_t t = 0; t < schedule.transfer_count(); ++t) origins_.push_back(schedule.origin(t));
  std::sort(origins_.begin(), origins_.end());
  origins_.erase(std::unique(origins_.begin(), origins_.end()), origins_.end());

  for (std::uint32_t link = 0; link < graph.link_count(); ++link) capacity_ += graph.link_capacity(link);
  messages_.assign(std::size_t{schedule.step_count()} * graph.arc_count(), 0);
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    std::uint32_t* const row = messages_.data() + std::size_t{step} * graph.arc_count();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto rank =
          std::lower_bound(origins_.begin(), origins_.end(), schedule.origin(t)) - origins_.begin();
      colour_.push_back(coloured_by_origin() ? static_cast<std::uint32_t>(rank)
                                             : t - schedule.step_begin(step));
      const auto path = schedule.path(t);
      for (std::size_t i = 1; i < path.size(); ++i) {
        const ArcId a = graph.find(path[i - 1], path[i]);
        if (a.valid()) ++row[a.value];
      }
    }
    std::uint64_t busy = 0;
    for (const ArcId a : graph.arcs()) busy += std::min(row[a.value], graph.capacity(a));
    busy_.push_back(std::min(busy, capacity_));
  }
}

std::string ScheduleView::title(const Caption& caption) const {
  const std::uint32_t steps = schedule_->step_count();
  std::string text = problem_->collective;
  if (!caption.fabric.empty()) text += " on " + caption.fabric;
  text += fmt::format(", {} step{}", steps, steps == 1 ? "" : "s");
  if (caption.lower_bound) text += fmt::format(" (lower bound {})", *caption.lower_bound);
  return text;
}

std::string ScheduleView::describe(std::uint32_t step, std::uint32_t transfer) const {
  std::vector<std::uint32_t> path;
  for (const NodeId n : schedule_->path(transfer)) path.push_back(n.value);
  const std::uint32_t origin = schedule_->origin(transfer).value;
  std::string what = fmt::format("message of {}", origin);
  if (problem_->delivery == Delivery::reduction) {
    what = fmt::format("part of the result for {}, from {}", origin, path.front());
  } else if (origin != path.front()) {
    what += fmt::format(", passed on by {}", path.front());
  }
  return fmt::format("step {}: {} to {}, along {}", step + 1, what, path.back(), fmt::join(path, " "));
}

std::string busy_text(std::uint64_t busy, std::uint64_t capacity) {
  const double share = capacity > 0 ? 100.0 * static_cast<double>(busy) / static_cast<double>(capacity) : 0;
  return fmt::format("{} of {} channels, {:.0f} %", busy, capacity, share);
}

}  // namespace unknot::drawing
