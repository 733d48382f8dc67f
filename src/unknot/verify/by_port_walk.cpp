// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/by_port_walk.hpp"

namespace unknot {

ByPortWalk::ByPortWalk(const Network& network, const Routing& routing, const DependencySlots& slots,
                       MarkSet<Mask>& marks)
    : network_(&network), routing_(&routing), lanes_(routing), slots_(&slots), marks_(&marks) {}

void ByPortWalk::run(std::span<const DestinationPiece> pieces, std::uint32_t max_findings,
                     Scratch& scratch) const {
  scratch.columns.load(routing_->table(), pieces);
  const auto trouble = [&](Finding& finding) { return lane_trouble(scratch, finding); };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    scratch.distances.run(pieces[k].router);
    for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
      const TerminalId destination(pieces[k].first + j);
      ForwardingTree& tree = scratch.tree;
      tree.build(routing_->table(), destination, scratch.columns.entries(k) + j, pieces[k].count);
      start(destination, scratch);
      for (const std::uint32_t v : tree.order()) push(v, tree, scratch.lanes);
      std::uint32_t begin = 0;
      for (const std::uint32_t end : tree.loop_ends()) {
        // Three rounds: the lanes in a loop repeat from the second on, once all packets are in it.
        for (int round = 0; round < 3; ++round) {
          for (std::uint32_t i = begin; i < end; ++i) push(tree.loops()[i], tree, scratch.lanes);
        }
        begin = end;
      }
      find_drops(destination, scratch);
      count_pairs(*network_, tree, scratch.distances, destination, max_findings, true, trouble,
                  scratch.tally);
    }
  }
}

/// Puts every terminal's packets on the channel they leave their own router by.
void ByPortWalk::start(TerminalId destination, Scratch& scratch) const {
  scratch.lanes.assign(network_->router_count(), LanesOfLevels{});
  for (const RouterId r : network_->routers()) {
    const ChannelId out = scratch.tree.channel(r.value);
    if (!out.valid()) continue;
    for (const TerminalId source : network_->terminals_at(r)) {
      if (source == destination) continue;
      const std::uint8_t level = routing_->service_levels.get(source, destination);
      if (lanes_.injected(level, source) >= kMaxPortLanes) continue;
      const std::uint8_t lane =
          lanes_.lane(level, r, network_->terminal_port(source), network_->source_port(out));
      if (lane < kMaxPortLanes) scratch.lanes[r.value][level] |= static_cast<Mask>(1U << lane);
    }
  }
}

void ByPortWalk::push(std::uint32_t router, const ForwardingTree& tree,
                      std::vector<LanesOfLevels>& lanes) const {
  const ChannelId channel = tree.channel(router);
  if (!channel.valid()) return;
  const RouterId to = network_->target(channel);
  const ChannelId next = tree.channel(to.value);
  const std::uint64_t slot = next.valid()
                                 ? slots_->slot(channel.value, next.value - network_->out(to).first())
                                 : slots_->end_slot(channel.value);
  for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level) {
    const Mask held = lanes[router][level];
    if (held == 0) continue;
    Mask waits = 0;
    if (next.valid()) {
      const std::uint8_t lane = lanes_.lane(static_cast<std::uint8_t>(level), to,
                                            network_->target_port(channel), network_->source_port(next));
      if (lane < kMaxPortLanes) waits = static_cast<Mask>(1U << lane);
      lanes[to.value][level] |= waits;
    }
    for (std::uint32_t lane = 0; lane < kMaxPortLanes; ++lane) {
      if ((held >> lane & 1U) == 0) continue;
      if (waits != 0) {
        marks_->add(slot * kMaxPortLanes + lane, waits);
      } else {
        marks_->add(slots_->end_slot(channel.value) * kMaxPortLanes + lane, 1);
      }
    }
  }
}

std::uint16_t ByPortWalk::out_port(const ForwardingTree& tree, TerminalId destination, RouterId at) const {
  const ChannelId next = tree.channel(at.value);
  return next.valid() ? network_->source_port(next) : network_->terminal_port(destination);
}

void ByPortWalk::find_drops(TerminalId destination, Scratch& scratch) const {
  const ForwardingTree& tree = scratch.tree;
  scratch.dropped.assign(network_->router_count(), 0);
  const auto order = tree.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t v = order[i];
    const ChannelId channel = tree.channel(v);
    if (!channel.valid() || tree.fate(v) != ForwardingTree::Fate::delivered) continue;
    const RouterId to = network_->target(channel);
    Mask dropped = scratch.dropped[to.value];
    const LaneMap::Row& row =
        routing_->lane_map->get(to, network_->target_port(channel), out_port(tree, destination, to));
    for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level) {
      if (lanes_.drops(row[level])) dropped |= static_cast<Mask>(1U << level);
    }
    scratch.dropped[v] = dropped;
  }
}

bool ByPortWalk::lane_trouble(const Scratch& scratch, Finding& finding) const {
  const std::uint8_t level = routing_->service_levels.get(finding.source, finding.destination);
  if (stopped_at_source(*network_, lanes_, level, finding)) return true;
  RouterId at = network_->router_of(finding.source);
  std::uint16_t in_port = network_->terminal_port(finding.source);
  const auto stops_here = [&] {
    return stopped_at(lanes_, level, at, in_port, out_port(scratch.tree, finding.destination, at), finding);
  };
  if (stops_here()) return true;
  if ((scratch.dropped[at.value] >> level & 1U) == 0) return false;
  do {
    const ChannelId channel = scratch.tree.channel(at.value);
    at = network_->target(channel);
    in_port = network_->target_port(channel);
  } while (!stops_here());
  return true;
}

}  // namespace unknot
