// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/fault_impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Which message a transfer is.
std::uint32_t message_of(const Problem& problem, NodeId origin, std::span<const NodeId> path) {
  const std::uint32_t group = problem.group_of(origin);
  if (group == Problem::kNone) return Problem::kNone;
  return problem.message_of(group, problem.delivery == Delivery::reduction ? path.front() : path.back());
}

}  // namespace

void FormerTransfers::set(std::uint32_t message, std::uint32_t step, std::span<const NodeId> path) {
  of_[message] = {step, static_cast<std::uint32_t>(path.size()), nodes_.size()};
  nodes_.insert(nodes_.end(), path.begin(), path.end());
}

Schedule FormerTransfers::intact_schedule(const Problem& problem) const {
  struct Place {
    Transfer transfer;
    NodeId origin;
  };
  std::vector<Place> places;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) {
      if (intact(m)) places.push_back({of_[m], problem.owner[g]});
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::pair(a.transfer.step, a.transfer.first) < std::pair(b.transfer.step, b.transfer.first);
  });
  Schedule schedule;
  for (const Place& place : places) {
    while (schedule.step_count() <= place.transfer.step) schedule.add_step();
    schedule.add(place.origin, {nodes_.data() + place.transfer.first, place.transfer.length});
  }
  while (schedule.step_count() < steps_) schedule.add_step();
  return schedule;
}

FormerTransfers FormerTransfers::reversed() const {
  FormerTransfers result = *this;
  for (Transfer& transfer : result.of_) {
    transfer.step = steps_ - 1 - transfer.step;
    const auto begin = result.nodes_.begin() + static_cast<std::ptrdiff_t>(transfer.first);
    std::reverse(begin, begin + transfer.length);
  }
  return result;
}

std::vector<NodeId> node_numbers(const NodeGraph& before, const NodeGraph& after,
                                 const NetworkChange& change) {
  std::vector<NodeId> numbers(before.node_count());
  for (std::uint32_t n = 0; n < before.node_count(); ++n) {
    const bool leaf = before.is_leaf(NodeId(n));
    const std::uint32_t now =
        leaf ? change.terminal_to_new[n - before.router_count()] : change.router_to_new[n];
    if (now != NetworkChange::kGone) numbers[n] = NodeId(leaf ? after.router_count() + now : now);
  }
  return numbers;
}

FaultImpact fault_impact(const Problem& before, const Schedule& schedule,
                         std::shared_ptr<const NodeGraph> after, std::span<const NodeId> numbers,
                         std::shared_ptr<const PairRoutes> routes) {
  const NodeGraph& graph = *after;
  const auto takes_part = [&](NodeId n) {
    const NodeId now = numbers[n.value];
    return now.valid() && (graph.has_endpoint(now) || !before.graph->has_endpoint(n));
  };
  std::vector<MessageEnds> messages;
  for (std::uint32_t g = 0; g < before.groups(); ++g) {
    if (!takes_part(before.owner[g])) continue;
    for (const NodeId n : before.partners(g)) {
      if (takes_part(n)) messages.push_back({numbers[before.owner[g].value], numbers[n.value]});
    }
  }
  if (messages.empty())
    throw InputError(fmt::format("{}: no message has both its ends left", before.collective));
  ProblemRules rules = static_cast<const ProblemRules&>(before);
  rules.routes = std::move(routes);
  Problem problem =
      make_problem(before.collective, std::move(after), before.delivery, std::move(messages), rules);
  FormerTransfers former(problem.messages(), schedule.step_count());
  std::vector<NodeId> path;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const NodeId origin = numbers[schedule.origin(t).value];
      path.clear();
      for (const NodeId n : schedule.path(t)) path.push_back(numbers[n.value]);
      // Who passed a message on may be gone, and the message still to be delivered.
      const std::uint32_t message = origin.valid() ? message_of(problem, origin, path) : Problem::kNone;
      if (message == Problem::kNone) continue;
      bool intact = std::all_of(path.begin(), path.end(), [](NodeId n) { return n.valid(); });
      for (std::size_t i = 1; intact && i < path.size(); ++i)
        intact = graph.find(path[i - 1], path[i]).valid();
      if (intact && problem.routes != nullptr)
        intact = problem.routes->path(path.front(), path.back()) == path;
      if (!intact) path.clear();
      former.set(message, step, path);
    }
  }
  const std::uint32_t dropped = before.messages() - problem.messages();
  return {std::move(problem), std::move(former), dropped};
}

ScheduleChange change_of(const Problem& problem, const FormerTransfers& former, const Schedule& schedule) {
  ScheduleChange change;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto path = schedule.path(t);
      const std::uint32_t message = message_of(problem, schedule.origin(t), path);
      const auto before = former.path(message);
      const bool backwards = problem.delivery == Delivery::reduction;
      const bool same_step = backwards ? schedule.step_count() - step == former.steps() - former.step(message)
                                       : step == former.step(message);
      if (!same_step) {
        ++change.moved;
      } else if (std::equal(path.begin(), path.end(), before.begin(), before.end())) {
        ++change.kept;
      } else {
        ++change.rerouted;
      }
    }
  }
  return change;
}

}  // namespace unknot
