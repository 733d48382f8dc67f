// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/transition_check.hpp"

#include <gtest/gtest.h>

#include "unknot/engines/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

Routing routed(const Network& network, const char* engine) {
  Progress quiet;
  return route(network, engine, {.virtual_lanes = 8, .parameters = {}}, quiet);
}

TransitionVerdict judge(const Network& network, const Routing& before, const Routing& after,
                        std::uint32_t threads = 0) {
  Progress quiet;
  return verify_transition(network, before, after, threads, quiet);
}

/// Tables of a ring of four with one terminal each: the hops each source takes clockwise, the rest the other
/// way. `clockwise[d]`: sources that go clockwise to d.
Routing ring_tables(const Network& ring, const std::vector<std::vector<std::uint32_t>>& clockwise) {
  Routing routing;
  routing.paths = ForwardingTable(ring);
  for (std::uint32_t d = 0; d < 4; ++d) {
    for (std::uint32_t s = 0; s < 4; ++s) {
      if (s == d) continue;
      const bool with = std::find(clockwise[d].begin(), clockwise[d].end(), s) != clockwise[d].end();
      const std::uint32_t next = with ? (s + 1) % 4 : (s + 3) % 4;
      const IdRange<ChannelId> out = ring.out(RouterId(s));
      for (std::uint32_t p = 0; p < out.size(); ++p) {
        if (ring.target(out[p]).value == next) routing.table().set(RouterId(s), TerminalId(d), p);
      }
    }
  }
  return routing;
}

TEST(TransitionCheck, TheSameTablesAreJudgedAsTheCheckerDoes) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "kautz:b=2,n=3,p=2", "xgft:m=4x3,w=2x2,p=2"}) {
    const Network network = make_network(spec);
    for (const char* engine : {"minhop", "updn", "dfsssp"}) {
      Routing routing = routed(network, engine);
      for (const std::uint32_t lanes : {Routing::kAnyLanes, 1U}) {
        limit_lanes(routing, lanes);
        const Verdict verdict = verify(network, routing, {}, quiet);
        const TransitionVerdict step = judge(network, routing, routing);
        EXPECT_EQ(step.deadlock_free, verdict.deadlock_free) << spec << engine << lanes;
        EXPECT_EQ(step.dependencies, verdict.dependencies) << spec << engine << lanes;
        EXPECT_EQ(step.cycle.empty(), step.deadlock_free);
        EXPECT_EQ(step.cycle.size(), verdict.witness ? verdict.witness->steps.size() : 0U);
      }
    }
  }
}

TEST(TransitionCheck, TwoSoundTablesCanHaveACycleBetweenThem) {
  const Network ring = make_network("ring:4");
  // Each breaks the clockwise circle at another place; together they have all of it.
  const Routing one = ring_tables(ring, {{3, 2}, {}, {}, {2}});
  const Routing other = ring_tables(ring, {{}, {0}, {0, 1}, {1, 2}});
  EXPECT_TRUE(judge(ring, one, one).deadlock_free);
  EXPECT_TRUE(judge(ring, other, other).deadlock_free);
  const TransitionVerdict both = judge(ring, one, other);
  EXPECT_FALSE(both.deadlock_free);
  EXPECT_GE(both.cycle.size(), 2U);
  EXPECT_EQ(both.dependencies, judge(ring, one, other, 1).dependencies);
}

TEST(TransitionCheck, ALoopOfOldAndNewEntriesIsACycle) {
  // Towards terminal 0, router 1 went straight and now goes round by 2, which went by 1 before.
  const Network ring = make_network("ring:4");
  const Routing before = ring_tables(ring, {{3}, {0}, {1}, {1, 2}});
  const Routing after = ring_tables(ring, {{1, 2, 3}, {0}, {1}, {1, 2}});
  EXPECT_TRUE(judge(ring, before, before).deadlock_free);
  EXPECT_TRUE(judge(ring, after, after).deadlock_free);
  const TransitionVerdict verdict = judge(ring, before, after);
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_EQ(verdict.cycle.size(), 2U);
}

TEST(TransitionCheck, PathsThatAreNotSentDoNotCount) {
  const Network ring = make_network("ring:4");
  Routing before = ring_tables(ring, {{3}, {0}, {1}, {2}});
  Routing after = ring_tables(ring, {{1, 2, 3}, {0}, {1}, {2}});
  for (Routing* routing : {&before, &after}) {
    routing->service_levels = ServiceLevels(ring, ServiceLevels::Rows::by_router);
    for (const std::uint32_t source : {1, 2})
      routing->service_levels.row(source)[0] = ServiceLevels::kMissing;
  }
  EXPECT_TRUE(judge(ring, before, after).deadlock_free);
  before.service_levels.row(2)[0] = 0;  // packets of a path that is being withdrawn are still there
  EXPECT_FALSE(judge(ring, before, after).deadlock_free);
}

TEST(TransitionCheck, LanesSeparateOldFromNew) {
  const Network ring = make_network("ring:4");
  Routing one = ring_tables(ring, {{3, 2}, {}, {}, {2}});
  Routing other = ring_tables(ring, {{}, {0}, {0, 1}, {1, 2}});
  // Packets of other levels may meet new entries, so that levels of their own are not enough...
  one.service_levels = ServiceLevels(ring, ServiceLevels::Rows::by_router, 0);
  other.service_levels = ServiceLevels(ring, ServiceLevels::Rows::by_router, 1);
  EXPECT_FALSE(judge(ring, one, other).deadlock_free);
  // ... a lane that either declares may be there ...
  limit_lanes(one, 1);
  EXPECT_FALSE(judge(ring, one, other).deadlock_free);
  limit_lanes(other, 1);
  one.service_levels = other.service_levels;
  EXPECT_TRUE(judge(ring, one, other).deadlock_free);
  // ... and what cannot be followed is refused.
  other.service_levels.row(0)[1] = 16;
  EXPECT_THROW((void)judge(ring, one, other), InputError);
}

}  // namespace
}  // namespace unknot
