// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/live_lane_check.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "unknot/network/live/cut_pairs.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/blocks/matching_places.hpp"

namespace unknot {

LiveLaneCheck::LiveLaneCheck(const Network& network, const Routing& routing, std::uint32_t lanes,
                             std::span<const std::vector<std::uint32_t>> hint)
    : network_(network), tables_(network, routing), lanes_(lanes) {
  if (lanes == 0 || lanes > 16 || routing.virtual_lanes > lanes)
    throw InputError("tables are followed on 1 to 16 lanes, and no fewer than they use");
  first_turn_.reserve(network.channel_count() + std::size_t{1});
  first_turn_.push_back(0);
  for (const ChannelId c : network.channels())
    first_turn_.push_back(first_turn_.back() + network.out(network.target(c)).size());
  count_.resize(std::size_t{first_turn_.back()} * lanes);
  for (auto* bits : {&cut_, &pending_, &relevelled_}) bits->assign(network.router_count(), 0);
  alive_.assign(network.router_count(), 1);
  count_all();
  number_all(hint);
  judge();
}

void LiveLaneCheck::complain(bool& which, std::string why) {
  which = false;
  if (verdict_.why.empty()) verdict_.why = std::move(why);
}

/// Counts the path from the router, or no longer. What does not arrive is no packet's: what is missing shows
/// in the number of pairs. Where it is sent into what is dead or in a loop, that is said.
void LiveLaneCheck::walk(std::uint32_t block, std::uint32_t place, RouterId from, bool add) {
  const Network& whole = network_.network();
  const std::uint32_t places = tables_.places(block);
  const std::uint8_t* const entries = tables_.entries(block) + place;
  const RouterId home = tables_.home(block);
  if (from == home || entries[std::size_t{from.value} * places] == TreeTables::kNone) return;
  const std::vector<std::uint8_t>& alive = add ? alive_ : was_alive_;
  if (alive[from.value] == 0 || alive[home.value] == 0) return;
  const std::uint32_t lane = tables_.levels(block)[std::size_t{from.value} * places + place];
  if (lane >= lanes_) {
    if (add) complain(verdict_.delivers, "a level has no lane");
    return;
  }
  steps_.clear();
  std::uint32_t before = ChannelId::kNone;
  for (RouterId at = from; at != home;) {
    const std::uint8_t entry = entries[std::size_t{at.value} * places];
    if (entry >= whole.out(at).size() || steps_.size() > whole.router_count()) {
      if (add) {
        complain(verdict_.delivers,
                 "packets to " + whole.terminal_name(tables_.terminal(block, place)) +
                     (entry < whole.out(at).size() ? " go in a loop" : " are dropped at ") +
                     whole.router_name(at));
      }
      return;
    }
    const ChannelId c = whole.out(at)[entry];
    if (add && !network_.alive(c)) {
      complain(verdict_.delivers, whole.router_name(at) + " sends into a cable that is dead");
      return;
    }
    if (before != ChannelId::kNone) steps_.push_back(first_turn_[before] + entry);
    before = c.value;
    at = whole.target(c);
  }
  const std::uint64_t pairs = whole.terminals_at(from).size();
  delivered_ += add ? pairs : 0 - pairs;
  for (const std::uint32_t turn : steps_) {
    const std::size_t at = std::size_t{turn} * lanes_ + lane;
    std::uint32_t& count = count_[at];
    if (!(add ? count++ == 0 : --count == 0)) continue;
    touched_.push_back(at);
    turns_made_ += add ? std::uint64_t{1} : 0 - std::uint64_t{1};
  }
}

void LiveLaneCheck::count_all() {
  std::fill(count_.begin(), count_.end(), 0);
  arcs_.assign(first_turn_.back(), 0);
  delivered_ = 0;
  turns_made_ = 0;
  for (std::uint32_t block = 0; block < tables_.blocks(); ++block) {
    const std::uint8_t* const at_home =
        tables_.entries(block) + std::size_t{tables_.home(block).value} * tables_.places(block);
    for (std::uint32_t place = 0; place < tables_.places(block); ++place) {
      if (at_home[place] != TreeTables::kHere) {
        complain(verdict_.delivers, network_.network().router_name(tables_.home(block)) +
                                        " does not hand over what is for its own terminals");
      }
      for (std::uint32_t row = 0; row < tables_.rows(); ++row)
        walk(block, place, tables_.router_of_row(row), true);
    }
  }
  touched_.clear();
  for (std::size_t turn = 0; turn < arcs_.size(); ++turn) {
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      if (count_[turn * lanes_ + lane] > 0) arcs_[turn] |= static_cast<std::uint16_t>(1U << lane);
    }
  }
}

template <class Visit>
void LiveLaneCheck::for_each_after(std::uint32_t lane, std::uint32_t channel, const Visit& visit) const {
  const std::uint32_t next = network_.network().out(network_.target(ChannelId(channel))).first();
  for (std::uint32_t turn = first_turn_[channel]; turn < first_turn_[channel + 1]; ++turn) {
    if ((arcs_[turn] >> lane & 1U) != 0) visit(next + turn - first_turn_[channel]);
  }
}

template <class Visit>
void LiveLaneCheck::for_each_before(std::uint32_t lane, std::uint32_t channel, const Visit& visit) const {
  const RouterId at = network_.source(ChannelId(channel));
  const std::uint32_t position = channel - network_.network().out(at).first();
  for (const ChannelId before : network_.network().in(at)) {
    if ((arcs_[first_turn_[before.value] + position] >> lane & 1U) != 0) visit(before.value);
  }
}

void LiveLaneCheck::number_all(std::span<const std::vector<std::uint32_t>> hint) {
  order_.clear();
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    const std::span<const std::uint32_t> of_lane =
        lane < hint.size() ? std::span<const std::uint32_t>(hint[lane]) : std::span<const std::uint32_t>();
    if (!number_lane(lane, of_lane) && !number_lane(lane, {}))
      complain(verdict_.deadlock_free, "packets on lane " + std::to_string(lane) + " can wait in a circle");
  }
}

/// As the hint has it, where it will do; without one by taking away channels that nothing comes before.
bool LiveLaneCheck::number_lane(std::uint32_t lane, std::span<const std::uint32_t> hint) {
  const std::uint32_t channels = network_.channel_count();
  std::vector<std::uint32_t> order(hint.begin(), hint.end());
  if (hint.empty()) {
    std::vector<std::uint32_t> missing(channels, 0);
    for (std::uint32_t c = 0; c < channels; ++c)
      for_each_after(lane, c, [&](std::uint32_t next) { ++missing[next]; });
    for (std::uint32_t c = 0; c < channels; ++c) {
      if (missing[c] == 0) order.push_back(c);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for_each_after(lane, order[i], [&](std::uint32_t next) {
        if (--missing[next] == 0) order.push_back(next);
      });
    }
  }
  std::vector<std::uint32_t> number(channels, channels);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (order[i] < channels) number[order[i]] = i;
  }
  bool rises = order.size() == channels && std::find(number.begin(), number.end(), channels) == number.end();
  ArcOrder made(std::move(number));
  for (std::uint32_t c = 0; c < channels && rises; ++c)
    for_each_after(lane, c, [&](std::uint32_t next) { rises = rises && made.rises(c, next); });
  if (!rises) return false;
  order_.push_back(std::move(made));
  return true;
}

/// By block, in the order in which they are told.
void LiveLaneCheck::sort_changes(std::span<const EntryChange> entries, std::span<const LevelChange> levels) {
  const Network& whole = network_.network();
  first_change_.assign(tables_.blocks() + std::size_t{2}, 0);
  const auto block_of = [&](TerminalId t) {
    if (t.value >= whole.terminal_count()) throw std::out_of_range("no such terminal");
    return tables_.block_of(t);
  };
  for (const EntryChange& one : entries) ++first_change_[block_of(one.destination) + std::size_t{2}];
  for (const LevelChange& one : levels) ++first_change_[block_of(one.destination) + std::size_t{2}];
  for (std::size_t b = 2; b < first_change_.size(); ++b) first_change_[b] += first_change_[b - 1];
  changes_.resize(entries.size() + levels.size());
  for (const EntryChange& one : entries) {
    changes_[first_change_[block_of(one.destination) + std::size_t{1}]++] = {
        tables_.place_of(one.destination), one.router.value, one.before, one.after, false};
  }
  for (const LevelChange& one : levels) {
    const std::uint32_t router =
        one.row < tables_.rows() ? tables_.router_of_row(one.row).value : RouterId::kNone;
    changes_[first_change_[block_of(one.destination) + std::size_t{1}]++] = {
        tables_.place_of(one.destination), router, one.before, one.after, true};
  }
}

void LiveLaneCheck::add_root(std::uint32_t router, std::uint64_t places) {
  if (places == 0) return;
  if (cut_[router] == 0 && relevelled_[router] == 0) cut_list_.push_back(router);
  cut_[router] |= places;
}

/// Entries that change, that lead into what has died, and all of what has come back.
void LiveLaneCheck::find_roots(std::uint32_t block, const LiveEvent& event) {
  const std::uint32_t places = tables_.places(block);
  const RouterId home = tables_.home(block);
  if (std::binary_search(event.routers.begin(), event.routers.end(), home)) {
    for (std::uint32_t r = 0; r < cut_.size(); ++r) add_root(r, all_places(places));
  }
  for (const RouterId r : event.routers) add_root(r.value, all_places(places));
  for (const auto& [r, positions] : lost_) {
    for (const std::uint8_t position : positions) {
      add_root(r.value,
               matching_places(tables_.entries(block) + std::size_t{r.value} * places, places, position));
    }
  }
  for (std::uint32_t i = first_change_[block]; i < first_change_[block + 1]; ++i) {
    const Change& one = changes_[i];
    if (one.router >= cut_.size() || one.router == home.value) {
      complain(verdict_.fits, "a change is of no router's entry");
    } else if (!one.level) {
      add_root(one.router, std::uint64_t{1} << one.place);
    } else {
      if (cut_[one.router] == 0 && relevelled_[one.router] == 0) cut_list_.push_back(one.router);
      relevelled_[one.router] |= std::uint64_t{1} << one.place;
    }
  }
}

/// What came through the roots.
void LiveLaneCheck::find_cut(std::uint32_t block) {
  const Network& whole = network_.network();
  const std::uint32_t places = tables_.places(block);
  const std::uint8_t* const entries = tables_.entries(block);
  queue_.clear();
  for (const std::uint32_t r : cut_list_) {
    if (cut_[r] != 0) queue_.push_back(r);
    pending_[r] = cut_[r];
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const RouterId at(queue_[i]);
    const std::uint64_t through = pending_[at.value];
    pending_[at.value] = 0;
    for (const ChannelId c : whole.in(at)) {
      const std::uint32_t from = whole.source(c).value;
      const std::uint64_t more = matching_places(entries + std::size_t{from} * places, places,
                                                 static_cast<std::uint8_t>(network_.position(c))) &
                                 through & ~cut_[from];
      if (more == 0) continue;
      add_root(from, more);
      if (pending_[from] == 0) queue_.push_back(from);
      pending_[from] |= more;
    }
  }
}

void LiveLaneCheck::make_changes(std::uint32_t block) {
  const std::uint32_t places = tables_.places(block);
  for (std::uint32_t i = first_change_[block]; i < first_change_[block + 1]; ++i) {
    const Change& one = changes_[i];
    if (one.router >= cut_.size()) {
      complain(verdict_.fits, "a change is of no router's entry");
      continue;
    }
    std::uint8_t* const all = one.level ? tables_.levels(block) : tables_.entries(block);
    std::uint8_t& now = all[std::size_t{one.router} * places + one.place];
    const std::uint32_t known = one.level ? now : ForwardingTable::position_of(now);
    const bool sound = one.level ? one.after < 16
                                 : one.after == ForwardingTable::kNone ||
                                       one.after < network_.network().out(RouterId(one.router)).size();
    if (known != one.before || !sound)
      complain(verdict_.fits, "a change is not of what is in force, or to what cannot be");
    if (sound) now = static_cast<std::uint8_t>(one.after);
  }
}

void LiveLaneCheck::check_block(std::uint32_t block, const LiveEvent& event) {
  find_roots(block, event);
  if (cut_list_.empty() || !verdict_.fits) {
    for (const std::uint32_t r : cut_list_) cut_[r] = relevelled_[r] = 0;
    cut_list_.clear();
    return;
  }
  find_cut(block);
  const auto walk_all = [&](bool add) {
    for (const std::uint32_t r : cut_list_) {
      if (network_.network().terminals_at(RouterId(r)).empty()) continue;
      for (std::uint64_t left = cut_[r] | relevelled_[r]; left != 0; left &= left - 1)
        walk(block, static_cast<std::uint32_t>(std::countr_zero(left)), RouterId(r), add);
    }
  };
  walk_all(false);
  make_changes(block);
  walk_all(true);
  for (const std::uint32_t r : cut_list_) cut_[r] = relevelled_[r] = 0;
  cut_list_.clear();
}

/// Arcs that no path makes any more go first: what is added must not close a cycle with them.
void LiveLaneCheck::add_arcs() {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const std::uint64_t at : touched_) {
    if (count_[at] == 0) arcs_[at / lanes_] &= static_cast<std::uint16_t>(~(1U << at % lanes_));
  }
  const Network& whole = network_.network();
  for (const std::uint64_t at : touched_) {
    const auto lane = static_cast<std::uint32_t>(at % lanes_);
    const auto turn = static_cast<std::uint32_t>(at / lanes_);
    if (count_[at] == 0 || (arcs_[turn] >> lane & 1U) != 0) continue;
    const auto from = static_cast<std::uint32_t>(
        std::upper_bound(first_turn_.begin(), first_turn_.end(), turn) - first_turn_.begin() - 1);
    const std::uint32_t to = whole.out(whole.target(ChannelId(from))).first() + turn - first_turn_[from];
    const bool added = order_[lane].add(
        from, to, [&](std::uint32_t c, const auto& visit) { for_each_after(lane, c, visit); },
        [&](std::uint32_t c, const auto& visit) { for_each_before(lane, c, visit); });
    if (!added) {
      complain(verdict_.deadlock_free, "packets on lane " + std::to_string(lane) +
                                           " can wait in a circle through " +
                                           whole.channel_name(ChannelId(from)));
      return;
    }
    arcs_[turn] |= static_cast<std::uint16_t>(1U << lane);
  }
}

/// Routers whose entries are looked at in every block.
void LiveLaneCheck::list_near(const LiveEvent& event) {
  constexpr std::size_t kMost = 4096;
  const Network& whole = network_.network();
  near_.clear();
  for (const ChannelId c : event.channels) {
    if (near_.size() > kMost) break;
    near_.push_back(whole.source(c).value);
    for (const ChannelId before : whole.in(whole.source(c))) near_.push_back(whole.source(before).value);
  }
  std::sort(near_.begin(), near_.end());
  near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
}

/// The next block's memory can come while this one is looked at.
void LiveLaneCheck::fetch_ahead(std::uint32_t block) const {
  const std::uint32_t places = tables_.places(block);
  for (const std::uint32_t r : near_) bring_near(tables_.entries(block) + std::size_t{r} * places);
}

/// Delivered pairs, of terminals at different routers, against those that the network joins.
void LiveLaneCheck::judge() {
  std::uint64_t terminals = 0;
  std::uint64_t at_one_router = 0;
  for (const RouterId r : network_.routers()) {
    const std::uint64_t here = network_.terminals_at(r).size();
    terminals += here;
    at_one_router += here * here;
  }
  verdict_.disconnected_pairs = cut_pairs(network_);
  verdict_.pairs = terminals * terminals - terminals;
  verdict_.dependencies = turns_made_;
  const std::uint64_t joined = terminals * terminals - at_one_router - verdict_.disconnected_pairs;
  verdict_.missing_pairs = joined - delivered_;
  if (joined != delivered_ && verdict_.fits)
    complain(verdict_.delivers, "some pairs that the network joins are not delivered");
}

const LiveLaneVerdict& LiveLaneCheck::apply(const LiveChange& change, std::span<const EntryChange> entries,
                                            std::span<const LevelChange> levels) {
  require_whole_cables(network_.network(), change);
  sort_changes(entries, levels);
  const LiveEvent event = network_.apply(change);
  const bool anew = !verdict_.usable();
  verdict_ = {};
  lost_.clear();
  for (const ChannelId c : event.channels) {
    if (network_.alive(c)) continue;
    const RouterId from = network_.source(c);
    if (lost_.empty() || lost_.back().first != from) lost_.push_back({from, {}});
    lost_.back().second.push_back(static_cast<std::uint8_t>(network_.position(c)));
  }
  touched_.clear();
  was_alive_ = alive_;
  for (const RouterId r : event.routers) alive_[r.value] = network_.alive(r) ? 1 : 0;
  if (anew) {
    for (std::uint32_t block = 0; block < tables_.blocks(); ++block) make_changes(block);
    count_all();
    number_all({});
  } else {
    list_near(event);
    for (std::uint32_t block = 0; block < tables_.blocks(); ++block) {
      if (block + 1 < tables_.blocks()) fetch_ahead(block + 1);
      check_block(block, event);
    }
    add_arcs();
  }
  judge();
  return verdict_;
}

}  // namespace unknot
