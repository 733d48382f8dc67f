// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/messages/message_flows.hpp"
#include "unknot/verify/messages/message_path.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

namespace unknot {

MessageModel::MessageModel(const Network& network, const Routing& routing,
                           const std::vector<MessageClass>& classes,
                           const std::vector<MessageClass>& background, Progress& progress)
    : network_(network),
      routing_(routing),
      classes_(classes),
      count_(static_cast<std::uint32_t>(classes.size())) {
  for (const MessageClass& c : background) classes_.emplace_back(c).network = 0;
  if (routing.flow_control == FlowControl::bubble) {
    throw InputError(
        "--messages is about buffers handed out by credits; these tables need bubble flow control, whose "
        "rings no message may fill");
  }
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    departs_.push_back(senders_to_others(classes_[k], network.terminal_count()));
    std::uint32_t same = 0;
    while (same < k && (classes_[same].senders != classes_[k].senders ||
                        classes_[same].receivers != classes_[k].receivers)) {
      ++same;
    }
    if (same < k) {
      flows_of_.push_back(flows_of_[same]);
      continue;
    }
    flows_of_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.push_back(message_flows(network, routing, classes_[k], progress));
    lanes_ = std::max(lanes_, flows_.back().lanes);
    const MessageBuffers buffers(network);
    std::vector<bool>& arrives = arrives_.emplace_back(network.terminal_count(), false);
    for (const auto& [from, to] : flows_.back().waits) {
      if (buffers.is_receive(to)) arrives[buffers.terminal(to).value] = true;
    }
  }
  const std::uint64_t buffers = MessageBuffers(network).count(lanes_);
  if (buffers * (classes_.size() + 1) > 0xFFFFFFFFU)
    throw InputError("--messages: this network has more buffers than 32 bits count");
  stride_ = static_cast<std::uint32_t>(buffers);
}

bool MessageModel::answers(std::uint32_t message_class, std::uint32_t caused, TerminalId t) const {
  return arrives_[flows_of_[message_class]][t.value] && departs_[caused][t.value];
}

DependencyGraph MessageModel::graph(const Networks& network_of) const {
  const std::uint32_t networks =
      network_of.empty() ? 1 : 1 + *std::max_element(network_of.begin(), network_of.end());
  // Each wait once, though several classes on one network may have it.
  std::vector<MessageFlows::Waits> waits(networks);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;  // network, flows
  const MessageBuffers buffers(network_);
  MessageFlows::Waits answered;
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    for (const std::uint32_t caused : classes_[k].causes) {
      for (const TerminalId t : network_.terminals()) {
        if (answers(k, caused, t)) {
          answered.emplace_back(network_of[k] * stride_ + buffers.receive(t),
                                network_of[caused] * stride_ + buffers.send(t));
        }
      }
    }
    const std::pair said{network_of[k], flows_of_[k]};
    if (std::find(seen.begin(), seen.end(), said) != seen.end()) continue;
    seen.push_back(said);
    const MessageFlows::Waits& own = flows_[flows_of_[k]].waits;
    MessageFlows::Waits both;
    std::set_union(waits[said.first].begin(), waits[said.first].end(), own.begin(), own.end(),
                   std::back_inserter(both));
    waits[said.first] = std::move(both);
  }
  std::sort(answered.begin(), answered.end());
  answered.erase(std::unique(answered.begin(), answered.end()), answered.end());
  const auto for_each_wait = [&](const auto& visit) {
    for (std::uint32_t n = 0; n < networks; ++n) {
      for (const auto& [from, to] : waits[n]) visit(n * stride_ + from, n * stride_ + to);
    }
    for (const auto& [from, to] : answered) visit(from, to);
  };
  std::vector<std::uint8_t> used(std::size_t{networks} * stride_, 0);
  for_each_wait([&](std::uint32_t from, std::uint32_t to) { used[from] = used[to] = 1; });
  const auto count = static_cast<std::uint32_t>(used.size());
  return {count, 1, std::move(used), for_each_wait};
}

bool MessageModel::acyclic(const Networks& network_of) const {
  return topological_numbers(graph(network_of)).acyclic;
}

MessageVerdict MessageModel::verdict() const {
  Networks network_of;
  network_of.reserve(classes_.size());
  for (const MessageClass& c : classes_) network_of.push_back(c.network);
  const DependencyGraph waits = graph(network_of);
  MessageVerdict verdict;
  verdict.lanes = lanes_;
  verdict.networks = waits.vertex_count() / std::max(1U, stride_);
  verdict.dependencies = waits.arc_count();
  TopologicalNumbers numbers = topological_numbers(waits);
  verdict.deadlock_free = numbers.acyclic;
  if (numbers.acyclic) {
    verdict.number = std::move(numbers.number);
    return verdict;
  }
  const std::vector<DependencyGraph::Vertex> cycle = shortest_cycle(waits);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    verdict.witness.push_back(waiting(cycle[i], cycle[(i + 1) % cycle.size()], network_of));
  return verdict;
}

bool MessageModel::waits(std::uint32_t message_class, std::uint32_t from, std::uint32_t to) const {
  const auto& all = flows_[flows_of_[message_class]].waits;
  return std::binary_search(all.begin(), all.end(), std::pair{from, to});
}

bool MessageModel::led_by(ChannelId channel, TerminalId destination) const {
  const RouterId r = network_.source(channel);
  const auto leads = [&](const Routing& tables) {
    if (tables.routes() != nullptr) return true;
    const std::uint32_t position = tables.table().get(r, destination);
    return position < network_.out(r).size() && network_.out(r)[position] == channel;
  };
  return leads(routing_) || std::any_of(routing_.further.begin(), routing_.further.end(), leads);
}

MessageWait MessageModel::waiting(std::uint32_t from, std::uint32_t to, const Networks& network_of) const {
  const MessageBuffers buffers(network_);
  MessageWait wait;
  wait.held.network = from / stride_;
  const std::uint32_t here = from % stride_, next = to % stride_;
  if (buffers.is_send(here) || buffers.is_receive(here)) {
    wait.held.kind = buffers.is_send(here) ? MessageBuffer::Kind::send : MessageBuffer::Kind::receive;
    wait.held.terminal = buffers.terminal(here);
  } else {
    wait.held.channel = {buffers.channel_of(here), buffers.lane_of(here)};
  }
  const auto holds = [&](TerminalId source, TerminalId destination) {
    for (std::uint32_t address = 0; address <= routing_.further.size(); ++address) {
      const Routing& tables = address == 0 ? routing_ : routing_.further[address - 1];
      const std::vector<std::uint32_t> path = message_path(network_, tables, source, destination);
      for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] != here) continue;
        if (buffers.is_receive(here) || (i + 1 < path.size() && path[i + 1] == next)) return true;
      }
    }
    return false;
  };
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    const MessageClass& c = classes_[k];
    if (network_of[k] != wait.held.network) continue;
    if (buffers.is_receive(here)) {
      const bool causes = std::any_of(c.causes.begin(), c.causes.end(), [&](std::uint32_t caused) {
        return network_of[caused] == to / stride_ && answers(k, caused, buffers.terminal(here));
      });
      if (!causes) continue;
    } else if (to / stride_ != wait.held.network || !waits(k, here, next)) {
      continue;
    }
    wait.message_class = k;
    for (const TerminalId destination : network_.terminals()) {
      if (!c.receives(destination)) continue;
      if (buffers.is_receive(here) && buffers.terminal(here) != destination) continue;
      if (buffers.is_receive(next) && !buffers.is_receive(here) && buffers.terminal(next) != destination)
        continue;
      if (wait.held.kind == MessageBuffer::Kind::channel && !led_by(wait.held.channel.channel, destination))
        continue;
      for (const TerminalId source : network_.terminals()) {
        if (source == destination || !c.sends(source)) continue;
        if (buffers.is_send(here) && buffers.terminal(here) != source) continue;
        if (!holds(source, destination)) continue;
        wait.source = source;
        wait.destination = destination;
        return wait;
      }
    }
  }
  throw std::logic_error("verify: a dependency of messages without a message");
}

FewestNetworks MessageModel::fewest(Progress& progress) const {
  const bool background = classes_.size() > count_;
  FewestNetworks result;
  Networks network_of(classes_.size(), 0);
  const auto alone = [&](std::uint32_t k) { return k + (background ? 1 : 0); };
  for (std::uint32_t k = 0; k < count_; ++k) network_of[k] = alone(k);
  result.possible = acyclic(network_of);
  result.network_of.assign(network_of.begin(), network_of.begin() + count_);
  if (!result.possible) return result;
  // With more networks no cycle comes: what two classes cannot share where all others are alone, they never
  // can.
  constexpr std::uint32_t kBackground = 1U << 31U;
  Networks apart(count_, 0);  // from other classes, as bits
  for (std::uint32_t k = 0; k < count_; ++k) {
    const auto cannot_share = [&](std::uint32_t network) {
      network_of[k] = network;
      const bool cyclic = !acyclic(network_of);
      network_of[k] = alone(k);
      return cyclic;
    };
    if (background && cannot_share(0)) apart[k] |= kBackground;
    for (std::uint32_t other = 0; other < k; ++other) {
      if (cannot_share(alone(other))) apart[k] |= 1U << other;
    }
  }
  Networks members(classes_.size() + 1, 0);  // of each network, as bits
  if (background) members[0] = kBackground;
  const auto place = [&](const auto& self, std::uint32_t k, std::uint32_t used) -> bool {
    if (progress.interrupted()) throw Interrupted();
    if (k == count_) return used == result.networks && acyclic(network_of);
    for (std::uint32_t n = 0; n < std::min(used + 1, result.networks); ++n) {
      if ((members[n] & apart[k]) != 0) continue;
      members[n] |= 1U << k;
      network_of[k] = n;
      if (self(self, k + 1, std::max(used, n + 1))) return true;
      members[n] &= ~(1U << k);
    }
    return false;
  };
  const std::uint32_t first = background ? 1 : 0;
  for (result.networks = count_ == 0 && !background ? 0 : 1; !place(place, 0, first); ++result.networks) {
  }
  result.network_of.assign(network_of.begin(), network_of.begin() + count_);
  return result;
}

}  // namespace unknot
