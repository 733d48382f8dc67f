// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/steady_source.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"

namespace unknot::simulate {
namespace {

/// Gaps are drawn from a table, which has an entry for long gaps however rare they are.
TEST(SteadySource, OffersTheLoadUpToTheVeryEnd) {
  const Network network = make_network("ring:4");
  const Destinations destinations(network, make_pattern(network, "uniform"), 1);
  for (const double load : {0.05, 0.3, 0.5, 0.75, 0.9, 0.902, 0.92, 0.96, 0.98, 0.999, 0.9999999, 1.0}) {
    for (const std::uint32_t flits : {1U, 4U}) {
      SteadySource source(destinations, 4, load, flits, 7);
      constexpr int kPackets = 40'000;
      NewPacket packet;
      for (int i = 0; i < kPackets; ++i) ASSERT_TRUE(source.next(0, 0, packet));
      const double probability = load / flits;
      const double offered = kPackets / static_cast<double>(packet.created + 1);
      // Of this many gaps the mean is off by sqrt((1 - p) / n) of itself; four times that is chance no more.
      EXPECT_NEAR(offered / probability, 1, 4 * std::sqrt((1 - probability) / kPackets) + 1e-4) << load;
    }
  }
}

// Gaps longer than any number of cycles are no gaps of any length.
TEST(SteadySource, TinyLoadsAreTiny) {
  const Network network = make_network("ring:64");
  const Destinations destinations(network, make_pattern(network, "uniform"), 1);
  for (const double load : {1e-15, 1e-17, 1e-19, 1e-20, 1e-30, 1e-100, 1e-308}) {
    SteadySource source(destinations, 64, load, 1, 7);
    for (std::uint32_t t = 0; t < 64; ++t) {
      NewPacket packet;
      // Of 64 gaps with this mean one in a thousand runs has one of a hundred thousandth.
      for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(!source.next(t, 0, packet) || static_cast<double>(packet.created) > 1e-5 / load) << load;
    }
  }
}

TEST(SteadySource, WeightsMayDifferByAnyFactor) {
  const Network network = make_network("ring:4");
  const Destinations destinations(network,
                                  pattern_of_flows({{TerminalId(0), TerminalId(1), 1e15},
                                                    {TerminalId(1), TerminalId(0), 1e-9},
                                                    {TerminalId(2), TerminalId(0), 1e7}}),
                                  1);
  SteadySource source(destinations, 4, 1, 1, 7);
  NewPacket packet;
  ASSERT_TRUE(source.next(0, 0, packet));
  EXPECT_EQ(packet.created, 0U);
  EXPECT_TRUE(!source.next(1, 0, packet) || packet.created > 1'000'000'000'000'000);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(source.next(2, 0, packet));
  sum = static_cast<double>(packet.created) / 1000;
  EXPECT_NEAR(sum / 1e8, 1, 0.15);
}

/// The state from which the generator draws the largest number there is: SplitMix64 turned back.
TerminalRandom before_the_largest() {
  std::uint64_t z = ~std::uint64_t{0};
  z ^= z >> 31U ^ z >> 62U;
  z *= 0x319642B2D24D8EC3U;
  z ^= z >> 27U ^ z >> 54U;
  z *= 0x96DE1B173F119089U;
  z ^= z >> 30U ^ z >> 60U;
  TerminalRandom random;
  random.state = z - 0x9E3779B97F4A7C15U;
  return random;
}

TEST(Destinations, RareOnesAreAsRareAsTheirWeights) {
  TerminalRandom check = before_the_largest();
  ASSERT_EQ(check.next(), ~std::uint64_t{0});
  const Network network = make_network("ring:4");
  const Destinations destinations(
      network, pattern_of_flows({{TerminalId(0), TerminalId(1), 1e15}, {TerminalId(0), TerminalId(2), 1e-9}}),
      1);
  TerminalRandom random = before_the_largest();
  EXPECT_EQ(destinations.draw(0, random), 1U);
}

}  // namespace
}  // namespace unknot::simulate
