// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/tree_repair.hpp"

#include <algorithm>
#include <tuple>

#include "unknot/routing/model/engine.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNoHops = CutTree::kNoHops;
constexpr std::uint8_t kUnchosen = ServiceLevels::kMissing;

}  // namespace

TreeRepair::TreeRepair(const Network& network, const Routing& routing, LaneDependencies& dependencies)
    : network_(&network),
      routing_(&routing),
      dependencies_(&dependencies),
      stamp_(network.router_count(), 0),
      hops_(network.router_count(), 0),
      index_(network.router_count(), 0),
      position_(network.router_count(), 0),
      state_(network.router_count(), State::outside),
      use_(network.router_count()) {
  first_row_.reserve(network.router_count() + std::size_t{1});
  first_row_.push_back(0);
  for (const RouterId r : network.routers()) {
    std::uint32_t rows = 0;
    for (const TerminalId t : network.terminals_at(r)) {
      if (routing.service_levels.begins_row(network, t)) ++rows;
    }
    first_row_.push_back(first_row_.back() + rows);
  }
}

RepairedTree TreeRepair::repair(const CutTree& tree, const RepairLimits& limits) {
  limits_ = limits;
  const std::size_t before = dependencies_->mark();
  RepairedTree result;
  start(tree);
  measure_shortest(tree);
  grow(tree, result);
  for (std::uint32_t i = 0; i < tree.routers.size(); ++i) {
    const RouterId router(tree.routers[i].router);
    // With paths that were not the shortest, an entry that could not stay may turn out the best all the same.
    if (forced_[i] != 0 && (position_[router.value] != tree.routers[i].entry)) ++result.forced;
    if (state_[router.value] == State::resolved) continue;
    if (bound_[i] == kNoHops) {
      result.unreachable.push_back(router);
    } else {
      mark_unfit(router, result);
    }
  }
  if (!result.fits) dependencies_->undo(before);
  return result;
}

void TreeRepair::commit(const RepairedTree& repaired, TerminalId destination) {
  for (const NewEntry& change : repaired.entries) {
    std::vector<std::uint32_t>& use = use_of(change.router.value);
    const std::uint32_t old = routing_->table().get(change.router, destination);
    if (old < use.size()) --use[old];
    ++use[change.entry];
  }
}

void TreeRepair::start(const CutTree& tree) {
  ++search_;
  destination_ = tree.destination;
  home_ = network_->router_of(destination_).value;
  stamp_[home_] = search_;
  state_[home_] = State::outside;
  hops_[home_] = 0;
  for (std::uint32_t i = 0; i < tree.routers.size(); ++i) {
    const std::uint32_t r = tree.routers[i].router;
    stamp_[r] = search_;
    state_[r] = tree.routers[i].must_change ? State::free : State::waiting;
    hops_[r] = kNoHops;
    index_[r] = i;
    position_[r] = tree.routers[i].entry;
  }
}

/// Hops from a router that is not cut, as the tables send; kNoHops where they do not deliver.
std::uint32_t TreeRepair::outside_hops(std::uint32_t router) {
  chain_.clear();
  std::uint32_t at = router;
  std::uint32_t hops = kNoHops;
  while (true) {
    if (stamp_[at] == search_) {
      hops = hops_[at];
      break;
    }
    stamp_[at] = search_;
    state_[at] = State::outside;
    hops_[at] = kNoHops;
    position_[at] = routing_->table().get(RouterId(at), destination_);
    chain_.push_back(at);
    const IdRange<ChannelId> out = network_->out(RouterId(at));
    if (position_[at] >= out.size()) break;
    at = network_->target(out[position_[at]]).value;
  }
  for (std::size_t i = chain_.size(); i-- > 0 && hops != kNoHops;) hops_[chain_[i]] = ++hops;
  return hops_[router];
}

/// Hops of a router that paths can go through by now; kNoHops for the others.
std::uint32_t TreeRepair::hops_from(std::uint32_t router) {
  return stamp_[router] == search_ ? hops_[router] : outside_hops(router);
}

/// For each cut router the fewest hops it can have now, whatever the lanes; from that, how long its path may
/// be, and whether its entry can stay.
void TreeRepair::measure_shortest(const CutTree& tree) {
  const auto count = static_cast<std::uint32_t>(tree.routers.size());
  nearest_outside_.assign(count, kNoHops);
  shortest_.assign(count, kNoHops);
  buckets_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const ChannelId c : network_->out(RouterId(tree.routers[i].router))) {
      const std::uint32_t hops = hops_from(network_->target(c).value);
      if (hops != kNoHops) nearest_outside_[i] = std::min(nearest_outside_[i], hops + 1);
    }
    shortest_[i] = nearest_outside_[i];
    if (shortest_[i] != kNoHops) schedule(i, shortest_[i]);
  }
  for (std::uint32_t level = 0; level < buckets_.size(); ++level) {
    for (std::size_t next = 0; next < buckets_[level].size(); ++next) {
      const std::uint32_t i = buckets_[level][next];
      if (shortest_[i] != level) continue;
      for (const ChannelId c : network_->in(RouterId(tree.routers[i].router))) {
        const std::uint32_t sender = network_->source(c).value;
        if (!cut(sender) || shortest_[index_[sender]] <= level + 1) continue;
        shortest_[index_[sender]] = level + 1;
        schedule(index_[sender], level + 1);
      }
    }
  }
  forced_.assign(count, 0);
  bound_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) bound_[i] = std::max(shortest_[i], tree.routers[i].hops);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (shortest_[i] == kNoHops) continue;
    const CutTree::Router& at = tree.routers[i];
    if (at.must_change || shortest_by_entry(at.router) > bound_[i]) {
      forced_[i] = 1;
      state_[at.router] = State::free;  // at once: others may need the way that it is going to find
    }
  }
}

/// Fewest hops by the entry a router has.
std::uint32_t TreeRepair::shortest_by_entry(std::uint32_t router) const {
  const std::uint32_t next = shortest_[index_[network_->target(next_channel(router)).value]];
  return next == kNoHops ? kNoHops : next + 1;
}

void TreeRepair::schedule(std::uint32_t index, std::uint32_t hops) {
  if (buckets_.size() <= hops) buckets_.resize(hops + std::size_t{1});
  buckets_[hops].push_back(index);
}

void TreeRepair::grow(const CutTree& tree, RepairedTree& result) {
  buckets_.clear();
  resolved_ = 0;
  for (std::uint32_t i = 0; i < tree.routers.size(); ++i) {
    if (state_[tree.routers[i].router] == State::free && nearest_outside_[i] != kNoHops) {
      schedule(i, nearest_outside_[i]);
    }
  }
  while (true) {
    for (level_ = 0; level_ < buckets_.size(); ++level_) {
      // A visit may add to this bucket and move all of them.
      std::size_t next = 0;
      while (next < buckets_[level_].size()) visit(tree, buckets_[level_][next++], result);
    }
    // What is left waits for a router that has itself no other way: it must look for one of its own.
    const std::uint32_t before = resolved_;
    buckets_.clear();
    level_ = 0;
    for (std::uint32_t i = 0; i < tree.routers.size() && resolved_ == before; ++i) {
      if (state_[tree.routers[i].router] == State::resolved || shortest_[i] == kNoHops) continue;
      state_[tree.routers[i].router] = State::free;
      visit(tree, i, result);
    }
    if (resolved_ == before) return;
  }
}

void TreeRepair::visit(const CutTree& tree, std::uint32_t index, RepairedTree& result) {
  const CutTree::Router& at = tree.routers[index];
  if (state_[at.router] == State::resolved) return;
  if (state_[at.router] == State::waiting) {
    const Candidate own = candidate(at.router, at.entry);
    if (own.hops == kNoHops) return;
    if ((own.hops + 1 <= bound_[index] || limits_.detours) &&
        (take(at, own, false) || take(at, own, true) || !limits_.detours)) {
      if (chosen_levels_.empty() && !rows_.empty()) mark_unfit(RouterId(at.router), result);
      settle(at, own, result);
      return;
    }
    state_[at.router] = State::free;
  }
  list_candidates(at);
  for (const bool additions : {false, true}) {
    const bool taken = best_first([&](const Candidate& one) {
      if (!take(at, one, additions)) return false;
      settle(at, one, result);
      return true;
    });
    if (taken) return;
  }
  if (limits_.detours || candidates_.empty()) return;
  mark_unfit(RouterId(at.router), result);
  best_first([&](const Candidate& one) {
    settle(at, one, result);
    return true;
  });
}

void TreeRepair::mark_unfit(RouterId router, RepairedTree& result) {
  result.fits = false;
  ++result.unfit_routers;
  const IdRange<TerminalId> terminals = network_->terminals_at(router);
  if (!result.example_source.valid() && !terminals.empty()) result.example_source = terminals[0];
}

TreeRepair::Candidate TreeRepair::candidate(std::uint32_t router, std::uint32_t position) {
  const ChannelId channel = network_->out(RouterId(router))[position];
  return {position, hops_from(network_->target(channel).value), 0, channel};
}

/// Its first dependency is new to all lanes.
bool TreeRepair::strange(const Candidate& one) {
  const std::uint32_t to = network_->target(one.channel).value;
  return to != home_ && !dependencies_->follows(one.channel, next_channel(to));
}

/// Those with fewest hops first, then those that the fewest entries have; only the shortest where there may
/// be no detours.
void TreeRepair::list_candidates(const CutTree::Router& at) {
  candidates_.clear();
  const std::vector<std::uint32_t>& use = use_of(at.router);
  const IdRange<ChannelId> out = network_->out(RouterId(at.router));
  std::uint32_t fewest = kNoHops;
  for (const ChannelId c : out) fewest = std::min(fewest, hops_from(network_->target(c).value));
  if (fewest == kNoHops) return;
  for (std::uint32_t position = 0; position < out.size(); ++position) {
    const std::uint32_t hops = hops_from(network_->target(out[position]).value);
    if (hops == kNoHops || (hops > fewest && !limits_.detours)) continue;
    candidates_.push_back(candidate(at.router, position));
    candidates_.back().taken = use[position];
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.hops, a.taken, a.position) < std::tie(b.hops, b.taken, b.position);
  });
}

/// Tries the candidates until one will do; of those with as many hops, the strange ones last. Whether one is
/// strange costs a pass over a row of the table, and most often nobody has to know it of more than the first.
template <class Try>
bool TreeRepair::best_first(const Try& will_do) {
  for (auto first = candidates_.begin(), last = first; first != candidates_.end(); first = last) {
    last =
        std::find_if(first, candidates_.end(), [&](const Candidate& one) { return one.hops != first->hops; });
    for (const bool last_choice : {false, true}) {
      for (auto one = first; one != last; ++one) {
        if (strange(*one) == last_choice && will_do(*one)) return true;
      }
    }
  }
  return false;
}

/// Finds lanes for the paths of the router's terminals through a candidate, and keeps them in
/// chosen_levels_; empty, and false, where there are none. `additions`: new dependencies are allowed.
bool TreeRepair::take(const CutTree::Router& at, const Candidate& through, bool additions) {
  rows_.clear();
  chosen_levels_.clear();
  const ServiceLevels& levels = routing_->service_levels;
  for (std::uint32_t row = first_row_[at.router]; row < first_row_[at.router + 1]; ++row)
    rows_.push_back(row);
  if (rows_.empty()) return true;
  trace(through.channel);
  const std::size_t before = dependencies_->mark();
  for (const std::uint32_t row : rows_) {
    const std::uint8_t old = levels.empty() ? std::uint8_t{0} : levels.row(row)[destination_.value];
    if (old == ServiceLevels::kMissing) {
      chosen_levels_.push_back(old);  // never sent
      continue;
    }
    const std::uint8_t chosen = additions ? lane_with_additions(old) : lane_as_it_is(old);
    if (chosen == kUnchosen) {
      dependencies_->undo(before);
      chosen_levels_.clear();
      return false;
    }
    chosen_levels_.push_back(chosen);
  }
  return true;
}

std::uint8_t TreeRepair::lane_as_it_is(std::uint8_t lane) {
  for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
    if (!dependencies_->surely_uses(lane, path_[i], path_[i + 1])) return kUnchosen;
  }
  return lane;
}

std::uint8_t TreeRepair::lane_with_additions(std::uint8_t old) {
  if (dependencies_->add_path(old, path_)) return old;
  for (std::uint32_t lane = 0; lane < limits_.lanes; ++lane) {
    if (lane != old && dependencies_->add_path(lane, path_)) return static_cast<std::uint8_t>(lane);
  }
  return kUnchosen;
}

void TreeRepair::settle(const CutTree::Router& at, const Candidate& through, RepairedTree& result) {
  state_[at.router] = State::resolved;
  hops_[at.router] = through.hops + 1;
  position_[at.router] = through.position;
  ++resolved_;
  if (through.position != at.entry) result.entries.push_back({RouterId(at.router), through.position});
  const ServiceLevels& levels = routing_->service_levels;
  for (std::size_t i = 0; i < chosen_levels_.size(); ++i) {
    const std::uint8_t old = levels.empty() ? std::uint8_t{0} : levels.row(rows_[i])[destination_.value];
    if (chosen_levels_[i] != old) result.levels.push_back({rows_[i], chosen_levels_[i]});
  }
  // A router that has found its way late lets others follow at once.
  for (const ChannelId c : network_->in(RouterId(at.router))) {
    const std::uint32_t sender = network_->source(c).value;
    if (cut(sender) && state_[sender] != State::resolved)
      schedule(index_[sender], std::max(level_, hops_[at.router] + 1));
  }
}

/// The path that starts with a channel, to the destination.
void TreeRepair::trace(ChannelId first) {
  path_.assign(1, first);
  for (std::uint32_t at = network_->target(first).value; at != home_;
       at = network_->target(path_.back()).value)
    path_.push_back(next_channel(at));
}

ChannelId TreeRepair::next_channel(std::uint32_t router) const {
  return network_->out(RouterId(router))[position_[router]];
}

bool TreeRepair::cut(std::uint32_t router) const {
  return stamp_[router] == search_ && state_[router] != State::outside;
}

std::vector<std::uint32_t>& TreeRepair::use_of(std::uint32_t router) {
  std::vector<std::uint32_t>& use = use_[router];
  if (!use.empty()) return use;
  const auto count = [&](auto entry) {
    using Entry = decltype(entry);
    use.assign(std::size_t{1} << (8 * sizeof(Entry)), 0);
    const std::size_t columns = network_->terminal_count();
    for (const Entry position : routing_->table().entries<Entry>().subspan(router * columns, columns))
      ++use[position];
  };
  routing_->table().with_entry_type(count);
  use.resize(network_->out(RouterId(router)).size());
  return use;
}

}  // namespace unknot
