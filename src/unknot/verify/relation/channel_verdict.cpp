// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/relation/channel_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/relation/channel_states.hpp"

namespace unknot {
namespace {

using Channel = ChannelRelation::Channel;

constexpr std::uint32_t kNoFlow = UINT32_MAX;

class RelationCheck {
 public:
  RelationCheck(const ChannelRelation& relation, Progress& progress)
      : relation_(relation), progress_(progress) {}

  ChannelVerdict run() {
    progress_.begin("following packets", relation_.flows().size());
    for (std::uint32_t f = 0; f < relation_.flows().size(); ++f) {
      if (progress_.interrupted()) throw Interrupted();
      flows_.push_back(reach(relation_, relation_.flows()[f]));
      deliver(f);
      progress_.update(f + 1);
    }
    prove();
    check_subnets();
    return std::move(verdict_);
  }

 private:
  void find(ChannelFinding::Kind kind, std::uint32_t flow, std::uint32_t state) {
    const bool there = std::any_of(verdict_.findings.begin(), verdict_.findings.end(),
                                   [&](const ChannelFinding& one) { return one.kind == kind; });
    if (there) return;
    verdict_.findings.push_back({kind, flow, flows_[flow].router[state], flows_[flow].channel[state]});
  }

  void deliver(std::uint32_t f) {
    const ChannelRelation::Flow& flow = relation_.flows()[f];
    const FlowStates& states = flows_[f];
    bool lost = false;
    bool unordered = false;
    std::vector<std::uint32_t> arcs_in(states.size(), 0);
    for (std::uint32_t s = 0; s < states.size(); ++s) {
      const std::span<const std::uint32_t> next = states.next(s);
      verdict_.most_choices = std::max(verdict_.most_choices, static_cast<std::uint32_t>(next.size()));
      for (const std::uint32_t n : next) ++arcs_in[n];
      if (next.empty() && states.router[s] != flow.destination) {
        if (!std::exchange(lost, true)) find(ChannelFinding::Kind::lost, f, s);
      }
      const bool parts = std::any_of(next.begin(), next.end(), [&](std::uint32_t n) {
        return states.router[n] != states.router[next.front()];
      });
      if (flow.ordered && parts && !std::exchange(unordered, true))
        find(ChannelFinding::Kind::unordered, f, s);
    }
    // States are taken away once all that lead to them are; what is left is on a loop or behind one.
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> hops(states.size(), 0);
    for (std::uint32_t s = 0; s < states.size(); ++s)
      if (arcs_in[s] == 0) order.push_back(s);
    for (std::size_t i = 0; i < order.size(); ++i) {
      verdict_.max_hops = std::max(verdict_.max_hops, hops[order[i]]);
      for (const std::uint32_t n : states.next(order[i])) {
        hops[n] = std::max(hops[n], hops[order[i]] + 1);
        if (--arcs_in[n] == 0) order.push_back(n);
      }
    }
    if (order.size() < states.size()) {
      ++verdict_.looping_flows;
      const auto looping =
          std::find_if(arcs_in.begin(), arcs_in.end(), [](std::uint32_t n) { return n > 0; });
      find(ChannelFinding::Kind::loop, f, static_cast<std::uint32_t>(looping - arcs_in.begin()));
    }
    verdict_.lost_flows += lost ? 1 : 0;
    verdict_.unordered_flows += unordered ? 1 : 0;
    verdict_.states += states.size() - states.entrances;
  }

  DependencyGraph all_dependencies() {
    ArcList arcs(relation_.channel_count());
    std::vector<std::uint8_t> used(relation_.channel_count(), 0);
    for (const FlowStates& states : flows_) {
      for (std::uint32_t s = states.entrances; s < states.size(); ++s) {
        used[states.channel[s]] = 1;
        for (const std::uint32_t n : states.next(s)) arcs.add(states.channel[s], states.channel[n]);
      }
    }
    verdict_.channels_used = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), 1));
    return arcs.graph();
  }

  bool escape(Channel c, std::uint32_t f) const { return escapes_[relation_.flows()[f].subnet][c] != 0; }

  void ask_for_escapes() {
    any_escape_.assign(relation_.channel_count(), 0);
    for (std::uint32_t v = 0; v < relation_.subnet_count(); ++v) {
      std::vector<std::uint8_t>& own = escapes_.emplace_back(relation_.channel_count(), std::uint8_t{0});
      for (Channel c = 0; c < relation_.channel_count(); ++c) {
        own[c] = relation_.is_escape(c, v) ? 1 : 0;
        any_escape_[c] = any_escape_[c] | own[c];
      }
    }
  }

  /// visit(flow, channel, escape) from each channel that is an escape for anybody to the escapes that its
  /// packet may ask for while it still holds it: at its head, or after any way through channels that are none
  /// for it.
  template <class Visit>
  void visit_escape_dependencies(Visit visit) const {
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      const FlowStates& states = flows_[f];
      std::vector<std::uint32_t> seen(states.size(), 0);  // by whom, plus one
      std::vector<std::uint32_t> stack;
      for (std::uint32_t s = states.entrances; s < states.size(); ++s) {
        if (any_escape_[states.channel[s]] == 0) continue;
        stack.push_back(s);
        while (!stack.empty()) {
          const std::uint32_t at = stack.back();
          stack.pop_back();
          for (const std::uint32_t n : states.next(at)) {
            if (std::exchange(seen[n], s + 1) == s + 1) continue;
            if (escape(states.channel[n], f)) {
              visit(f, states.channel[s], states.channel[n]);
            } else {
              stack.push_back(n);
            }
          }
        }
      }
    }
  }

  DependencyGraph escape_dependencies() const {
    ArcList arcs(relation_.channel_count());
    visit_escape_dependencies(
        [&](std::uint32_t /*flow*/, Channel holds, Channel asks) { arcs.add(holds, asks); });
    return arcs.graph();
  }

  /// Of a cycle of them: for each the first flow that it is of.
  std::vector<WaitingPacket> holders(const std::vector<DependencyGraph::Vertex>& cycle) const {
    std::vector<WaitingPacket> packets;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      packets.push_back({cycle[i], kNoFlow, {cycle[(i + 1) % cycle.size()]}});
    visit_escape_dependencies([&](std::uint32_t flow, Channel holds, Channel asks) {
      for (WaitingPacket& packet : packets) {
        if (packet.flow == kNoFlow && packet.holds == holds && packet.waits_for.front() == asks)
          packet.flow = flow;
      }
    });
    return packets;
  }

  void prove() {
    const DependencyGraph all = all_dependencies();
    verdict_.dependencies = all.arc_count();
    ask_for_escapes();
    if (topological_numbers(all).acyclic) {
      verdict_.proof = ChannelProof::acyclic;
      return;
    }
    std::optional<WaitingPacket> without;
    for (std::uint32_t f = 0; f < flows_.size() && !without; ++f) {
      const FlowStates& states = flows_[f];
      for (std::uint32_t s = states.entrances; s < states.size() && !without; ++s) {
        const std::span<const std::uint32_t> next = states.next(s);
        if (!next.empty() && std::none_of(next.begin(), next.end(),
                                          [&](std::uint32_t n) { return escape(states.channel[n], f); }))
          without = waiting(f, s);
      }
    }
    DependencyGraph extended;
    if (!without) {
      extended = escape_dependencies();
      if (topological_numbers(extended).acyclic) {
        verdict_.proof = ChannelProof::escape;
        return;
      }
    }
    const std::vector<BlockedChannel> blocked = blocked_channels(relation_.channel_count(), flows_);
    if (!blocked.empty()) {
      verdict_.witness_kind = ChannelWitness::blocked;
      for (const BlockedChannel& one : blocked) verdict_.witness.push_back(waiting(one.flow, one.state));
    } else if (without) {
      verdict_.witness_kind = ChannelWitness::no_escape;
      verdict_.witness.push_back(std::move(*without));
    } else {
      verdict_.witness_kind = ChannelWitness::cycle;
      verdict_.witness = holders(shortest_cycle(extended));
    }
  }

  WaitingPacket waiting(std::uint32_t f, std::uint32_t s) const {
    WaitingPacket packet{flows_[f].channel[s], f, {}};
    for (const std::uint32_t n : flows_[f].next(s)) packet.waits_for.push_back(flows_[f].channel[n]);
    return packet;
  }

  /// Subnets that may be at a stand while `mover` must move: those that must not stop it, and those that need
  /// not move while these do not.
  std::vector<std::uint8_t> stalled_with(std::uint32_t mover, const std::vector<std::uint8_t>& there) const {
    std::vector<std::uint8_t> stalled(relation_.subnet_count(), 0);
    for (std::uint32_t w = 0; w < stalled.size(); ++w)
      stalled[w] = w != mover && there[w] != 0 && relation_.must_move(mover, w) ? 1 : 0;
    for (bool more = true; more;) {
      more = false;
      for (std::uint32_t u = 0; u < stalled.size(); ++u) {
        if (u == mover || stalled[u] != 0 || there[u] == 0) continue;
        for (std::uint32_t w = 0; w < stalled.size() && stalled[u] == 0; ++w)
          stalled[u] = stalled[w] != 0 && !relation_.must_move(u, w) ? 1 : 0;
        more = more || stalled[u] != 0;
      }
    }
    return stalled;
  }

  /// A packet gets on while some subnets stand still when one of its choices, an escape where the proof is of
  /// escapes, can hold none of theirs.
  void check_subnets() {
    const std::uint32_t subnets = relation_.subnet_count();
    std::vector<std::uint8_t> there(subnets, 0);
    std::vector<std::vector<std::uint8_t>> holds(subnets,
                                                 std::vector<std::uint8_t>(relation_.channel_count(), 0));
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      const std::uint32_t v = relation_.flows()[f].subnet;
      there[v] = 1;
      for (std::uint32_t s = flows_[f].entrances; s < flows_[f].size(); ++s)
        holds[v][flows_[f].channel[s]] = 1;
    }
    for (std::uint32_t v = 0; v < subnets; ++v) {
      if (there[v] == 0) continue;
      const std::vector<std::uint8_t> stalled = stalled_with(v, there);
      std::vector<std::uint8_t> taken(relation_.channel_count(), 0);
      for (std::uint32_t w = 0; w < subnets; ++w) {
        if (stalled[w] == 0) continue;
        for (Channel c = 0; c < taken.size(); ++c) taken[c] = taken[c] | holds[w][c];
      }
      for (std::uint32_t f = 0; f < flows_.size(); ++f)
        if (relation_.flows()[f].subnet == v) check_moves(f, taken);
    }
  }

  void check_moves(std::uint32_t f, const std::vector<std::uint8_t>& taken) {
    const FlowStates& states = flows_[f];
    for (std::uint32_t s = 0; s < states.size(); ++s) {
      const std::span<const std::uint32_t> next = states.next(s);
      if (next.empty()) continue;
      // A packet that has not come in holds nothing: any choice will do.
      const bool escapes_alone = verdict_.proof == ChannelProof::escape && s >= states.entrances;
      const bool moves = std::any_of(next.begin(), next.end(), [&](std::uint32_t n) {
        return taken[states.channel[n]] == 0 && (!escapes_alone || escape(states.channel[n], f));
      });
      if (moves) continue;
      ++verdict_.stalled_flows;
      find(ChannelFinding::Kind::stalled, f, s);
      return;
    }
  }

  const ChannelRelation& relation_;
  Progress& progress_;
  ChannelVerdict verdict_;
  std::vector<FlowStates> flows_;
  std::vector<std::vector<std::uint8_t>> escapes_;  // by subnet and channel
  std::vector<std::uint8_t> any_escape_;            // by channel: for some subnet
};

std::string packet_text(const ChannelRelation& relation, std::uint32_t flow) {
  const ChannelRelation::Flow& one = relation.flows()[flow];
  std::string text = fmt::format("packets to router {}", one.destination);
  if (relation.subnet_count() > 1) text += fmt::format(" of subnet {}", one.subnet);
  if (one.sources.size() == 1) text += fmt::format(" from {}", one.sources.front());
  return text;
}

}  // namespace

ChannelVerdict verify_relation(const ChannelRelation& relation, Progress& progress) {
  return RelationCheck(relation, progress).run();
}

std::string channel_text(const ChannelRelation& relation, Channel channel) {
  const ChannelRelation::VirtualChannel& c = relation.channel(channel);
  return fmt::format("{} -> {} lane {}", c.from, c.to, c.lane);
}

std::string describe(const ChannelRelation& relation, const ChannelFinding& finding) {
  const std::string where = finding.holds == ChannelRelation::kEntrance
                                ? fmt::format("that come in at router {}", finding.router)
                                : fmt::format("in {}", channel_text(relation, finding.holds));
  const std::string packets = packet_text(relation, finding.flow) + " " + where;
  switch (finding.kind) {
    case ChannelFinding::Kind::lost:
      return packets + " have no way on";
    case ChannelFinding::Kind::loop:
      return packets + " can go round in a loop, or come from one";
    case ChannelFinding::Kind::unordered:
      return packets + " are to keep their order, and have several next routers";
    case ChannelFinding::Kind::stalled:
      break;
  }
  return packets + " wait for subnets during whose stall they must move";
}

std::string describe(const ChannelRelation& relation, const WaitingPacket& packet) {
  std::string text = fmt::format("{} in {} wait for", packet_text(relation, packet.flow),
                                 channel_text(relation, packet.holds));
  for (std::size_t i = 0; i < packet.waits_for.size(); ++i)
    text += (i == 0 ? " " : ", ") + channel_text(relation, packet.waits_for[i]);
  return text;
}

}  // namespace unknot
