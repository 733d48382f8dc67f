// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/transition.hpp"

#include <algorithm>
#include <utility>

#include "unknot/routing/model/engine.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kWithdrawn = ServiceLevels::kMissing;

/// What the changes of one destination mean for the routers.
class ChangedPaths {
 public:
  ChangedPaths(const Network& network, const Routing& before, const Routing& after)
      : network_(network),
        before_(before),
        after_(after),
        taken_(network.router_count(), 0),
        changed_(network.router_count(), 0) {}

  /// Looks at a destination whose entries `changes` are.
  void look_at(TerminalId destination, std::span<const EntryChange> changes) {
    destination_ = destination;
    std::fill(taken_.begin(), taken_.end(), 0);
    std::fill(changed_.begin(), changed_.end(), 0);
    for (const EntryChange& change : changes) changed_[change.router.value] = 1;
    for (const RouterId r : network_.routers()) {
      if (!network_.terminals_at(r).empty())
        follow(after_.table(), r, [&](RouterId at) { taken_[at.value] = 1; });
    }
  }
  /// Some terminal's packets pass the router by the new tables.
  [[nodiscard]] bool taken(RouterId r) const { return taken_[r.value] != 0; }
  /// Changed entries on the new path after the router.
  [[nodiscard]] std::uint32_t changes_ahead(RouterId r) const {
    std::uint32_t count = 0;
    follow(after_.table(), r, [&](RouterId at) { count += at != r && changed_[at.value] != 0 ? 1 : 0; });
    return count;
  }
  /// The old or the new path from the router comes by a changed entry.
  [[nodiscard]] bool path_changes(RouterId r) const {
    bool found = false;
    const auto look = [&](RouterId at) { found = found || changed_[at.value] != 0; };
    follow(before_.table(), r, look);
    follow(after_.table(), r, look);
    return found;
  }

  /// The old path from the router arrives.
  [[nodiscard]] bool delivered_before(RouterId r) const {
    RouterId last = r;
    follow(before_.table(), r, [&](RouterId at) { last = at; });
    return last == network_.router_of(destination_);
  }

 private:
  template <class Visit>
  void follow(const ForwardingTable& table, RouterId at, const Visit& visit) const {
    for (std::uint32_t hops = 0; hops <= network_.router_count(); ++hops) {
      visit(at);
      const ChannelId next = table.next(network_, at, destination_);
      if (!next.valid()) return;
      at = network_.target(next);
    }
  }

  const Network& network_;
  const Routing& before_;
  const Routing& after_;
  TerminalId destination_;
  std::vector<std::uint8_t> taken_, changed_;
};

/// Calls visit(destination, its entries) for every destination of the list, which is by destination.
template <class Visit>
void for_each_destination(const std::vector<EntryChange>& entries, const Visit& visit) {
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin;
    while (end < entries.size() && entries[end].destination == entries[begin].destination) ++end;
    visit(entries[begin].destination, std::span(entries).subspan(begin, end - begin));
    begin = end;
  }
}

using Steps = std::vector<TransitionStep>;

Steps at_once(const Rerouted& rerouted) {
  return {{"new entries and levels", rerouted.entries, rerouted.levels}};
}

Steps taken_first(const Rerouted& rerouted, ChangedPaths& paths) {
  Steps steps{{"entries on new paths, and levels", {}, rerouted.levels},
              {"entries that no packet takes", {}, {}}};
  for_each_destination(rerouted.entries, [&](TerminalId d, std::span<const EntryChange> entries) {
    paths.look_at(d, entries);
    for (const EntryChange& change : entries)
      steps[paths.taken(change.router) ? 0 : 1].entries.push_back(change);
  });
  return steps;
}

Steps nearest_first(const Rerouted& rerouted, ChangedPaths& paths) {
  Steps steps;
  TransitionStep rest{"entries that no packet takes", {}, {}};
  for_each_destination(rerouted.entries, [&](TerminalId d, std::span<const EntryChange> entries) {
    paths.look_at(d, entries);
    for (const EntryChange& change : entries) {
      if (!paths.taken(change.router)) {
        rest.entries.push_back(change);
        continue;
      }
      const std::uint32_t ahead = paths.changes_ahead(change.router);
      while (steps.size() <= ahead) {
        steps.push_back({"entries with this many changes ahead: " + std::to_string(steps.size()), {}, {}});
      }
      steps[ahead].entries.push_back(change);
    }
  });
  steps.push_back({"levels", {}, rerouted.levels});
  steps.push_back(std::move(rest));
  return steps;
}

/// Rows of the service levels with a router that holds their terminals.
std::vector<RouterId> row_routers(const Network& network, const ServiceLevels& levels) {
  std::vector<RouterId> routers(levels.row_count());
  for (const TerminalId t : network.terminals()) routers[levels.row_of(t)] = network.router_of(t);
  return routers;
}

Steps drained(const Network& network, const Rerouted& rerouted, ChangedPaths& paths, Transition& transition) {
  const Routing& before = transition.before;
  const std::vector<RouterId> routers = row_routers(network, before.service_levels);
  const ServiceLevels& after = rerouted.routing.service_levels;
  TransitionStep withdraw{"paths that change are withdrawn", {}, {}};
  TransitionStep resume{"paths are sent on again", {}, {}};
  const auto pause = [&](std::uint32_t row, TerminalId d) {
    const std::uint8_t old = before.service_levels.row(row)[d.value];
    if (paths.delivered_before(routers[row])) ++transition.drained_alive;
    ++transition.drained;
    withdraw.levels.push_back({row, d, old, kWithdrawn});
    resume.levels.push_back({row, d, kWithdrawn, after.empty() ? old : after.row(row)[d.value]});
  };
  std::size_t next_level = 0;
  const auto levels_up_to = [&](TerminalId d) {
    for (; next_level < rerouted.levels.size() && rerouted.levels[next_level].destination < d; ++next_level) {
      paths.look_at(rerouted.levels[next_level].destination, {});
      pause(rerouted.levels[next_level].row, rerouted.levels[next_level].destination);
    }
  };
  for_each_destination(rerouted.entries, [&](TerminalId d, std::span<const EntryChange> entries) {
    levels_up_to(d);
    paths.look_at(d, entries);
    std::vector<bool> paused(routers.size(), false);
    for (std::uint32_t row = 0; row < routers.size(); ++row) {
      if (routers[row] != network.router_of(d) && paths.path_changes(routers[row])) paused[row] = true;
    }
    for (; next_level < rerouted.levels.size() && rerouted.levels[next_level].destination == d; ++next_level)
      paused[rerouted.levels[next_level].row] = true;
    for (std::uint32_t row = 0; row < routers.size(); ++row) {
      if (paused[row]) pause(row, d);
    }
  });
  levels_up_to(TerminalId());
  // What was sent before is to be gone, whatever the proof would say of it: that is what draining means.
  return {std::move(withdraw), {"new entries", rerouted.entries, {}, true}, std::move(resume)};
}

/// Puts waits where packets of earlier steps make a step unsafe, and only there. False where that does not
/// help.
bool add_waits(Steps& steps, const Routing& before, const PlanCheck& check) {
  for (std::size_t unsafe = check(before, steps); unsafe < steps.size(); unsafe = check(before, steps)) {
    if (unsafe == 0 || steps[unsafe].wait) return false;
    steps[unsafe].wait = true;
  }
  return true;
}

}  // namespace

Transition plan_transition(const Network& network, const Rerouted& rerouted, const PlanCheck& check) {
  Transition transition;
  transition.before = before_reroute(rerouted);
  const auto tidied = [](Steps steps) {
    std::erase_if(steps,
                  [](const TransitionStep& step) { return step.entries.empty() && step.levels.empty(); });
    return steps;
  };
  const auto accept = [&](const Steps& steps) {
    if (check(transition.before, steps) < steps.size()) return false;
    transition.steps = steps;
    return true;
  };
  const auto accept_with_waits = [&](Steps& steps) {
    if (!add_waits(steps, transition.before, check)) return false;
    transition.steps = std::move(steps);
    return true;
  };
  if (accept(tidied(at_once(rerouted)))) return transition;
  ChangedPaths paths(network, transition.before, rerouted.routing);
  Steps in_two = tidied(taken_first(rerouted, paths));
  if (accept(in_two)) return transition;
  Steps in_many = tidied(nearest_first(rerouted, paths));
  if (accept(in_many) || accept_with_waits(in_two) || accept_with_waits(in_many)) return transition;
  if (transition.before.service_levels.empty()) {
    transition.before.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  }
  Steps draining = tidied(drained(network, rerouted, paths, transition));
  if (accept_with_waits(draining)) return transition;
  throw RoutingFailure(
      "no safe order of steps: the old tables can deadlock on the fabric as it is now, or the new ones can");
}

}  // namespace unknot
