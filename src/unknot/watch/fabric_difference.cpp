// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/fabric_difference.hpp"

#include <algorithm>
#include <tuple>

namespace unknot::watch {
namespace {

constexpr std::uint32_t kGone = NetworkChange::kGone;

/// One channel stands for its cable.
bool stands_for_cable(const Network& network, ChannelId c) {
  return !network.reverse(c).valid() || c < network.reverse(c);
}

void list_parts(const Network& before, const Network& after, FabricDifference& d) {
  const NetworkChange& change = d.change;
  for (const RouterId r : before.routers()) {
    const std::uint32_t now = change.router_to_new[r.value];
    if (now == kGone) {
      d.routers_gone.push_back(r);
    } else if (before.router_name(r) != after.router_name(RouterId(now))) {
      d.routers_renamed.push_back({r, RouterId(now)});
    }
  }
  for (const RouterId r : after.routers()) {
    if (change.router_to_old[r.value] == kGone) d.routers_come.push_back(r);
  }
  d.terminals_moved = change.moved_terminals;
  std::vector<bool> left(before.terminal_count(), false);
  std::vector<bool> arrived(after.terminal_count(), false);
  std::vector<NetworkChange::Move> both = change.moved_terminals;
  for (const NetworkChange::Move& move : both) left[move.before.value] = arrived[move.after.value] = true;
  for (const TerminalId t : before.terminals()) {
    const std::uint32_t now = change.terminal_to_new[t.value];
    if (now != kGone) both.push_back({t, TerminalId(now)});
    if (now == kGone && !left[t.value]) d.terminals_gone.push_back(t);
  }
  for (const TerminalId t : after.terminals()) {
    if (change.terminal_to_old[t.value] == kGone && !arrived[t.value]) d.terminals_come.push_back(t);
  }
  for (const NetworkChange::Move& same : both) {
    if (before.terminal_name(same.before) != after.terminal_name(same.after))
      d.terminals_renamed.push_back(same);
    const double was = link_rate_gigabits(before.terminal_rate(same.before));
    const double is = link_rate_gigabits(after.terminal_rate(same.after));
    if (was > 0 && is > 0 && was != is) (is < was ? d.terminals_slower : d.terminals_faster).push_back(same);
  }
}

/// An end of a cable: router by its number in the old network, and port.
using End = std::tuple<std::uint32_t, std::uint16_t>;
struct LooseEnd {
  End end;
  std::size_t cable;  ///< index in cables_come
  bool operator<(const LooseEnd& other) const { return end < other.end; }
};

/// Takes a cable that is gone and one that has come for one that was plugged in elsewhere where they share an
/// end.
void pair_moved_cables(const Network& before, const Network& after, FabricDifference& d) {
  std::vector<LooseEnd> ends;
  for (std::size_t i = 0; i < d.cables_come.size(); ++i) {
    const ChannelId c = d.cables_come[i];
    ends.push_back({{d.change.router_to_old[after.source(c).value], after.source_port(c)}, i});
    ends.push_back({{d.change.router_to_old[after.target(c).value], after.target_port(c)}, i});
  }
  std::sort(ends.begin(), ends.end());
  std::vector<bool> taken(d.cables_come.size(), false);
  std::vector<ChannelId> gone;
  for (const ChannelId c : d.cables_gone) {
    bool moved = false;
    for (const End& end : {End(before.source(c).value, before.source_port(c)),
                           End(before.target(c).value, before.target_port(c))}) {
      const auto at = std::lower_bound(ends.begin(), ends.end(), LooseEnd{end, 0});
      if (at == ends.end() || at->end != end || taken[at->cable]) continue;
      taken[at->cable] = moved = true;
      d.cables_moved.push_back({c, d.cables_come[at->cable]});
      break;
    }
    if (!moved) gone.push_back(c);
  }
  d.cables_gone = std::move(gone);
  std::vector<ChannelId> come;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) come.push_back(d.cables_come[i]);
  }
  d.cables_come = std::move(come);
}

/// The direction of a cable that the other network has as well, where it has one of the two; else invalid.
ChannelId half_left(const Network& network, const std::vector<std::uint32_t>& to_other, ChannelId c) {
  const ChannelId back = network.reverse(c);
  if (!back.valid()) return {};
  const bool there = to_other[c.value] != kGone;
  if (there == (to_other[back.value] != kGone)) return {};
  return there ? c : back;
}

void list_cables(const Network& before, const Network& after, FabricDifference& d) {
  const NetworkChange& change = d.change;
  for (const ChannelId c : before.channels()) {
    if (!stands_for_cable(before, c)) continue;
    const std::uint32_t now = change.channel_to_new[c.value];
    if (const ChannelId half = half_left(before, change.channel_to_new, c); half.valid()) {
      d.cables_one_way.push_back({half, ChannelId(change.channel_to_new[half.value])});
    } else if (now != kGone) {
      const double was = link_rate_gigabits(before.channel_rate(c));
      const double is = link_rate_gigabits(after.channel_rate(ChannelId(now)));
      if (was > 0 && is > 0 && was != is)
        (is < was ? d.cables_slower : d.cables_faster).push_back({c, ChannelId(now)});
    } else if (change.router_to_new[before.source(c).value] != kGone &&
               change.router_to_new[before.target(c).value] != kGone) {
      d.cables_gone.push_back(c);
    }
  }
  for (const ChannelId c : change.added_channels) {
    if (const ChannelId half = half_left(after, change.channel_to_old, c); half.valid()) {
      d.cables_both_ways.push_back({ChannelId(change.channel_to_old[half.value]), half});
    } else if (stands_for_cable(after, c) && change.router_to_old[after.source(c).value] != kGone &&
               change.router_to_old[after.target(c).value] != kGone) {
      d.cables_come.push_back(c);
    }
  }
  pair_moved_cables(before, after, d);
}

}  // namespace

bool FabricDifference::none() const {
  return change.none() && terminals_moved.empty() && cables_slower.empty() && cables_faster.empty() &&
         terminals_slower.empty() && terminals_faster.empty() && terminals_renamed.empty() &&
         routers_renamed.empty();
}

FabricDifference fabric_difference(const Network& before, const Network& after) {
  FabricDifference difference;
  difference.change = compare_networks(before, after, MovedTerminals::as_new);
  list_parts(before, after, difference);
  list_cables(before, after, difference);
  return difference;
}

}  // namespace unknot::watch
