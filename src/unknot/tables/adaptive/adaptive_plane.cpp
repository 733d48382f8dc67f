// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/adaptive/adaptive_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {

AdaptivePlane AdaptivePlane::unfilled(const Network& network) {
  AdaptivePlane plane;
  plane.terminals_ = network.terminal_count();
  plane.routers_.resize(network.router_count());
  plane.entries_.resize(static_cast<std::size_t>(network.router_count()) * network.terminal_count());
  return plane;
}

AdaptivePlane::AdaptivePlane(const Network& network) : AdaptivePlane(unfilled(network)) {
  std::fill(entries_.begin(), entries_.end(), kNone);
  for (const TerminalId t : network.terminals()) set(network.router_of(t), t, kHere);
}

std::uint32_t AdaptivePlane::add_group(RouterId r, std::vector<std::uint16_t> positions) {
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  RouterChoices& here = routers_[r.value];
  const auto [found, fresh] =
      here.group_of.try_emplace(std::move(positions), static_cast<std::uint32_t>(here.groups.size()));
  if (fresh) here.groups.push_back(found->first);
  return found->second;
}

std::uint16_t AdaptivePlane::add_choice(RouterId r, const Choice& choice) {
  const std::uint32_t group = choice.kind == ChoiceKind::fixed ? 0 : choice.group;
  const std::uint64_t key = static_cast<std::uint64_t>(group) << 24U |
                            static_cast<std::uint64_t>(choice.fixed) << 8U |
                            static_cast<std::uint64_t>(choice.kind);
  RouterChoices& here = routers_[r.value];
  const auto [found, fresh] = here.entry_of.try_emplace(key, static_cast<std::uint16_t>(here.choices.size()));
  if (fresh) {
    if (here.choices.size() >= kHere - std::size_t{1}) {
      here.entry_of.erase(found);
      throw InputError(fmt::format("router {} has more than 65,533 different choices of ports", r.value));
    }
    here.choices.push_back({choice.kind, choice.fixed, group});
  }
  return found->second;
}

bool AdaptivePlane::same_ports(const AdaptivePlane& other) const {
  if (terminals_ != other.terminals_ || routers_.size() != other.routers_.size()) return false;
  const auto same = [&](RouterId r, std::uint16_t mine, std::uint16_t theirs) {
    if (mine >= kHere || theirs >= kHere) return mine == theirs;
    const Choice& a = choices(r)[mine];
    const Choice& b = other.choices(r)[theirs];
    return a.kind == b.kind && a.fixed == b.fixed &&
           (a.kind == ChoiceKind::fixed || std::ranges::equal(group(r, a.group), other.group(r, b.group)));
  };
  for (std::uint32_t r = 0; r < router_count(); ++r) {
    for (std::uint32_t t = 0; t < terminals_; ++t) {
      const RouterId router(r);
      const TerminalId terminal(t);
      if (!same(router, entry(router, terminal), other.entry(router, terminal))) return false;
    }
  }
  return true;
}

}  // namespace unknot
