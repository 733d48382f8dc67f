// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/steady_source.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

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
      // Of so many gaps the mean is off by sqrt((1 - p) / n) of itself; four times that is chance no more.
      EXPECT_NEAR(offered / probability, 1, 4 * std::sqrt((1 - probability) / kPackets) + 1e-4) << load;
    }
  }
}

}  // namespace
}  // namespace unknot::simulate
