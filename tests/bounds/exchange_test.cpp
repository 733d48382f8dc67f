// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/exchange.hpp"

#include <gtest/gtest.h>

#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

TEST(Exchange, AddsUpWeights) {
  const Network network = testing::ring(3, 2);
  const Exchange exchange = exchange_of(network,
                                        pattern_of_flows({{TerminalId(0), TerminalId(1), 2},
                                                          {TerminalId(0), TerminalId(2), 0.5},
                                                          {TerminalId(3), TerminalId(1), 4}}),
                                        1, 0);
  EXPECT_EQ(exchange.flows, 3U);
  EXPECT_EQ(exchange.total, 6.5);
  EXPECT_EQ(exchange.peak_injection, 4);
  EXPECT_EQ(exchange.peak_ejection, 6);
  EXPECT_EQ(exchange.between.inside(), 2);
  EXPECT_EQ(exchange.between.between(), 4.5);
}

TEST(Exchange, CablesOfTerminalsCount) {
  const Network network = testing::ring(3, 2);
  const Exchange exchange = exchange_of(network,
                                        pattern_of_flows({{TerminalId(0), TerminalId(1), 1},
                                                          {TerminalId(2), TerminalId(1), 1},
                                                          {TerminalId(3), TerminalId(1), 2}}),
                                        1, 0);
  const FluidLimit limit = fluid_limit(network, exchange, 3);
  EXPECT_EQ(limit.time, 4);  // what terminal 1 receives
  EXPECT_EQ(limit.saturation, 0.5);
  EXPECT_DOUBLE_EQ(limit.effective_throughput, 4.0 / (4 * 6));
}

TEST(Exchange, OfAnyPatternIsWhatItsFlowsSay) {
  const Network network = make_network("torus:4x4,p=3");
  for (const Pattern& row : patterns()) {
    if (row.read || !row.any_network) continue;
    SCOPED_TRACE(row.name);
    const TrafficPattern pattern = make_pattern(network, row.name);
    const Exchange exchange = exchange_of(network, pattern, 1, 2);
    EXPECT_NEAR(exchange.between.inside() + exchange.between.between(), exchange.total, 1e-9);
    EXPECT_LE(exchange.peak_injection, 6);
    EXPECT_GE(exchange.peak_injection, 1);
    const FluidLimit limit = fluid_limit(network, exchange, 0);
    EXPECT_GT(limit.effective_throughput, 0);
    EXPECT_LE(limit.effective_throughput, limit.saturation + 1e-12);
    EXPECT_LE(limit.saturation, 1);
  }
}

TEST(Exchange, NothingToSendTakesNoTime) {
  const Network network = testing::single(1);
  for (const char* pattern : {"uniform", "all-to-all", "shift", "stencil3d"}) {
    const FluidLimit limit =
        fluid_limit(network, exchange_of(network, make_pattern(network, pattern), 1, 0), 0);
    EXPECT_EQ(limit.time, 0);
    EXPECT_EQ(limit.saturation, 1);
  }
}

}  // namespace
}  // namespace unknot
