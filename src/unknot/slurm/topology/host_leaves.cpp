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
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

constexpr std::size_t kMostLeaves = 8192;

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
  std::map<std::string, std::uint32_t> number;
  std::vector<std::string> names;                   // of hosts, in the order of their first terminals
  std::vector<std::vector<std::uint32_t>> routers;  // of each
  for (const TerminalId t : network.terminals()) {
    std::string name = place::host_name(network, t);
    require_node_name(name);
    const auto [at, added] = number.emplace(std::move(name), static_cast<std::uint32_t>(names.size()));
    if (added) {
      names.push_back(at->first);
      routers.emplace_back();
    }
    routers[at->second].push_back(network.router_of(t).value);
  }
  if (names.empty()) throw InputError("the fabric has no terminal to put into a topology of Slurm");
  std::map<std::vector<std::uint32_t>, HostLeaf> by_routers;
  for (std::size_t host = 0; host < names.size(); ++host) {
    std::sort(routers[host].begin(), routers[host].end());
    routers[host].erase(std::unique(routers[host].begin(), routers[host].end()), routers[host].end());
    by_routers[routers[host]].hosts.push_back(std::move(names[host]));
  }
  if (by_routers.size() > kMostLeaves) {
    throw InputError(
        fmt::format("{} routers with terminals, or sets of them that hosts share, are more than the "
                    "{} that are put into a tree",
                    by_routers.size(), kMostLeaves));
  }
  std::vector<HostLeaf> leaves;
  for (auto& [at, leaf] : by_routers) {
    for (const std::uint32_t r : at) leaf.routers.emplace_back(r);
    leaves.push_back(std::move(leaf));
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
