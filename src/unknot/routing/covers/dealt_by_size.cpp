// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/dealt_by_size.hpp"

#include <algorithm>
#include <cstdint>

#include "unknot/support/error.hpp"

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

bool deals(const Network& network, const std::string& engine, const std::string& paths,
           const std::string& lost) {
  if (paths == "dealt" && !lost.empty()) throw InputError(engine + ":paths=dealt makes no use of " + lost);
  return paths == "dealt" || (paths == "auto" && lost.empty() && dealt_by_size(network));
}

}  // namespace unknot
