// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/both_networks.hpp"

#include <tuple>

#include "unknot/report/compare/match.hpp"

namespace unknot::report {
namespace {

void match_routers(const PageData& before, const PageData& after, BothNetworks& both) {
  Known<std::string> known;
  both.routers = static_cast<std::uint32_t>(before.names.size());
  for (std::uint32_t r = 0; r < both.routers; ++r) known.add(before.names[r], r);
  std::vector<bool> stays(before.names.size());
  for (const std::string& name : after.names) {
    const std::uint32_t found = known.take(name);
    if (found != Match::kNone) stays[found] = true;
    both.router_of_after.push_back(found != Match::kNone ? found : both.routers++);
  }
  for (std::uint32_t r = 0; r < stays.size(); ++r) {
    if (!stays[r]) both.routers_gone.push_back(r);
  }
}

void match_channels(const PageData& before, const PageData& after, BothNetworks& both) {
  using Ends = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  Known<Ends> known;
  both.channels = static_cast<std::uint32_t>(before.from.size());
  for (std::uint32_t c = 0; c < both.channels; ++c)
    known.add({before.from[c], before.from_port[c], before.to[c], before.to_port[c]}, c);
  std::vector<bool> stays(before.from.size());
  for (std::size_t c = 0; c < after.from.size(); ++c) {
    const std::uint32_t found = known.take({both.router_of_after[after.from[c]], after.from_port[c],
                                            both.router_of_after[after.to[c]], after.to_port[c]});
    if (found == Match::kNone) {
      both.only_after.push_back(both.channels);
      both.channel_of_after.push_back(both.channels++);
    } else {
      stays[found] = true;
      both.channel_of_after.push_back(found);
    }
  }
  for (std::uint32_t c = 0; c < stays.size(); ++c) {
    if (!stays[c]) both.only_before.push_back(c);
  }
}

/// Terminals are numbered by router, in both as in each.
void match_terminals(const PageData& before, const PageData& after, BothNetworks& both) {
  std::vector<std::vector<std::uint32_t>> old(both.routers), fresh(both.routers);
  const auto deal = [](const std::vector<std::uint32_t>& homes, auto router, auto& by_router) {
    std::uint32_t t = 0;
    for (std::uint32_t r = 0; r < homes.size(); ++r) {
      for (std::uint32_t i = 0; i < homes[r]; ++i) by_router[router(r)].push_back(t++);
    }
  };
  deal(
      before.homes, [](std::uint32_t r) { return r; }, old);
  deal(
      after.homes, [&](std::uint32_t r) { return both.router_of_after[r]; }, fresh);
  both.terminal_of_before.resize(before.terminal_names.size());
  both.terminal_of_after.resize(after.terminal_names.size());
  for (std::uint32_t r = 0; r < both.routers; ++r) {
    Known<std::string> known;
    const auto first = static_cast<std::uint32_t>(both.terminal_names.size());
    const auto append = [&](const std::string& name) {
      both.terminal_names.push_back(name);
      return static_cast<std::uint32_t>(both.terminal_names.size() - 1);
    };
    for (const std::uint32_t t : old[r]) {
      both.terminal_of_before[t] = append(before.terminal_names[t]);
      known.add(before.terminal_names[t], both.terminal_of_before[t]);
    }
    for (const std::uint32_t t : fresh[r]) {
      const std::uint32_t found = known.take(after.terminal_names[t]);
      both.terminal_of_after[t] = found != Match::kNone ? found : append(after.terminal_names[t]);
    }
    both.terminals.push_back(static_cast<std::uint32_t>(both.terminal_names.size()) - first);
  }
}

}  // namespace

BothNetworks both_networks(const PageData& before, const PageData& after) {
  BothNetworks both;
  match_routers(before, after, both);
  match_channels(before, after, both);
  match_terminals(before, after, both);
  return both;
}

}  // namespace unknot::report
