// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/designs/linear_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void expect_any_two_points_share_one_block(const LinearSpace& space) {
  ASSERT_EQ(space.block_of.size(), std::size_t{space.points} * space.point_degree);
  EXPECT_EQ(space.points, 1 + space.point_degree * (space.block_size - 1));
  EXPECT_EQ(std::uint64_t{space.blocks} * space.block_size, std::uint64_t{space.points} * space.point_degree);
  std::vector<std::vector<std::uint32_t>> members(space.blocks);
  for (std::uint32_t i = 0; i < space.block_of.size(); ++i) {
    ASSERT_LT(space.block_of[i], space.blocks);
    members[space.block_of[i]].push_back(i / space.point_degree);
  }
  std::vector<std::uint32_t> shared(std::size_t{space.points} * space.points, 0);
  for (const auto& block : members) {
    EXPECT_EQ(block.size(), space.block_size);
    for (const std::uint32_t a : block) {
      for (const std::uint32_t b : block) ++shared[std::size_t{a} * space.points + b];
    }
  }
  for (std::uint32_t a = 0; a < space.points; ++a) {
    for (std::uint32_t b = 0; b < space.points; ++b)
      ASSERT_EQ(shared[std::size_t{a} * space.points + b], a == b ? space.point_degree : 1);
  }
}

TEST(LinearSpace, AnyTwoPointsShareOneBlockInEveryKnownDesign) {
  std::vector<std::string> found;
  for (std::uint32_t r2 = 2; r2 <= 10; ++r2) {
    for (std::uint32_t r1 = 1; r1 <= 17; ++r1) {
      const std::string name = known_design(r1, r2);
      if (name.empty()) continue;
      SCOPED_TRACE(name + " r1=" + std::to_string(r1) + " r2=" + std::to_string(r2));
      expect_any_two_points_share_one_block(known_space(r1, r2));
      found.push_back(name);
    }
  }
  for (const char* name : {"projective plane", "all pairs", "lines of a projective space",
                           "lines of an affine space", "Steiner triple system", "Hermitian unital",
                           "difference family of a field", "difference family", "maximal arc"})
    EXPECT_THAT(found, testing::Contains(name));
}

TEST(LinearSpace, LargerOnes) {
  expect_any_two_points_share_one_block(known_space(16, 5));  // unital of order 4
  expect_any_two_points_share_one_block(known_space(31, 3));  // points and lines of PG(5, 2)
  expect_any_two_points_share_one_block(known_space(40, 3));  // Bose, or AG(4, 3)
  expect_any_two_points_share_one_block(known_space(21, 4));  // AG(3, 4)
}

void expect_design(std::uint32_t points, std::uint32_t r2) {
  SCOPED_TRACE("2-(" + std::to_string(points) + "," + std::to_string(r2) + ",1)");
  expect_any_two_points_share_one_block(known_space((points - 1) / (r2 - 1), r2));
}

TEST(LinearSpace, DifferenceFamilies) {
  // a 2-(v,4,1) exists for each v = 1 or 4 modulo 12, a 2-(v,5,1) for each v = 1 or 5 modulo 20 [Hanani]
  for (std::uint32_t points = 13; points < 110; points += 12) {
    expect_design(points, 4);
    if (points < 100) expect_design(points + 3, 4);
  }
  for (std::uint32_t points = 21; points < 140; points += 20) {
    expect_design(points, 5);
    expect_design(points + 4, 5);
  }
  for (const std::uint32_t points : {91U, 151U, 361U}) expect_design(points, 6);
  expect_design(91, 7);
  expect_design(169, 4);
  expect_design(1021, 5);
  EXPECT_EQ(known_design(12, 4), "difference family of a field");
  EXPECT_EQ(known_design(17, 4), "difference family");
  EXPECT_EQ(known_design(12, 6), "");  // whether there is a 2-(61,6,1) nobody knows
}

TEST(LinearSpace, OrbitsOfAGroup) {
  expect_design(66, 6);
  EXPECT_EQ(known_design(13, 6), "orbits of a group");
}

TEST(LinearSpace, MaximalArcs) {
  for (const std::uint32_t points : {120U, 232U}) expect_design(points, 8);
  expect_design(496, 16);
  expect_design(196, 4);
  EXPECT_EQ(known_design(17, 8), "maximal arc");
  EXPECT_EQ(known_design(17, 16), "lines of an affine space");
  EXPECT_EQ(known_design(16, 8), "");
}

TEST(LinearSpace, Ml3bIsTableTwoOfThePaper) {
  // Kathareios et al. 2015, Table 2: k = 4, upper routers of each leaf
  const std::array<std::array<std::uint32_t, 4>, 13> published{{{9, 10, 11, 12},
                                                                {9, 0, 1, 2},
                                                                {9, 3, 4, 5},
                                                                {9, 6, 7, 8},
                                                                {10, 0, 3, 6},
                                                                {10, 1, 4, 7},
                                                                {10, 2, 5, 8},
                                                                {11, 0, 4, 8},
                                                                {11, 1, 5, 6},
                                                                {11, 2, 3, 7},
                                                                {12, 0, 5, 7},
                                                                {12, 1, 3, 8},
                                                                {12, 2, 4, 6}}};
  const LinearSpace space = ml3b_space(4);
  ASSERT_EQ(space.points, published.size());
  for (std::uint32_t i = 0; i < published.size(); ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) EXPECT_EQ(space.block_of[i * 4 + j], published[i][j]) << i;
  }
}

TEST(LinearSpace, RefusesWhatIsNotKnownWithTheNearest) {
  using testing::HasSubstr;
  const auto refusal = [](std::uint32_t r1, std::uint32_t r2) -> std::string {
    try {
      (void)known_space(r1, r2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(7, 7), HasSubstr("r1=8"));  // no projective plane of order 6 exists
  EXPECT_THAT(refusal(5, 3), HasSubstr("whole number"));
  EXPECT_THAT(refusal(5, 3), HasSubstr("r1=4 or r1=6"));
  EXPECT_EQ(refusal(12, 6),
            "topology sspt: no design with r1=12 and r2=6 is known here; nearest: r1=6 or r1=13");
}

}  // namespace
}  // namespace unknot
