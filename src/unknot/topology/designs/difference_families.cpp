// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/difference_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/space_builder.hpp"

namespace unknot {
namespace {

using Block = std::vector<std::uint32_t>;

constexpr std::uint64_t kMostSearched = 60'000;

std::uint64_t points_of(std::uint32_t r1, std::uint32_t r2) {
  return 1 + std::uint64_t{r1} * (r2 - 1);
}

InputError not_here(std::uint32_t r1, std::uint32_t r2) {
  return InputError(fmt::format("topology sspt: no difference family with r1={} and r2={} is known", r1, r2));
}

/// The translates of the blocks; `add` is the sum of the group.
template <class Add>
LinearSpace develop(std::uint32_t points, const std::vector<Block>& blocks, const Add& add) {
  const auto size = static_cast<std::uint32_t>(blocks.front().size());
  SpaceBuilder builder(points);
  Block moved(size);
  const auto move = [&](const Block& block, std::uint32_t shift) {
    std::transform(block.begin(), block.end(), moved.begin(),
                   [&](std::uint32_t point) { return add(point, shift); });
  };
  for (const Block& block : blocks) {
    move(block, block[1]);
    const bool subgroup = std::is_permutation(block.begin(), block.end(), moved.begin());
    for (std::uint32_t shift = 0; shift < points; ++shift) {
      move(block, shift);
      // a translate of a subgroup is that by any of its points: taken once, by the lowest
      if (!subgroup || *std::min_element(moved.begin(), moved.end()) == shift) builder.add(moved);
    }
  }
  return builder.build(size);
}

/// The first block of a field, from 0 and 1 on, whose differences are in different cosets.
class CosetSearch {
 public:
  CosetSearch(const GaloisField& field, std::uint32_t size)
      : field_(field), size_(size), coset_(field.order()) {
    const std::uint32_t cosets = size * (size - 1) / 2;
    std::uint32_t element = 1;
    for (std::uint32_t exponent = 0; exponent + 1 < field.order(); ++exponent) {
      coset_[element] = exponent % cosets;
      element = field.multiply(element, field.smallest_primitive());
    }
  }

  [[nodiscard]] std::optional<Block> find() {
    block_ = {0, 1};
    return extend(std::uint32_t{1} << coset_[1]) ? std::optional(block_) : std::nullopt;
  }

 private:
  /// -1 is in the coset of 1, so that the sign of a difference does not matter.
  bool extend(std::uint32_t taken) {
    if (block_.size() == size_) return true;
    for (std::uint32_t point = block_.back() + 1; point < field_.order(); ++point) {
      const std::uint32_t with = taken_with(point, taken);
      if (with == 0) continue;
      block_.push_back(point);
      if (extend(with)) return true;
      block_.pop_back();
    }
    return false;
  }
  /// Cosets taken when the point is added; 0: one would be taken twice.
  [[nodiscard]] std::uint32_t taken_with(std::uint32_t point, std::uint32_t taken) const {
    for (const std::uint32_t other : block_) {
      const std::uint32_t bit = std::uint32_t{1} << coset_[field_.subtract(point, other)];
      if ((taken & bit) != 0) return 0;
      taken |= bit;
    }
    return taken;
  }

  const GaloisField& field_;
  std::uint32_t size_;
  std::vector<std::uint32_t> coset_;
  Block block_;
};

struct SmallFamily {
  std::uint32_t points;
  std::vector<Block> blocks;
  /// The group is that of vectors with these many values of each coordinate, numbered with the first the
  /// lowest; empty: a field where the points are a prime power, else cyclic.
  std::vector<std::uint32_t> group = {};
};

/// Found by backtracking, but for the cyclic ones of 91, which are known ones [Colbourn and Dinitz 2007,
/// Handbook of Combinatorial Designs]; each difference is counted by a test.
const std::vector<SmallFamily>& small_families() {
  static const std::vector<SmallFamily> rows{
      {52, {{0, 13, 26, 39}, {0, 1, 33, 49}, {0, 2, 31, 40}, {0, 5, 22, 46}, {0, 7, 34, 44}}},
      {76,
       {{0, 19, 38, 57},
        {0, 1, 29, 64},
        {0, 2, 42, 69},
        {0, 3, 53, 61},
        {0, 4, 21, 37},
        {0, 5, 25, 70},
        {0, 10, 32, 62}}},
      {85,
       {{0, 1, 57, 72},
        {0, 2, 26, 69},
        {0, 3, 36, 68},
        {0, 4, 12, 78},
        {0, 5, 27, 50},
        {0, 6, 44, 54},
        {0, 9, 34, 55}}},
      {88,
       {{0, 22, 44, 66},
        {0, 1, 49, 56},
        {0, 2, 20, 25},
        {0, 3, 24, 38},
        {0, 4, 12, 31},
        {0, 6, 34, 79},
        {0, 10, 36, 47},
        {0, 13, 29, 71}}},
      {100,
       {{0, 25, 50, 75},
        {0, 1, 56, 97},
        {0, 2, 42, 54},
        {0, 5, 39, 74},
        {0, 6, 76, 92},
        {0, 7, 28, 85},
        {0, 9, 77, 90},
        {0, 11, 29, 62},
        {0, 17, 37, 64}}},
      {65, {{0, 13, 26, 39, 52}, {0, 1, 15, 22, 32}, {0, 2, 6, 25, 62}, {0, 8, 20, 38, 49}}},
      {81, {{0, 1, 21, 57, 72}, {0, 3, 42, 53, 61}, {0, 4, 18, 31, 47}, {0, 5, 22, 43, 71}}},
      {105,
       {{0, 21, 42, 63, 84},
        {0, 1, 3, 29, 70},
        {0, 4, 54, 72, 99},
        {0, 5, 17, 49, 97},
        {0, 7, 22, 65, 81},
        {0, 9, 20, 39, 91}}},
      {91, {{0, 1, 3, 7, 25, 38}, {0, 5, 20, 32, 46, 75}, {0, 8, 17, 47, 57, 80}}},
      {45, {{0, 1, 2, 3, 4}, {0, 5, 11, 17, 37}, {0, 7, 16, 30, 42}}, {5, 3, 3}},
      {91, {{0, 13, 26, 39, 52, 65, 78}, {0, 8, 29, 51, 54, 61, 63}, {0, 11, 16, 17, 31, 35, 58}}},
  };
  return rows;
}

const SmallFamily* find_small(std::uint32_t r1, std::uint32_t r2) {
  const auto& rows = small_families();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SmallFamily& family) {
    return family.blocks.front().size() == r2 && family.points == points_of(r1, r2);
  });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

bool has_wilson_family(std::uint32_t r1, std::uint32_t r2) {
  if (r1 == 0 || r2 < 4 || r2 > 6 || r1 % r2 != 0) return false;
  const std::uint64_t points = points_of(r1, r2);
  if (points > kMostSearched || !as_prime_power(static_cast<std::uint32_t>(points))) return false;
  return r2 == 4 || (r2 == 5 && points != 81) || (r2 == 6 && points != 61 && points != 121);
}

LinearSpace wilson_family(std::uint32_t r1, std::uint32_t r2) {
  if (!has_wilson_family(r1, r2)) throw not_here(r1, r2);
  const GaloisField field(static_cast<std::uint32_t>(points_of(r1, r2)));
  const std::optional<Block> base = CosetSearch(field, r2).find();
  if (!base) throw not_here(r1, r2);
  std::vector<Block> blocks;
  // r1 / r2 multiples, one for each pair of opposite elements of the coset of 1
  const std::uint32_t step = field.power(field.smallest_primitive(), std::uint64_t{r2} * (r2 - 1) / 2);
  std::uint32_t factor = 1;
  for (std::uint32_t i = 0; i < r1 / r2; ++i, factor = field.multiply(factor, step)) {
    Block block;
    for (const std::uint32_t point : *base) block.push_back(field.multiply(point, factor));
    blocks.push_back(std::move(block));
  }
  return develop(field.order(), blocks,
                 [&](std::uint32_t point, std::uint32_t shift) { return field.add(point, shift); });
}

bool has_small_family(std::uint32_t r1, std::uint32_t r2) {
  return find_small(r1, r2) != nullptr;
}

LinearSpace small_family(std::uint32_t r1, std::uint32_t r2) {
  const SmallFamily* const family = find_small(r1, r2);
  if (family == nullptr) throw not_here(r1, r2);
  if (!family->group.empty()) {
    return develop(family->points, family->blocks, [&](std::uint32_t point, std::uint32_t shift) {
      std::uint32_t sum = 0, place = 1;
      for (const std::uint32_t values : family->group) {
        sum += (point + shift) % values * place;
        place *= values;
        point /= values;
        shift /= values;
      }
      return sum;
    });
  }
  if (as_prime_power(family->points)) {
    const GaloisField field(family->points);
    return develop(family->points, family->blocks,
                   [&](std::uint32_t point, std::uint32_t shift) { return field.add(point, shift); });
  }
  return develop(family->points, family->blocks,
                 [&](std::uint32_t point, std::uint32_t shift) { return (point + shift) % family->points; });
}

}  // namespace unknot
