// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "unknot/routing/live_lanes/tree_mender.hpp"
#include "unknot/tables/blocks/matching_places.hpp"

namespace unknot {
namespace {

constexpr double kLighter = 0.9;  // of the price of a path: what is gained is worth a change

}  // namespace

void TreeMender::clear() {
  for (std::uint32_t place = 0; place < places_; ++place) {
    look_at_tree(place);
    for (std::uint32_t r = 0; r < weight_.size(); ++r) {
      if (weight_[r] > 0 && r != home_.value && entry(r) != TreeTables::kNone) move_loads(r, 0U - weight_[r]);
    }
    for (std::uint32_t r = 0; r < weight_.size(); ++r) {
      if (r == home_.value || entry(r) == TreeTables::kNone) continue;
      entries_.push_back({place, r, entry(r), TreeTables::kNone});
      entry(r) = TreeTables::kNone;
    }
  }
}

/// Turns that are others lead into or out of a channel of a moved router: its paths come through it, or end
/// there.
void TreeMender::add_lost_escapes(std::span<const RouterId> moved) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> through;
  if (std::find(moved.begin(), moved.end(), home_) != moved.end()) {
    for (std::uint32_t r = 0; r < weight_.size(); ++r) through.emplace_back(r, all_places(places_));
  } else {
    for (const RouterId r : moved) add_root(r, all_places(places_));
    find_cut();
    for (const std::uint32_t r : cut_list_) through.emplace_back(r, cut_[r]);
    forget_cut();
  }
  const std::uint8_t* const levels = tables_->levels(block_);
  for (std::uint32_t place = 0; place < places_; ++place) {
    look_at_tree(place);
    for (const auto& [r, places] : through) {
      if (weight_[r] == 0 || (places >> place & 1U) == 0 || !network_->alive(RouterId(r))) continue;
      if (entry(r) >= TreeTables::kHere) continue;
      if (levels[std::size_t{r} * places_ + place] != rules_->escape_lane()) continue;
      if ((way(r).mask >> rules_->escape_lane() & 1U) == 0) add_root(RouterId(r), std::uint64_t{1} << place);
    }
  }
}

std::uint32_t TreeMender::pairs_moved() const {
  std::uint32_t pairs = 0;
  for (const std::uint32_t r : members_) pairs += weight_[r];
  return pairs;
}

/// With so many more, or the next one of its path has: it would take from what is busy until it is as busy.
bool TreeMender::has_enough(ChannelId taken, std::uint32_t pairs) {
  const std::uint32_t next = network_->target(taken).value;
  const auto enough = [&](ChannelId c) { return load_[c.value] + pairs > enough_; };
  return enough(taken) || (next != home_.value && enough(channel(next, entry(next))));
}

void TreeMender::list_shorter(std::uint32_t router) {
  const std::uint32_t hops = way(router).hops;
  list_candidates(router, true);
  std::erase_if(candidates_, [&](const Candidate& one) { return one.hops >= hops; });
}

void TreeMender::list_lighter(std::uint32_t router) {
  const std::uint32_t hops = way(router).hops;
  const double cost = cost_from(router);
  const std::uint32_t pairs = pairs_moved();
  list_candidates(router, true);
  std::erase_if(candidates_, [&](const Candidate& one) {
    const std::uint32_t c = channel(router, one.position).value;
    return one.position == entry(router) || one.hops > hops ||
           one.cost - price(c) + price(c, pairs) > kLighter * cost;
  });
}

void TreeMender::list_only(ChannelId channel) {
  candidates_.clear();
  const std::uint32_t router = network_->source(channel).value;
  const std::uint32_t next = network_->target(channel).value;
  if (open(next)) return;
  const auto position = static_cast<std::uint8_t>(network_->position(channel));
  const Way old = way(router);
  const Way by = way_by(router, position);
  if (by.mask == 0 || by.hops > old.hops) return;
  const std::uint32_t pairs = pairs_moved();
  const double cost = price(channel.value, pairs) + cost_from(next);
  if (by.hops < old.hops || (!has_enough(channel, pairs) && cost < cost_from(router)))
    candidates_.push_back({cost, by.hops, position, by.mask});
}

/// A candidate by which all that comes through the router keeps its entries.
bool TreeMender::take_one(std::uint32_t router) {
  std::sort(candidates_.begin(), candidates_.end());
  for (const Candidate& one : candidates_) {
    if (failing(router, one.position, one.mask) > 0) continue;
    take_loads();
    const Candidate taken = one;
    settle(router, taken.position, {taken.hops, taken.mask});
    return true;
  }
  return false;
}

template <class List>
void TreeMender::move_all(RouterId router, std::uint64_t places, const List& list) {
  if (places == 0) return;
  add_root(router, places);
  find_cut();
  for (; places != 0; places &= places - 1) {
    const auto place = static_cast<std::uint32_t>(std::countr_zero(places));
    take_tree(place);
    list();
    if (take_one(router.value)) finish(place);
  }
  forget_cut();
}

void TreeMender::come_nearer(RouterId router) {
  std::uint64_t wanted = 0;
  const std::uint8_t* const entries = tables_->entries(block_) + std::size_t{router.value} * places_;
  for (std::uint32_t place = 0; place < places_; ++place) {
    if (entries[place] >= TreeTables::kHere) continue;
    const RouterId next = network_->target(channel(router.value, entries[place]));
    if (hops_[next.value] + 1 != hops_[router.value]) wanted |= std::uint64_t{1} << place;
  }
  move_all(router, wanted, [&] { list_shorter(router.value); });
}

void TreeMender::relieve(ChannelId channel, std::uint32_t most) {
  const RouterId router = network_->source(channel);
  if (router == home_ || load_[channel.value] <= most) return;
  const std::uint64_t wanted =
      matching_places(tables_->entries(block_) + std::size_t{router.value} * places_, places_,
                      static_cast<std::uint8_t>(network_->position(channel)));
  move_all(router, wanted, [&] {
    candidates_.clear();
    if (load_[channel.value] > most) list_lighter(router.value);
  });
}

void TreeMender::fill(std::span<const ChannelId> channels) {
  wanted_.assign(channels.size(), 0);
  for (std::uint32_t place = 0; place < places_; ++place) {
    look_at_tree(place);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const std::uint32_t router = network_->source(channels[i]).value;
      const auto position = static_cast<std::uint8_t>(network_->position(channels[i]));
      if (entry(router) >= TreeTables::kHere || entry(router) == position) continue;
      const Way by = way_by(router, position);
      if (by.mask == 0) continue;
      const Way old = way(router);
      if (by.hops > old.hops || (by.hops == old.hops && has_enough(channels[i], 0))) continue;
      if (by.hops < old.hops ||
          price(channels[i].value) + cost_from(network_->target(channels[i]).value) < cost_from(router))
        wanted_[i] |= std::uint64_t{1} << place;
    }
  }
  for (std::size_t i = 0; i < channels.size(); ++i)
    move_all(network_->source(channels[i]), wanted_[i], [&] { list_only(channels[i]); });
}

/// Its entries stay until what came through it has been mended: they say where that went.
void TreeMender::drop(RouterId router) {
  dropped_.push_back(router.value);
  if (weight_[router.value] == 0) return;
  for (std::uint32_t place = 0; place < places_; ++place) {
    look_at_tree(place);
    if (entry(router.value) != TreeTables::kNone) move_loads(router.value, 0U - weight_[router.value]);
  }
}

void TreeMender::forget_dropped() {
  for (const std::uint32_t r : dropped_) {
    std::uint8_t* const entries = tables_->entries(block_) + std::size_t{r} * places_;
    for (std::uint32_t place = 0; place < places_; ++place) {
      if (entries[place] == TreeTables::kNone) continue;
      entries_.push_back({place, r, entries[place], TreeTables::kNone});
      entries[place] = TreeTables::kNone;
    }
  }
  dropped_.clear();
}

/// What was changed several times counts once.
void TreeMender::end(LaneUpdate& update) {
  const auto merge = [](std::vector<Changed>& changes) {
    const auto of = [](const Changed& one) { return std::pair(one.place, one.router); };
    std::stable_sort(changes.begin(), changes.end(),
                     [&](const Changed& a, const Changed& b) { return of(a) < of(b); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < changes.size();) {
      Changed one = changes[i];
      for (; i < changes.size() && of(changes[i]) == of(one); ++i) one.after = changes[i].after;
      if (one.before != one.after) changes[kept++] = one;
    }
    changes.resize(kept);
  };
  merge(entries_);
  merge(levels_);
  const auto position = [](std::uint8_t entry) { return ForwardingTable::position_of(entry); };
  for (const Changed& one : entries_) {
    update.entries.push_back({RouterId(one.router), tables_->terminal(block_, one.place),
                              position(one.before), position(one.after)});
  }
  for (const Changed& one : levels_) {
    update.levels.push_back(
        {tables_->row(RouterId(one.router)), tables_->terminal(block_, one.place), one.before, one.after});
  }
  update.escaped += escaped_;
}

}  // namespace unknot
