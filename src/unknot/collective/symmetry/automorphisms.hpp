// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace unknot {

/// Image of each vertex.
using Permutation = std::vector<std::uint32_t>;

/// A directed graph whose vertices have colours.
struct ColouredGraph {
  std::vector<std::uint32_t> colour;                            ///< by vertex
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs{};  ///< none twice, none from a vertex to itself
};

struct Automorphisms {
  std::vector<Permutation> generators;  ///< none: the identity alone
  double log_order = 0;                 ///< natural logarithm of how many there are
};

/// The automorphisms of a coloured graph, by nauty [McKay, Piperno 2014]. One call at a time: others wait.
/// `stop` is asked now and then; from when it says true on no more are sought, and the generators are those
/// of a subgroup, of unknown order. std::runtime_error where nauty gives up for another reason.
Automorphisms automorphisms(const ColouredGraph& graph, const std::function<bool()>& stop = {});

}  // namespace unknot
