// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/network_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kGone = NetworkChange::kGone;

/// By number in the new network, the number in the old one. Where the parts that stayed are in one order,
/// as after faults, a single pass finds them; only what is left over is looked up.
template <class OldAddress, class NewAddress>
std::vector<std::uint32_t> match(const char* thing, std::uint32_t old_count, const OldAddress& old_address,
                                 std::uint32_t new_count, const NewAddress& new_address) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> index;
  const auto find = [&](std::uint64_t address) {
    if (index.empty() && old_count > 0) {
      for (std::uint32_t id = 0; id < old_count; ++id) index.emplace_back(old_address(id), id);
      std::sort(index.begin(), index.end());
    }
    const auto at = std::lower_bound(index.begin(), index.end(), std::pair(address, std::uint32_t{0}));
    return at == index.end() || at->first != address ? kGone : at->second;
  };
  std::vector<std::uint32_t> to_old(new_count, kGone);
  std::vector<bool> taken(old_count, false);
  std::uint32_t next = 0;
  for (std::uint32_t id = 0; id < new_count; ++id) {
    const std::uint64_t address = new_address(id);
    const std::uint32_t old = next < old_count && old_address(next) == address ? next : find(address);
    if (old == kGone) continue;
    if (taken[old]) {
      throw InputError(fmt::format("the new fabric has two {}s with GUID 0x{:016x}", thing, address));
    }
    taken[old] = true;
    to_old[id] = old;
    next = old + 1;
  }
  return to_old;
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& to_old, std::uint32_t old_count) {
  std::vector<std::uint32_t> to_new(old_count, kGone);
  for (std::uint32_t id = 0; id < to_old.size(); ++id) {
    if (to_old[id] != kGone) to_new[to_old[id]] = id;
  }
  return to_new;
}

std::uint32_t count_gone(const std::vector<std::uint32_t>& numbers) {
  return static_cast<std::uint32_t>(std::count(numbers.begin(), numbers.end(), kGone));
}

/// Known on both sides, and different.
bool lid_differs(const Network& before, TerminalId old, const Network& after, TerminalId now) {
  if (before.labels().terminal_lid.empty() || after.labels().terminal_lid.empty()) return false;
  const std::uint32_t a = before.terminal_lid(old);
  const std::uint32_t b = after.terminal_lid(now);
  return a != 0 && b != 0 && a != b;
}

void settle_moved(const Network& before, const Network& after, MovedTerminals moved, NetworkChange& change) {
  for (const TerminalId t : after.terminals()) {
    if (change.terminal_to_old[t.value] == kGone) continue;
    const TerminalId old(change.terminal_to_old[t.value]);
    const bool elsewhere = change.router_to_new[before.router_of(old).value] != after.router_of(t).value;
    if (elsewhere && moved == MovedTerminals::refuse) {
      throw InputError(
          fmt::format("terminal {} has moved to another router; only failures and repairs can be compared",
                      after.terminal_name(t)));
    }
    if (moved == MovedTerminals::as_new &&
        (elsewhere || before.terminal_port(old) != after.terminal_port(t) ||
         lid_differs(before, old, after, t))) {
      change.moved_terminals.push_back({old, t});
      change.terminal_to_old[t.value] = kGone;
    }
  }
}

/// Both rows are in order of port.
void match_channels(const Network& before, const Network& after, NetworkChange& change) {
  change.channel_to_old.assign(after.channel_count(), kGone);
  for (const RouterId r : after.routers()) {
    const std::uint32_t old_router = change.router_to_old[r.value];
    if (old_router == kGone) continue;
    std::uint32_t old = before.out(RouterId(old_router)).first();
    const std::uint32_t last = before.out(RouterId(old_router)).last();
    for (const ChannelId c : after.out(r)) {
      while (old < last && before.source_port(ChannelId(old)) < after.source_port(c)) ++old;
      if (old == last || before.source_port(ChannelId(old)) != after.source_port(c)) continue;
      if (change.router_to_new[before.target(ChannelId(old)).value] == after.target(c).value &&
          before.target_port(ChannelId(old)) == after.target_port(c)) {
        change.channel_to_old[c.value] = old;
      }
    }
  }
}

}  // namespace

NetworkChange compare_networks(const Network& before, const Network& after, MovedTerminals moved) {
  NetworkChange change;
  change.router_to_old = match(
      "router", before.router_count(), [&](std::uint32_t r) { return before.router_guid(RouterId(r)); },
      after.router_count(), [&](std::uint32_t r) { return after.router_guid(RouterId(r)); });
  change.terminal_to_old = match(
      "terminal", before.terminal_count(),
      [&](std::uint32_t t) { return before.terminal_port_guid(TerminalId(t)); }, after.terminal_count(),
      [&](std::uint32_t t) { return after.terminal_port_guid(TerminalId(t)); });
  change.router_to_new = inverse(change.router_to_old, before.router_count());
  settle_moved(before, after, moved, change);
  change.terminal_to_new = inverse(change.terminal_to_old, before.terminal_count());
  match_channels(before, after, change);
  change.channel_to_new = inverse(change.channel_to_old, before.channel_count());
  for (const ChannelId c : after.channels()) {
    if (change.channel_to_old[c.value] == kGone) change.added_channels.push_back(c);
  }
  change.removed_channels = count_gone(change.channel_to_new);
  change.added_routers = count_gone(change.router_to_old);
  change.removed_routers = count_gone(change.router_to_new);
  change.added_terminals = count_gone(change.terminal_to_old);
  change.removed_terminals = count_gone(change.terminal_to_new);
  return change;
}

}  // namespace unknot
