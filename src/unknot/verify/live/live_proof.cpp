// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/live_proof.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>
#include <vector>

#include "unknot/network/live/cut_pairs.hpp"
#include "unknot/verify/live/live_forest.hpp"

namespace unknot {
namespace {

using Forest = std::variant<LiveForest<std::uint8_t>, LiveForest<std::uint16_t>>;

Forest make_forest(const LiveNetwork& live, const ForwardingTable& table) {
  const Network& network = live.network();
  if (table.router_count() != network.router_count() || table.terminal_count() != network.terminal_count())
    throw std::invalid_argument("LiveProof: the table is of another network");
  std::size_t most = 0;
  for (const RouterId r : network.routers())
    most = std::max({most, std::size_t{network.out(r).size()}, network.in(r).size()});
  if (most > ForwardingTable::stray<std::uint16_t>)
    throw std::length_error("LiveProof: more than 65,533 channels into one router");
  if (most < ForwardingTable::stray<std::uint8_t>)
    return Forest(std::in_place_type<LiveForest<std::uint8_t>>, live, table);
  return Forest(std::in_place_type<LiveForest<std::uint16_t>>, live, table);
}

/// What is neither a channel of the router nor a mark leads nowhere.
template <class Entry>
Entry stored(const Network& network, const EntryChange& change) {
  const bool leads = change.after < network.out(change.router).size();
  return static_cast<Entry>(leads ? change.after : std::max(change.after, ForwardingTable::kStray));
}

/// Calls visit(change) for each, when what it will look at is on its way from memory. entry_of(change): the
/// entry whose way is gone.
template <class Entry, class EntryOf, class Visit>
void for_each_expected(const LiveForest<Entry>& forest, std::span<const EntryChange> entries,
                       const EntryOf& entry_of, const Visit& visit) {
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < entries.size() + 3 * kAhead; ++i) {
    if (i < entries.size()) forest.expect(entries[i].router.value, entries[i].destination.value);
    if (const std::size_t at = i - kAhead; i >= kAhead && at < entries.size()) {
      const EntryChange& change = entries[at];
      forest.expect_next(change.router.value, change.destination.value, entry_of(change));
    }
    if (const std::size_t at = i - 2 * kAhead; i >= 2 * kAhead && at < entries.size()) {
      const EntryChange& change = entries[at];
      forest.expect_count(change.router.value, change.destination.value, entry_of(change));
    }
    if (i >= 3 * kAhead) visit(entries[i - 3 * kAhead]);
  }
}

template <class Entry>
struct Lifted {
  std::uint32_t router, terminal;
  Entry entry;
};

/// Entries that nobody has changed, into channels that have died or come back: they are put back as they
/// were.
template <class Entry>
void lift_rest(const Network& network, const LiveEvent& event, LiveForest<Entry>& forest,
               std::vector<Lifted<Entry>>& lifted) {
  for (const ChannelId c : event.channels) {
    if (forest.entries_into(c) == 0) continue;
    const std::uint32_t router = network.source(c).value;
    const std::uint32_t position = c.value - network.out(network.source(c)).first();
    for (std::uint32_t t = 0; t < network.terminal_count() && forest.entries_into(c) > 0; ++t) {
      if (forest.entry(router, t) == position) lifted.push_back({router, t, forest.lift(router, t)});
    }
  }
}

template <class Entry>
void change_forest(const LiveNetwork& live, const LiveEvent& event, std::span<const EntryChange> entries,
                   LiveForest<Entry>& forest) {
  const Network& network = live.network();
  if (entries.size() > std::size_t{network.router_count()} * network.terminal_count() / 10) {
    for (const EntryChange& change : entries)
      forest.set(change.router.value, change.destination.value, stored<Entry>(network, change));
    forest.fill(live);
    return;
  }
  // First all that goes, then all that comes: on the way there is nothing that is neither before nor after.
  const auto held = [&](const EntryChange& change) {
    return forest.stored(change.router.value, change.destination.value);
  };
  for_each_expected(forest, entries, held, [&](const EntryChange& change) {
    forest.lift(change.router.value, change.destination.value);
  });
  std::vector<Lifted<Entry>> rest;
  lift_rest(network, event, forest, rest);
  for (const RouterId r : event.routers) {
    if (!live.alive(r)) forest.retire(r);
  }
  for (const ChannelId c : event.channels) {
    if (live.alive(c)) {
      forest.open(c);
    } else {
      forest.block(c);
    }
  }
  for (const RouterId r : event.routers) {
    if (live.alive(r)) forest.enlist(r);
  }
  for (const Lifted<Entry>& one : rest) forest.put(one.router, one.terminal, one.entry);
  const auto wanted = [&](const EntryChange& change) { return stored<Entry>(network, change); };
  for_each_expected(forest, entries, wanted, [&](const EntryChange& change) {
    forest.put(change.router.value, change.destination.value, wanted(change));
  });
  forest.conclude();
}

}  // namespace

struct LiveProof::State {
  Forest forest;
  std::uint64_t terminals = 0;  // that live
  std::uint64_t cut = 0;        // disconnected pairs, where `cut_known`
  bool cut_known = false;
};

LiveProof::LiveProof(const Network& network, const Faults& dead, const ForwardingTable& table)
    : network_(network, dead), state_(std::make_unique<State>(State{make_forest(network_, table)})) {
  conclude(true);
}

LiveProof::~LiveProof() = default;

const LiveVerdict& LiveProof::apply(const LiveChange& change, std::span<const EntryChange> entries) {
  check_ids(entries);
  const LiveEvent event = network_.apply(change);
  std::visit([&](auto& forest) { change_forest(network_, event, entries, forest); }, state_->forest);
  conclude(!event.empty());
  return verdict_;
}

void LiveProof::check_ids(std::span<const EntryChange> entries) const {
  const Network& network = network_.network();
  for (const EntryChange& change : entries) {
    if (change.router.value >= network.router_count() || change.destination.value >= network.terminal_count())
      throw std::out_of_range("LiveProof: an entry of a router or terminal that the network does not have");
  }
}

void LiveProof::conclude(bool network_changed) {
  State& state = *state_;
  if (network_changed) {
    state.cut_known = false;
    state.terminals = 0;
    for (const RouterId r : network_.routers()) state.terminals += network_.terminals_at(r).size();
  }
  verdict_.pairs = state.terminals == 0 ? 0 : state.terminals * (state.terminals - 1);
  std::visit(
      [&](const auto& forest) {
        verdict_.unroutable_pairs = forest.unroutable_pairs();
        verdict_.looping_pairs = forest.looping_pairs();
        verdict_.dependencies = forest.dependencies().arc_count();
        verdict_.deadlock_free = forest.dependencies().acyclic();
      },
      state.forest);
  // What is delivered is joined.
  if (verdict_.unroutable_pairs > 0 && !state.cut_known) {
    state.cut = cut_pairs(network_);
    state.cut_known = true;
  }
  verdict_.disconnected_pairs = verdict_.unroutable_pairs > 0 ? state.cut : 0;
}

std::uint32_t LiveProof::entry(RouterId router, TerminalId destination) const {
  return std::visit([&](const auto& forest) { return forest.entry(router.value, destination.value); },
                    state_->forest);
}

std::span<const std::uint32_t> LiveProof::order() const {
  return std::visit(
      [](const auto& forest) { return std::span<const std::uint32_t>(forest.dependencies().places()); },
      state_->forest);
}

}  // namespace unknot
