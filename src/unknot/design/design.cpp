// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "unknot/design/count_bound.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// The choice with this number of terminals: as many on each carrier, or spread over them.
Design design_of(const DesignFamily& family, const DesignChoice& choice, std::uint64_t terminals) {
  const bool even = terminals == choice.carriers * choice.each;
  std::string spec = choice.spec(choice.parameters);
  const char join = spec.find(':') == std::string::npos ? ':' : ',';
  if (!even) spec += fmt::format("{}terminals={}", join, terminals);
  if (even && choice.each != choice.standard) spec += fmt::format("{}{}={}", join, family.each, choice.each);
  const NetworkSize size = network_size(spec);
  const std::optional<double> cut = even ? known_cut(spec) : std::nullopt;
  return {.family = family.name,
          .spec = std::move(spec),
          .terminals = size.terminals,
          .room = choice.carriers * choice.most,
          .routers = size.routers,
          .cables = size.cables,
          .radix = std::max(choice.degree + choice.each, choice.widest),
          .diameter = family.diameter,
          .bisection = cut ? std::optional(2 * *cut / static_cast<double>(size.terminals)) : std::nullopt,
          .throughput = throughput_by_counts(choice, size.terminals),
          .oversubscription = choice.each / choice.balanced};
}

/// Of the choices that `key` gives a value, one with the least.
template <class Key>
std::optional<DesignChoice> least(const DesignFamily& family, const DesignRule& rule, const Key& key) {
  std::optional<DesignChoice> best;
  family.choices(rule, [&](const DesignChoice& choice) {
    const auto value = key(choice);
    if (value && (!best || *value < *key(*best))) best = choice;
  });
  return best;
}

using ThreeNumbers = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

}  // namespace

double Design::ports_per_terminal() const {
  return terminals == 0 ? 0 : 1 + 2 * static_cast<double>(cables) / static_cast<double>(terminals);
}

double Design::links_per_terminal() const {
  return terminals == 0 ? 0 : 1 + static_cast<double>(cables) / static_cast<double>(terminals);
}

std::optional<Design> largest_design(const DesignFamily& family, std::uint32_t radix,
                                     double oversubscription) {
  const auto best = least(family, {radix, 0, oversubscription}, [](const DesignChoice& c) {
    return std::optional(ThreeNumbers(~(c.carriers * c.each), c.routers, c.cables));
  });
  if (!best) return std::nullopt;
  return design_of(family, *best, best->carriers * best->each);
}

std::optional<Design> smallest_design(const DesignFamily& family, std::uint64_t terminals,
                                      double oversubscription) {
  const auto smallest = [&](std::uint32_t radix) {
    return least(family, {radix, 0, oversubscription}, [&](const DesignChoice& c) {
      const std::uint64_t here = c.carriers * c.each;
      return here < terminals ? std::nullopt
                              : std::optional(ThreeNumbers(2 * c.cables + here, here, c.routers));
    });
  };
  std::uint32_t low = 0;  // does not reach them
  std::uint32_t high = 2;
  std::optional<DesignChoice> best;
  while (!(best = smallest(high))) {
    if (high == kMostDesignRadix) return std::nullopt;
    low = high;
    high = std::min(2 * high, kMostDesignRadix);
  }
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (auto fits = smallest(middle)) {
      high = middle;
      best = fits;
    } else {
      low = middle;
    }
  }
  const std::uint64_t filled = best->carriers * best->each;
  // some families have few members: filled, the next one may be twice what is wanted
  if (10 * filled > 13 * terminals) {
    if (auto trimmed = fitting_design(family, {high, terminals, oversubscription})) return trimmed;
  }
  return design_of(family, *best, filled);
}

std::optional<Design> fitting_design(const DesignFamily& family, const DesignRule& rule) {
  const auto best = least(family, rule, [](const DesignChoice& c) {
    return std::optional(ThreeNumbers(c.routers, c.cables, c.degree));
  });
  if (!best) return std::nullopt;
  return design_of(family, *best, rule.terminals);
}

}  // namespace unknot
