// SPDX-License-Identifier: Apache-2.0
// Terminals with several addresses: the tables to all of them are in force at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;

Routing updn(const Network& network) {
  Progress silent;
  return route(network, "updn", {}, silent);
}

/// Every packet goes on to the router with the next number: tables that deadlock on a ring.
Routing around(const Network& ring) {
  Routing routing;
  routing.paths = ForwardingTable(ring);
  const std::uint32_t routers = ring.router_count();
  for (const RouterId r : ring.routers()) {
    std::uint32_t position = 0;
    while (ring.target(ring.out(r)[position]).value != (r.value + 1) % routers) ++position;
    for (const TerminalId t : ring.terminals()) {
      if (ring.router_of(t) != r) routing.table().set(r, t, position);
    }
  }
  return routing;
}

Verdict verdict_of(const Network& network, const Routing& routing) {
  Progress silent;
  VerifyOptions options;
  options.certificate = true;
  return verify(network, routing, options, silent);
}

TEST(FurtherAddresses, AreFollowedToo) {
  const Network ring = make_network("ring:5");
  Routing routing = updn(ring);
  const Verdict alone = verdict_of(ring, routing);
  ASSERT_TRUE(alone.deadlock_free);
  routing.further.push_back(routing);
  const Verdict twice = verdict_of(ring, routing);
  EXPECT_EQ(twice.addresses, 2U);
  EXPECT_EQ(twice.pairs, 2 * alone.pairs);
  EXPECT_EQ(twice.total_hops, 2 * alone.total_hops);
  EXPECT_EQ(twice.dependencies, alone.dependencies);
  ASSERT_TRUE(twice.deadlock_free);
  EXPECT_TRUE(check_certificate(ring, routing, *twice.certificate, nullptr));

  routing.further[0] = around(ring);
  const Verdict other = verdict_of(ring, routing);
  EXPECT_TRUE(other.complete());
  EXPECT_FALSE(other.deadlock_free);
  ASSERT_TRUE(other.witness);
  bool of_second = false;
  for (const WitnessStep& step : other.witness->steps) of_second = of_second || step.address == 1;
  EXPECT_TRUE(of_second);
  EXPECT_THAT(describe(ring, *other.witness), HasSubstr("(address 2 of it)"));
  // The proof for the lowest addresses is none for all of them.
  std::string why;
  EXPECT_FALSE(check_certificate(ring, routing, *alone.certificate, &why));
  EXPECT_NE(why, "");
}

TEST(FurtherAddresses, MustBeReached) {
  const Network ring = make_network("ring:4");
  Routing routing = updn(ring);
  routing.further.push_back(routing);
  routing.further[0].table().set(RouterId(0), TerminalId(1), ForwardingTable::kNone);
  const Verdict verdict = verdict_of(ring, routing);
  EXPECT_FALSE(verdict.complete());
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings[0].address, 1U);
  EXPECT_THAT(describe(ring, verdict.findings[0]), HasSubstr("to H-1 (address 2 of it)"));
}

}  // namespace
}  // namespace unknot
