// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"

#include <tuple>
#include <utility>

#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

Design priced(const DesignFamily& family, DesignChoice&& choice) {
  const NetworkSize size = network_size(choice.spec);
  return {.family = family.name,
          .spec = std::move(choice.spec),
          .terminals = size.terminals,
          .routers = size.routers,
          .cables = size.cables,
          .radix = choice.radix,
          .diameter = choice.diameter,
          .bisection = choice.bisection};
}

}  // namespace

double Design::ports_per_terminal() const {
  return terminals == 0 ? 0 : 1 + 2 * static_cast<double>(cables) / static_cast<double>(terminals);
}

double Design::links_per_terminal() const {
  return terminals == 0 ? 0 : 1 + static_cast<double>(cables) / static_cast<double>(terminals);
}

std::optional<Design> largest_design(const DesignFamily& family, std::uint32_t radix) {
  std::optional<Design> best;
  const auto key = [](const Design& d) { return std::tuple(~d.terminals, d.routers, d.cables); };
  for (DesignChoice& choice : family.choices(radix)) {
    Design design = priced(family, std::move(choice));
    if (!best || key(design) < key(*best)) best = std::move(design);
  }
  return best;
}

std::optional<Design> smallest_design(const DesignFamily& family, std::uint64_t terminals) {
  const auto reaches = [&](std::uint32_t radix) {
    const std::optional<Design> largest = largest_design(family, radix);
    return largest && largest->terminals >= terminals;
  };
  if (!reaches(kMostDesignRadix)) return std::nullopt;
  std::uint32_t low = 0;  // does not reach them
  std::uint32_t high = kMostDesignRadix;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  std::optional<Design> best;
  const auto key = [](const Design& d) {
    return std::tuple(2 * d.cables + d.terminals, d.terminals, d.routers);
  };
  for (DesignChoice& choice : family.choices(high)) {
    Design design = priced(family, std::move(choice));
    if (design.terminals >= terminals && (!best || key(design) < key(*best))) best = std::move(design);
  }
  return best;
}

}  // namespace unknot
