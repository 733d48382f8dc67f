// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace unknot {

/// A graph whose copies a star product joins: vertex x of one copy and f(x) of the next. [Bermond, Delorme,
/// Farhi 1982]
struct Supernode {
  std::uint32_t vertices = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::uint32_t> image;  ///< f, by vertex
  bool swaps = false;                ///< f(f(x)) = x
};

/// Whether 2 degree + 1 is a prime power and 1 modulo 4.
bool has_paley_graph(std::uint32_t degree);
/// The Paley graph of 2 degree + 1 vertices, neighbours where the difference is a square; f multiplies by the
/// smallest primitive element, so that edges and images of edges are all pairs. Only where has_paley_graph().
Supernode paley_supernode(std::uint32_t degree);

}  // namespace unknot
