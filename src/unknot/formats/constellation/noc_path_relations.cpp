// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "unknot/formats/constellation/noc_relation.hpp"

namespace unknot {
namespace {

using NocEdge = std::pair<int, int>;
using NocPath = std::vector<NocEdge>;

/// By breadth-first search with neighbours in the order that is given; -1 where nothing leads.
std::vector<int> search_from(int source, const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> before(neighbours.size(), -1);
  std::vector<bool> seen(neighbours.size(), false);
  std::deque<int> queue = {source};
  seen[static_cast<std::size_t>(source)] = true;
  while (!queue.empty()) {
    const int u = queue.front();
    queue.pop_front();
    for (const int v : neighbours[static_cast<std::size_t>(u)]) {
      if (seen[static_cast<std::size_t>(v)]) continue;
      seen[static_cast<std::size_t>(v)] = true;
      before[static_cast<std::size_t>(v)] = u;
      queue.push_back(v);
    }
  }
  return before;
}

/// Edges from the source of the search on; empty where nothing leads.
NocPath path_to(int destination, const std::vector<int>& before) {
  NocPath path;
  for (int at = destination; before[static_cast<std::size_t>(at)] != -1; at = path.back().first)
    path.emplace_back(before[static_cast<std::size_t>(at)], at);
  std::reverse(path.begin(), path.end());
  return path;
}

bool has_circle(int nodes, const std::set<NocEdge>& edges) {
  std::vector<int> in(static_cast<std::size_t>(nodes), 0);
  for (const auto& [u, v] : edges) ++in[static_cast<std::size_t>(v)];
  std::vector<int> free;
  for (int v = 0; v < nodes; ++v)
    if (in[static_cast<std::size_t>(v)] == 0) free.push_back(v);
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (auto edge = edges.lower_bound({free[i], -1}); edge != edges.end() && edge->first == free[i]; ++edge)
      if (--in[static_cast<std::size_t>(edge->second)] == 0) free.push_back(edge->second);
  }
  return free.size() < static_cast<std::size_t>(nodes);
}

/// Constellation's CustomLayeredRouting: paths that are part of no other go into the fewest layers in which
/// no nodes form a circle, each into the first that takes it, in turn and with going back.
class LayerPacking {
 public:
  LayerPacking(int nodes, std::vector<NocPath> paths) : nodes_(nodes), paths_(std::move(paths)) {}

  /// Edges of each layer.
  std::vector<std::set<NocEdge>> run() {
    for (std::size_t layers = 1; layers <= paths_.size(); ++layers) {
      layers_.assign(layers, {});
      if (place(0)) {
        std::vector<std::set<NocEdge>> edges;
        for (const std::map<NocEdge, int>& layer : layers_) edges.push_back(edges_of(layer));
        return edges;
      }
    }
    return {};
  }

 private:
  static std::set<NocEdge> edges_of(const std::map<NocEdge, int>& layer) {
    std::set<NocEdge> edges;
    for (const auto& [edge, count] : layer) edges.insert(edge);
    return edges;
  }

  bool place(std::size_t i) {
    if (i == paths_.size()) return true;
    constexpr std::uint64_t kMostTries = 50'000;
    for (std::map<NocEdge, int>& layer : layers_) {
      if (++tries_ > kMostTries) {
        throw InputError(fmt::format(
            "expected CustomLayeredRouting on a topology whose paths fit into layers within {} tries",
            kMostTries));
      }
      for (const NocEdge& edge : paths_[i]) ++layer[edge];
      if (!has_circle(nodes_, edges_of(layer)) && place(i + 1)) return true;
      for (const NocEdge& edge : paths_[i])
        if (--layer[edge] == 0) layer.erase(edge);
      if (layer.empty()) return false;  // the next layers are empty as well, and do no better
    }
    return false;
  }

  int nodes_;
  std::vector<NocPath> paths_;
  std::vector<std::map<NocEdge, int>> layers_;  // how many paths have an edge
  std::uint64_t tries_ = 0;
};

struct LayeredPaths {
  std::map<NocEdge, std::pair<std::set<NocEdge>, int>> of;  ///< by source and destination: edges, layer
};

bool includes_all(const std::set<NocEdge>& all, const std::set<NocEdge>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

LayeredPaths layered_paths(const NocTopology& topology) {
  constexpr int kMostLayeredNodes = 40;  // each path is compared with each, and goes on the stack
  if (topology.nodes > kMostLayeredNodes)
    throw InputError(fmt::format("expected CustomLayeredRouting on at most {} nodes", kMostLayeredNodes));
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(topology.nodes));
  for (const auto& [src, dst] : topology.edge_order) neighbours[static_cast<std::size_t>(src)].push_back(dst);
  LayeredPaths paths;
  std::vector<NocPath> all;
  std::vector<std::set<NocEdge>> edges;
  for (int src = 0; src < topology.nodes; ++src) {
    const std::vector<int> before = search_from(src, neighbours);
    for (int dst = 0; dst < topology.nodes; ++dst) {
      NocPath path = path_to(dst, before);
      if (path.empty()) continue;
      edges.emplace_back(path.begin(), path.end());
      paths.of[{src, dst}] = {edges.back(), -1};
      all.push_back(std::move(path));
    }
  }
  std::vector<NocPath> longest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool part = std::any_of(edges.begin(), edges.end(), [&](const std::set<NocEdge>& other) {
      return other != edges[i] && includes_all(other, edges[i]);
    });
    if (!part) longest.push_back(all[i]);
  }
  const std::vector<std::set<NocEdge>> layers = LayerPacking(topology.nodes, std::move(longest)).run();
  for (auto& one : paths.of) {
    const auto layer = std::find_if(layers.begin(), layers.end(), [&](const std::set<NocEdge>& edges_there) {
      return includes_all(edges_there, one.second.first);
    });
    one.second.second = layer == layers.end() ? -1 : static_cast<int>(layer - layers.begin());
  }
  return paths;
}

}  // namespace

NocRelation layered_relation(const NocRelation::Topology& topology) {
  const auto paths = std::make_shared<const LayeredPaths>(layered_paths(*topology));
  NocRelation made;
  made.by_ingress = true;
  made.rel = [paths](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
    const auto path = paths->of.find({flow.ingress, flow.egress});
    if (path == paths->of.end()) return false;
    const auto& [edges, layer] = path->second;
    return next.vc == layer && (src.src == -1 || src.vc == layer) &&
           edges.contains({src.src == -1 ? flow.ingress : src.dst, next.dst});
  };
  made.is_escape = [](const NocChannel&, int) { return false; };
  return made;
}

NocRelation shortest_path_relation(const NocRelation::Topology& topology) {
  const auto n = static_cast<std::size_t>(topology->nodes);
  std::vector<std::vector<int>> neighbours(n);
  for (int u = 0; u < topology->nodes; ++u) {
    for (int v = 0; v < topology->nodes; ++v)
      if (topology->linked(u, v)) neighbours[static_cast<std::size_t>(u)].push_back(v);
  }
  const auto hop = std::make_shared<std::vector<int>>(n * n, -1);  // by source and destination
  for (std::size_t u = 0; u < n; ++u) {
    const std::vector<int> before = search_from(static_cast<int>(u), neighbours);
    for (std::size_t v = 0; v < n; ++v) {
      if (before[v] == -1) continue;
      int at = static_cast<int>(v);
      while (before[static_cast<std::size_t>(at)] != static_cast<int>(u))
        at = before[static_cast<std::size_t>(at)];
      (*hop)[u * n + v] = at;
    }
  }
  const auto next_hop = [hop, n](int from, int to) {
    const auto u = static_cast<std::size_t>(from);
    const auto v = static_cast<std::size_t>(to);
    return u < n && v < n ? (*hop)[u * n + v] : -1;
  };
  NocRelation made;
  made.by_ingress = true;
  made.rel = [next_hop](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
    if (src.src == -1) return next.src == flow.ingress && next_hop(flow.ingress, flow.egress) == next.dst;
    return src.dst != flow.egress && next_hop(src.dst, flow.egress) == next.dst;
  };
  made.is_escape = [](const NocChannel&, int) { return false; };
  return made;
}

NocRelation id_order_relation(const NocRelation::Topology& topology) {
  NocRelation made;
  made.rel = [topology](const NocChannel& src, const NocChannel& next, const NocFlow&) {
    return src.src == -1 || (src.dst < next.dst && topology->linked(src.dst, next.dst));
  };
  return made;
}

}  // namespace unknot
