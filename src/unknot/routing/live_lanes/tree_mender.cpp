// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/tree_mender.hpp"

#include <algorithm>
#include <bit>

#include "unknot/tables/blocks/matching_places.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostTried = 8;  // candidates whose effect on what comes through is looked at
constexpr double kDearer = 2;            // than the best: not for the sake of others' entries
constexpr std::uint32_t kNoHops = 0xFFFFU;

std::uint32_t lot_of(std::uint32_t a, std::uint32_t b) {
  std::uint32_t h = a * 0x9E3779B1U ^ b * 0x85EBCA77U;
  h = (h ^ h >> 15) * 0x2C1B3C6DU;
  return h ^ h >> 13;
}

}  // namespace

TreeMender::TreeMender(const LiveNetwork& network, TreeTables& tables, const TurnRules& rules,
                       const EscapeOrder& escape)
    : network_(&network),
      tables_(&tables),
      rules_(&rules),
      escape_(&escape),
      load_(network.channel_count(), 0),
      uses_escape_(tables.blocks(), 0) {
  const std::uint32_t routers = network.router_count();
  weight_.reserve(routers);
  for (const RouterId r : network.routers()) weight_.push_back(network.network().terminals_at(r).size());
  for (auto* bits : {&cut_, &root_, &pending_}) bits->assign(routers, 0);
  for (auto* numbers : {&mark_, &way_mark_, &first_kid_, &next_kid_, &waits_}) numbers->assign(routers, 0);
  for (auto* bytes : {&settled_, &loaded_, &old_, &escaping_}) bytes->assign(routers, 0);
  way_.resize(routers);
  count_loads();
}

void TreeMender::count_loads() {
  const Network& whole = network_->network();
  std::vector<std::uint32_t> below;
  std::vector<std::uint32_t> missing(weight_.size());  // routers that send here and have not been counted
  for (block_ = 0; block_ < tables_->blocks(); ++block_) {
    places_ = tables_->places(block_);
    for (std::uint32_t place = 0; place < places_; ++place) {
      tree_ = tables_->entries(block_) + place;
      below = weight_;
      std::fill(missing.begin(), missing.end(), 0);
      const auto next = [&](std::uint32_t r) {
        return entry(r) >= TreeTables::kHere ? kNoRouter : whole.target(channel(r, entry(r))).value;
      };
      for (std::uint32_t r = 0; r < missing.size(); ++r) {
        if (next(r) != kNoRouter) ++missing[next(r)];
      }
      queue_.clear();
      for (std::uint32_t r = 0; r < missing.size(); ++r) {
        if (missing[r] == 0) queue_.push_back(r);
      }
      for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint32_t r = queue_[i];
        const std::uint32_t to = next(r);
        if (to == kNoRouter) continue;
        load_[channel(r, entry(r)).value] += below[r];
        below[to] += below[r];
        if (--missing[to] == 0) queue_.push_back(to);
      }
    }
  }
}

void TreeMender::begin(std::uint32_t block, const std::uint8_t* hops) {
  block_ = block;
  places_ = tables_->places(block);
  home_ = tables_->home(block);
  hops_ = hops;
  entries_.clear();
  levels_.clear();
  escape_tree_.clear();
  escaped_ = 0;
}

void TreeMender::add_root(RouterId router, std::uint64_t places) {
  if (places == 0) return;
  if (cut_[router.value] == 0) cut_list_.push_back(router.value);
  cut_[router.value] |= places;
  root_[router.value] |= places;
}

std::uint64_t TreeMender::rooted() const {
  std::uint64_t places = 0;
  for (const std::uint32_t r : cut_list_) places |= root_[r];
  return places;
}

/// All that comes through the roots: of the trees of all places at once.
void TreeMender::find_cut() {
  const Network& whole = network_->network();
  const std::uint8_t* const entries = tables_->entries(block_);
  queue_ = cut_list_;
  for (const std::uint32_t r : queue_) pending_[r] = cut_[r];
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t at = queue_[i];
    const std::uint64_t places = pending_[at];
    pending_[at] = 0;
    for (const ChannelId c : whole.in(RouterId(at))) {
      if (!network_->alive(c)) continue;  // who sends there is a root, or dead
      const std::uint32_t from = whole.source(c).value;
      const std::uint64_t through = matching_places(entries + std::size_t{from} * places_, places_,
                                                    static_cast<std::uint8_t>(network_->position(c))) &
                                    places & ~cut_[from];
      if (through == 0) continue;
      if (cut_[from] == 0) cut_list_.push_back(from);
      cut_[from] |= through;
      if (pending_[from] == 0) queue_.push_back(from);
      pending_[from] |= through;
    }
  }
}

void TreeMender::forget_cut() {
  for (const std::uint32_t r : cut_list_) cut_[r] = root_[r] = 0;
  cut_list_.clear();
}

void TreeMender::look_at_tree(std::uint32_t place) {
  tree_ = tables_->entries(block_) + place;
  ++stamp_;
  ++way_stamp_;
}

/// The members of the tree that are cut, each with those that come through it.
void TreeMender::take_tree(std::uint32_t place) {
  look_at_tree(place);
  members_.clear();
  for (const std::uint32_t r : cut_list_) {
    if ((cut_[r] >> place & 1U) == 0) continue;
    members_.push_back(r);
    mark_[r] = stamp_;
    settled_[r] = loaded_[r] = 0;
    old_[r] = entry(r);
    first_kid_[r] = kNoRouter;
  }
  for (const std::uint32_t r : members_) {
    if ((root_[r] >> place & 1U) != 0) continue;
    const std::uint32_t next = network_->target(channel(r, old_[r])).value;
    next_kid_[r] = first_kid_[next];
    first_kid_[next] = r;
  }
}

void TreeMender::mend() {
  const std::uint64_t places = rooted();
  find_cut();
  for (std::uint64_t left = places; left != 0; left &= left - 1)
    mend_place(static_cast<std::uint32_t>(std::countr_zero(left)));
  forget_cut();
  forget_dropped();
}

void TreeMender::mend_place(std::uint32_t place) {
  take_tree(place);
  take_loads();
  queue_.clear();
  for (const std::uint32_t r : members_) {
    if ((root_[r] >> place & 1U) != 0) queue_.push_back(r);
  }
  std::stable_sort(queue_.begin(), queue_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hops_[a] < hops_[b]; });
  look_for_all();
  const bool left = std::any_of(members_.begin(), members_.end(), [&](std::uint32_t r) {
    return open(r) && network_->alive(RouterId(r)) && hops_[r] != 0xFF;
  });
  if (left) take_escape();
  finish(place);
}

/// Those that find nothing wait until others have: what comes through them looks for itself.
void TreeMender::look_for_all() {
  for (bool found = true; found && !queue_.empty();) {
    found = false;
    ++round_;
    waiting_.clear();
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::uint32_t r = queue_[i];
      if (!open(r) || waits_[r] == round_) continue;
      if (network_->alive(RouterId(r)) && hops_[r] != 0xFF && look_for(r)) {
        found = true;
        continue;
      }
      waits_[r] = round_;
      waiting_.push_back(r);
      for (std::uint32_t kid = first_kid_[r]; kid != kNoRouter; kid = next_kid_[kid]) queue_.push_back(kid);
    }
    queue_.swap(waiting_);
  }
}

bool TreeMender::look_for(std::uint32_t router) {
  list_candidates(router, true);
  if (candidates_.empty()) list_candidates(router, false);
  if (candidates_.empty()) return false;
  std::sort(candidates_.begin(), candidates_.end());
  std::size_t best = 0;
  std::uint32_t fewest = 0xFFFFFFFFU;
  for (std::size_t i = 0; i < std::min<std::size_t>(kMostTried, candidates_.size()) && fewest > 0; ++i) {
    if (candidates_[i].hops == candidates_[0].hops && candidates_[i].cost > kDearer * candidates_[0].cost)
      continue;
    const std::uint32_t lost = failing(router, candidates_[i].position, candidates_[i].mask);
    if (lost >= fewest) continue;
    fewest = lost;
    best = i;
  }
  const Candidate found = candidates_[best];
  settle(router, found.position, {found.hops, found.mask});
  return true;
}

void TreeMender::list_candidates(std::uint32_t router, bool shortest_only) {
  candidates_.clear();
  for (const ChannelId c : network_->out(RouterId(router))) {
    const std::uint32_t next = network_->target(c).value;
    if (open(next) || (shortest_only && hops_[next] + 1 != hops_[router])) continue;
    const auto position = static_cast<std::uint8_t>(network_->position(c));
    const Way by = way_by(router, position);
    if (by.mask == 0) continue;
    candidates_.push_back({price(c.value) + cost_from(next), by.hops, position, by.mask});
  }
}

/// How many of those that come through the router would have no lane; what comes through these does not
/// count.
std::uint32_t TreeMender::failing(std::uint32_t router, std::uint8_t position, Mask mask) {
  std::uint32_t count = 0;
  for (std::uint32_t kid = first_kid_[router]; kid != kNoRouter; kid = next_kid_[kid]) {
    if (!open(kid)) continue;
    const auto lanes = static_cast<Mask>(mask & rules_->of(channel(kid, old_[kid]).value, position));
    count += lanes == 0 ? 1 : failing(kid, old_[kid], lanes);
  }
  return count;
}

/// Its load counts at once: where a whole tree is made, those that come later see what is taken.
void TreeMender::settle(std::uint32_t router, std::uint8_t position, Way way) {
  entry(router) = position;
  settled_[router] = 1;
  way_mark_[router] = way_stamp_;
  way_[router] = way;
  if (weight_[router] > 0) {
    loaded_[router] = 1;
    move_loads(router, weight_[router]);
  }
  for (std::uint32_t kid = first_kid_[router]; kid != kNoRouter; kid = next_kid_[kid]) {
    if (!open(kid)) continue;
    const auto lanes = static_cast<Mask>(way.mask & rules_->of(channel(kid, old_[kid]).value, position));
    if (lanes == 0) {
      queue_.push_back(kid);
    } else {
      settle(kid, old_[kid], {way.hops + 1, lanes});
    }
  }
}

TreeMender::Way TreeMender::way_by(std::uint32_t router, std::uint8_t position) {
  const ChannelId c = channel(router, position);
  const RouterId next = network_->target(c);
  if (next == home_) return {1, rules_->all()};
  const Way on = way(next.value);
  if (on.mask == 0) return {kNoHops, 0};
  return {on.hops + 1, static_cast<Mask>(on.mask & rules_->of(c.value, entry(next.value)))};
}

/// What is known of routers on the way is kept for the tree.
TreeMender::Way TreeMender::way(std::uint32_t router) {
  path_.clear();
  std::uint32_t at = router;
  for (; at != home_.value && way_mark_[at] != way_stamp_ && entry(at) < TreeTables::kHere;
       at = network_->target(channel(at, entry(at))).value)
    path_.push_back(at);
  if (at != home_.value && way_mark_[at] != way_stamp_) {
    way_[at] = {kNoHops, 0};
    way_mark_[at] = way_stamp_;
  }
  for (std::size_t i = path_.size(); i-- > 0; at = path_[i]) {
    const std::uint32_t r = path_[i];
    way_[r] = {1, rules_->all()};
    if (at != home_.value) {
      const Mask turn = way_[at].mask == 0 ? Mask{0} : rules_->of(channel(r, entry(r)).value, entry(at));
      way_[r] = {way_[at].hops + 1, static_cast<Mask>(way_[at].mask & turn)};
    }
    way_mark_[r] = way_stamp_;
  }
  return way_[router];
}

/// What its path pays, with the loads of the moment.
double TreeMender::cost_from(std::uint32_t router) {
  double cost = 0;
  for (std::uint32_t at = router; at != home_.value;) {
    const ChannelId c = channel(at, entry(at));
    cost += price(c.value);
    at = network_->target(c).value;
  }
  return cost;
}

/// Adds to the loads of the router's path; entries are those of the tree as it is.
void TreeMender::move_loads(std::uint32_t router, std::uint32_t pairs) {
  for (std::uint32_t at = router; at != home_.value;) {
    const ChannelId c = channel(at, entry(at));
    load_[c.value] += pairs;
    at = network_->target(c).value;
  }
}

void TreeMender::take_loads() {
  for (const std::uint32_t r : members_) {
    if (weight_[r] > 0 && old_[r] != TreeTables::kNone) move_loads(r, 0U - weight_[r]);
  }
}

void TreeMender::finish(std::uint32_t place) {
  for (const std::uint32_t r : members_) {
    if (open(r)) entry(r) = TreeTables::kNone;
  }
  for (const std::uint32_t r : members_) {
    if (entry(r) != old_[r]) entries_.push_back({place, r, old_[r], entry(r)});
    if (entry(r) == TreeTables::kNone || weight_[r] == 0) continue;
    take_level(place, r, way(r).mask);
    if (loaded_[r] == 0) move_loads(r, weight_[r]);
  }
}

void TreeMender::take_level(std::uint32_t place, std::uint32_t router, Mask mask) {
  std::uint8_t& level = tables_->levels(block_)[std::size_t{router} * places_ + place];
  if ((mask >> level & 1U) != 0 || mask == 0) return;
  const auto others = static_cast<Mask>(mask & ~(1U << rules_->escape_lane()));
  if (others != 0) mask = others;  // what is on the escape's lane must be looked at when its order moves
  std::uint32_t skip = (lot_of(router, block_ * TreeTables::kMostPlaces + place) >> 16) *
                           static_cast<std::uint32_t>(std::popcount(mask)) >>
                       16;
  std::uint32_t left = mask;
  for (; skip > 0; --skip) left &= left - 1;
  const auto taken = static_cast<std::uint8_t>(std::countr_zero(left));
  if (taken == rules_->escape_lane()) uses_escape_[block_] = 1;
  levels_.push_back({place, router, level, taken});
  level = taken;
}

/// The escape's tree has a path for all. Those left over take theirs, and then those whose path has no lane
/// any more where it meets them, until there are none: at the worst all of the tree.
void TreeMender::take_escape() {
  ++escaped_;
  if (escape_tree_.empty()) escape_->tree(home_, escape_tree_);
  for (const std::uint32_t r : members_) {
    if (loaded_[r] != 0) move_loads(r, 0U - weight_[r]);
    loaded_[r] = 0;
  }
  for (std::uint32_t r = 0; r < mark_.size(); ++r) {
    if (mark_[r] == stamp_ || r == home_.value || !network_->alive(RouterId(r))) continue;
    mark_[r] = stamp_;
    settled_[r] = 1;
    loaded_[r] = 0;
    old_[r] = entry(r);
    members_.push_back(r);
    if (weight_[r] > 0 && old_[r] != TreeTables::kNone) move_loads(r, 0U - weight_[r]);
  }
  std::fill(escaping_.begin(), escaping_.end(), 0);
  queue_.clear();
  for (const std::uint32_t r : members_) {
    if (open(r) && network_->alive(RouterId(r))) queue_.push_back(r);
  }
  while (!queue_.empty()) {
    for (const std::uint32_t r : queue_) go_escape(r);
    ++way_stamp_;
    queue_.clear();
    for (const std::uint32_t r : members_) {
      if (!open(r) && escaping_[r] == 0 && entry(r) != TreeTables::kNone && way(r).mask == 0)
        queue_.push_back(r);
    }
  }
}

void TreeMender::go_escape(std::uint32_t router) {
  for (std::uint32_t at = router; at != home_.value && escaping_[at] == 0;) {
    escaping_[at] = 1;
    if (escape_tree_[at] == TreeTables::kNone) return;
    entry(at) = escape_tree_[at];
    settled_[at] = 1;
    at = network_->target(channel(at, entry(at))).value;
  }
}

}  // namespace unknot
