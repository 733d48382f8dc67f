// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/live_clos.hpp"

#include <algorithm>
#include <utility>

#include "unknot/network/live/cut_pairs.hpp"
#include "unknot/routing/dealing/refill.hpp"
#include "unknot/routing/dealing/row_filler.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/live/changed_weights.hpp"
#include "unknot/routing/live/differing_entries.hpp"
#include "unknot/routing/live/dirty_units.hpp"
#include "unknot/routing/live/sticky_rows.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/routing/up_down/level_order.hpp"

namespace unknot {
namespace {

/// Pairs that the order leaves without a path although there is one.
bool misses_pairs(const LegalReach& reach, const LiveNetwork& network) {
  return reach.missing_pairs() > 0 && reach.missing_pairs() > cut_pairs(network);
}

/// Routers whose own channels or life have changed, ascending.
std::vector<RouterId> touched_by(const LiveNetwork& network, const LiveEvent& event) {
  std::vector<RouterId> touched = event.routers;
  for (const ChannelId c : event.channels) touched.push_back(network.source(c));
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

}  // namespace

LiveClos::LiveClos(const Network& network, const Faults& dead, const LiveOptions& options, Progress& progress,
                   const ForwardingTable* in_force)
    : network_(network, dead),
      options_(options),
      roots_(routers_with(network, options.roots)),
      table_(network),
      placed_(network.router_count(), 0) {
  make(options.upkeep == Upkeep::sticky ? in_force : nullptr, progress);
}

LiveClos::~LiveClos() = default;

/// As the engine has them of what lives.
std::vector<std::uint32_t> LiveClos::heights() const {
  std::vector<RouterId> roots = roots_;
  std::erase_if(roots, [&](RouterId r) { return !network_.alive(r); });
  return roots.empty() ? heights_above_terminals(network_) : heights_below(network_, roots);
}

/// `in_force`: of with_faults(), null where nothing is to stay.
void LiveClos::make(const ForwardingTable* in_force, Progress& progress) {
  made_ = false;
  plan_.reset();
  reach_.reset();
  std::vector<std::uint32_t> height = heights();
  if (joins_neighbouring_heights(network_, height)) {
    UpDownOrder order = order_by_height(height);
    auto reach =
        std::make_unique<LegalReach>(network_, order, LegalReach::Rule::down_first, options_.threads);
    if (!misses_pairs(*reach, network_)) {
      auto plan = std::make_unique<ClosPlan>(network_, std::move(height), std::move(order), true);
      sets_.reset();
      if (options_.upkeep == Upkeep::exact)
        sets_ = std::make_unique<CandidateSets>(network_, *reach, plan->groups);
      plan_ = std::move(plan);
      reach_ = std::move(reach);
      for (const RouterId r : network_.routers())
        placed_[r.value] = network_.out(r).empty() && network_.terminals_at(r).empty() ? 0 : 1;
      strength_.assign(network_.router_count(), 1);
      planned_up_.clear();
      for (const RouterId r : network_.routers()) planned_up_.push_back(channels_up(r));
      if (in_force != nullptr) {
        take_table(*in_force);
        mend_all();
      } else {
        fill_rows({network_, *reach_, plan_->groups, plan_->weights, sets_.get()}, options_.threads, table_,
                  progress);
      }
      made_ = true;
      return;
    }
  }
  make_elsewhere(progress);
  made_ = true;
}

/// By the engine, on a network of its own.
void LiveClos::make_elsewhere(Progress& progress) {
  const Network now = with_faults(network_.network(), network_.faults());
  EngineRequest request;
  request.threads = options_.threads;
  request.guidance.roots = options_.roots;
  take_table(clos_engine().run(now, request, progress).table());
}

/// A table of with_faults(), put among the numbers of the whole.
void LiveClos::take_table(const ForwardingTable& now) {
  const Network& whole = network_.network();
  table_ = ForwardingTable(whole);
  RouterId there(0);
  for (const RouterId r : network_.routers()) {
    for (const TerminalId t : whole.terminals_at(r)) {
      if (!network_.alive(r)) table_.set(r, t, ForwardingTable::kNone);
    }
    if (!network_.alive(r)) continue;
    const std::span<const ChannelId> out = network_.out(r);
    TerminalId to(0);
    for (const RouterId d : network_.routers()) {
      for (const TerminalId t : network_.terminals_at(d)) {
        const std::uint32_t entry = now.get(there, to);
        const bool leads = entry < out.size();
        table_.set(r, t, leads ? network_.position(out[entry]) : std::max(entry, ForwardingTable::kStray));
        ++to.value;
      }
    }
    ++there.value;
  }
}

/// All entries stay that may.
void LiveClos::mend_all() {
  DirtyUnits units(network_.router_count(), *reach_);
  for (const RouterId r : network_.routers()) units.add(r);
  update_.entries.clear();
  mend_rows(network_, *reach_, *plan_, strength_, units.units(), ToFill::unused, options_.threads, table_,
            update_.entries);
}

ForwardingTable LiveClos::table_now() const {
  const Network& whole = network_.network();
  const Network now = with_faults(whole, network_.faults());
  ForwardingTable table(now);
  RouterId there(0);
  std::vector<std::uint32_t> position;  // among the living, by position among all
  for (const RouterId r : network_.routers()) {
    if (!network_.alive(r)) continue;
    position.assign(whole.out(r).size(), ForwardingTable::kNone);
    std::uint32_t next = 0;
    for (const ChannelId c : network_.out(r)) position[network_.position(c)] = next++;
    TerminalId to(0);
    for (const RouterId d : network_.routers()) {
      for (const TerminalId t : network_.terminals_at(d)) {
        const std::uint32_t entry = table_.get(r, t);
        table.set(there, to, entry < ForwardingTable::kStray ? position[entry] : entry);
        ++to.value;
      }
    }
    ++there.value;
  }
  return table;
}

const LiveUpdate& LiveClos::make_anew(Progress& progress) {
  const ForwardingTable before = table_;
  make(nullptr, progress);
  update_.anew = true;
  update_.entries = differing_entries(before, table_);
  return update_;
}

/// The reach after the event, and the units whose candidates are others. False where it must be made anew.
bool LiveClos::follow_reach(const LiveEvent& event, const UpDownOrder& order, DirtyUnits& units) {
  const Network& whole = network_.network();
  std::vector<DirtyUnits::Word> set(units.words());
  // A channel that has died is still one in the reach as it was.
  for (const ChannelId c : event.channels) {
    if (network_.alive(c)) continue;
    reach_->candidates(whole, c, set.data());
    units.add(whole.source(c), set);
  }
  std::vector<LegalReach::Change> changes;
  const auto lives = [&](auto part) { return network_.alive(part); };
  const bool loses_only = std::none_of(event.channels.begin(), event.channels.end(), lives) &&
                          std::none_of(event.routers.begin(), event.routers.end(), lives);
  if (!reach_->update(network_, order, touched_by(network_, event), loses_only, changes)) return false;
  for (const ChannelId c : event.channels) {
    if (!network_.alive(c)) continue;
    reach_->candidates(whole, c, set.data());
    units.add(whole.source(c), set);
  }
  for (const LegalReach::Change& change : changes) {
    units.add(change.router, change.word, change.bits);
    for (const ChannelId c : whole.in(change.router)) {
      if (network_.alive(c)) units.add(whole.source(c), change.word, change.bits);
    }
  }
  for (const RouterId r : event.routers) units.add(r);
  return !misses_pairs(*reach_, network_);
}

bool LiveClos::update_exact(const LiveEvent& event) {
  if (plan_ == nullptr) return false;
  for (const RouterId r : event.routers) {
    if (!network_.network().terminals_at(r).empty()) return false;  // destinations are counted otherwise
  }
  std::vector<std::uint32_t> height = heights();
  if (!joins_neighbouring_heights(network_, height)) return false;
  UpDownOrder order = height == plan_->height ? plan_->order : order_by_height(height);
  for (const ChannelId c : network_.network().channels()) {
    if (network_.alive(c) && reach_->up(c) != order.up(network_.source(c), network_.target(c))) return false;
  }
  DirtyUnits units(network_.router_count(), *reach_, plan_->groups.count);
  if (!follow_reach(event, order, units)) return false;
  auto plan = std::make_unique<ClosPlan>(network_, std::move(height), std::move(order), true);
  if (!same_groups(network_, *reach_, plan_->groups, plan->groups)) return false;
  for (const RouterId r : touched_by(network_, event)) units.add(r);  // weights are rounded by their number
  for (const RowPart& part : units.parts()) {
    const std::uint32_t words = CandidateSets::set_words(network_, part.router);
    for (const std::uint32_t d : part.destinations) {
      reach_->ports_towards(network_, part.router, d,
                            {sets_->row(part.router) + std::size_t{sets_->places()[d]} * words, words});
    }
  }
  add_changed_weights(network_, *plan_, *plan, units);
  refill({network_, *reach_, plan->groups, plan->weights, sets_.get(), &plan_->weights}, units.parts(),
         options_.threads, table_, update_.entries);
  plan_ = std::move(plan);
  return true;
}

/// Routers that have lost channels up since the weights were made should get less. Nobody moves entries for
/// that; those that must move anyway make up for it.
void LiveClos::find_strength(RouterId router) {
  if (planned_up_[router.value] == 0) return;
  const float left = static_cast<float>(channels_up(router)) / static_cast<float>(planned_up_[router.value]);
  strength_[router.value] = left * left;
}

std::uint32_t LiveClos::channels_up(RouterId router) const {
  const std::span<const ChannelId> out = network_.out(router);
  return static_cast<std::uint32_t>(
      std::count_if(out.begin(), out.end(), [&](ChannelId c) { return reach_->up(c); }));
}

bool LiveClos::update_sticky(const LiveEvent& event) {
  if (plan_ == nullptr) return false;
  bool back = false;
  for (const ChannelId c : event.channels) {
    if (!network_.alive(c)) continue;
    back = true;
    // Where nothing was alive when the order was made, it does not know what is above and what below.
    const RouterId from = network_.source(c);
    const RouterId to = network_.target(c);
    if (placed_[from.value] == 0 || placed_[to.value] == 0) return false;
    const std::uint32_t lower = std::min(plan_->height[from.value], plan_->height[to.value]);
    const std::uint32_t upper = std::max(plan_->height[from.value], plan_->height[to.value]);
    if (lower + 1 != upper || reach_->up(c) != plan_->order.up(from, to)) return false;
  }
  DirtyUnits units(network_.router_count(), *reach_);
  if (!follow_reach(event, plan_->order, units)) return false;
  for (const ChannelId c : event.channels) find_strength(network_.source(c));
  mend_rows(network_, *reach_, *plan_, strength_, units.units(), back ? ToFill::empty : ToFill::none,
            options_.threads, table_, update_.entries);
  return true;
}

const LiveUpdate& LiveClos::apply(const LiveChange& change, Progress& progress) {
  const LiveEvent event = network_.apply(change);
  update_.entries.clear();
  update_.anew = false;
  if (made_ && event.empty()) return update_;
  if (made_ && (options_.upkeep == Upkeep::exact ? update_exact(event) : update_sticky(event)))
    return update_;
  return make_anew(progress);
}

}  // namespace unknot
