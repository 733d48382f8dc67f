// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// How a generator puts terminals on the routers that carry them (all of a direct network, the leaves of a
/// tree): the same number on each, or a total spread as evenly as can be. Spread over k routers, router i
/// gets floor((i+1) N / k) - floor(i N / k), so counts differ by at most one (Table I of Domke, Hoefler,
/// Nagel 2011 is made so).
struct TerminalPlacement {
  bool spread = false;
  std::uint32_t number = 1;  ///< on each router, or in total when spread

  static constexpr TerminalPlacement each(std::uint32_t count) { return {false, count}; }
  static constexpr TerminalPlacement spread_evenly(std::uint32_t total) { return {true, total}; }

  /// Terminals on all carriers together; saturates.
  [[nodiscard]] std::uint64_t total(std::uint64_t carriers) const;
  /// Terminals on carrier `index` of `carriers`.
  [[nodiscard]] std::uint32_t at(std::uint64_t index, std::uint64_t carriers) const;
};

/// Attaches terminals to `carriers` consecutive routers from `first`, on the next free ports of each.
void place_terminals(NetworkBuilder& builder, RouterId first, std::uint32_t carriers,
                     const TerminalPlacement& placement);
/// The same with terminals on ports first_port, first_port+1, ... of every router: lower ports that lead
/// nowhere stay free. InputError beyond 65,535 ports.
void place_terminals(NetworkBuilder& builder, RouterId first, std::uint32_t carriers,
                     const TerminalPlacement& placement, std::uint32_t first_port);

/// The parameters "p" and "terminals" that the catalogue adds to every row.
const std::vector<Parameter>& placement_parameters();
/// Reads them; `default_each` on every router when neither is given, InputError when both are. `each` names
/// the parameter in place of "p" where a family means something else by that.
TerminalPlacement placement_from(const Parameters& parameters, std::uint32_t default_each = 1,
                                 const char* each = "p");

}  // namespace unknot
