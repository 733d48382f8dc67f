// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/collective/bounds/bound_proof.hpp"

namespace unknot {

/// What a LengthProof sets against each other: distances of all messages, and capacity times length.
struct LengthCount {
  std::uint64_t distances = 0;
  std::uint64_t capacity = 0;  ///< of all arcs and links, in one step
};

/// Of lengths that fit the network. `problem` is a scatter. A search for each source, on `threads` threads,
/// 0: all there are.
LengthCount count_lengths(const Problem& problem, const LengthProof& proof, std::uint32_t threads = 1);

}  // namespace unknot
