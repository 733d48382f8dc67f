// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/messages/message_flows.hpp"
#include "unknot/verify/messages/message_path.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

namespace unknot {

MessageModel::MessageModel(const Network& network, const Routing& routing,
                           const std::vector<MessageClass>& classes, Progress& progress)
    : network_(network), routing_(routing), classes_(classes) {
  if (routing.flow_control == FlowControl::bubble) {
    throw InputError(
        "--messages is about buffers handed out by credits; these tables need bubble flow control, whose "
        "rings no "
        "message may fill");
  }
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
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
  if (buffers * std::max<std::size_t>(1, classes_.size()) > 0xFFFFFFFFU)
    throw InputError("--messages: this network has more buffers than 32 bits count");
  stride_ = static_cast<std::uint32_t>(buffers);
}

std::vector<std::uint32_t> MessageModel::networks_of_classes() const {
  std::vector<std::uint32_t> network_of;
  network_of.reserve(classes_.size());
  for (const MessageClass& c : classes_) network_of.push_back(c.network);
  return network_of;
}

DependencyGraph MessageModel::graph(const std::vector<std::uint32_t>& network_of) const {
  const std::uint32_t networks =
      network_of.empty() ? 1 : 1 + *std::max_element(network_of.begin(), network_of.end());
  const MessageBuffers buffers(network_);
  // Classes that go the same ways on one network say the same.
  std::vector<std::uint32_t> speaks;
  for (std::uint32_t k = 0; k < classes_.size(); ++k) {
    const bool said = std::any_of(speaks.begin(), speaks.end(), [&](std::uint32_t other) {
      return flows_of_[other] == flows_of_[k] && network_of[other] == network_of[k];
    });
    if (!said) speaks.push_back(k);
  }
  const auto for_each_wait = [&](const auto& visit) {
    for (const std::uint32_t k : speaks) {
      const std::uint32_t base = network_of[k] * stride_;
      for (const auto& [from, to] : flows_[flows_of_[k]].waits) visit(base + from, base + to);
    }
    for (std::uint32_t k = 0; k < classes_.size(); ++k) {
      for (const std::uint32_t caused : classes_[k].causes) {
        for (const TerminalId t : network_.terminals()) {
          if (!arrives_[flows_of_[k]][t.value]) continue;
          visit(network_of[k] * stride_ + buffers.receive(t), network_of[caused] * stride_ + buffers.send(t));
        }
      }
    }
  };
  std::vector<std::uint8_t> used(std::size_t{networks} * stride_, 0);
  for_each_wait([&](std::uint32_t from, std::uint32_t to) { used[from] = used[to] = 1; });
  return {static_cast<std::uint32_t>(used.size()), 1, std::move(used), for_each_wait};
}

bool MessageModel::acyclic(const std::vector<std::uint32_t>& network_of) const {
  return topological_numbers(graph(network_of)).acyclic;
}

MessageVerdict MessageModel::verdict() const {
  const std::vector<std::uint32_t> network_of = networks_of_classes();
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

MessageWait MessageModel::waiting(std::uint32_t from, std::uint32_t to,
                                  const std::vector<std::uint32_t>& network_of) const {
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
        return network_of[caused] == to / stride_;
      });
      if (!causes || !arrives_[flows_of_[k]][buffers.terminal(here).value]) continue;
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
  const auto count = static_cast<std::uint32_t>(classes_.size());
  FewestNetworks result;
  std::vector<std::uint32_t>& network_of = result.network_of;
  network_of.resize(count);
  std::iota(network_of.begin(), network_of.end(), 0U);
  result.possible = acyclic(network_of);
  if (!result.possible || count == 0) return result;
  // With more networks no cycle comes: what two classes cannot share where all others are alone, they never
  // can.
  std::vector<std::uint32_t> apart(count, 0);
  for (std::uint32_t b = 1; b < count; ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      network_of[b] = a;
      if (!acyclic(network_of)) apart[b] |= 1U << a;
      network_of[b] = b;
    }
  }
  std::vector<std::uint32_t> members(count, 0);  // of each network, as bits
  const auto place = [&](const auto& self, std::uint32_t k, std::uint32_t used) -> bool {
    if (progress.interrupted()) throw Interrupted();
    if (k == count) return used == result.networks && acyclic(network_of);
    for (std::uint32_t n = 0; n < std::min(used + 1, result.networks); ++n) {
      if ((members[n] & apart[k]) != 0) continue;
      members[n] |= 1U << k;
      network_of[k] = n;
      if (self(self, k + 1, std::max(used, n + 1))) return true;
      members[n] &= ~(1U << k);
    }
    return false;
  };
  for (result.networks = 1; !place(place, 0, 0); ++result.networks) {
  }
  return result;
}

}  // namespace unknot
