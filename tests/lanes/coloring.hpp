// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/lanes/path_set.hpp"

namespace unknot {

/// An undirected graph whose vertices are to be coloured, with what is known of it and of its path set.
struct ColoringCase {
  std::string name;
  std::uint32_t vertices;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t chromatic;  ///< fewest colours, and fewest layers of its path set
  std::uint32_t truncated;  ///< fewest layers of the paths as printed, one arc short
  std::uint32_t by_rule;    ///< layers that the weakest, the heaviest and the first rule all need
};

inline void add_cycle(ColoringCase& graph, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) graph.edges.emplace_back(first + i, first + (i + 1) % count);
}

inline std::vector<ColoringCase> coloring_cases() {
  std::vector<ColoringCase> cases = {{"K1", 1, {}, 1, 1, 1}};
  const auto complete = [&](const char* name, std::uint32_t n, std::uint32_t truncated) {
    ColoringCase graph{name, n, {}, n, truncated, n};
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < n; ++b) graph.edges.emplace_back(a, b);
    }
    cases.push_back(graph);
  };
  complete("K2", 2, 1);
  cases.push_back({"P3", 3, {{0, 1}, {1, 2}}, 2, 1, 3});
  complete("K3", 3, 2);
  cases.push_back({"C5", 5, {}, 3, 2, 5});
  add_cycle(cases.back(), 0, 5);
  cases.push_back({"C6", 6, {}, 2, 2, 6});
  add_cycle(cases.back(), 0, 6);
  complete("K4", 4, 3);
  complete("K5", 5, 4);
  cases.push_back({"W5", 6, {}, 4, 3, 6});  // hub 0
  for (std::uint32_t i = 1; i < 6; ++i) cases.back().edges.emplace_back(0, i);
  add_cycle(cases.back(), 1, 5);
  cases.push_back({"K3,3", 6, {}, 2, 2, 2});
  for (std::uint32_t a = 0; a < 3; ++a) {
    for (std::uint32_t b = 3; b < 6; ++b) cases.back().edges.emplace_back(a, b);
  }
  cases.push_back({"Petersen", 10, {}, 3, 3, 6});
  add_cycle(cases.back(), 0, 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    cases.back().edges.emplace_back(i, 5 + i);
    cases.back().edges.emplace_back(5 + i, 5 + (i + 2) % 5);
  }
  // Mycielski's construction on the cycle 5..9: vertex i below 5 copies 5 + i, 10 joins the copies.
  cases.push_back({"Groetzsch", 11, {}, 4, 3, 6});
  add_cycle(cases.back(), 5, 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    cases.back().edges.emplace_back(i, 5 + (i + 1) % 5);
    cases.back().edges.emplace_back(i, 5 + (i + 4) % 5);
    cases.back().edges.emplace_back(i, 10);
  }
  // Edge numbers decide in which order the rules meet the cycles.
  for (auto& [a, b] : cases.back().edges) {
    if (a > b) std::swap(a, b);
  }
  std::sort(cases.back().edges.begin(), cases.back().edges.end());
  return cases;
}

/// The paths whose layers are the colours of a graph [Domke, Hoefler, Nagel 2011, section III], with the
/// correction that a path ends at <w, {v,w}> of its last neighbour w: p_v = <v>, then <v, {v,w}>, <w, {v,w}>
/// for each neighbour w. The paths of two neighbours close a cycle of two arcs on their edge; no others meet.
/// `truncated`: as printed, without the last vertex.
inline PathSet coloring_paths(const ColoringCase& graph, bool truncated) {
  PathSet paths;
  for (std::uint32_t v = 0; v < graph.vertices; ++v) {
    std::vector<std::uint32_t> path{v};
    // Neighbours in ascending order.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
      const auto [a, b] = graph.edges[e];
      if (a == v) neighbours.emplace_back(b, e);
      if (b == v) neighbours.emplace_back(a, e);
    }
    std::sort(neighbours.begin(), neighbours.end());
    for (const auto& [w, e] : neighbours) {
      const std::uint32_t low =
          graph.vertices + 2 * e;  // <smaller end, edge>; the next is <larger end, edge>
      path.push_back(v < w ? low : low + 1);
      path.push_back(v < w ? low + 1 : low);
    }
    if (truncated && path.size() > 1) path.pop_back();
    paths.add(path);
  }
  return paths;
}

}  // namespace unknot
