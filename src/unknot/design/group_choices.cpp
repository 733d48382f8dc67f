// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/design/choices.hpp"
#include "unknot/topology/graphs/global_links.hpp"

// Groups of routers that are joined pairwise by global cables.

namespace unknot {
namespace {

std::string groups_spec(std::uint32_t groups, std::uint32_t ports) {
  return groups == ports + 1 ? "" : fmt::format(",groups={}", groups);
}

std::string dragonfly_spec(const ChoiceParameters& at) {
  return fmt::format("dragonfly:a={},h={}{}", at[0], at[1], groups_spec(at[2], at[0] * at[1]));
}

std::string dragonflyplus_spec(const ChoiceParameters& at) {
  return fmt::format("dragonflyplus:leaves={},spines={},h={}{}", at[0], at[1], at[2],
                     groups_spec(at[3], at[1] * at[2]));
}

void offer_dragonfly(const DesignRule& rule, std::uint32_t a, std::uint32_t h, std::uint32_t groups,
                     const VisitChoice& visit) {
  const std::uint64_t routers = std::uint64_t{groups} * a;
  offer(rule,
        {.spec = dragonfly_spec,
         .parameters = {a, h, groups},
         .carriers = routers,
         .routers = routers,
         .cables = routers * (a - 1) / 2 + global_cable_count({groups, a * h}),
         .degree = a - 1 + h,
         .balanced = std::min<double>(h, a / 2.0)},
        visit);
}

void offer_dragonflyplus(const DesignRule& rule, std::uint32_t leaves, std::uint32_t spines, std::uint32_t h,
                         std::uint32_t groups, const VisitChoice& visit) {
  offer(rule,
        {.spec = dragonflyplus_spec,
         .parameters = {leaves, spines, h, groups},
         .carriers = std::uint64_t{groups} * leaves,
         .routers = std::uint64_t{groups} * (leaves + spines),
         .cables = std::uint64_t{groups} * leaves * spines + global_cable_count({groups, spines * h}),
         .degree = spines,
         .widest = leaves + h,
         .balanced = static_cast<double>(spines),
         .near = leaves,  // of the group
         .far = 3},
        visit);
}

/// Groups that hold the terminals wanted, two at least; 0 beyond any number that could be joined.
std::uint32_t groups_wanted(const DesignRule& rule, std::uint64_t terminals_of_a_group) {
  const std::uint64_t groups = std::max<std::uint64_t>(2, quotient_up(rule.terminals, terminals_of_a_group));
  return groups > std::uint64_t{rule.radix} * rule.radix ? 0 : static_cast<std::uint32_t>(groups);
}

}  // namespace

/// Uniform traffic loads global cables with p / h and local ones with nearly 2 p / a of what a terminal
/// sends. [Kim, Dally, Scott, Abts 2008, section 3.1, balance more, a = 2h = 2p]
void dragonfly_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t p = 1; p < rule.radix; ++p) {
    const std::uint32_t least_h = least_balanced(rule, p);
    const std::uint32_t least_a = least_balanced(rule, 2 * p);
    if (rule.terminals == 0) {
      for (std::uint32_t h = least_h; least_a + h + p <= rule.radix + 1; ++h) {
        const std::uint32_t a = rule.radix + 1 - h - p;
        offer_dragonfly(rule, a, h, a * h + 1, visit);
      }
      continue;
    }
    for (std::uint32_t a = least_a; a + least_h + p <= rule.radix + 1; ++a) {
      const std::uint32_t groups = groups_wanted(rule, std::uint64_t{a} * p);
      if (groups == 0) continue;
      const auto h = static_cast<std::uint32_t>(std::max<std::uint64_t>(least_h, quotient_up(groups - 1, a)));
      if (a + h + p <= rule.radix + 1) offer_dragonfly(rule, a, h, groups, visit);
    }
  }
}

/// No router has fewer ports up than down. [Shpiner et al. 2017 have as many]
void dragonflyplus_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t p = 1; p < rule.radix; ++p) {
    const std::uint32_t least_spines = least_balanced(rule, p);
    if (least_spines + p > rule.radix) continue;
    for (std::uint32_t leaves = 1; 2 * leaves <= rule.radix; ++leaves) {
      const std::uint32_t most_h = rule.radix - leaves;
      if (rule.terminals == 0) {
        const std::uint32_t spines = rule.radix - p;
        offer_dragonflyplus(rule, leaves, spines, most_h, spines * most_h + 1, visit);
        continue;
      }
      const std::uint32_t groups = groups_wanted(rule, std::uint64_t{leaves} * p);
      if (groups == 0) continue;
      const auto spines =
          static_cast<std::uint32_t>(std::max<std::uint64_t>(least_spines, quotient_up(groups - 1, most_h)));
      if (spines + p > rule.radix) continue;
      const auto h =
          static_cast<std::uint32_t>(std::max<std::uint64_t>(leaves, quotient_up(groups - 1, spines)));
      offer_dragonflyplus(rule, leaves, spines, h, groups, visit);
    }
  }
}

}  // namespace unknot
