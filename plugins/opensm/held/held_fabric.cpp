// SPDX-License-Identifier: Apache-2.0
#include "held/held_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "held/multicast_tree.hpp"
#include "line_reader.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/tables/carry_over.hpp"

namespace unknot::opensm {
namespace {

/// One entry leads to one LID: further ones would take the same way.
void refuse_further_lids(const unknot_fabric& fabric) {
  for (const unknot_fabric::Adapter& a : fabric.adapters) {
    if (a.lids > 1 && !is_aggregation_node(a)) {
      throw Misfit(fmt::format("{} has {} LIDs, and with live=trees hosts have one: LMC must be 0",
                               name_of(a), a.lids));
    }
  }
}

/// What of the tables is as good in another network.
ForwardingTable kept(const LiveFabric& live, const Network& now) {
  const Network& before = live.network();
  Routing routing;
  ForwardingTable table = ForwardingTable::unfilled(before);
  for (const RouterId r : before.routers()) {
    for (const TerminalId t : before.terminals()) table.set(r, t, live.entry(r, t));
  }
  routing.paths = std::move(table);
  return kept_entries(before, routing, now, compare_networks(before, now, MovedTerminals::as_new)).table();
}

/// Channels that an event has made usable again, those of switches that are back among them.
std::vector<ChannelId> back_by(const LiveNetwork& live, const LiveChange& change) {
  std::vector<ChannelId> back = change.back_channels;
  for (const RouterId r : change.back_routers) {
    back.insert(back.end(), live.out(r).begin(), live.out(r).end());
    for (const ChannelId c : live.network().in(r)) {
      if (live.alive(c)) back.push_back(c);
    }
  }
  return back;
}

}  // namespace

unknot_plan HeldFabric::follow(const unknot_fabric& fabric) {
  refuse_further_lids(fabric);
  said_.clear();
  if (live_ == nullptr) {
    make(fabric, "made");
  } else {
    LaterSweep later = compare(whole_, live_->live(), fabric);
    if (later.other.empty()) {
      follow_change(std::move(later));
    } else {
      make(fabric, fmt::format("made anew, since {}", later.other));
    }
  }
  const LiveVerdict& verdict = live_->verdict();
  if (!verdict.proven()) {
    throw Misfit(
        verdict.deadlock_free
            ? fmt::format("the tables that follow the fabric lose {} pairs of hosts", verdict.lost_pairs())
            : std::string("the tables that follow the fabric can deadlock"));
  }
  write_rows(fabric);
  return plan();
}

/// What is held stays until there is something else to hold.
void HeldFabric::make(const unknot_fabric& fabric, const std::string& how) {
  WholeFabric whole = WholeFabric::of(fabric);
  std::optional<ForwardingTable> in_force;
  if (live_ != nullptr) in_force = kept(*live_, whole.network);
  try {
    live_ = std::make_unique<LiveFabric>(std::move(whole.network), Faults{}, LiveFabricOptions{}, quiet_,
                                         in_force ? &*in_force : nullptr);
  } catch (const RoutingFailure& failure) {
    throw Misfit(failure.what());
  }
  whole_ = std::move(whole);
  behind_ = false;
  router_of_switch_.clear();
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) router_of_switch_.emplace_back(s);
  rows_.forget();
  entries_.clear();
  moved_.clear();
  ways_.emplace(live_->network());
  root_ = RouterId();
  said_ = how;
  take_order({});
}

void HeldFabric::follow_change(LaterSweep later) {
  router_of_switch_ = std::move(later.router_of_switch);
  const LiveChange& change = later.change;
  const bool same = change.dead_routers.empty() && change.back_routers.empty() && later.dead_cables == 0 &&
                    later.back_cables == 0;
  if (same && !behind_) {
    said_ = "as before";
    return;
  }
  behind_ = true;
  try {
    live_->apply(change, quiet_);
  } catch (const RoutingFailure& failure) {
    throw Misfit(failure.what());
  }
  behind_ = false;
  const LiveStep& step = live_->last();
  constexpr std::size_t kMany = 10;
  if (step.entries.size() >
      std::size_t{live_->network().router_count()} * live_->network().terminal_count() / kMany) {
    rows_.forget();
    entries_.clear();
  } else {
    entries_.insert(entries_.end(), step.entries.begin(), step.entries.end());
  }
  said_ = fmt::format(
      "{} cables and {} switches gone, {} and {} back, {}{} entries changed, routed in {:.1f} ms, proven in "
      "{:.1f}",
      later.dead_cables, change.dead_routers.size(), later.back_cables, change.back_routers.size(),
      step.anew ? "all made anew, " : "", step.entries.size(), step.route_seconds * 1e3,
      step.proof_seconds * 1e3);
  take_order(back_by(live_->live(), change));
}

/// What goes by the order of the proof.
void HeldFabric::take_order(std::span<const ChannelId> back) {
  if (!live_->verdict().deadlock_free) return;
  const std::span<const RouterId> moved = ways_->follow(live_->live(), live_->order(), back);
  moved_.insert(moved_.end(), moved.begin(), moved.end());
  tree_ = common_tree(live_->live(), live_->order(), root_);
}

void HeldFabric::write_rows(const unknot_fabric& fabric) {
  rows_.update(*live_, *ways_, owners(fabric), entries_, moved_);
  entries_.clear();
  moved_.clear();
}

/// A switch with hosts is sent to as one of them is.
std::vector<LidOwner> HeldFabric::owners(const unknot_fabric& fabric) const {
  const Network& network = live_->network();
  std::vector<LidOwner> owner(fabric.highest_lid() + std::size_t{1});
  const auto take = [&](unsigned lid, unsigned lids, std::uint32_t s, TerminalId host, std::uint8_t port) {
    const RouterId home = router_of_switch_[s];
    if (!host.valid() && !network.terminals_at(home).empty()) host = network.terminals_at(home)[0];
    for (unsigned i = 0; lid != 0 && i < lids; ++i) owner[lid + i] = {host, home, port};
  };
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s)
    take(fabric.switches[s].lid, fabric.switches[s].lids, s, TerminalId(), 0);
  for (const unknot_fabric::Adapter& a : fabric.adapters) {
    if (a.at_switch == unknot_fabric::kNowhere) continue;
    const auto host = whole_.host_of_guid.find(a.port_guid);
    take(a.lid, a.lids, a.at_switch, host == whole_.host_of_guid.end() ? TerminalId() : host->second,
         a.at_port);
  }
  return owner;
}

unknot_plan HeldFabric::plan() const {
  unknot_plan plan;
  plan.multicast = tree_;
  const LiveVerdict& verdict = live_->verdict();
  plan.summary = fmt::format("live: {}; {} switches, {} pairs of hosts proven", said_,
                             router_of_switch_.size(), verdict.delivered_pairs());
  if (verdict.disconnected_pairs > 0)
    plan.notes = fmt::format("{} pairs of hosts are joined by no path", verdict.disconnected_pairs);
  if (tree_.trees.empty()) {
    plan.notes += fmt::format(
        "{}multicast: no tree joins all hosts' switches in the order of the proof, so it is by OpenSM's own "
        "trees, "
        "which no proof here covers",
        plan.notes.empty() ? "" : "; ");
  }
  return plan;
}

}  // namespace unknot::opensm
