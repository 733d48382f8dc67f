// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/terminal_placement.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {

std::uint64_t TerminalPlacement::total(std::uint64_t carriers) const {
  return spread ? number : saturating_multiply(number, carriers);
}

std::uint32_t TerminalPlacement::at(std::uint64_t index, std::uint64_t carriers) const {
  if (!spread) return number;
  return static_cast<std::uint32_t>((index + 1) * number / carriers - index * number / carriers);
}

void place_terminals(NetworkBuilder& builder, RouterId first, std::uint32_t carriers,
                     const TerminalPlacement& placement) {
  for (std::uint32_t i = 0; i < carriers; ++i) {
    for (std::uint32_t left = placement.at(i, carriers); left > 0; --left) {
      builder.add_terminal(RouterId(first.value + i));
    }
  }
}

void place_terminals(NetworkBuilder& builder, RouterId first, std::uint32_t carriers,
                     const TerminalPlacement& placement, std::uint32_t first_port) {
  for (std::uint32_t i = 0; i < carriers; ++i) {
    const std::uint32_t count = placement.at(i, carriers);
    if (count > 0xFFFFU - (first_port - 1)) {
      throw InputError(
          fmt::format("router {} would carry {} terminals beside {} other ports; at most 65535 fit",
                      first.value + i, count, first_port - 1));
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      builder.add_terminal(RouterId(first.value + i), static_cast<std::uint16_t>(first_port + k));
    }
  }
}

const std::vector<Parameter>& placement_parameters() {
  static const std::vector<Parameter> parameters{
      {.name = "p", .help = "terminals on each router that carries some", .fallback = ""},
      {.name = "terminals", .help = "terminals in all, spread evenly", .fallback = ""},
  };
  return parameters;
}

TerminalPlacement placement_from(const Parameters& parameters, std::uint32_t default_each, const char* each) {
  if (parameters.has(each) && parameters.has("terminals"))
    throw InputError(fmt::format("give {} (terminals on each router) or terminals (in all), not both", each));
  if (parameters.has("terminals")) return TerminalPlacement::spread_evenly(parameters.number32("terminals"));
  return TerminalPlacement::each(parameters.has(each) ? parameters.number32(each) : default_each);
}

}  // namespace unknot
