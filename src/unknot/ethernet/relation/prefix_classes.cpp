// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/relation/prefix_classes.hpp"

#include <algorithm>
#include <map>

namespace unknot::ethernet {
namespace {

/// Which prefixes longer ones cover: from the longest up, two halves that are covered or there cover one.
std::vector<bool> covered(const std::vector<Prefix>& prefixes) {
  std::vector<bool> empty(prefixes.size(), false);
  // By length, those (there or not) of which all addresses are in prefixes that are there.
  std::vector<std::vector<Prefix>> whole(130);
  std::vector<std::vector<std::uint32_t>> of_length(129);
  for (std::uint32_t i = 0; i < prefixes.size(); ++i) of_length[prefixes[i].length].push_back(i);
  for (unsigned length = 129; length-- > 0;) {
    // Halves of this length that are covered, in pairs, give covered ones that are a bit shorter.
    std::vector<Prefix>& covered_here = whole[length];
    std::sort(covered_here.begin(), covered_here.end());
    for (const std::uint32_t i : of_length[length]) {
      const bool by_longer = std::binary_search(covered_here.begin(), covered_here.end(), prefixes[i]);
      empty[i] = by_longer;
    }
    for (const std::uint32_t i : of_length[length]) covered_here.push_back(prefixes[i]);
    std::sort(covered_here.begin(), covered_here.end());
    covered_here.erase(std::unique(covered_here.begin(), covered_here.end()), covered_here.end());
    if (length == 0) break;
    for (std::size_t i = 0; i + 1 < covered_here.size(); ++i) {
      const Prefix both = covered_here[i].wider(length - 1);
      if (both.contains(covered_here[i + 1])) whole[length - 1].push_back(both);
    }
  }
  return empty;
}

}  // namespace

PrefixRanges prefix_ranges(const Fabric& fabric) {
  PrefixRanges ranges;
  std::size_t routes = 0;
  for (const Switch& s : fabric.switches) routes += s.routes.size();
  ranges.prefix.reserve(routes);
  // Tables repeat each other: sorted and made one from time to time, so that no more than twice of it is
  // held.
  std::size_t distinct = 0;
  const auto make_one = [&] {
    std::sort(ranges.prefix.begin(), ranges.prefix.end());
    ranges.prefix.erase(std::unique(ranges.prefix.begin(), ranges.prefix.end()), ranges.prefix.end());
    distinct = ranges.prefix.size();
  };
  for (const Switch& s : fabric.switches) {
    for (const FabricRoute& route : s.routes) ranges.prefix.push_back(route.prefix);
    if (ranges.prefix.size() > 2 * distinct + 100'000) make_one();
  }
  make_one();
  ranges.prefix.shrink_to_fit();
  ranges.empty = covered(ranges.prefix);

  ranges.chains.resize(fabric.switches.size());
  ranges.chain_of_route.resize(fabric.switches.size());
  for (std::size_t s = 0; s < fabric.switches.size(); ++s) {
    const std::vector<FabricRoute>& table = fabric.switches[s].routes;
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    std::vector<std::vector<std::uint32_t>>& chains = ranges.chains[s];
    chains.emplace_back();
    known.emplace(chains.front(), 0);
    std::vector<std::uint32_t> around;  // routes that the present one lies in
    std::vector<std::uint32_t>& chain_of = ranges.chain_of_route[s];
    chain_of.reserve(table.size());
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      while (!around.empty() && !table[around.back()].prefix.contains(table[i].prefix)) around.pop_back();
      std::vector<std::uint32_t> chain = table[i].choices;
      if (!around.empty()) {
        const std::vector<std::uint32_t>& wider = chains[chain_of[around.back()]];
        chain.insert(chain.end(), wider.begin(), wider.end());
      }
      const auto [at, added] = known.emplace(std::move(chain), static_cast<std::uint32_t>(chains.size()));
      if (added) chains.push_back(at->first);
      chain_of.push_back(at->second);
      around.push_back(i);
    }
  }
  return ranges;
}

void PrefixRanges::match(const Fabric& fabric, std::uint32_t at,
                         std::vector<std::uint32_t>& chain_of_range) const {
  chain_of_range.assign(prefix.size(), 0);
  const std::vector<FabricRoute>& table = fabric.switches[at].routes;
  std::vector<std::uint32_t> around;
  std::size_t next = 0;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    while (!around.empty() && !table[around.back()].prefix.contains(prefix[i])) around.pop_back();
    if (next < table.size() && table[next].prefix == prefix[i]) {
      around.push_back(static_cast<std::uint32_t>(next));
      ++next;
    }
    if (!around.empty()) chain_of_range[i] = chain_of_route[at][around.back()];
  }
}

std::uint32_t PrefixRanges::range_of(const Prefix& address) const {
  // The longest prefix around it: those shorter than the address are tried one by one.
  for (int length = address.length; length >= 0; --length) {
    const Prefix wider = address.wider(static_cast<unsigned>(length));
    const auto found = std::lower_bound(prefix.begin(), prefix.end(), wider);
    if (found != prefix.end() && *found == wider) return static_cast<std::uint32_t>(found - prefix.begin());
  }
  return kNone;
}

}  // namespace unknot::ethernet
