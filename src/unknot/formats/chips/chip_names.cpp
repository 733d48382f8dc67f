// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/chip_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

ChipNames chip_names(const Network& network) {
  ChipNames names;
  names.routers.reserve(network.router_count());
  names.terminals.reserve(network.terminal_count());
  for (const RouterId r : network.routers()) names.routers.push_back(network.router_name(r));
  for (const TerminalId t : network.terminals()) names.terminals.push_back(network.terminal_name(t));
  std::set<std::string> all(names.routers.begin(), names.routers.end());
  all.insert(names.terminals.begin(), names.terminals.end());
  if (all.size() == names.routers.size() + names.terminals.size() &&
      std::all_of(all.begin(), all.end(), is_identifier)) {
    return names;
  }
  for (const RouterId r : network.routers()) names.routers[r.value] = fmt::format("router_{}", r.value);
  for (const TerminalId t : network.terminals())
    names.terminals[t.value] = fmt::format("endpoint_{}", t.value);
  return names;
}

void require_single_cables(const Network& network, std::string_view what) {
  std::vector<RouterId> targets;
  for (const RouterId r : network.routers()) {
    targets.clear();
    for (const ChannelId c : network.out(r)) targets.push_back(network.target(c));
    std::sort(targets.begin(), targets.end());
    const auto twice = std::adjacent_find(targets.begin(), targets.end());
    if (twice == targets.end()) continue;
    throw InputError(fmt::format("{} cannot hold the parallel cables between \"{}\" and \"{}\"", what,
                                 shown(network.router_name(r)), shown(network.router_name(*twice))));
  }
}

}  // namespace unknot
