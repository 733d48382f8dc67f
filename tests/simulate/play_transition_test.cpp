// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_transition.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/transition/plan_check.hpp"

namespace unknot::simulate {
namespace {

using Steps = std::vector<TransitionStep>;

/// Buffers that are soon full.
Settings tight(std::uint64_t seed) {
  Settings settings;
  settings.vcs = 0;
  settings.vc_buffer = 2;
  settings.seed = seed;
  return settings;
}

TransitionReport play(const Network& network, const Routing& before, const Steps& steps,
                      const Settings& settings, std::uint64_t step_cycles) {
  Progress quiet;
  RoutePlan plan = plan_changing(network, before, lanes_of(before, steps));
  return play_transition(plan, settings, make_pattern(network, "uniform"), steps, step_cycles, quiet);
}

bool proven(const Network& network, const Routing& before, const Steps& steps) {
  Progress quiet;
  return verify_plan(network, before, steps, 1, quiet).deadlock_free();
}

/// A ring of six on which packets keep off one cable, then off the one across from it.
struct TwoLines {
  Network network = make_network("ring:6");
  Routing before, after;
  TransitionStep all{"all", {}, {}};

  TwoLines() {
    before.paths = after.paths = ForwardingTable(network);
    before.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
    for (const TerminalId d : network.terminals()) {
      for (const RouterId r : network.routers()) {
        if (network.router_of(d) == r) continue;
        before.table().set(r, d, without(5, r.value, d.value));
        after.table().set(r, d, without(2, r.value, d.value));
        if (before.table().get(r, d) != after.table().get(r, d))
          all.entries.push_back({r, d, before.table().get(r, d), after.table().get(r, d)});
      }
    }
  }
  /// The way that does not use the cable from `gap` to `gap` + 1.
  [[nodiscard]] std::uint32_t without(std::uint32_t gap, std::uint32_t from, std::uint32_t to) const {
    const auto place = [&](std::uint32_t router) { return (router + 5 - gap) % 6; };
    const std::uint32_t next = (place(to) > place(from) ? from + 1 : from + 5) % 6;
    const IdRange<ChannelId> out = network.out(RouterId(from));
    return network.target(out[0]).value == next ? 0 : 1;
  }
  [[nodiscard]] TransitionStep levels(std::uint8_t level) const {
    TransitionStep step{"levels", {}, {}};
    for (std::uint32_t row = 0; row < before.service_levels.row_count(); ++row) {
      for (const TerminalId d : network.terminals()) step.levels.push_back({row, d, 0, level});
    }
    return step;
  }
};

TEST(PlayTransition, TwoTablesThatLockTogetherDoSo) {
  const TwoLines ring;
  EXPECT_FALSE(proven(ring.network, ring.before, {ring.all}));
  const TransitionReport played = play(ring.network, ring.before, {ring.all}, tight(1), 500);
  ASSERT_FALSE(played.deadlock.empty());
  EXPECT_EQ(played.phases.size(), 2U);
  EXPECT_FALSE(played.complete());
  EXPECT_GT(played.phases[0].arrived, 200U);
}

TEST(PlayTransition, DrainedPathsDoNotLockWhereTheStepWaits) {
  const TwoLines ring;
  Steps steps{ring.levels(ServiceLevels::kMissing), ring.all, ring.levels(0)};
  EXPECT_FALSE(proven(ring.network, ring.before, steps));
  std::uint32_t locked = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    locked += play(ring.network, ring.before, steps, tight(seed), 12).deadlock.empty() ? 0 : 1;
  EXPECT_GT(locked, 0U);
  steps[1].wait = true;
  EXPECT_TRUE(proven(ring.network, ring.before, steps));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const TransitionReport played = play(ring.network, ring.before, steps, tight(seed), 12);
    EXPECT_TRUE(played.complete()) << seed;
    EXPECT_EQ(played.phases.size(), 4U);
    EXPECT_GT(played.phases[2].waited, 0U);
    for (const TransitionPhase& phase : played.phases) EXPECT_EQ(phase.lost, 0U);
    EXPECT_GT(played.phases[3].arrived, 0U);
  }
}

/// Paths of one hop on a ring of three, which are withdrawn; then those against the clock get two hops with
/// it. Only what still waits on the cables of the hosts goes that way, and can lock.
TEST(PlayTransition, PacketsOnTheCableOfTheirHostAreOfAnEarlierStep) {
  const Network network = make_network("ring:3,p=8");
  Routing before;
  before.paths = ForwardingTable(network);
  before.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  Steps steps{{"withdrawn", {}, {}}, {"the other way", {}, {}}};
  for (const TerminalId d : network.terminals()) {
    const std::uint32_t home = network.router_of(d).value;
    for (const RouterId r : network.routers()) {
      steps[0].levels.push_back({r.value, d, 0, ServiceLevels::kMissing});
      if (r.value == home) continue;
      const std::uint32_t direct = network.target(network.out(r)[0]).value == home ? 0 : 1;
      before.table().set(r, d, direct);
      if ((r.value + 2) % 3 == home) steps[1].entries.push_back({r, d, direct, 1 - direct});
    }
  }
  EXPECT_FALSE(proven(network, before, steps));
  std::uint32_t locked = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    locked += play(network, before, steps, tight(seed), 2).deadlock.empty() ? 0 : 1;
  EXPECT_GT(locked, 0U);
  steps[1].wait = true;
  EXPECT_TRUE(proven(network, before, steps));
}

TEST(PlayTransition, APacketWithoutAnEntryIsLostAndOthersGoOn) {
  const Network network = make_network("mesh:3");
  Progress quiet;
  const Routing before = route(network, "minhop", {.virtual_lanes = 1, .parameters = {}}, quiet);
  const RouterId middle(1);
  const std::uint32_t entry = before.table().get(middle, TerminalId(2));
  const Steps steps{{"gone", {{middle, TerminalId(2), entry, ForwardingTable::kNone}}, {}},
                    {"back", {{middle, TerminalId(2), 0, entry}}, {}}};
  for (const std::uint32_t flits : {1U, 5U}) {
    Settings settings = tight(1);
    settings.packet_flits = flits;
    const TransitionReport played = play(network, before, steps, settings, 2000);
    EXPECT_TRUE(played.complete());
    EXPECT_EQ(played.phases[0].lost, 0U);
    EXPECT_GT(played.phases[1].lost, 10U);
    EXPECT_GT(played.phases[1].arrived, 50U);
    EXPECT_EQ(played.lost_in_the_end, 0U);
    const TransitionReport open = play(network, before, {steps[0]}, settings, 2000);
    EXPECT_TRUE(open.complete());
    EXPECT_GT(open.lost_in_the_end, 10U);
  }
}

TEST(PlayTransition, PacketsThatTravelInACircleAreWaitedForNoLongerThanDrain) {
  const Network network = make_network("ring:3");
  Routing before;
  before.paths = ForwardingTable(network);
  // Everything to H-2 goes to and fro between the others, and nothing else is sent.
  for (std::uint32_t r = 0; r < 2; ++r) {
    const IdRange<ChannelId> out = network.out(RouterId(r));
    before.table().set(RouterId(r), TerminalId(2), network.target(out[0]).value == 1 - r ? 0 : 1);
  }
  before.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal, ServiceLevels::kMissing);
  before.service_levels.row(before.service_levels.row_of(TerminalId(0)))[2] = 0;
  const TransitionStep no_more{
      "no more",
      {},
      {{before.service_levels.row_of(TerminalId(0)), TerminalId(2), 0, ServiceLevels::kMissing}}};
  const TransitionStep later{"later", {}, {}, true};
  Settings settings = tight(1);
  settings.drain = 200;
  settings.vc_buffer = 64;
  const TransitionReport played = play(network, before, {no_more, later}, settings, 5);
  EXPECT_TRUE(played.deadlock.empty());
  EXPECT_FALSE(played.complete());
  EXPECT_GT(played.travelling, 0U);
  EXPECT_EQ(played.phases.size(), 3U);
  EXPECT_EQ(played.phases.back().waited, 200U);
}

TEST(PlayTransition, TheSameSeedPlaysTheSame) {
  const TwoLines ring;
  const Steps steps{ring.levels(ServiceLevels::kMissing), ring.all, ring.levels(0)};
  const TransitionReport one = play(ring.network, ring.before, steps, tight(7), 40);
  const TransitionReport two = play(ring.network, ring.before, steps, tight(7), 40);
  EXPECT_EQ(one.cycles, two.cycles);
  EXPECT_EQ(one.phases.back().arrived, two.phases.back().arrived);
  EXPECT_NE(one.cycles, play(ring.network, ring.before, steps, tight(8), 40).cycles);
}

/// Random tables, levels and plans on small rings: what is called safe never locks, with every buffer full.
TEST(PlayTransition, NoSafePlanLocks) {
  std::uint32_t safe = 0, refused = 0, locked = 0;
  const std::uint64_t cases = fewer_cases() ? 400 : 20'000;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random random(seed);
    const Network ring = make_network(seed % 3 == 0 ? "ring:4" : seed % 3 == 1 ? "ring:3" : "ring:3,p=2");
    Routing before;
    before.paths = ForwardingTable(ring);
    before.service_levels = ServiceLevels(ring, ServiceLevels::Rows::by_router);
    before.virtual_lanes = 2;
    const auto any_entry = [&] { return random.below(12) == 0 ? ForwardingTable::kNone : random.below(2); };
    const auto any_level = [&] {
      const std::uint32_t drawn = random.below(5);
      return drawn == 4 ? ServiceLevels::kMissing : static_cast<std::uint8_t>(drawn % 2);
    };
    for (const TerminalId d : ring.terminals()) {
      for (const RouterId r : ring.routers()) {
        if (ring.router_of(d) != r) before.table().set(r, d, any_entry());
      }
      for (std::uint32_t row = 0; row < before.service_levels.row_count(); ++row)
        before.service_levels.row(row)[d.value] = any_level();
    }
    Steps steps(2 + random.below(3));
    for (TransitionStep& step : steps) {
      step.wait = random.below(5) == 0;
      const bool of_entries = random.below(2) == 0;
      for (const TerminalId d : ring.terminals()) {
        for (const RouterId r : ring.routers()) {
          if (of_entries && ring.router_of(d) != r && random.below(3) == 0)
            step.entries.push_back({r, d, 0, any_entry()});
          if (!of_entries && random.below(3) == 0) step.levels.push_back({r.value, d, 0, any_level()});
        }
      }
    }
    const bool yes = proven(ring, before, steps);
    Settings settings = tight(seed);
    settings.vc_buffer = 1 + random.below(2);
    settings.packet_flits = 1 + random.below(3);
    const TransitionReport played = play(ring, before, steps, settings, 1 + random.below(60));
    EXPECT_FALSE(yes && !played.complete()) << seed;
    ++(yes ? safe : refused);
    locked += played.deadlock.empty() ? 0 : 1;
  }
  EXPECT_GT(safe, cases / 20);
  EXPECT_GT(refused, cases / 20);
  EXPECT_GT(locked, cases / 20);
}

}  // namespace
}  // namespace unknot::simulate
