// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/dealt_by_size.hpp"

#include <algorithm>
#include <cstdint>

namespace unknot {
namespace {

constexpr std::uint64_t kMostEntries = 100'000'000;  // a search, or tree after tree, would take minutes

}  // namespace

bool further_addresses(const Network& network) {
  const auto terminals = network.terminals();
  return std::any_of(terminals.begin(), terminals.end(),
                     [&](TerminalId t) { return network.further_address(t); });
}

bool dealt_by_size(const Network& network) {
  const std::uint64_t entries = std::uint64_t{network.router_count()} * network.terminal_count();
  return entries > kMostEntries && !further_addresses(network) && network.levels().empty();
}

}  // namespace unknot
