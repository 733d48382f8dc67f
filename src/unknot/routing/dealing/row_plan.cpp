// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/row_plan.hpp"

#include <cstdint>
#include <numeric>

#include "unknot/routing/dealing/deal.hpp"

namespace unknot {
namespace {

/// The number nearest to share * count that has no divisor in common with it: its multiples come to every
/// place.
std::uint32_t stride_for(std::uint32_t count, double share) {
  const auto wanted = static_cast<std::uint32_t>(share * count);
  for (std::uint32_t away = 0; away < count; ++away) {
    if (std::gcd(wanted + away, count) == 1) return wanted + away;
    if (wanted > away && std::gcd(wanted - away, count) == 1) return wanted - away;
  }
  return 1;
}

/// Of the GUID, which a router keeps when others die; its number it does not.
std::uint32_t hash_of(std::uint64_t guid) {
  return static_cast<std::uint32_t>(guid) * 0x85EBCA6BU +
         static_cast<std::uint32_t>(guid >> 32) * 0xC2B2AE35U;
}

}  // namespace

std::vector<Destination> destinations_of(const RowPlan& plan) {
  // Where a destination's stretches begin must not follow from where those of its neighbours do.
  constexpr double kRouters = 0.4142;
  constexpr double kDestinations = 0.1716;
  constexpr std::uint32_t kGolden = 0x9E3779B9U;
  std::vector<Destination> all;
  all.reserve(plan.reach.destinations().size());
  std::vector<std::uint32_t> strides;  // by count; 0 where not known yet
  std::uint32_t index = 0;             // among those that live
  for (const RouterId r : plan.reach.destinations()) {
    const IdRange<TerminalId> here = plan.network.network().terminals_at(r);
    Destination d;
    d.router = r.value;
    d.first = here.first();
    d.count = here.size();
    if (plan.network.alive(r)) d.group = plan.groups.of_router[r.value];
    if (strides.size() <= d.count) strides.resize(d.count + std::size_t{1}, 0);
    if (strides[d.count] == 0) strides[d.count] = stride_for(d.count, kRouters);
    d.stride = strides[d.count];
    d.turn = static_cast<std::uint32_t>(std::uint64_t{index} * stride_for(d.count, kDestinations) % d.count);
    d.shift = Deal::shift_for(d.count);
    d.dither = index * kGolden;
    all.push_back(d);
    index += plan.network.alive(r) ? 1 : 0;
  }
  return all;
}

RowOfDeals deals_of(const RowPlan& plan, RouterId router) {
  RowOfDeals deals;
  deals.terminals = plan.network.network().terminal_count();
  // Its own destination leads nowhere either where it is dead.
  deals.router = plan.network.alive(router) ? router.value : RouterId::kNone;
  deals.sibling = plan.groups.sibling[router.value];
  deals.level = plan.groups.level[router.value];
  deals.hash = hash_of(plan.network.network().router_guid(router));
  deals.words = CandidateSets::set_words(plan.network, router);
  return deals;
}

}  // namespace unknot
