// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/linear_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/block_designs.hpp"
#include "unknot/topology/designs/difference_families.hpp"
#include "unknot/topology/designs/orbit_families.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

/// A construction: whether it has a design with degrees r1 and r2, and that design.
struct Construction {
  const char* name;
  bool (*has)(std::uint32_t r1, std::uint32_t r2);
  LinearSpace (*make)(std::uint32_t r1, std::uint32_t r2);
};

/// d with r1 = 1 + q + ... + q^(d-1), at least 2; 0 where there is none.
std::uint32_t dimension(std::uint32_t r1, std::uint32_t q) {
  std::uint64_t sum = 1;
  std::uint64_t power = 1;
  for (std::uint32_t d = 2; sum < r1; ++d) {
    power *= q;
    sum += power;
    if (sum == r1) return d;
  }
  return 0;
}

const std::vector<Construction>& constructions() {
  static const std::vector<Construction> rows{
      {"projective plane",
       [](std::uint32_t r1, std::uint32_t r2) {
         return r1 == r2 && (r1 == 2 || (r1 > 2 && as_prime_power(r1 - 1)));
       },
       [](std::uint32_t r1, std::uint32_t) { return ml3b_space(r1); }},
      {"all pairs", [](std::uint32_t r1, std::uint32_t r2) { return r1 > 0 && r2 == 2; },
       [](std::uint32_t r1, std::uint32_t) { return pair_space(r1 + 1); }},
      {"lines of a projective space",
       [](std::uint32_t r1, std::uint32_t r2) {
         return r2 > 2 && as_prime_power(r2 - 1) && dimension(r1, r2 - 1) > 0;
       },
       [](std::uint32_t r1, std::uint32_t r2) { return projective_lines(dimension(r1, r2 - 1), r2 - 1); }},
      {"lines of an affine space",
       [](std::uint32_t r1, std::uint32_t r2) { return as_prime_power(r2) && dimension(r1, r2) > 0; },
       [](std::uint32_t r1, std::uint32_t r2) { return affine_lines(dimension(r1, r2), r2); }},
      {"Steiner triple system",
       [](std::uint32_t r1, std::uint32_t r2) { return r2 == 3 && r1 > 0 && r1 % 3 != 2; },
       [](std::uint32_t r1, std::uint32_t) { return steiner_triples(2 * r1 + 1); }},
      {"Hermitian unital",
       [](std::uint32_t r1, std::uint32_t r2) {
         return r2 > 2 && as_prime_power(r2 - 1) && r1 == std::uint64_t{r2 - 1} * (r2 - 1);
       },
       [](std::uint32_t, std::uint32_t r2) { return hermitian_unital(r2 - 1); }},
      {"difference family of a field", &has_wilson_family, &wilson_family},
      {"difference family", &has_small_family, &small_family},
      {"orbits of a group", &has_orbit_family, &orbit_family},
      {"maximal arc",
       [](std::uint32_t r1, std::uint32_t r2) {
         const auto power_of_two = [](std::uint32_t n) { return n > 2 && (n & (n - 1)) == 0; };
         return power_of_two(r2) && r1 > r2 && power_of_two(r1 - 1);
       },
       [](std::uint32_t r1, std::uint32_t r2) { return maximal_arc(r1 - 1, r2); }},
  };
  return rows;
}

const Construction* find(std::uint32_t r1, std::uint32_t r2) {
  const auto row = std::find_if(constructions().begin(), constructions().end(),
                                [&](const Construction& c) { return c.has(r1, r2); });
  return row == constructions().end() ? nullptr : &*row;
}

}  // namespace

LinearSpace pair_space(std::uint32_t points) {
  LinearSpace space{
      points, static_cast<std::uint32_t>(std::uint64_t{points} * (points - 1) / 2), points - 1, 2, {}};
  space.block_of.reserve(std::size_t{points} * (points - 1));
  // the pair (c, d), c < d, after all pairs that begin with less than c
  const auto pair = [&](std::uint64_t c, std::uint64_t d) {
    return static_cast<std::uint32_t>(c * (2 * points - c - 1) / 2 + d - c - 1);
  };
  for (std::uint32_t c = 0; c < points; ++c) {
    for (std::uint32_t d = 0; d < points; ++d) {
      if (c != d) space.block_of.push_back(pair(std::min(c, d), std::max(c, d)));
    }
  }
  return space;
}

LinearSpace ml3b_space(std::uint32_t k) {
  const std::uint32_t n = k - 1;
  const std::uint32_t count = k * n + 1;
  LinearSpace space{count, count, k, k, {}};
  space.block_of.reserve(std::size_t{count} * k);
  for (std::uint32_t block = count - k; block < count; ++block) space.block_of.push_back(block);
  const GaloisField field(n == 1 ? 2 : n);
  for (std::uint32_t square = 0; square < k; ++square) {
    for (std::uint32_t row = 0; row < n; ++row) {
      space.block_of.push_back(count - k + square);
      for (std::uint32_t column = 0; column < n; ++column) {
        space.block_of.push_back(
            square == 0 ? row * n + column : column * n + field.add(row, field.multiply(square - 1, column)));
      }
    }
  }
  return space;
}

std::string known_design(std::uint32_t r1, std::uint32_t r2) {
  const Construction* construction = find(r1, r2);
  return construction == nullptr ? "" : construction->name;
}

LinearSpace known_space(std::uint32_t r1, std::uint32_t r2) {
  if (const Construction* construction = find(r1, r2)) return construction->make(r1, r2);
  const std::string near =
      nearest_valid("r1", r1, [&](std::uint32_t other) { return find(other, r2) != nullptr; });
  if (r1 > 0 && (1 + std::uint64_t{r1} * (r2 - 1)) * r1 % r2 != 0) {
    throw InputError(fmt::format(
        "topology sspt: r1={} and r2={} give no whole number of upper routers; nearest: {}", r1, r2, near));
  }
  throw InputError(fmt::format("topology sspt: no design with r1={} and r2={} is known here; {}", r1, r2,
                               near.empty() ? std::string("none is for this r2") : "nearest: " + near));
}

NetworkSize stacked_tree_size(std::uint64_t points, std::uint64_t point_degree, std::uint64_t block_size,
                              std::uint64_t copies, const TerminalPlacement& terminals) {
  const std::uint64_t leaves = saturating_multiply(points, copies);
  return {saturating_add(leaves,
                         saturating_multiply(points, point_degree) / std::max<std::uint64_t>(block_size, 1)),
          saturating_multiply(leaves, point_degree), terminals.total(leaves)};
}

Network stacked_tree(const LinearSpace& space, std::uint32_t copies, const TerminalPlacement& terminals) {
  const std::uint32_t leaves = copies * space.points;
  const NetworkSize size =
      stacked_tree_size(space.points, space.point_degree, space.block_size, copies, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    const std::uint32_t point = leaf % space.points;
    for (std::uint32_t i = 0; i < space.point_degree; ++i) {
      builder.add_cable(RouterId(leaf),
                        RouterId(leaves + space.block_of[std::size_t{point} * space.point_degree + i]));
    }
  }
  place_terminals(builder, RouterId(0), leaves, terminals);
  std::vector<std::uint32_t> levels(size.routers, 1);
  std::fill_n(levels.begin(), leaves, 0);
  builder.set_levels(std::move(levels));
  return std::move(builder).build();
}

}  // namespace unknot
