// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/channel_load.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "effort.hpp"
#include "verify/random_routings.hpp"
#include "verify/reference_checker.hpp"

namespace unknot {
namespace {

using Load = std::vector<std::uint64_t>;

TEST(ChannelLoad, AgreesWithWalkingEveryPair) {
  const std::uint64_t cases = fewer_cases() ? 304 : 600;
  const std::uint64_t large = fewer_cases() ? 4 : 10;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomCase made = seed < cases - large ? testing::random_case(seed)
                                                    : testing::random_case(seed, seed % 2 == 0 ? 12 : 4, 80);
    made.routing.service_levels = ServiceLevels();
    made.routing.lane_map = nullptr;
    const testing::Reference reference = testing::reference_check(made.network, made.routing);
    Load expected(made.network.channel_count(), 0);
    for (const auto& [pair, path] : reference.paths) {
      if (path.outcome != testing::Outcome::delivered) continue;
      for (const auto& [channel, lane] : path.hops) ++expected[channel];
    }
    for (const std::uint32_t threads : {1U, 2U, 3U})
      ASSERT_EQ(channel_load(made.network, made.routing, threads), expected) << threads;
  }
}

TEST(ChannelLoad, RingsAndStars) {
  const Network ring = testing::ring(5);
  EXPECT_EQ(channel_load(ring, testing::shortest_paths(ring, 1)), Load(10, 3));
  // A leaf's two terminals send to six others and hear from them.
  const Network star = testing::star(4, 2);
  EXPECT_EQ(channel_load(star, testing::shortest_paths(star, 1)), Load(8, 12));
}

TEST(LoadStatistics, CountUnusedChannels) {
  const LoadStatistics statistics = load_statistics({0, 4, 2, 2});
  EXPECT_EQ(statistics.max, 4U);
  EXPECT_EQ(statistics.min, 0U);
  EXPECT_DOUBLE_EQ(statistics.mean, 2);
  EXPECT_DOUBLE_EQ(statistics.sigma4, std::pow(8.0, 0.25));
  EXPECT_EQ(load_statistics({}).max, 0U);
}

TEST(Sigma, OfSmallVectors) {
  EXPECT_DOUBLE_EQ(sigma({3, 3, 3}, 4), 0);
  EXPECT_DOUBLE_EQ(sigma({1, 3}, 1), 1);
  EXPECT_DOUBLE_EQ(sigma({0, 0, 0, 4}, 1), 1.5);
  EXPECT_DOUBLE_EQ(sigma({0, 0, 0, 4}, 2), std::sqrt(3.0));
  // A high order approaches the largest deviation.
  EXPECT_NEAR(sigma({0, 0, 0, 4}, 200), 3, 0.03);
  EXPECT_DOUBLE_EQ(sigma({}, 4), 0);
  // Against another ideal than the mean.
  EXPECT_DOUBLE_EQ(sigma({3, 3}, 4, 1), 2);
}

}  // namespace
}  // namespace unknot
