// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "unknot/support/error.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

Verdict check(const Network& network, const Routing& routing, bool certificate = false) {
  Progress silent;
  VerifyOptions options;
  options.certificate = certificate;
  return verify(network, routing, options, silent);
}

/// Levels that take every path which uses the cable between the last and the first router of a ring to
/// lane 1.
Routing ring_with_two_lanes(const Network& network) {
  Routing routing = testing::shortest_paths(network, 1);
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  routing.virtual_lanes = 2;
  const std::uint32_t last = network.router_count() - 1;
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId destination : network.terminals()) {
      RouterId at = network.router_of(source);
      while (at != network.router_of(destination)) {
        const RouterId next = network.target(routing.table().next(network, at, destination));
        if (at.value + next.value == last && (at.value == 0 || next.value == 0))
          routing.service_levels.row(routing.service_levels.row_of(source))[destination.value] = 1;
        at = next;
      }
    }
  }
  return routing;
}

TEST(Verify, FiveRingHasTwoCyclesOfFive) {
  const Network network = testing::ring(5);
  const Verdict verdict = check(network, testing::shortest_paths(network, 1), true);
  EXPECT_TRUE(verdict.complete());
  EXPECT_TRUE(verdict.minimal());
  EXPECT_EQ(verdict.pairs, 20U);
  EXPECT_EQ(verdict.total_hops, 30U);
  EXPECT_DOUBLE_EQ(verdict.mean_hops(), 1.5);
  EXPECT_EQ(verdict.max_hops, 2U);
  EXPECT_EQ(verdict.dependencies, 10U);
  EXPECT_EQ(verdict.lanes_used, 1U);
  EXPECT_FALSE(verdict.deadlock_free);
  EXPECT_FALSE(verdict.certificate);
  ASSERT_TRUE(verdict.witness);
  EXPECT_EQ(verdict.witness->steps.size(), 5U);
}

TEST(Verify, SecondLaneCutsTheRing) {
  const Network network = testing::ring(5);
  const Verdict verdict = check(network, ring_with_two_lanes(network), true);
  EXPECT_TRUE(verdict.complete());
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.lanes_used, 2U);
  EXPECT_FALSE(verdict.witness);
  ASSERT_TRUE(verdict.certificate);
  EXPECT_EQ(verdict.certificate->lanes, 2U);
}

TEST(Verify, NetworksWithoutChannelsOrTerminals) {
  const Network one = testing::single(3);
  Verdict verdict = check(one, testing::shortest_paths(one, 1), true);
  EXPECT_EQ(verdict.pairs, 6U);
  EXPECT_TRUE(verdict.complete());
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_EQ(verdict.lanes_used, 0U);
  EXPECT_EQ(verdict.total_hops, 0U);
  EXPECT_TRUE(verdict.certificate);

  const Network none = testing::ring(4, 0);
  verdict = check(none, testing::shortest_paths(none, 1));
  EXPECT_EQ(verdict.pairs, 0U);
  EXPECT_TRUE(verdict.complete());
  EXPECT_TRUE(verdict.deadlock_free);
}

TEST(Verify, FullMeshOfManyRoutersKeepsOnlyTheDependenciesInUse) {
  constexpr std::uint32_t kRouters = 660;  // 287 million possible dependencies
  NetworkBuilder builder;
  builder.add_routers(kRouters);
  for (std::uint32_t a = 0; a < kRouters; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) builder.add_cable(RouterId(a), RouterId(b));
  }
  for (std::uint32_t r = 0; r < 20; ++r) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  Routing routing = testing::shortest_paths(network, 1);
  // One detour: terminal 0 reaches terminal 1 through router 2.
  const auto position = [&](std::uint32_t from, std::uint32_t to) {
    std::uint32_t i = 0;
    while (network.target(network.out(RouterId(from))[i]).value != to) ++i;
    return i;
  };
  routing.table().set(RouterId(0), TerminalId(1), position(0, 2));
  const Verdict verdict = check(network, routing);
  EXPECT_TRUE(verdict.complete());
  EXPECT_EQ(verdict.longer_pairs, 1U);
  EXPECT_EQ(verdict.dependencies, 1U);
  EXPECT_TRUE(verdict.deadlock_free);
}

/// One defect sown into a sound routing, and what must be found.
struct Defect {
  const char* name;
  std::function<void(const Network&, Routing&)> sow;
  std::uint64_t unroutable, looping;
  Finding::Kind kind;
  std::uint32_t at = 1;  ///< router
};

class EverySownDefect : public ::testing::TestWithParam<Defect> {};

TEST_P(EverySownDefect, IsFoundWithItsPlace) {
  // A path of three routers, two terminals on each: terminals 0,1 | 2,3 | 4,5.
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(1), RouterId(2));
  for (std::uint32_t t = 0; t < 6; ++t) builder.add_terminal(RouterId(t / 2));
  const Network network = std::move(builder).build();
  Routing routing = testing::shortest_paths(network, 1);
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal);
  Verdict verdict = check(network, routing);
  ASSERT_TRUE(verdict.complete() && verdict.minimal() && verdict.deadlock_free);
  GetParam().sow(network, routing);
  verdict = check(network, routing);
  EXPECT_EQ(verdict.unroutable_pairs, GetParam().unroutable);
  EXPECT_EQ(verdict.looping_pairs, GetParam().looping);
  ASSERT_FALSE(verdict.findings.empty());
  EXPECT_EQ(verdict.findings[0].kind, GetParam().kind);
  EXPECT_EQ(verdict.findings[0].at.value, GetParam().at);
  EXPECT_EQ(verdict.findings.size(), std::min<std::uint64_t>(GetParam().unroutable, 8));
}

void set_at_middle(Routing& routing, std::uint32_t position) {
  routing.table().set(RouterId(1), TerminalId(4), position);
}

void drop_at_middle(const Network& network, Routing& routing, bool for_one_port) {
  auto map = std::make_shared<LaneMap>(network, std::uint8_t{8});
  LaneMap::Row row{};
  row.fill(LaneMap::kDrop);
  const std::uint16_t out = network.source_port(network.out(RouterId(1))[1]);
  for (std::uint16_t in = 0; in <= network.port_count(RouterId(1)); ++in) {
    if (!for_one_port || in == network.terminal_port(TerminalId(2))) map->set(RouterId(1), in, out, row);
  }
  routing.lane_map = map;
}

INSTANTIATE_TEST_SUITE_P(
    Verify, EverySownDefect,
    ::testing::Values(
        Defect{"hole", [](const Network&, Routing& r) { set_at_middle(r, ForwardingTable::kNone); }, 4, 0,
               Finding::Kind::unreachable},
        Defect{"stray", [](const Network&, Routing& r) { set_at_middle(r, ForwardingTable::kStray); }, 4, 0,
               Finding::Kind::stray_port},
        Defect{"delivered elsewhere",
               [](const Network&, Routing& r) { set_at_middle(r, ForwardingTable::kHere); }, 4, 0,
               Finding::Kind::stray_port},
        Defect{"position the router does not have", [](const Network&, Routing& r) { set_at_middle(r, 2); },
               4, 0, Finding::Kind::stray_port},
        Defect{"loop", [](const Network&, Routing& r) { set_at_middle(r, 0); }, 4, 4, Finding::Kind::loop, 0},
        Defect{"missing level",
               [](const Network&, Routing& r) { r.service_levels.row(2)[4] = ServiceLevels::kMissing; }, 1, 0,
               Finding::Kind::missing_service_level},
        Defect{"impossible level", [](const Network&, Routing& r) { r.service_levels.row(2)[4] = 100; }, 1, 0,
               Finding::Kind::missing_service_level},
        Defect{"lane that drops", [](const Network& n, Routing& r) { drop_at_middle(n, r, false); }, 8, 0,
               Finding::Kind::dropped_lane},
        Defect{"lane that drops for one port",
               [](const Network& n, Routing& r) { drop_at_middle(n, r, true); }, 2, 0,
               Finding::Kind::dropped_lane}),
    [](const auto& test) {
      std::string name = test.param.name;
      for (char& letter : name) letter = letter == ' ' ? '_' : letter;
      return name;
    });

TEST(Verify, LoopIsNamedAndItsChannelsAreAWitness) {
  const Network network = testing::ring(5);
  Routing routing = testing::shortest_paths(network, 1);
  routing.table().set(RouterId(1), TerminalId(3), 0);
  routing.table().set(RouterId(0), TerminalId(3), 0);
  ASSERT_EQ(network.target(network.out(RouterId(0))[0]), RouterId(1));
  ASSERT_EQ(network.target(network.out(RouterId(1))[0]), RouterId(0));
  const Verdict verdict = check(network, routing);
  EXPECT_EQ(verdict.looping_pairs, 2U);
  EXPECT_FALSE(verdict.loop_free());
  ASSERT_TRUE(verdict.witness);
  EXPECT_EQ(verdict.witness->steps.size(), 2U);
  EXPECT_THAT(describe(network, verdict.findings[0]), HasSubstr("H-0 to H-3: packets come back to S-0"));
}

TEST(Verify, TextsNameChannelsLanesAndFlows) {
  const Network network = testing::ring(5);
  const Verdict verdict = check(network, testing::shortest_paths(network, 1));
  const std::string text = describe(network, *verdict.witness);
  EXPECT_EQ(text,
            "5 channels wait for each other in a circle:\n"
            "  1. S-0 port 1 -> S-1 port 1, lane 0: held by packets of H-0 to H-2, waiting for 2.\n"
            "  2. S-1 port 2 -> S-2 port 1, lane 0: held by packets of H-1 to H-3, waiting for 3.\n"
            "  3. S-2 port 2 -> S-3 port 1, lane 0: held by packets of H-2 to H-4, waiting for 4.\n"
            "  4. S-3 port 2 -> S-4 port 1, lane 0: held by packets of H-3 to H-0, waiting for 5.\n"
            "  5. S-4 port 2 -> S-0 port 2, lane 0: held by packets of H-4 to H-1, waiting for 1.\n");
}

TEST(Verify, RefusesTablesOfAnotherNetwork) {
  const Network network = testing::ring(5);
  const Network other = testing::ring(6);
  Progress silent;
  EXPECT_THROW((void)verify(network, testing::shortest_paths(other, 1), {}, silent), InputError);
}

TEST(Verify, StopsWhenAsked) {
  class Impatient : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  } impatient;
  const Network network = testing::ring(5);
  EXPECT_THROW((void)verify(network, testing::shortest_paths(network, 1), {}, impatient), Interrupted);
}

TEST(Certificate, HoldsAndRefusesEveryNumberThatViolatesADependency) {
  const Network network = testing::ring(5);
  const Routing routing = ring_with_two_lanes(network);
  const Certificate sound = *check(network, routing, true).certificate;
  std::string why;
  EXPECT_TRUE(check_certificate(network, routing, sound, &why)) << why;
  EXPECT_TRUE(why.empty());

  std::uint32_t refused = 0;
  for (std::size_t i = 0; i < sound.number.size(); ++i) {
    Certificate changed = sound;
    if (sound.number[i] == Certificate::kUnused) continue;
    changed.number[i] = Certificate::kUnused;
    EXPECT_FALSE(check_certificate(network, routing, changed, &why));
    EXPECT_THAT(why, HasSubstr("has no number"));
    // A vertex with a predecessor has a number above 0.
    if (sound.number[i] == 0) continue;
    changed.number[i] = 0;
    EXPECT_FALSE(check_certificate(network, routing, changed, &why));
    EXPECT_THAT(why, HasSubstr("and wait for"));
    ++refused;
  }
  EXPECT_GT(refused, 2U);
}

TEST(Certificate, RefusesAnotherNetworkAnotherRoutingAndAWrongSize) {
  const Network network = testing::ring(5);
  const Routing routing = ring_with_two_lanes(network);
  const Certificate sound = *check(network, routing, true).certificate;
  std::string why;
  Certificate changed = sound;
  ++changed.network_fingerprint;
  EXPECT_FALSE(check_certificate(network, routing, changed, &why));
  EXPECT_THAT(why, HasSubstr("another network"));
  changed = sound;
  changed.number.pop_back();
  EXPECT_FALSE(check_certificate(network, routing, changed, &why));
  EXPECT_THAT(why, HasSubstr("numbers"));
  // On one lane the ring is cyclic: no numbers can be right.
  EXPECT_FALSE(check_certificate(network, testing::shortest_paths(network, 1), sound, &why));
  EXPECT_FALSE(check_certificate(network, routing, Certificate{}, nullptr));
}

}  // namespace
}  // namespace unknot
