// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/plan_check.hpp"

#include <gtest/gtest.h>

#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/transition/transition_check.hpp"
#include "verify/packet_search.hpp"

namespace unknot {
namespace {

using testing::PacketSearch;

PlanVerdict judge_plan(const Network& network, const Routing& before,
                       const std::vector<TransitionStep>& steps, std::uint32_t threads = 1) {
  Progress quiet;
  return verify_plan(network, before, steps, threads, quiet);
}

bool each_step_alone_is_safe(const Network& network, const Routing& before,
                             const std::vector<TransitionStep>& steps) {
  Progress quiet;
  Routing at = before;
  for (const TransitionStep& step : steps) {
    Routing next = at;
    apply_step(step, next);
    if (!verify_transition(network, at, next, 1, quiet).deadlock_free) return false;
    at = std::move(next);
  }
  return true;
}

/// Routers 2 - 1 - 0 - 4 - 3 in a line, what is left of a ring, a terminal at each but 0. The tables are of
/// the ring, from which the cable 2 - 3 has gone, and the two steps bring those of the line.
struct CutRing {
  Network network;
  Routing before;
  std::vector<TransitionStep> steps;

  CutRing() {
    NetworkBuilder builder;
    builder.add_routers(5);
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(3, 4), std::pair(4, 0)})
      builder.add_cable(RouterId(static_cast<std::uint32_t>(a)), RouterId(static_cast<std::uint32_t>(b)));
    for (std::uint32_t r = 1; r < 5; ++r) builder.add_terminal(RouterId(r));
    network = std::move(builder).build();
    before.paths = ForwardingTable(network);
    set(0, {1, 1, 4, 4});
    set(1, {kNobody, 2, 2, 0});
    set(2, {1, kNobody, kNobody, kNobody});
    set(3, {kNobody, kNobody, kNobody, 4});
    set(4, {0, 3, 3, kNobody});
    steps = {{"nearest", {change(3, 0, 4), change(4, 1, 0), change(1, 2, 0), change(2, 3, 1)}, {}},
             {"next", {change(3, 1, 4), change(2, 2, 1)}, {}}};
  }

  static constexpr std::uint32_t kNobody = 99;
  [[nodiscard]] std::uint32_t towards(std::uint32_t from, std::uint32_t to) const {
    const IdRange<ChannelId> out = network.out(RouterId(from));
    for (std::uint32_t p = 0; p < out.size(); ++p) {
      if (network.target(out[p]).value == to) return p;
    }
    return ForwardingTable::kNone;
  }
  void set(std::uint32_t router, const std::vector<std::uint32_t>& next) {
    for (std::uint32_t d = 0; d < next.size(); ++d) {
      if (network.router_of(TerminalId(d)).value != router)
        before.table().set(RouterId(router), TerminalId(d), towards(router, next[d]));
    }
  }
  [[nodiscard]] EntryChange change(std::uint32_t router, std::uint32_t d, std::uint32_t next) const {
    return {RouterId(router), TerminalId(d), ForwardingTable::kNone, towards(router, next)};
  }
};

TEST(PlanCheck, PacketsOfEarlierStepsAreStillThere) {
  CutRing ring;
  ASSERT_TRUE(each_step_alone_is_safe(ring.network, ring.before, ring.steps));
  const PlanVerdict verdict = judge_plan(ring.network, ring.before, ring.steps);
  EXPECT_FALSE(verdict.deadlock_free());
  EXPECT_EQ(verdict.first_unsafe(), 1U);
  // Packets of step 1 turn back in step 2, all of them: every channel of the line, each waiting for the next.
  EXPECT_EQ(verdict.steps[1].cycle.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const ChannelId from = verdict.steps[1].cycle[i].channel;
    const ChannelId to = verdict.steps[1].cycle[(i + 1) % 8].channel;
    EXPECT_EQ(ring.network.target(from), ring.network.source(to));
  }
  ring.steps[1].wait = true;
  EXPECT_TRUE(judge_plan(ring.network, ring.before, ring.steps).deadlock_free());
}

/// One hop to each neighbour, withdrawn; then those against the clock get two hops with it. Nobody sends any
/// more, and yet what waits on the hosts' own cables goes that way.
TEST(PlanCheck, PacketsOnTheCableOfTheirHostAreStillThere) {
  const Network ring = make_network("ring:3");
  Routing before;
  before.paths = ForwardingTable(ring);
  before.service_levels = ServiceLevels(ring, ServiceLevels::Rows::by_router);
  std::vector<TransitionStep> steps{{"withdrawn", {}, {}}, {"the other way", {}, {}}};
  for (const TerminalId d : ring.terminals()) {
    const std::uint32_t home = ring.router_of(d).value;
    for (const RouterId r : ring.routers()) {
      steps[0].levels.push_back({r.value, d, 0, ServiceLevels::kMissing});
      if (r.value == home) continue;
      const std::uint32_t direct = ring.target(ring.out(r)[0]).value == home ? 0 : 1;
      before.table().set(r, d, direct);
      if ((r.value + 2) % 3 == home) steps[1].entries.push_back({r, d, direct, 1 - direct});
    }
  }
  const PlanVerdict verdict = judge_plan(ring, before, steps);
  EXPECT_EQ(verdict.first_unsafe(), 1U);
  EXPECT_EQ(verdict.steps[1].cycle.size(), 3U);
  steps[1].wait = true;
  EXPECT_TRUE(judge_plan(ring, before, steps).deadlock_free());
}

TEST(PlanCheck, OneStepIsJudgedAsAMixtureOfTwoTables) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "xgft:m=4x3,w=2x2,p=2"}) {
    const Network network = make_network(spec);
    const Routing before = route(network, "updn", {.virtual_lanes = 8, .parameters = {}}, quiet);
    for (const char* engine : {"updn", "minhop", "dfsssp"}) {
      const Routing after = route(network, engine, {.virtual_lanes = 8, .parameters = {}}, quiet);
      TransitionStep all{"all", {}, {}};
      Routing levelled = before;
      levelled.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
      for (const TerminalId d : network.terminals()) {
        for (const RouterId r : network.routers())
          all.entries.push_back({r, d, before.table().get(r, d), after.table().get(r, d)});
        for (std::uint32_t row = 0; row < levelled.service_levels.row_count(); ++row) {
          const std::uint8_t level =
              after.service_levels.empty() ? std::uint8_t{0} : after.service_levels.row(row)[d.value];
          all.levels.push_back({row, d, 0, level});
        }
      }
      const TransitionVerdict mixture = verify_transition(network, before, after, 1, quiet);
      const PlanVerdict plan = judge_plan(network, levelled, {all});
      EXPECT_EQ(plan.deadlock_free(), mixture.deadlock_free) << spec << engine;
      EXPECT_EQ(plan.steps[0].cycle.size(), mixture.cycle.size()) << spec << engine;
      EXPECT_EQ(judge_plan(network, levelled, {all}, 3).steps[0].cycle, plan.steps[0].cycle)
          << spec << engine;
    }
  }
}

TEST(PlanCheck, LanesThatAreNotThereHoldNothing) {
  CutRing ring;
  ring.before.service_levels = ServiceLevels(ring.network, ServiceLevels::Rows::by_router, 1);
  limit_lanes(ring.before, 2);
  EXPECT_FALSE(judge_plan(ring.network, ring.before, ring.steps).deadlock_free());
  limit_lanes(ring.before, 1);
  EXPECT_TRUE(judge_plan(ring.network, ring.before, ring.steps).deadlock_free());
  // Levels that a step brings are on a lane that is there.
  for (const TerminalId d : ring.network.terminals()) {
    for (std::uint32_t row = 0; row < ring.before.service_levels.row_count(); ++row)
      ring.steps[0].levels.push_back({row, d, 1, 0});
  }
  EXPECT_EQ(judge_plan(ring.network, ring.before, ring.steps).first_unsafe(), 1U);
}

TEST(PlanCheck, WhatCannotBeFollowedIsRefused) {
  CutRing ring;
  EXPECT_TRUE(judge_plan(ring.network, ring.before, {}).deadlock_free());
  ring.before.further.emplace_back();
  EXPECT_THROW((void)judge_plan(ring.network, ring.before, ring.steps), InputError);
  EXPECT_THROW((void)each_step_alone_is_safe(ring.network, ring.before, ring.steps), InputError);
}

TEST(PlanCheck, ThePlanThatLocksIsRefusedAndTheOneThatWaitsDoesNotLock) {
  CutRing ring;
  const std::vector<TerminalId> turned{TerminalId(1), TerminalId(2)};  // whose packets turn back
  const PacketSearch::Found refused = PacketSearch(ring.network, ring.before, ring.steps, turned).run();
  EXPECT_TRUE(refused.locks);
  ring.steps[1].wait = true;
  const PacketSearch::Found waits = PacketSearch(ring.network, ring.before, ring.steps, turned).run();
  EXPECT_GT(waits.states, 100U);
  EXPECT_FALSE(waits.circle);
}

/// Random tables and plans on a ring of three: whatever the checker calls safe never locks, however it goes.
TEST(PlanCheck, NoWayOfMakingASafePlanLocks) {
  const Network ring = make_network("ring:3");
  std::uint32_t safe = 0, refused = 0, locked = 0, only_by_steps_before = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    Routing before;
    before.paths = ForwardingTable(ring);
    const auto any = [&] { return random.below(8) == 0 ? ForwardingTable::kNone : random.below(2); };
    for (const TerminalId d : ring.terminals()) {
      for (const RouterId r : ring.routers()) {
        if (ring.router_of(d) != r) before.table().set(r, d, any());
      }
    }
    std::vector<TransitionStep> steps(2 + random.below(2));
    for (TransitionStep& step : steps) {
      step.wait = random.below(4) == 0;
      for (const TerminalId d : ring.terminals()) {
        for (const RouterId r : ring.routers()) {
          if (ring.router_of(d) != r && random.below(3) == 0) step.entries.push_back({r, d, 0, any()});
        }
      }
    }
    const bool yes = judge_plan(ring, before, steps).deadlock_free();
    const PacketSearch::Found found =
        PacketSearch(ring, before, steps, {TerminalId(0), TerminalId(1), TerminalId(2)}).run();
    EXPECT_FALSE(yes && found.circle) << seed;
    ++(yes ? safe : refused);
    locked += found.circle ? 1 : 0;
    only_by_steps_before += !yes && each_step_alone_is_safe(ring, before, steps) ? 1 : 0;
  }
  EXPECT_GT(safe, 10U);
  EXPECT_GT(refused, 20U);
  EXPECT_GT(locked, 20U);
  EXPECT_GT(only_by_steps_before, 0U);
}

}  // namespace
}  // namespace unknot
