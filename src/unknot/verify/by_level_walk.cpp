// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/by_level_walk.hpp"

#include <algorithm>
#include <limits>

namespace unknot {

template <class Mask>
ByLevelWalk<Mask>::ByLevelWalk(const Network& network, const Routing& routing,
                               const LaneOfLevel& lane_of_level, const DependencySlots& slots,
                               MarkSet<Mask>& marks)
    : network_(&network),
      routing_(&routing),
      lane_of_level_(&lane_of_level),
      slots_(&slots),
      marks_(&marks) {
  hops_.reserve(network.channel_count());
  for (const ChannelId c : network.channels())
    hops_.push_back({network.target(c).value, static_cast<std::uint32_t>(slots.first(c.value))});
  degree_.reserve(network.router_count());
  for (const RouterId r : network.routers()) degree_.push_back(network.out(r).size());
  for (std::size_t level = 0; level < bit_.size(); ++level) {
    const std::uint8_t lane = lane_of_level[level];
    if (lane < std::numeric_limits<Mask>::digits) bit_[level] = static_cast<Mask>(Mask{1} << lane);
  }
}

template <class Mask>
void ByLevelWalk<Mask>::run(std::span<const DestinationPiece> pieces, std::uint32_t max_findings,
                            Scratch& scratch) const {
  scratch.columns.load(routing_->table, pieces);
  fill_masks(pieces, scratch);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    scratch.distances.run(pieces[k].router);
    if (!straight(pieces[k], k, scratch)) crooked(pieces[k], k, max_findings, scratch);
  }
}

/// Starts each router's lanes with those of its own terminals.
template <class Mask>
void ByLevelWalk<Mask>::fill_masks(std::span<const DestinationPiece> pieces, Scratch& scratch) const {
  if (scratch.masks.size() < scratch.columns.size()) scratch.masks.resize(scratch.columns.size());
  scratch.trouble.assign(pieces.size(), 0);
  const ServiceLevels& levels = routing_->service_levels;
  const Mask only = bit_[0];
  for (const RouterId r : network_->routers()) {
    const IdRange<TerminalId> sources = network_->terminals_at(r);
    // Terminals that share a row of levels are consecutive: the first of them speaks for all.
    const bool shared = levels.rows() != ServiceLevels::Rows::by_terminal;
    const std::uint32_t speakers = shared ? std::min(1U, sources.size()) : sources.size();
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const DestinationPiece& piece = pieces[k];
      Mask* to = scratch.masks.data() + scratch.columns.offset(k) +
                 static_cast<std::size_t>(r.value) * piece.count;
      std::fill_n(to, piece.count, levels.empty() && speakers != 0 ? only : Mask{0});
      if (levels.empty()) {
        if (only == 0 && speakers != 0) scratch.trouble[k] = 1;
        continue;
      }
      bool trouble = false;
      for (std::uint32_t s = 0; s < speakers; ++s) {
        const std::uint8_t* from = levels.row(levels.row_of(sources[s])).data() + piece.first;
        for (std::uint32_t j = 0; j < piece.count; ++j) {
          const Mask bit = bit_[from[j]];
          to[j] |= bit;
          trouble |= bit == 0;
        }
      }
      if (trouble && r != piece.router) scratch.trouble[k] = 1;
    }
  }
}

/// The common case: every router that matters sends one channel nearer, so that routers in the order of the
/// search are in the order of the tree. False when some entry is otherwise; what was marked by then is true all
/// the same, since lanes were only pushed along real entries.
template <class Mask>
bool ByLevelWalk<Mask>::straight(const DestinationPiece& piece, std::size_t index, Scratch& scratch) const {
  if (!marks_->dense() || scratch.trouble[index] != 0) return false;
  const std::uint32_t count = piece.count;
  for (std::uint32_t j = 0; j < count; ++j) {
    if (routing_->table.get(piece.router, TerminalId(piece.first + j)) != ForwardingTable::kHere)
      return false;
  }
  const auto distance = scratch.distances.distance();
  const auto order = scratch.distances.order();
  if (order.size() < network_->router_count()) {
    for (const RouterId r : network_->routers()) {
      if (distance[r.value] == DistancesTo::kUnreached && !network_->terminals_at(r).empty()) return false;
    }
  }
  const std::uint16_t* entries = scratch.columns.entries(index);
  Mask* masks = scratch.masks.data() + scratch.columns.offset(index);
  const Hop* hops = hops_.data();
  std::uint64_t total_hops = 0;
  std::uint32_t max_hops = 0;
  for (std::size_t i = order.size(); i-- > 1;) {
    const std::uint32_t v = order[i];
    const std::uint32_t nearer = distance[v] - 1;
    const Hop* out = hops + network_->out(RouterId(v)).first();
    const std::uint16_t* row = entries + static_cast<std::size_t>(v) * count;
    const Mask* row_masks = masks + static_cast<std::size_t>(v) * count;
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint32_t position = row[j];
      if (position >= degree_[v]) {
        // A router without terminals that no packet comes to needs no entry.
        if (row_masks[j] != 0) return false;
        continue;
      }
      const Hop hop = out[position];
      if (distance[hop.target] != nearer) {
        if (row_masks[j] != 0) return false;
        continue;
      }
      const std::size_t next = static_cast<std::size_t>(hop.target) * count + j;
      const Mask mask = row_masks[j];
      masks[next] |= mask;
      marks_->add_dense(std::size_t{hop.first_slot} + entries[next], mask);
    }
    const std::uint32_t sources = network_->terminals_at(RouterId(v)).size();
    if (sources == 0) continue;
    total_hops += std::uint64_t{sources} * distance[v];
    max_hops = std::max(max_hops, distance[v]);
  }
  scratch.tally.total_hops += total_hops * count;
  scratch.tally.max_hops = std::max(scratch.tally.max_hops, max_hops);
  return true;
}

/// Any table: detours, holes, loops, missing levels.
template <class Mask>
void ByLevelWalk<Mask>::crooked(const DestinationPiece& piece, std::size_t index, std::uint32_t max_findings,
                                Scratch& scratch) const {
  const auto trouble = [this](Finding& finding) { return lane_trouble(finding); };
  for (std::uint32_t j = 0; j < piece.count; ++j) {
    const TerminalId destination(piece.first + j);
    const std::uint16_t* entries = scratch.columns.entries(index) + j;
    Mask* masks = scratch.masks.data() + scratch.columns.offset(index) + j;
    ForwardingTree& tree = scratch.tree;
    tree.build(routing_->table, destination, entries, piece.count);
    for (const std::uint32_t v : tree.order()) push(v, entries, masks, piece.count);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : tree.loop_ends()) {
      // Two rounds: after the first every router of the loop has the lanes of all of it.
      for (int round = 0; round < 2; ++round) {
        for (std::uint32_t i = begin; i < end; ++i) push(tree.loops()[i], entries, masks, piece.count);
      }
      begin = end;
    }
    count_pairs(*network_, tree, scratch.distances, destination, max_findings, scratch.trouble[index] != 0,
                trouble, scratch.tally);
  }
}

template <class Mask>
void ByLevelWalk<Mask>::push(std::uint32_t router, const std::uint16_t* entries, Mask* masks,
                             std::uint32_t stride) const {
  const std::size_t at = static_cast<std::size_t>(router) * stride;
  const IdRange<ChannelId> out = network_->out(RouterId(router));
  if (entries[at] >= out.size() || masks[at] == 0) return;
  const std::uint32_t channel = out.first() + entries[at];
  const std::size_t next = static_cast<std::size_t>(hops_[channel].target) * stride;
  masks[next] |= masks[at];
  marks_->add(slots_->slot(channel, entries[next]), masks[at]);
}

template <class Mask>
bool ByLevelWalk<Mask>::lane_trouble(Finding& finding) const {
  const std::uint8_t level = routing_->service_levels.get(finding.source, finding.destination);
  const std::uint8_t lane = (*lane_of_level_)[level];
  if (lane < kMaxLanes) return false;
  finding.kind =
      lane == kLaneDropped ? Finding::Kind::dropped_lane : Finding::Kind::missing_service_level;
  finding.at = network_->router_of(finding.source);
  return true;
}

template class ByLevelWalk<std::uint8_t>;
template class ByLevelWalk<std::uint64_t>;

}  // namespace unknot
