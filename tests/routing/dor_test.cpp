// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "routed.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

bool deadlock_free(const Network& network, const Routing& routing) {
  Progress quiet;
  return verify(network, routing, {}, quiet).deadlock_free;
}

std::string failure(const Network& network, const std::string& engine, std::uint32_t lanes = kMaxLanes) {
  try {
    (void)routed(network, engine, lanes);
  } catch (const RoutingFailure& refused) {
    return refused.what();
  }
  return "";
}

/// Dimension in which the ends of a channel differ.
std::uint32_t dimension_of(const Network& network, ChannelId c) {
  const Coordinates& at = *network.coordinates();
  std::uint32_t d = 0;
  while (at.value[network.source(c).value * at.dimensions + d] ==
         at.value[network.target(c).value * at.dimensions + d]) {
    ++d;
  }
  return d;
}

TEST(Dor, CorrectsOneDimensionAfterTheOther) {
  const struct {
    const char* spec;
    const char* engine;
    std::vector<std::uint32_t> rank;
  } cases[] = {{"torus:5x4x3,p=2", "dor", {0, 1, 2}},
               {"torus:5x4x3,p=2", "dor:order=2x0x1", {1, 2, 0}},
               {"mesh:4x3x3", "dor:order=1x0x2", {1, 0, 2}},
               {"hypercube:5", "dor", {0, 1, 2, 3, 4}},
               {"hyperx:4x3x3,cables=2", "dor:order=2x1x0", {2, 1, 0}}};
  for (const auto& known : cases) {
    const Network network = make_network(known.spec);
    const Routing routing = routed(network, known.engine);
    for (const TerminalId t : network.terminals()) {
      for (const RouterId source : network.routers()) {
        std::uint32_t last = 0;
        for (RouterId at = source; at != network.router_of(t);) {
          const ChannelId c = routing.table().next(network, at, t);
          const std::uint32_t rank = known.rank[dimension_of(network, c)];
          ASSERT_GE(rank, last) << known.spec << " " << known.engine;
          last = rank;
          at = network.target(c);
        }
      }
    }
  }
}

std::vector<std::uint64_t> loads(const Network& network, const Routing& routing) {
  std::vector<std::uint64_t> load(network.channel_count(), 0);
  for (const TerminalId t : network.terminals()) {
    for (const TerminalId s : network.terminals()) {
      for (RouterId at = network.router_of(s); at != network.router_of(t);) {
        const ChannelId c = routing.table().next(network, at, t);
        ++load[c.value];
        at = network.target(c);
      }
    }
  }
  return load;
}

TEST(Dor, TerminalsOfOneRouterGoAsEachWouldAlone) {
  for (const char* grid : {"mesh:4x3x3", "torus:5x5", "torus:5x3x3", "hyperx:4x3x3", "hypercube:4",
                           "torus:6x4", "torus:4x4x3", "torus:8"}) {
    const Network one = make_network(grid);
    const Network five = make_network(std::string(grid) + ",p=5");
    const Routing alone = routed(one, "dor");
    const Routing together = routed(five, "dor");
    for (const RouterId to : one.routers()) {
      for (std::uint32_t i = 0; i < 5; i += 2) {  // the ones between may go round a ring the other way
        const TerminalId t = five.terminals_at(to)[i];
        for (const RouterId from : one.routers()) {
          if (from == to) continue;
          const auto next = [&](const Network& network, const Routing& routing, TerminalId there) {
            return network.target(routing.table().next(network, from, there));
          };
          ASSERT_EQ(next(five, together, t), next(one, alone, one.terminals_at(to)[0])) << grid;
        }
      }
    }
  }
}

TEST(Dor, LoadsEveryChannelAlikeWhereSymmetryAllowsIt) {
  // OpenSM's dor and torus-2QoS send all packets to the opposite router of a ring one way: 640 on 8x8x8.
  const struct {
    const char* spec;
    std::uint64_t load;
  } known[] = {{"torus:8x8x8", 512}, {"torus:6x6,p=2", 108},        {"torus:4x4x4", 32},
               {"ring:7,p=3", 54},   {"hypercube:5", 16},           {"hyperx:4x4,p=3", 36},
               {"ring:6,p=2", 18},   {"hyperx:3x5,cables=2,p=2", 0}};
  for (const auto& row : known) {
    const Network network = make_network(row.spec);
    for (const std::uint64_t load : loads(network, routed(network, "dor"))) {
      if (row.load != 0) {
        ASSERT_EQ(load, row.load) << row.spec;
      } else {
        ASSERT_LE(
            load,
            2U * 2 * 5);  // a dimension of 3: 2 terminals to 2 x 5, halved by two cables; of 5: 2 x 2 x 3
      }
    }
  }
}

TEST(Dor, TwoLanesAreEnoughForAnyRings) {
  for (const char* spec :
       {"ring:4", "ring:5,p=2", "torus:4x4", "torus:5x4x6", "torus:4x3x5", "torus:4x4x4x4"}) {
    const Network network = make_network(spec);
    const Routing routing = routed(network, "dor", 2);
    EXPECT_EQ(routing.virtual_lanes, 2U) << spec;
    EXPECT_TRUE(deadlock_free(network, routing)) << spec;
  }
  for (const char* spec : {"mesh:4x4x4", "hypercube:5", "hyperx:4x5", "torus:3x3x3", "torus:2x3"}) {
    const Network network = make_network(spec);
    const Routing routing = routed(network, "dor", 1);
    EXPECT_EQ(routing.lane_map, nullptr) << spec;
    EXPECT_TRUE(deadlock_free(network, routing)) << spec;
  }
}

TEST(Dor, NeedsItsLaneMapAndItsLevels) {
  const Network network = make_network("torus:5x5");
  Routing routing = routed(network, "dor");
  ASSERT_NE(routing.lane_map, nullptr);
  EXPECT_TRUE(deadlock_free(network, routing));
  routing.lane_map = std::make_shared<LaneMap>(network, std::uint8_t{2});  // the first dimension's bit alone
  EXPECT_FALSE(deadlock_free(network, routing));
  routing.lane_map = nullptr;  // each level its own lane
  EXPECT_TRUE(deadlock_free(network, routing));
  routing.service_levels = ServiceLevels();
  EXPECT_FALSE(deadlock_free(network, routing));
}

TEST(Dor, DoesWithoutALaneMapGivenALaneForEachLevel) {
  const Network network = make_network("torus:5x4x4");
  const Routing routing = routed(network, "dor:sl2vl=0");
  EXPECT_EQ(routing.lane_map, nullptr);
  EXPECT_EQ(routing.virtual_lanes, 8U);
  EXPECT_TRUE(deadlock_free(network, routing));
  EXPECT_EQ(failure(make_network("torus:5x5x5"), "dor:sl2vl=0", 4),
            "dor needs 8 virtual lanes here, 4 are allowed");
}

TEST(Dor, RingsOfFourDoWithoutDatelinesWhereLanesOrLevelsRunOut) {
  const struct {
    const char* spec;
    const char* engine;
    std::uint32_t budget, lanes;
  } cases[] = {{"ring:4", "dor", 1, 1},
               {"torus:4x4x4", "dor", 1, 1},
               {"torus:4x3x4", "dor", 1, 1},
               {"torus:5x4x4", "dor:sl2vl=0", 4, 4},
               {"torus:5x4x4", "dor:sl2vl=0", 2, 2},
               {"torus:4x4x4x4x4", "dor", 2, 2},
               {"torus:4x4x5", "dor:sl2vl=0,order=1x2x0", 3, 2}};
  for (const auto& known : cases) {
    const Network network = make_network(known.spec);
    const Routing routing = routed(network, known.engine, known.budget);
    EXPECT_EQ(routing.virtual_lanes, known.lanes) << known.spec;
    EXPECT_TRUE(deadlock_free(network, routing)) << known.spec;
  }
}

TEST(Dor, SaysWhatIsMissing) {
  const Network torus = make_network("torus:5x5");
  EXPECT_EQ(failure(torus, "dor", 1), "dor needs 2 virtual lanes here, 1 are allowed");
  const std::string prefix = "engine dor does not fit this network: ";
  EXPECT_EQ(failure(make_network("kautz:b=2,n=2"), "dor"), prefix + "its routers have no coordinates");
  EXPECT_EQ(failure(make_network("uniring:5"), "dor"),
            prefix + "S-0 at (0) has no channel along dimension 0 to coordinate 4");
  EXPECT_EQ(failure(with_faults(torus, parse_faults(torus, "cables=3")), "dor"),
            prefix + "S-0 at (0,0) has no channel along dimension 1 to coordinate 4");
  EXPECT_EQ(failure(with_faults(torus, parse_faults(torus, "routers=7")), "dor"),
            prefix + "a grid of 5x5 has more than the 24 routers that are here");
  const Network mesh = make_network("hyperx:5x3");
  EXPECT_NE(failure(with_faults(mesh, parse_faults(mesh, "cables=0")), "dor"), "");
  EXPECT_EQ(failure(make_network("torus:5x5x5x5x5,terminals=10"), "dor"),
            "5 dimensions are rings of more than 4 routers, and the 16 service levels tell the datelines of "
            "4 apart");
  for (const char* wrong : {"dor:order=0", "dor:order=0x0", "dor:order=0x2", "dor:order=0x1x2"}) {
    EXPECT_THROW((void)routed(torus, wrong), InputError) << wrong;
  }
}

}  // namespace
}  // namespace unknot
