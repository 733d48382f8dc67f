// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exact/at_most.hpp"

#include <initializer_list>

namespace unknot {

void add_at_most(SatSolver& solver, std::uint32_t most, std::span<const int> literals) {
  const auto clause = [&](std::initializer_list<int> all) { solver.add_clause({all.begin(), all.size()}); };
  const std::size_t count = literals.size();
  if (most >= count) return;
  constexpr std::size_t kFewPairs = 5;
  if (most == 1 && count <= kFewPairs) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) clause({-literals[i], -literals[j]});
    }
    return;
  }
  // Variable first + i * most + k: of the literals up to i, more than k are true.
  const auto width = static_cast<int>(most);
  const int first = solver.new_variables(static_cast<std::uint32_t>((count - 1) * most));
  for (std::size_t i = 0; i < count; ++i) {
    const int row = first + static_cast<int>(i) * width, before = row - width;
    if (i > 0) clause({-literals[i], -(before + width - 1)});
    if (i + 1 == count) break;
    clause({-literals[i], row});
    if (i == 0) continue;
    for (int k = 0; k < width; ++k) {
      clause({-(before + k), row + k});
      if (k + 1 < width) clause({-literals[i], -(before + k), row + k + 1});
    }
  }
}

}  // namespace unknot
