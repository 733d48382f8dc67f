// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/lane_scheme.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oblivious/explicit_paths.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

constexpr PathLengths kMinimal{ObliviousPaths::minimal, 2, 2};
constexpr PathLengths kValiant{ObliviousPaths::valiant, 2, 4};

/// Lanes of the hops of a path with `before` hops up to the intermediate and `after` behind it.
std::vector<std::uint32_t> lanes_of(const LaneScheme& scheme, std::uint32_t before, std::uint32_t after) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t hop = 0; hop < before; ++hop) lanes.push_back(scheme.lane({0, hop, hop}));
  for (std::uint32_t hop = 0; hop < after; ++hop) lanes.push_back(scheme.lane({1, before + hop, hop}));
  return lanes;
}

TEST(LaneScheme, GivesTheLanesItSays) {
  struct Case {
    PathLengths lengths;
    std::string spec;
    std::uint32_t lanes;
    std::vector<std::uint32_t> two_and_two, one_and_two;
  };
  const std::vector<Case> cases = {
      {kMinimal, "single", 1, {}, {}},
      {kMinimal, "hop", 2, {}, {}},
      {kMinimal, "phase", 1, {}, {}},
      {kMinimal, "phase-hop", 2, {}, {}},
      {kValiant, "single", 1, {0, 0, 0, 0}, {0, 0, 0}},
      {kValiant, "hop", 4, {0, 1, 2, 3}, {0, 1, 2}},
      {kValiant, "hop:lanes=3", 3, {0, 1, 2, 2}, {0, 1, 2}},
      {kValiant, "hop:lanes=9", 4, {0, 1, 2, 3}, {0, 1, 2}},
      {kValiant, "hop:1", 1, {0, 0, 0, 0}, {0, 0, 0}},
      {kValiant, "phase", 2, {0, 0, 1, 1}, {0, 1, 1}},
      {kValiant, "phase-hop", 4, {0, 1, 2, 3}, {0, 2, 3}},
      {kValiant, "phase-hop:each=1", 2, {0, 0, 1, 1}, {0, 1, 1}},
      {{ObliviousPaths::valiant, 3, 6}, "phase-hop", 6, {0, 1, 3, 4}, {0, 3, 4}},
      {{ObliviousPaths::valiant, 3, 6}, "phase-hop:each=2", 4, {0, 1, 2, 3}, {0, 2, 3}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spec);
    const LaneScheme scheme = make_lane_scheme(c.lengths, c.spec);
    EXPECT_EQ(scheme.name, c.spec);
    EXPECT_EQ(scheme.lanes, c.lanes);
    if (c.lengths.paths == ObliviousPaths::minimal) {
      const std::vector<std::uint32_t> expected = {0, c.lanes - 1};
      EXPECT_EQ(lanes_of(scheme, 2, 0), expected);
    } else {
      EXPECT_EQ(lanes_of(scheme, 2, 2), c.two_and_two);
      EXPECT_EQ(lanes_of(scheme, 1, 2), c.one_and_two);
    }
  }
}

TEST(LaneScheme, IsAFunctionOfTheLaneBefore) {
  for (const LaneSchemeRow& row : lane_schemes()) {
    for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
      for (const std::uint32_t diameter : {0U, 1U, 2U, 3U, 7U, 31U}) {
        SCOPED_TRACE(row.name + " " + std::to_string(diameter));
        const PathLengths lengths{paths, diameter,
                                  paths == ObliviousPaths::minimal ? diameter : 2 * diameter};
        const LaneScheme scheme = make_lane_scheme(lengths, row.name);
        const LaneSteps steps = lane_steps(scheme, lengths);
        const std::uint32_t after = paths == ObliviousPaths::minimal ? 0 : diameter;
        for (std::uint32_t before = 1; before <= diameter; ++before) {
          std::uint32_t lane = steps.first;
          for (std::uint32_t hop = 0; hop < before + after; ++hop) {
            const bool second = hop >= before;
            ASSERT_LT(lane, scheme.lanes);
            EXPECT_EQ(lane, scheme.lane({second ? 1U : 0U, hop, second ? hop - before : hop}));
            if (hop + 1 < before + after) lane = hop + 1 == before ? steps.turned[lane] : steps.onward[lane];
          }
        }
      }
    }
  }
}

TEST(LaneScheme, RefusesWhatItCannotBe) {
  const auto refusal = [](const PathLengths& lengths, const std::string& spec) {
    try {
      (void)make_lane_scheme(lengths, spec);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_THAT(refusal(kMinimal, "hops"), ::testing::HasSubstr("unknown lane scheme 'hops'"));
  EXPECT_THAT(refusal(kMinimal, "hop:lanes=0"), ::testing::HasSubstr("lanes"));
  EXPECT_THAT(refusal(kMinimal, "single:lanes=2"), ::testing::HasSubstr("lane scheme single"));
  EXPECT_THAT(refusal({ObliviousPaths::valiant, 40, 80}, "hop"),
              ::testing::HasSubstr("paths of up to 80 hops take 80 lanes, at most 64 exist"));
  EXPECT_EQ(refusal({ObliviousPaths::valiant, 40, 80}, "hop:lanes=64"), "taken");
  EXPECT_EQ(refusal({ObliviousPaths::valiant, 4000, 8000}, "phase"), "taken");
}

TEST(PathLengths, AreThoseOfThePathsListedOneByOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Network network = testing::random_fabric(random, seed % 3 == 0);
    const auto paths = testing::all_shortest_paths(network);
    std::size_t diameter = 0;
    std::size_t longest = 0;
    for (const RouterId s : network.routers()) {
      for (const RouterId i : network.routers()) {
        if (s == i || paths[s.value][i.value].empty()) continue;
        const std::size_t first = paths[s.value][i.value].front().size();
        diameter = std::max(diameter, first);
        for (const RouterId d : network.routers()) {
          if (d != s && d != i && !paths[i.value][d.value].empty())
            longest = std::max(longest, first + paths[i.value][d.value].front().size());
        }
      }
    }
    EXPECT_EQ(path_lengths(network, ObliviousPaths::minimal).diameter, diameter);
    EXPECT_EQ(path_lengths(network, ObliviousPaths::minimal).longest, diameter);
    EXPECT_EQ(path_lengths(network, ObliviousPaths::valiant).longest, longest);
  }
}

}  // namespace
}  // namespace unknot
