// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot::evolve {

/// What a stream of random numbers is for.
enum class Purpose : std::uint64_t { initial, selection, child, ordering };

inline constexpr std::uint32_t kMaxIslands = 256;
inline constexpr std::uint32_t kMaxPopulation = 1U << 20U;
inline constexpr std::uint64_t kMaxGenerations = 1ULL << 33U;

/// Name of a stream of support/random.hpp: each child of each generation of each island has its own, so that
/// no number depends on which thread asks for it.
constexpr std::uint64_t stream(Purpose purpose, std::uint32_t island, std::uint64_t generation,
                               std::uint32_t index) {
  return static_cast<std::uint64_t>(purpose) << 61U | std::uint64_t{island} << 53U | generation << 20U |
         index;
}

}  // namespace unknot::evolve
