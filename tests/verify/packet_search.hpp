// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot::testing {

/// Plays a plan in every way there is, with room for one packet on each channel: at any moment a source may
/// send, a packet may move on or arrive, an entry of the step may change, and the next step may begin once
/// all have changed (and, where it waits, once every packet that was there then has gone). For networks of a
/// dozen channels and less than seven terminals, on one lane. Written from the definitions alone.
class PacketSearch {
 public:
  struct Found {
    bool circle = false;  ///< at some moment packets wait for each other in a circle
    bool locks = false;   ///< and at some they do so when the plan is over: forever
    std::size_t states = 0;
  };

  /// Everybody sends to these destinations.
  PacketSearch(const Network& network, const Routing& before, const std::vector<TransitionStep>& steps,
               std::vector<TerminalId> destinations)
      : network_(network), steps_(steps), tables_{before}, destinations_(std::move(destinations)) {
    for (const TransitionStep& step : steps) {
      tables_.push_back(tables_.back());
      apply_step(step, tables_.back());
    }
  }

  /// Looks at every state, or until a lock is found.
  Found run() {
    found_ = {};
    visit({std::vector<std::uint8_t>(network_.channel_count(), 0), 0, 0, false});
    while (!open_.empty() && !found_.locks) {
      const State state = open_.back();
      open_.pop_back();
      expand(state);
    }
    found_.states = seen_.size();
    return found_;
  }

 private:
  static constexpr std::uint8_t kOld = 8;  // sent before the wait

  struct State {
    std::vector<std::uint8_t> on;  // by channel: 0, or 1 + destination, and kOld
    std::uint32_t step;            // that is being made; steps_.size(): all are
    std::uint32_t changed;         // bits: entries of it that have changed
    bool waiting;                  // for the packets that are kOld
  };

  [[nodiscard]] std::uint32_t entry(const State& state, RouterId r, TerminalId d) const {
    if (state.step < steps_.size() && !state.waiting) {
      const std::vector<EntryChange>& entries = steps_[state.step].entries;
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].router == r && entries[i].destination == d && (state.changed >> i & 1U) != 0)
          return entries[i].after;
      }
    }
    return tables_[state.step].table().get(r, d);
  }
  /// The channel a packet wants; invalid where it arrives or is dropped.
  [[nodiscard]] ChannelId wanted(const State& state, RouterId r, TerminalId d) const {
    const std::uint32_t position = entry(state, r, d);
    const IdRange<ChannelId> out = network_.out(r);
    return position < out.size() ? out[position] : ChannelId();
  }

  void visit(State state) {
    std::uint64_t key = state.step << 1 | (state.waiting ? 1U : 0U);
    key = key << 12 | state.changed;
    for (const std::uint8_t one : state.on) key = key << 4 | one;
    if (!seen_.insert(key).second) return;
    if (in_circle(state)) {
      found_.circle = true;
      if (state.step == steps_.size()) found_.locks = true;
    }
    open_.push_back(std::move(state));
  }

  [[nodiscard]] bool in_circle(const State& state) const {
    for (const ChannelId first : network_.channels()) {
      ChannelId at = first;
      for (std::uint32_t hops = 0; hops < network_.channel_count(); ++hops) {
        const std::uint8_t packet = state.on[at.value];
        if (packet == 0) break;
        at = wanted(state, network_.target(at), TerminalId((packet & 7U) - 1));
        if (!at.valid()) break;
        if (at == first) return true;
      }
    }
    return false;
  }

  void expand(const State& state) {
    for (const TerminalId source : network_.terminals()) {
      for (const TerminalId d : destinations_) {
        if (d == source) continue;
        const ChannelId first = wanted(state, network_.router_of(source), d);
        if (!first.valid() || state.on[first.value] != 0) continue;
        State next = state;
        next.on[first.value] = static_cast<std::uint8_t>(1 + d.value);
        visit(std::move(next));
      }
    }
    for (const ChannelId c : network_.channels()) {
      const std::uint8_t packet = state.on[c.value];
      if (packet == 0) continue;
      const ChannelId to = wanted(state, network_.target(c), TerminalId((packet & 7U) - 1));
      if (to.valid() && state.on[to.value] != 0) continue;
      State next = state;
      next.on[c.value] = 0;
      if (to.valid()) next.on[to.value] = packet;
      visit(std::move(next));
    }
    if (state.step < steps_.size()) make_step(state);
  }

  void make_step(const State& state) {
    if (state.waiting) {
      if (std::any_of(state.on.begin(), state.on.end(), [](std::uint8_t p) { return (p & kOld) != 0; }))
        return;
      State next = state;
      next.waiting = false;
      visit(std::move(next));
      return;
    }
    const std::size_t count = steps_[state.step].entries.size();
    for (std::size_t i = 0; i < count; ++i) {
      if ((state.changed >> i & 1U) != 0) continue;
      State next = state;
      next.changed |= 1U << i;
      visit(std::move(next));
    }
    if (state.changed != (1U << count) - 1) return;
    State next = state;
    ++next.step;
    next.changed = 0;
    next.waiting = next.step < steps_.size() && steps_[next.step].wait;
    if (next.waiting) {
      for (std::uint8_t& packet : next.on) packet = packet == 0 ? packet : packet | kOld;
    }
    visit(std::move(next));
  }

  const Network& network_;
  std::vector<TransitionStep> steps_;
  std::vector<Routing> tables_;  // after this many steps
  std::vector<TerminalId> destinations_;
  Found found_;
  std::vector<State> open_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace unknot::testing
