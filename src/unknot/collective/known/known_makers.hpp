// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/collective/known/known_algorithm.hpp"

// The rows of the catalogue, each in a file of its own.
namespace unknot {

KnownAlgorithm ring_row();
KnownAlgorithm hamiltonian_rings_row();
KnownAlgorithm grid_rings_row();
KnownAlgorithm recursive_doubling_row();
KnownAlgorithm rabenseifner_row();
KnownAlgorithm swing_row();
KnownAlgorithm swing_whole_row();
KnownAlgorithm bine_row();
KnownAlgorithm bine_whole_row();
KnownAlgorithm binomial_row();
KnownAlgorithm bruck_row();
KnownAlgorithm pairwise_row();
KnownAlgorithm hierarchical_row();

/// The flag "near" of those who exchange with r xor 2^k.
Parameter near_parameter();

/// "it is for all-reduce and all-gather" where the collective is none of these; else "".
std::string only_for(const KnownCase& which, const std::vector<RankCollective>& collectives);

}  // namespace unknot
