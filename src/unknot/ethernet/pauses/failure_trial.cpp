// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/failure_trial.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "unknot/deadlock/topological.hpp"

namespace unknot::ethernet {
namespace {

constexpr std::uint32_t kUnnumbered = TopologicalNumbers::kNone;

bool leads_over(const Forwarding::Step& step, std::uint32_t channel) {
  const auto channels = step.channels();
  return std::binary_search(channels.begin(), channels.end(), channel);
}

}  // namespace

FailureTrial::FailureTrial(const Failures& all, std::span<const std::uint32_t> links, std::uint32_t gone)
    : all_(all),
      forwarding_(all.forwarding_),
      fabric_(all.forwarding_.fabric()),
      links_(links.begin(), links.end()),
      gone_switch_(gone) {
  for (const std::uint32_t link : links) {
    dead_.push_back(link);
    dead_.push_back(fabric_.channels[link].reverse);
  }
  std::sort(dead_.begin(), dead_.end());
}

bool FailureTrial::all_dead(const std::vector<std::uint32_t>& channels) const {
  return std::all_of(channels.begin(), channels.end(), [&](std::uint32_t c) { return dead(c); });
}

/// Whether packets come over the channel as that flow while the links are down.
bool FailureTrial::comes(std::uint32_t channel, std::uint32_t flow) const {
  if (dead(channel)) return false;
  const std::uint32_t at = fabric_.channels[channel].from;
  for (const std::uint32_t f : forwarding_.family(forwarding_.flows()[flow].destination)) {
    const Forwarding::Step step = forwarding_.step(at, f, dead_);
    if (step.flow == flow && leads_over(step, channel) && reached(at, f)) return true;
  }
  return false;
}

/// Flows that lose all of their next hops at the beginning of a channel.
void FailureTrial::find_rerouted(std::uint32_t channel) {
  const std::uint32_t at = fabric_.channels[channel].from;
  const std::vector<HopSet>& sets = fabric_.switches[at].hop_sets;
  const bool some = std::any_of(sets.begin(), sets.end(), [&](const HopSet& set) {
    return std::binary_search(set.channels.begin(), set.channels.end(), channel) && all_dead(set.channels);
  });
  if (!some) return;
  const auto words = all_.usage_.flows_on(channel);
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
      const auto flow =
          static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(bits));
      for (const std::uint32_t f : forwarding_.family(forwarding_.flows()[flow].destination)) {
        const Forwarding::Step step = forwarding_.step(at, f);
        if (step.flow == flow && leads_over(step, channel) && all_dead(step.hops->channels))
          rerouted_.emplace(at, f);
      }
    }
  }
}

/// Nothing else could take packets there.
bool FailureTrial::is_behind_gone_alone(std::uint32_t destination) const {
  if (gone_switch_ == kNone || !forwarding_.step(gone_switch_, destination).delivered()) return false;
  for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
    if (s != gone_switch_ && forwarding_.step(s, destination).delivered()) return false;
  }
  return true;
}

void FailureTrial::lose(std::uint32_t at, std::uint32_t flow) {
  const std::uint32_t destination = forwarding_.flows()[flow].destination;
  if (losing_.count(destination) > 0 || !reached(at, flow)) return;
  if (!is_behind_gone_alone(destination)) losing_.insert(destination);
}

void FailureTrial::add(std::uint32_t channel, std::uint32_t flow, std::uint32_t next,
                       std::uint32_t next_flow) {
  all_.waits_.for_each_pair(channel, flow, next, next_flow,
                            [&](std::uint32_t from, std::uint32_t to, std::uint8_t code_point) {
                              waits_.push_back({from, to, {flow, next_flow, code_point}});
                            });
}

void FailureTrial::take_on(std::uint32_t channel, std::uint32_t flow) {
  if (!all_.usage_.carries(channel, flow) && taken_on_.emplace(channel, flow).second)
    next_.emplace_back(channel, flow);
}

void FailureTrial::reroute(const Place& place) {
  const auto& [at, flow] = place;
  const Forwarding::Step step = forwarding_.step(at, flow, dead_);
  if (step.lost()) lose(at, flow);
  for (const std::uint32_t next : step.channels()) {
    if (dead(next)) continue;
    for (const std::uint32_t channel : fabric_.switches[at].in) {
      if (!dead(channel) && all_.usage_.carries(channel, flow)) add(channel, flow, next, step.flow);
    }
    take_on(next, step.flow);
  }
}

bool FailureTrial::rises(const NewWait& wait) const {
  const std::uint32_t from = all_.verdict_.number[wait.from];
  const std::uint32_t to = all_.verdict_.number[wait.to];
  return from != kUnnumbered && to != kUnnumbered && from < to;
}

/// Whether packets of some source get to a switch as that flow: backwards, to a source.
bool FailureTrial::reached(std::uint32_t at, std::uint32_t flow) const {
  std::vector<Place> stack{{at, flow}};
  std::set<Place> seen{{at, flow}};
  while (!stack.empty()) {
    const auto [here, as] = stack.back();
    stack.pop_back();
    if (!forwarding_.in_tunnel(as) && fabric_.switches[here].source) return true;
    for (const std::uint32_t channel : fabric_.switches[here].in) {
      if (dead(channel)) continue;
      const std::uint32_t before = fabric_.channels[channel].from;
      for (const std::uint32_t f : forwarding_.family(forwarding_.flows()[as].destination)) {
        const Forwarding::Step step = forwarding_.step(before, f, dead_);
        if (step.flow == as && leads_over(step, channel) && seen.emplace(before, f).second)
          stack.emplace_back(before, f);
      }
    }
  }
  return false;
}

/// Whether packets from a place on may come to some place again: it need not be this one.
bool FailureTrial::goes_round(const Place& place) const {
  struct Frame {
    Place place;
    Forwarding::Step step;
    std::size_t next = 0;
  };
  std::map<Place, bool> on_trail;  // of all places met
  std::vector<Frame> stack;
  const auto open = [&](const Place& to) {
    on_trail[to] = true;
    stack.push_back({to, forwarding_.step(to.first, to.second, dead_)});
  };
  open(place);
  while (!stack.empty()) {
    Frame& top = stack.back();
    const auto channels = top.step.channels();
    if (top.next == channels.size()) {
      on_trail[top.place] = false;
      stack.pop_back();
      continue;
    }
    const std::uint32_t next = channels[top.next++];
    if (dead(next)) continue;
    const Place there{fabric_.channels[next].to, top.step.flow};
    const auto found = on_trail.find(there);
    if (found == on_trail.end()) {
      open(there);
    } else if (found->second) {
      return true;
    }
  }
  return false;
}

bool FailureTrial::holds(const WaitReason& reason, std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t channel = all_.waits_.channel_of(from);
  const std::uint32_t next = all_.waits_.channel_of(to);
  if (dead(next)) return false;
  const Forwarding::Step step = forwarding_.step(fabric_.channels[channel].to, reason.flow, dead_);
  if (step.flow != reason.next_flow || !leads_over(step, next) || !comes(channel, reason.flow)) return false;
  bool found = false;
  all_.waits_.for_each_pair(
      channel, reason.flow, next, reason.next_flow,
      [&](std::uint32_t a, std::uint32_t b, std::uint8_t) { found |= a == from && b == to; });
  return found;
}

/// A packet for which one buffer waits for another while the links are down: first what is new, then what
/// was there without.
std::optional<WaitReason> FailureTrial::reason(std::uint32_t from, std::uint32_t to) const {
  for (const NewWait& wait : waits_) {
    if (wait.from == from && wait.to == to && holds(wait.reason, from, to)) return wait.reason;
  }
  return all_.waits_.reason_where(from, to, [&](const WaitReason& one) { return holds(one, from, to); });
}

/// The shortest cycle through a buffer that new waits lead to; empty where there is none.
std::vector<std::uint32_t> FailureTrial::cycle_through(std::uint32_t head) const {
  std::unordered_map<std::uint32_t, std::uint32_t> before{{head, head}};
  std::vector<std::uint32_t> queue{head};
  std::vector<std::uint32_t> cycle;
  const auto go = [&](std::uint32_t from, std::uint32_t to) {
    if (!gone_.empty() && gone_.count(std::uint64_t{from} << 32 | to) > 0) return false;
    if (to == head) {
      for (std::uint32_t v = from; v != head; v = before.at(v)) cycle.push_back(v);
      cycle.push_back(head);
      std::reverse(cycle.begin(), cycle.end());
      return true;
    }
    const std::uint32_t number = all_.verdict_.number[to];
    if (number != kUnnumbered && (number < lowest_ || number > highest_)) return false;
    if (before.emplace(to, from).second) queue.push_back(to);
    return false;
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows
    const std::uint32_t from = queue[i];
    const auto found = begins_.find(from);
    if (found != begins_.end()) {
      for (const std::uint32_t to : found->second) {
        if (go(from, to)) return cycle;
      }
    }
    for (const std::uint32_t to : all_.graph_.next(from)) {
      if (go(from, to)) return cycle;
    }
  }
  return {};
}

void FailureTrial::search(FailureOutcome& outcome) {
  // A cycle has a wait that does not rise, so it stays between the numbers at the ends of such waits.
  std::vector<std::uint32_t> heads;
  lowest_ = kUnnumbered;
  highest_ = 0;
  for (const NewWait& wait : waits_) {
    begins_[wait.from].push_back(wait.to);
    if (rises(wait)) continue;
    heads.push_back(wait.to);
    const std::uint32_t from = all_.verdict_.number[wait.from];
    const std::uint32_t to = all_.verdict_.number[wait.to];
    if (to != kUnnumbered) lowest_ = std::min(lowest_, to);
    if (from != kUnnumbered) highest_ = std::max(highest_, from);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  for (const std::uint32_t head : heads) {
    for (;;) {
      const std::vector<std::uint32_t> cycle = cycle_through(head);
      if (cycle.empty()) break;
      // Each of its waits was there without the failure or may be new; it has to be there with it.
      std::vector<PauseWait> witness;
      bool all = true;
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::uint32_t next = cycle[(i + 1) % cycle.size()];
        const std::optional<WaitReason> why = reason(cycle[i], next);
        if (why) {
          witness.push_back({all_.waits_.channel_of(cycle[i]), all_.waits_.priority_of(cycle[i]), *why});
        } else {
          gone_.insert(std::uint64_t{cycle[i]} << 32 | next);
          all = false;
        }
      }
      if (all) {
        outcome.deadlock = true;
        outcome.witness = std::move(witness);
        return;
      }
    }
  }
}

void FailureTrial::find_all_rerouted() {
  for (const std::uint32_t channel : dead_) {
    if (fabric_.channels[channel].from != gone_switch_) find_rerouted(channel);
  }
}

std::vector<std::uint32_t> FailureTrial::rerouted() const {
  std::set<std::uint32_t> destinations;
  for (const Place& place : rerouted_) destinations.insert(forwarding_.flows()[place.second].destination);
  return {destinations.begin(), destinations.end()};
}

FailureOutcome FailureTrial::run() {
  FailureOutcome outcome;
  outcome.links = links_;
  outcome.gone = gone_switch_;
  find_all_rerouted();
  for (const Place& place : rerouted_) reroute(place);
  while (!next_.empty()) {
    const auto [channel, flow] = next_.back();
    next_.pop_back();
    const std::uint32_t at = fabric_.channels[channel].to;
    const Forwarding::Step step = forwarding_.step(at, flow, dead_);
    if (step.lost()) lose(at, flow);
    for (const std::uint32_t next : step.channels()) {
      if (dead(next)) continue;
      add(channel, flow, next, step.flow);
      take_on(next, step.flow);
    }
  }
  const bool all_rise =
      std::all_of(waits_.begin(), waits_.end(), [&](const NewWait& wait) { return rises(wait); });
  if (!all_rise) search(outcome);
  std::set<std::uint32_t> looping;
  // Where all queues are alike packets that go round wait for themselves.
  if (!all_rise || !all_.queues_.uniform() || all_.waits_.layer_count() == 0) {
    for (const Place& place : rerouted_) {
      const std::uint32_t destination = forwarding_.flows()[place.second].destination;
      if (looping.count(destination) == 0 && goes_round(place) && reached(place.first, place.second))
        looping.insert(destination);
    }
  }
  for (const std::uint32_t d : looping) outcome.looping += forwarding_.destinations()[d].prefixes;
  for (const std::uint32_t d : losing_) outcome.losing += forwarding_.destinations()[d].prefixes;
  return outcome;
}

}  // namespace unknot::ethernet
