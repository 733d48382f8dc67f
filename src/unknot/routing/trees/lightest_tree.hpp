// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/routing/trees/path_dag.hpp"

namespace unknot {

/// Chooses, for every position of the DAG, the candidate whose path to the root is lightest: the sum of
/// channel weights from there on is least, the first of equals wins. Shortest paths come first by
/// construction (the DAG holds no others), weight second: the lexicographic order that the SSSP routing
/// needs.
///
/// `weight` is by channel and `distance` by router, both with PathDag::kPadding spare entries;
/// `pick[position]` gets the index of the candidate. 32-bit sums must not overflow (the caller's care);
/// 64-bit ones cannot. The 32-bit form uses AVX2 where the machine has it; the result is the same.
/// O(candidates).
void lightest_tree(const PathDag& dag, const std::uint32_t* weight, std::uint32_t* distance,
                   std::uint32_t* pick);
void lightest_tree(const PathDag& dag, const std::uint64_t* weight, std::uint64_t* distance,
                   std::uint32_t* pick);

/// The portable form of the 32-bit one, for tests.
void lightest_tree_portable(const PathDag& dag, const std::uint32_t* weight, std::uint32_t* distance,
                            std::uint32_t* pick);

}  // namespace unknot
