// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/path_set.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> all_arcs(const PathSet& paths) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    const auto path = paths.path(p);
    for (std::size_t i = 1; i < path.size(); ++i) arcs.emplace_back(path[i - 1], path[i]);
  }
  return arcs;
}

}  // namespace

void PathSet::add(std::span<const std::uint32_t> vertices, std::uint64_t weight) {
  for (const std::uint32_t v : vertices) vertices_ = std::max(vertices_, v + 1);
  entries_.insert(entries_.end(), vertices.begin(), vertices.end());
  first_.push_back(entries_.size());
  weight_.push_back(weight);
}

PathSet PathSet::of_table(const Network& network, const ForwardingTable& table) {
  PathSet paths;
  std::vector<std::uint32_t> channels;
  for (const RouterId source : network.routers()) {
    if (network.terminals_at(source).empty()) continue;
    for (const TerminalId destination : network.terminals()) {
      channels.clear();
      RouterId at = source;
      for (ChannelId c = table.next(network, at, destination);
           c.valid() && channels.size() < network.router_count(); c = table.next(network, at, destination)) {
        channels.push_back(c.value);
        at = network.target(c);
      }
      if (!channels.empty()) paths.add(channels, network.terminals_at(source).size());
    }
  }
  return paths;
}

PathArcs::PathArcs(const PathSet& paths) : space_(paths.vertex_count(), all_arcs(paths)), first_{0} {
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    const auto path = paths.path(p);
    for (std::size_t i = 1; i < path.size(); ++i) entries_.push_back(space_.find(path[i - 1], path[i]));
    first_.push_back(entries_.size());
  }
}

}  // namespace unknot
