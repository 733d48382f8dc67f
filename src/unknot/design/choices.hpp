// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "unknot/design/design.hpp"

// For the files that list the choices of families: none of it is for others.

namespace unknot {

using VisitChoice = std::function<void(const DesignChoice&)>;
using ChoiceParameters = std::array<std::uint32_t, 5>;

/// Visits every rule's own list of choices: each family a function, by the kind of network.
void fattree2_choices(const DesignRule& rule, const VisitChoice& visit);
void fattree3_choices(const DesignRule& rule, const VisitChoice& visit);
void oft_choices(const DesignRule& rule, const VisitChoice& visit);
void mlfm_choices(const DesignRule& rule, const VisitChoice& visit);
void sspt_choices(const DesignRule& rule, const VisitChoice& visit);
void dragonfly_choices(const DesignRule& rule, const VisitChoice& visit);
void dragonflyplus_choices(const DesignRule& rule, const VisitChoice& visit);
void hyperx2_choices(const DesignRule& rule, const VisitChoice& visit);
void hyperx3_choices(const DesignRule& rule, const VisitChoice& visit);
void slimfly_choices(const DesignRule& rule, const VisitChoice& visit);
void slimfly_floor_choices(const DesignRule& rule, const VisitChoice& visit);
void slimfly_ceil_choices(const DesignRule& rule, const VisitChoice& visit);
void polarfly_choices(const DesignRule& rule, const VisitChoice& visit);
void polarstar_choices(const DesignRule& rule, const VisitChoice& visit);
void bundlefly_choices(const DesignRule& rule, const VisitChoice& visit);
void spectralfly_choices(const DesignRule& rule, const VisitChoice& visit);
void jellyfish_choices(const DesignRule& rule, const VisitChoice& visit);
void xpander_choices(const DesignRule& rule, const VisitChoice& visit);

/// Terminals that the rule allows where `balanced` are balanced and `degree` ports are taken.
std::uint32_t most_terminals(const DesignRule& rule, double balanced, std::uint32_t degree);
/// The least whole number that balances `terminals` on a router: `terminals` over the oversubscription.
std::uint32_t least_balanced(const DesignRule& rule, std::uint32_t terminals);
/// Quotient, rounded up.
inline std::uint64_t quotient_up(std::uint64_t number, std::uint64_t divisor) {
  return (number + divisor - 1) / divisor;
}

/// Fills in the terminals of a choice whose carriers, degree and balanced are known, and visits it: as many
/// as the rule allows, or as few as carry those wanted; not where there are no ports or room for them.
void offer(const DesignRule& rule, DesignChoice choice, const VisitChoice& visit);

}  // namespace unknot
