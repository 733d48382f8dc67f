// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/host_leaves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <span>

#include "unknot/network/bfs.hpp"
#include "unknot/place/places.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/joined_parts.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

constexpr std::size_t kMostLeaves = 8192;
constexpr std::uint32_t kNoLeaf = 0xFFFFFFFFU;

}  // namespace

void require_node_name(const std::string& name) {
  if (name.empty() || slurm_name(name) != name) {
    throw InputError(fmt::format(
        "terminal '{}' cannot be a node of Slurm: its name has other characters than letters, digits, -_.",
        shown(name)));
  }
}

std::string slurm_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
  }
  return name;
}

std::vector<HostLeaf> host_leaves(const Network& network) {
  JoinedParts joined(network.router_count());  // routers, by hosts at several
  std::map<std::string, TerminalId> first;
  std::vector<TerminalId> hosts;  // a terminal of each
  for (const TerminalId t : network.terminals()) {
    std::string name = place::host_name(network, t);
    require_node_name(name);
    const auto [at, added] = first.emplace(std::move(name), t);
    if (added) hosts.push_back(t);
    joined.join(network.router_of(at->second).value, network.router_of(t).value);
  }
  if (hosts.empty()) throw InputError("the fabric has no terminal to put into a topology of Slurm");
  std::vector<HostLeaf> leaves;
  std::vector<std::uint32_t> leaf_of(network.router_count(), kNoLeaf);
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    std::uint32_t& leaf = leaf_of[joined.of(r.value)];
    if (leaf == kNoLeaf) {
      leaf = static_cast<std::uint32_t>(leaves.size());
      leaves.emplace_back();
    }
    leaves[leaf].routers.push_back(r);
  }
  if (leaves.size() > kMostLeaves) {
    throw InputError(fmt::format("{} routers with terminals are more than the {} that are put into a tree",
                                 leaves.size(), kMostLeaves));
  }
  for (const TerminalId t : hosts) {
    leaves[leaf_of[joined.of(network.router_of(t).value)]].hosts.push_back(place::host_name(network, t));
  }
  return leaves;
}

std::vector<std::uint32_t> leaf_distances_from(const Network& network, const std::vector<HostLeaf>& leaves,
                                               std::uint32_t from) {
  std::vector<std::uint32_t> distance(leaves.size(), BreadthFirstSearch::kUnreached);
  distance[from] = 0;
  BreadthFirstSearch search(network);
  for (const RouterId r : leaves[from].routers) {
    const std::span<const std::uint32_t> hops = search.from(r);
    for (std::size_t b = 0; b < leaves.size(); ++b)
      for (const RouterId to : leaves[b].routers) distance[b] = std::min(distance[b], hops[to.value]);
  }
  for (std::size_t b = 0; b < leaves.size(); ++b) {
    if (distance[b] != BreadthFirstSearch::kUnreached) continue;
    throw InputError(fmt::format("there is no path from {} to {}",
                                 network.router_name(leaves[from].routers.front()),
                                 network.router_name(leaves[b].routers.front())));
  }
  return distance;
}

DistanceMatrix leaf_distances(const Network& network, const std::vector<HostLeaf>& leaves) {
  const auto count = static_cast<std::uint32_t>(leaves.size());
  DistanceMatrix distances(count);
  for (std::uint32_t a = 0; a < count; ++a) {
    const std::vector<std::uint32_t> from = leaf_distances_from(network, leaves, a);
    for (std::uint32_t b = 0; b < count; ++b)
      if (a != b) distances.raise(a, b, static_cast<float>(from[b]));
  }
  return distances;
}

}  // namespace unknot::slurm
