// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/route_damage.hpp"

#include <algorithm>

#include "unknot/load/flow_load.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot::watch {
namespace {

constexpr std::uint32_t kGone = NetworkChange::kGone;

/// Whether a table delivers to one destination.
class Reach {
 public:
  Reach(const Network& network, const Routing& routing)
      : network_(network),
        routing_(routing),
        may_drop_(lanes_may_drop(network, routing)),
        state_(network.router_count()) {}

  void set(TerminalId destination) {
    destination_ = destination;
    std::fill(state_.begin(), state_.end(), State::unknown);
    // Its own router may lack the entry, or send on by a port where the terminal no longer is.
    const RouterId home = network_.router_of(destination);
    if (routing_.table().get(home, destination) == ForwardingTable::kHere) state_[home.value] = State::yes;
  }
  bool from(TerminalId source) {
    if (!led_from(network_.router_of(source))) return false;
    if (!may_drop_) return true;
    path_.clear();
    return append_delivered(network_, routing_, true, source, destination_, path_);
  }

 private:
  bool led_from(RouterId r) {
    walk_.clear();
    State end = State::no;
    for (RouterId at = r;;) {
      // a router that is being walked already closes a loop
      if (state_[at.value] != State::unknown) {
        end = state_[at.value] == State::yes ? State::yes : State::no;
        break;
      }
      state_[at.value] = State::walked;
      walk_.push_back(at);
      const ChannelId next = routing_.table().next(network_, at, destination_);
      if (!next.valid()) break;
      at = network_.target(next);
    }
    for (const RouterId at : walk_) state_[at.value] = end;
    return end == State::yes;
  }

  enum class State : std::uint8_t { unknown, walked, yes, no };
  const Network& network_;
  const Routing& routing_;
  bool may_drop_;
  TerminalId destination_;
  std::vector<State> state_;
  std::vector<RouterId> walk_;
  std::vector<ChannelId> path_;
};

struct Count {
  std::uint64_t broken = 0, lost_before = 0;
  TerminalId first_source;
};

/// Terminals of both networks, by number in the new one.
std::vector<NetworkChange::Move> common_terminals(const NetworkChange& change) {
  std::vector<NetworkChange::Move> both = change.moved_terminals;
  for (std::uint32_t t = 0; t < change.terminal_to_old.size(); ++t) {
    if (change.terminal_to_old[t] != kGone)
      both.push_back({TerminalId(change.terminal_to_old[t]), TerminalId(t)});
  }
  std::sort(both.begin(), both.end(), [](const auto& a, const auto& b) { return a.after < b.after; });
  return both;
}

}  // namespace

RouteDamage route_damage(const Network& before, const Routing& old, const Network& after,
                         const Routing& carried, const NetworkChange& change, std::uint32_t threads,
                         Progress& progress) {
  require_tables(old, "the damage of a change");
  require_fit(before, old);
  require_fit(after, carried);
  const std::vector<NetworkChange::Move> both = common_terminals(change);
  const auto count = static_cast<std::uint32_t>(both.size());
  std::vector<Count> by_destination(count);
  SharedProgress shared(progress, "following the old tables", count);
  parallel_blocks(count, 16, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    // One of each for every address of the terminals.
    std::vector<Reach> was{Reach(before, old)};
    std::vector<Reach> is{Reach(after, carried)};
    for (const Routing& further : old.further) was.emplace_back(before, further);
    for (const Routing& further : carried.further) is.emplace_back(after, further);
    for (std::uint32_t d = begin; d < end; ++d) {
      for (Reach& one : was) one.set(both[d].before);
      for (Reach& one : is) one.set(both[d].after);
      for (std::uint32_t s = 0; s < count; ++s) {
        if (s == d) continue;
        bool lost = false, broken = false;
        for (std::size_t address = 0; address < was.size(); ++address) {
          const bool delivered = was[address].from(both[s].before);
          lost = lost || !delivered;
          broken = broken || (delivered && !is[address].from(both[s].after));
        }
        if (broken) {
          if (by_destination[d].broken++ == 0) by_destination[d].first_source = both[s].after;
        } else if (lost) {
          ++by_destination[d].lost_before;
        }
      }
      shared.step();
    }
  });
  RouteDamage damage;
  damage.pairs = std::uint64_t{count} * (count - std::min(count, 1U));
  for (std::uint32_t d = 0; d < count; ++d) {
    damage.broken += by_destination[d].broken;
    damage.lost_before += by_destination[d].lost_before;
    if (by_destination[d].broken == 0) continue;
    if (damage.destinations++ > 0) continue;
    damage.source = by_destination[d].first_source;
    damage.destination = both[d].after;
  }
  return damage;
}

}  // namespace unknot::watch
