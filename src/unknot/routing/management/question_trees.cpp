// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/question_trees.hpp"

#include <algorithm>
#include <bit>

#include "unknot/routing/layers/dependency_walk.hpp"

namespace unknot {

QuestionTrees::QuestionTrees(const Network& network, Routing& routing)
    : network_(&network),
      routing_(&routing),
      slots_(network),
      uses_(dependency_lanes(network, routing, slots_)),
      entry_(network.router_count()),
      tried_(network.router_count()),
      lanes_(network.router_count(), 0) {}

bool QuestionTrees::regrow(TerminalId own, std::span<const TerminalId> hosts, std::size_t unlike) {
  ServiceLevels& levels = routing_->service_levels;
  home_ = network_->router_of(own);
  std::fill(entry_.begin(), entry_.end(), ChannelId());
  lanes_[home_.value] = static_cast<std::uint16_t>((1U << routing_->virtual_lanes) - 1);
  for (const TerminalId host : hosts) {
    const std::uint8_t answer = levels.get(own, host);
    if (answer < routing_->virtual_lanes) lead(network_->router_of(host), answer);
  }
  join_rest();
  for (const RouterId r : network_->routers()) {
    if (r != home_ && !entry_[r.value].valid()) return false;
  }
  if (choose_levels(own, hosts) >= unlike) return false;
  for (const RouterId r : network_->routers()) {
    if (r == home_) continue;
    routing_->table().set(r, own, entry_[r.value].value - network_->out(r).first());
    const auto lowest = static_cast<std::uint8_t>(std::countr_zero(lanes_[r.value]));
    for (const TerminalId t : network_->terminals_at(r)) {
      const std::uint8_t chosen = question_[levels.row_of(t)];
      levels.row(levels.row_of(t))[own.value] = chosen == ServiceLevels::kMissing ? lowest : chosen;
    }
  }
  return true;
}

/// The level of each row's questions: that of an answer which its way can take. Returns how many hosts are
/// answered on another.
std::size_t QuestionTrees::choose_levels(TerminalId own, std::span<const TerminalId> hosts) {
  const ServiceLevels& levels = routing_->service_levels;
  question_.assign(levels.row_count(), ServiceLevels::kMissing);
  std::size_t others = 0;
  for (const TerminalId host : hosts) {
    const RouterId at = network_->router_of(host);
    const std::uint8_t answer = levels.get(own, host);
    if (at == home_ || answer == ServiceLevels::kMissing) {
      others += at == home_ && levels.get(host, own) != answer ? 1 : 0;
      continue;
    }
    std::uint8_t& question = question_[levels.row_of(host)];
    if (question == ServiceLevels::kMissing && answer < routing_->virtual_lanes &&
        (lanes_[at.value] >> answer & 1U) != 0)
      question = answer;
    others += question != answer ? 1 : 0;
  }
  return others;
}

/// Lanes on which a packet can go by `c` and on along the way of the router it enters.
std::uint16_t QuestionTrees::lanes_through(ChannelId c, std::span<const ChannelId> entries) const {
  const RouterId next = network_->target(c);
  if (next == home_) return lanes_[home_.value];
  const std::uint32_t position = entries[next.value].value - network_->out(next).first();
  return uses_[slots_.slot(c.value, position)];
}

void QuestionTrees::join(RouterId router, ChannelId entry) {
  const RouterId next = network_->target(entry);
  lanes_[router.value] = lanes_through(entry, entry_) & lanes_[next.value];
  entry_[router.value] = entry;
}

/// A shortest way on one lane onto those that are there; false where there is none.
bool QuestionTrees::lead(RouterId from, std::uint32_t lane) {
  const auto serves = [&](std::uint16_t lanes) { return (lanes >> lane & 1U) != 0; };
  if (from == home_ || entry_[from.value].valid()) return from == home_ || serves(lanes_[from.value]);
  tried_ = entry_;
  queue_.clear();
  for (const RouterId r : network_->routers()) {
    if (r == home_ || (entry_[r.value].valid() && serves(lanes_[r.value]))) queue_.push_back(r);
  }
  for (std::size_t i = 0; i < queue_.size() && !tried_[from.value].valid(); ++i) {
    for (const ChannelId c : network_->in(queue_[i])) {
      const RouterId next = network_->source(c);
      if (next == home_ || tried_[next.value].valid() || !serves(lanes_through(c, tried_))) continue;
      tried_[next.value] = c;
      queue_.push_back(next);
    }
  }
  if (!tried_[from.value].valid()) return false;
  queue_.clear();
  for (RouterId at = from; at != home_ && !entry_[at.value].valid(); at = network_->target(tried_[at.value]))
    queue_.push_back(at);
  for (std::size_t i = queue_.size(); i-- > 0;) join(queue_[i], tried_[queue_[i].value]);
  return true;
}

void QuestionTrees::join_rest() {
  queue_.assign(1, home_);
  for (const RouterId r : network_->routers()) {
    if (entry_[r.value].valid()) queue_.push_back(r);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    for (const ChannelId c : network_->in(queue_[i])) {
      const RouterId from = network_->source(c);
      if (from == home_ || entry_[from.value].valid()) continue;
      if ((lanes_through(c, entry_) & lanes_[queue_[i].value]) == 0) continue;
      join(from, c);
      queue_.push_back(from);
    }
  }
}

}  // namespace unknot
