// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/by_level_walk.hpp"

#include <algorithm>
#include <limits>

#include "unknot/support/bring_near.hpp"

namespace unknot {

template <class Marks>
ByLevelWalk<Marks>::ByLevelWalk(const Network& network, const Routing& routing,
                                const LaneOfLevel& lane_of_level, const DependencySlots& slots, Marks& marks)
    : network_(&network),
      routing_(&routing),
      lanes_(routing),
      lane_of_level_(&lane_of_level),
      slots_(&slots),
      marks_(&marks) {
  hops_.reserve(network.channel_count());
  for (const ChannelId c : network.channels())
    hops_.push_back({network.target(c).value, static_cast<std::uint32_t>(slots.first(c.value))});
  for (const RouterId r : network.routers()) {
    out_first_.push_back(network.out(r).first());
    sources_.push_back(network.terminals_at(r).size());
  }
  out_first_.push_back(network.channel_count());
  for (std::size_t level = 0; level < bit_.size(); ++level) {
    const std::uint8_t lane = lane_of_level[level];
    if (lane < std::numeric_limits<Mask>::digits) bit_[level] = static_cast<Mask>(Mask{1} << lane);
  }
}

template <class Marks>
void ByLevelWalk<Marks>::run(std::span<const DestinationPiece> pieces, std::uint32_t max_findings,
                             Scratch& scratch) const {
  scratch.columns.load(routing_->table(), pieces);
  fill_masks(pieces, scratch);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    scratch.distances.run(pieces[k].router);
    if (!straight(pieces[k], k, scratch)) crooked(pieces[k], k, max_findings, scratch);
  }
}

/// Starts each router's lanes with those of its own terminals.
template <class Marks>
void ByLevelWalk<Marks>::fill_masks(std::span<const DestinationPiece> pieces, Scratch& scratch) const {
  if (scratch.masks.size() < scratch.columns.size()) scratch.masks.resize(scratch.columns.size());
  scratch.trouble.assign(pieces.size(), 0);
  const ServiceLevels& levels = routing_->service_levels;
  for (const RouterId r : network_->routers()) {
    const IdRange<TerminalId> sources = network_->terminals_at(r);
    const Mask start = levels.empty() && !sources.empty() ? bit_[0] : Mask{0};
    const std::size_t row = r.value;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      std::fill_n(scratch.masks.data() + scratch.columns.offset(k) + row * pieces[k].count, pieces[k].count,
                  start);
    }
    if (levels.empty()) continue;
    for (const TerminalId source : sources) {
      // Terminals that share a row of levels: the first of them speaks for all.
      if (!levels.begins_row(*network_, source)) continue;
      const std::uint8_t* from = levels.row(levels.row_of(source)).data();
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        const DestinationPiece& piece = pieces[k];
        Mask* to = scratch.masks.data() + scratch.columns.offset(k) + row * piece.count;
        bool trouble = false;
        for (std::uint32_t j = 0; j < piece.count; ++j) {
          const Mask bit = bit_[from[piece.first + j]];
          to[j] |= bit;
          trouble |= bit == 0;
        }
        if (trouble && (r != piece.router || neighbour_stopped(piece, source, from))) scratch.trouble[k] = 1;
      }
    }
  }
  if (levels.empty() && bit_[0] == 0) std::fill(scratch.trouble.begin(), scratch.trouble.end(), 1);
}

/// True when a row of levels at the destinations' own router stops packets to another terminal of that
/// router: the level that a terminal has for itself means nothing.
template <class Marks>
bool ByLevelWalk<Marks>::neighbour_stopped(const DestinationPiece& piece, TerminalId source,
                                           const std::uint8_t* levels) const {
  const IdRange<TerminalId> here = network_->terminals_at(piece.router);
  if (here.size() < 2) return false;
  const TerminalId next(source.value + 1);
  const bool shared =
      source != here[here.size() - 1] && !routing_->service_levels.begins_row(*network_, next);
  for (std::uint32_t d = piece.first; d < piece.first + piece.count; ++d) {
    if ((shared || d != source.value) && bit_[levels[d]] == 0) return true;
  }
  return false;
}

/// The common case: every router that matters sends one channel nearer, so that routers in the order of the
/// search are in the order of the tree. False when some entry is otherwise; what was marked by then is true
/// all the same, since lanes were only pushed along real entries.
template <class Marks>
bool ByLevelWalk<Marks>::straight(const DestinationPiece& piece, std::size_t index, Scratch& scratch) const {
  if (!marks_->dense() || scratch.trouble[index] != 0) return false;
  const std::uint32_t count = piece.count;
  for (std::uint32_t j = 0; j < count; ++j) {
    if (routing_->table().get(piece.router, TerminalId(piece.first + j)) != ForwardingTable::kHere)
      return false;
  }
  const auto distance = scratch.distances.distance();
  const auto order = scratch.distances.order();
  if (order.size() < network_->router_count()) {
    for (const RouterId r : network_->routers()) {
      if (distance[r.value] == DistancesTo::kUnreached && !network_->terminals_at(r).empty()) return false;
    }
  }
  constexpr std::size_t kAhead = 4;  // routers
  const std::uint16_t* entries = scratch.columns.entries(index);
  Mask* masks = scratch.masks.data() + scratch.columns.offset(index);
  std::uint64_t total_hops = 0;
  std::uint32_t max_hops = 0;
  for (std::size_t i = order.size(); i-- > 1;) {
    const std::uint32_t v = order[i];
    if (i > kAhead) call_row(order[i - kAhead], entries, masks, count);
    if (!push_row(v, entries, masks, count, distance.data())) return false;
    const std::uint32_t sources = sources_[v];
    if (sources == 0) continue;
    total_hops += std::uint64_t{sources} * distance[v];
    max_hops = std::max(max_hops, distance[v]);
  }
  scratch.tally.total_hops += total_hops * count;
  scratch.tally.max_hops = std::max(scratch.tally.max_hops, max_hops);
  return true;
}

/// Brings near what push_row() reads of a router.
template <class Marks>
void ByLevelWalk<Marks>::call_row(std::uint32_t router, const std::uint16_t* entries, const Mask* masks,
                                  std::uint32_t count) const {
  const std::size_t at = static_cast<std::size_t>(router) * count;
  bring_near(entries + at, entries + at + count);
  bring_near(masks + at, masks + at + count);
  bring_near(hops_.data() + out_first_[router], hops_.data() + out_first_[router + 1]);
}

/// One router of straight(). Pointers are local: stores to masks may alias anything that is reached by
/// `this`.
template <class Marks>
bool ByLevelWalk<Marks>::push_row(std::uint32_t router, const std::uint16_t* entries, Mask* masks,
                                  std::uint32_t count, const std::uint32_t* distance) const {
  const std::uint32_t first = out_first_[router];
  const std::uint32_t degree = out_first_[router + 1] - first;
  const Hop* out = hops_.data() + first;
  const std::uint32_t nearer = distance[router] - 1;
  const std::size_t at = static_cast<std::size_t>(router) * count;
  auto* marks = marks_->dense_data();
  for (std::uint32_t j = 0; j < count; ++j) {
    const std::uint32_t position = entries[at + j];
    const Mask mask = masks[at + j];
    if (mask == 0) continue;  // no packet comes here: the entry does not matter
    if (position >= degree) return false;
    const Hop hop = out[position];
    if (distance[hop.target] != nearer) return false;
    const std::size_t next = static_cast<std::size_t>(hop.target) * count + j;
    masks[next] |= mask;
    Marks::add_to(marks, std::size_t{hop.first_slot} + entries[next], mask);
  }
  return true;
}

/// Any table: detours, holes, loops, missing levels.
template <class Marks>
void ByLevelWalk<Marks>::crooked(const DestinationPiece& piece, std::size_t index, std::uint32_t max_findings,
                                 Scratch& scratch) const {
  const auto trouble = [&](Finding& finding) { return lane_trouble(scratch.tree, finding); };
  for (std::uint32_t j = 0; j < piece.count; ++j) {
    const TerminalId destination(piece.first + j);
    const std::uint16_t* entries = scratch.columns.entries(index) + j;
    Mask* masks = scratch.masks.data() + scratch.columns.offset(index) + j;
    ForwardingTree& tree = scratch.tree;
    tree.build(routing_->table(), destination, entries, piece.count);
    if (tree.channel(piece.router.value).valid()) {
      // The destination's own router sends its packets on: of its terminals, all but itself send some.
      Mask& own = masks[static_cast<std::size_t>(piece.router.value) * piece.count];
      own = 0;
      for (const TerminalId source : network_->terminals_at(piece.router)) {
        if (source != destination) own |= bit_[routing_->service_levels.get(source, destination)];
      }
    }
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

template <class Marks>
void ByLevelWalk<Marks>::push(std::uint32_t router, const std::uint16_t* entries, Mask* masks,
                              std::uint32_t stride) const {
  const std::size_t at = static_cast<std::size_t>(router) * stride;
  const IdRange<ChannelId> out = network_->out(RouterId(router));
  if (entries[at] >= out.size() || masks[at] == 0) return;
  const std::uint32_t channel = out.first() + entries[at];
  const std::size_t next = static_cast<std::size_t>(hops_[channel].target) * stride;
  masks[next] |= masks[at];
  marks_->add(slots_->slot(channel, entries[next]), masks[at]);
}

template <class Marks>
bool ByLevelWalk<Marks>::lane_trouble(const ForwardingTree& tree, Finding& finding) const {
  const std::uint8_t level = routing_->service_levels.get(finding.source, finding.destination);
  if ((*lane_of_level_)[level] < kLanesToldApart) return false;
  if (stopped_at_source(*network_, lanes_, level, finding)) return true;
  const RouterId at = network_->router_of(finding.source);
  const ChannelId out = tree.channel(at.value);
  return stopped_at(lanes_, level, at, network_->terminal_port(finding.source),
                    out.valid() ? network_->source_port(out) : network_->terminal_port(finding.destination),
                    finding);
}

template class ByLevelWalk<OneLaneMarks>;
template class ByLevelWalk<EightLaneMarks>;
template class ByLevelWalk<ManyLaneMarks>;

}  // namespace unknot
