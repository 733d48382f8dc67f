// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/orbit_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/topology/designs/space_builder.hpp"

namespace unknot {
namespace {

using Block = std::vector<std::uint32_t>;

struct OrbitFamily {
  std::uint32_t modulus;
  std::vector<std::uint32_t> copy_to;  ///< by copy: where the multiples of its numbers are
  std::uint32_t fixed, multiplier;
  std::vector<Block> blocks;  ///< copy * modulus + number; the fixed points are the last

  [[nodiscard]] std::uint32_t moving() const { return modulus * static_cast<std::uint32_t>(copy_to.size()); }
  [[nodiscard]] std::uint32_t points() const { return moving() + fixed; }
};

/// Found by an exact cover of the orbits of pairs of points; that such designs exist is known [Colbourn and
/// Dinitz 2007, Handbook of Combinatorial Designs, II.3].
const std::vector<OrbitFamily>& orbit_families() {
  static const std::vector<OrbitFamily> rows{
      {13,
       {1, 2, 0, 3, 4},
       1,
       3,
       {{0, 21, 32, 48, 61, 65},
        {0, 7, 16, 19, 50, 51},
        {1, 3, 11, 29, 54, 61},
        {4, 21, 22, 38, 51, 56},
        {43, 45, 50, 53, 54, 57}}},
  };
  return rows;
}

const OrbitFamily* find_family(std::uint32_t r1, std::uint32_t r2) {
  const auto& rows = orbit_families();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const OrbitFamily& family) {
    return family.blocks.front().size() == r2 && family.points() == 1 + std::uint64_t{r1} * (r2 - 1);
  });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

bool has_orbit_family(std::uint32_t r1, std::uint32_t r2) {
  return r2 > 0 && find_family(r1, r2) != nullptr;
}

LinearSpace orbit_family(std::uint32_t r1, std::uint32_t r2) {
  const OrbitFamily* const family = r2 > 0 ? find_family(r1, r2) : nullptr;
  if (family == nullptr)
    throw InputError(fmt::format("topology sspt: no design by orbits with r1={} and r2={} is known", r1, r2));
  const auto images_of = [&](const Block& block, const auto& image) {
    Block images;
    for (const std::uint32_t point : block) {
      if (point >= family->moving()) {
        images.push_back(point);
        continue;
      }
      const std::uint32_t copy = point / family->modulus, number = point % family->modulus;
      images.push_back(image(copy, number));
    }
    std::sort(images.begin(), images.end());
    return images;
  };
  std::set<Block> blocks(family->blocks.begin(), family->blocks.end());
  for (std::vector<Block> open(blocks.begin(), blocks.end()); !open.empty();) {
    const Block block = std::move(open.back());
    open.pop_back();
    for (const Block& image : {images_of(block,
                                         [&](std::uint32_t copy, std::uint32_t number) {
                                           return copy * family->modulus + (number + 1) % family->modulus;
                                         }),
                               images_of(block, [&](std::uint32_t copy, std::uint32_t number) {
                                 return family->copy_to[copy] * family->modulus +
                                        number * family->multiplier % family->modulus;
                               })}) {
      if (blocks.insert(image).second) open.push_back(image);
    }
  }
  SpaceBuilder builder(family->points());
  for (const Block& block : blocks) builder.add(block);
  return builder.build(r2);
}

}  // namespace unknot
