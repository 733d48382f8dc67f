// SPDX-License-Identifier: Apache-2.0
// SL-to-VL tables in the plug-in: it judges them as the checker does, whoever made them; classes of service.
#include "lane_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "discovered.hpp"
#include "line_reader.hpp"
#include "plan.hpp"
#include "ring.hpp"
#include "temporary_folder.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kLanes = 8;
constexpr unknot_sl2vl kIdentity{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7}};

class LaneTablesOf : public test::TemporaryFolder {
 protected:
  template <std::size_t N>
  std::string named(char (&to)[N], const char* name) const {
    std::string whole = path(name);
    whole.copy(to, whole.size());
    to[whole.size()] = '\0';
    return whole;
  }

  /// What the plug-in says of the files of the routing: "" where it takes them.
  std::string refusal(const unknot_fabric& fabric, const Network& network, const Routing& routing,
                      bool with_map) {
    unknot_options options{};
    write_tables(network, routing, "opensm", named(options.tables, "tables"));
    write_service_levels(network, routing, named(options.lanes, "lanes"));
    if (with_map) write_lane_map(network, routing, named(options.sl2vl_file, "map"));
    try {
      notes_ = opensm::make_plan(fabric, options, kIdentity).notes;
    } catch (const opensm::Misfit& misfit) {
      return misfit.what();
    }
    return "";
  }

  std::string notes_;
};

Routing routed(const Network& network, const std::string& engine, std::uint32_t lanes) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = lanes;
  Routing routing = route(network, engine, request, quiet);
  if (routing.service_levels.empty())
    routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  return routing;
}

bool usable(const Network& network, const Routing& routing) {
  Progress quiet;
  const Verdict verdict = verify(network, routing, {.threads = 1}, quiet);
  return verdict.complete() && verdict.deadlock_free;
}

TEST_F(LaneTablesOf, DimensionOrderAreTaken) {
  for (const char* spec : {"torus:5x5", "torus:4x5", "torus:6x5"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    Routing routing = routed(network, "dor", 2);
    ASSERT_NE(routing.lane_map, nullptr);
    EXPECT_EQ(refusal(discovered(network, kLanes), network, routing, true), "");
    // One lane has a circle.
    EXPECT_THAT(refusal(discovered(network, 1), network, routing, true),
                testing::HasSubstr("on lane 1, and the port has 1 operational virtual lanes"));
    routing.lane_map = std::make_shared<const LaneMap>(network, std::uint8_t{1});
    EXPECT_THAT(refusal(discovered(network, kLanes), network, routing, true),
                testing::HasSubstr("can wait for each other in a circle"));
  }
}

/// Lanes by ports and levels as the dice have it.
TEST_F(LaneTablesOf, TheDiceAreJudgedAsTheCheckerDoes) {
  std::mt19937 random(7);
  std::map<bool, int> count;
  for (const char* spec : {"torus:4x3,p=2", "random:switches=10,links=18,terminals=20,seed=4", "torus:6",
                           "mesh:3x3", "random:switches=7,links=9,terminals=9,seed=2"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    for (int round = 0; round < 12; ++round) {
      Routing routing = routed(network, round % 2 == 0 ? "minhop" : "sssp", 1);
      const std::uint32_t lanes = 1 + random() % 4;
      routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_terminal);
      for (std::uint32_t r = 0; r < routing.service_levels.row_count(); ++r) {
        for (std::uint8_t& level : routing.service_levels.row(r))
          level = static_cast<std::uint8_t>(random() % 4);
      }
      LaneMap map(network, kLanes);
      for (const RouterId r : network.routers()) {
        for (std::uint32_t in = 0; in <= network.port_count(r); ++in) {
          for (std::uint32_t out = 1; out <= network.port_count(r); ++out) {
            LaneMap::Row row{};
            for (std::uint8_t& lane : row) lane = static_cast<std::uint8_t>(random() % lanes);
            map.set(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), row);
          }
        }
      }
      routing.lane_map = std::make_shared<const LaneMap>(std::move(map));
      routing.virtual_lanes = lanes;
      const bool good = usable(network, routing);
      const std::string refused = refusal(discovered(network, kLanes), network, routing, true);
      EXPECT_EQ(refused.empty(), good) << refused;
      ++count[good];
    }
  }
  EXPECT_GT(count[true], 5);
  EXPECT_GT(count[false], 5);
}

/// Cables with 1, 2, 4 or 8 lanes, to which OpenSM cuts the identity by a mask.
TEST_F(LaneTablesOf, FewerLanesOnSomePortsAreJudgedAsTheCheckerDoes) {
  std::mt19937 random(3);
  std::map<bool, int> count;
  for (const char* spec : {"torus:4x4", "torus:4x3,p=2", "random:switches=12,links=20,terminals=24,seed=4",
                           "kary-ntree:k=3,n=2"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    for (const char* engine : {"dfsssp", "lash"}) {
      for (int round = 0; round < 6; ++round) {
        Routing routing = routed(network, engine, kLanes);
        std::vector<std::uint8_t> lanes(network.channel_count(), kLanes);
        const std::uint32_t narrow = 1 + random() % network.channel_count();
        for (std::uint32_t i = 0; i < narrow; ++i)
          lanes[random() % lanes.size()] = static_cast<std::uint8_t>(1U << random() % 2);
        LaneMap map(network, kLanes);
        for (const ChannelId c : network.channels()) {
          LaneMap::Row row{};
          for (std::size_t level = 0; level < row.size(); ++level)
            row[level] = static_cast<std::uint8_t>(level & (lanes[c.value] - 1U));
          for (std::uint32_t in = 0; in <= network.port_count(network.source(c)); ++in)
            map.set(network.source(c), static_cast<std::uint16_t>(in), network.source_port(c), row);
        }
        const unknot_fabric fabric = discovered(network, [&](ChannelId c) { return lanes[c.value]; });
        const std::string refused = refusal(fabric, network, routing, false);
        routing.lane_map = std::make_shared<const LaneMap>(std::move(map));
        const bool good = usable(network, routing);
        EXPECT_EQ(refused.empty(), good) << refused;
        ++count[good];
        // The same as tables of a file.
        EXPECT_EQ(refusal(fabric, network, routing, true).empty(), good);
      }
    }
  }
  EXPECT_GT(count[true], 5);
  EXPECT_GT(count[false], 5);
}

}  // namespace

namespace opensm {
namespace {

/// Rows of all switches of the ring, each level on its lane.
std::string identity(std::uint32_t size) {
  std::string text;
  for (std::uint32_t s = 0; s < size; ++s) {
    for (int in = 0; in <= 3; ++in) {
      for (int out = 1; out <= 3; ++out) {
        if (in != out) {
          text += fmt::format("0x{:016x} {} {} 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n",
                              Ring::kSwitchGuid + s, in, out);
        }
      }
    }
  }
  return text;
}

void name(char (&to)[4096], const std::string& path) {
  std::strncpy(to, path.c_str(), sizeof to - 1);
}

TEST(LaneTables, OfAFileAreWhatItSays) {
  Ring ring(5);
  name(ring.options.sl2vl_file,
       ring.file("map",
                 "# lanes\n0x00000000000000aa 1 1 0xff 0xff 0xff 0xff 0xff 0xff 0xff 0xff\n" + identity(5)));
  const unknot_plan plan = ring.plan(ring.tables(), ring.levels());
  EXPECT_EQ(unknot_plan_has_lanes(&plan), 1);
  const std::uint8_t* row = unknot_plan_lanes(&plan, Ring::kSwitchGuid + 2, 1, 2);
  ASSERT_NE(row, nullptr);
  for (std::uint8_t level = 0; level < 16; ++level) EXPECT_EQ(row[level], level);
  EXPECT_EQ(unknot_plan_lanes(&plan, Ring::kSwitchGuid + 2, 1, 4), nullptr);   // not connected
  EXPECT_EQ(unknot_plan_lanes(&plan, Ring::kSwitchGuid + 2, 1, 9), nullptr);   // no such port
  EXPECT_EQ(unknot_plan_lanes(&plan, Ring::kSwitchGuid + 20, 1, 2), nullptr);  // nor switch
  EXPECT_THAT(plan.summary, testing::HasSubstr(", SL-to-VL tables from "));
  Ring plain(5);
  EXPECT_EQ(
      unknot_plan_has_lanes(std::make_unique<unknot_plan>(plain.plan(plain.tables(), plain.levels())).get()),
      0);
}

TEST(LaneTables, MisfitsAreOneSentence) {
  Ring ring(5);
  const std::string good = identity(5);
  const std::string first = good.substr(0, good.find('\n') + 1);
  const std::vector<std::pair<std::string, std::string>> bad = {
      {first + good, "map:2: a second row of ports 0 and 1 of switch 's0'"},
      {good.substr(first.size()), "has no row for packets from port 0 to port 1 of switch 's0'"},
      {"", "has no row for packets from port 0 to port 1 of switch 's0'"},
      {changed(good, " 0xef", ""), "map:1: expected '0x<switch guid> <in port> <out port>' and eight bytes"},
      {changed(good, " 0xef", " 0xef 0x01"), "map:1: expected nothing behind sixteen levels"},
      {changed(good, " 0xef", " 0x1ef"), "map:1: expected '0x<switch guid> <in port>"},
      {changed(good, " 0 1 ", " 0 9 "), "map:1: switch 's0' (0x0002000000000000) has 4 ports, not 9"},
      {changed(good, " 0 1 ", " x 1 "), "map:1: expected '0x<switch guid> <in port>"},
      {good.substr(0, good.size() - 1), "it is incomplete"},
      {changed(good, "2 1 0x01", "2 1 0x0f"),
       "packets of service level 1 that come in by port 2 of switch 's0' (0x0002000000000000) leave by port "
       "1 on "
       "lane 15, which carries no data"},
      {changed(good, "2 1 0x01", "2 1 0x09"),
       "leave by port 1 on lane 9, and the port has 8 operational virtual lanes"},
      {changed(good, "2 1 0x01", "2 1 0x11"), ""},  // one pair of ports: no circle
  };
  for (const auto& [text, sentence] : bad) {
    name(ring.options.sl2vl_file, ring.file("map", text));
    const std::string refused = ring.refusal(ring.tables(), ring.levels());
    if (sentence.empty()) {
      EXPECT_EQ(refused, "");
    } else {
      EXPECT_THAT(refused, testing::HasSubstr(sentence));
    }
  }
  name(ring.options.sl2vl_file, ring.file("map", good));
  ring.sl2vl.managed = 0;
  EXPECT_THAT(ring.refusal(ring.tables(), ring.levels()), testing::HasSubstr("'qos TRUE'"));
  ring.options.trust_sl2vl = 1;
  EXPECT_EQ(ring.refusal(ring.tables(), ring.levels()), "");
}

TEST(LaneTables, ALevelThatIsCutToALaneWithRoomIsNoMisfit) {
  Ring ring(5);
  const unknot_plan plan = ring.plan(ring.tables(), changed(ring.levels(), " 0\n", " 8\n"));
  EXPECT_THAT(plan.notes, testing::HasSubstr("service levels up to 8 need 9 operational virtual lanes"));
  EXPECT_THAT(plan.notes,
              testing::HasSubstr("cut to the lanes that there are the tables cannot deadlock either"));
  EXPECT_EQ(unknot_plan_has_lanes(&plan), 0);  // OpenSM cuts by itself
}

TEST(Classes, AreToldByTheLevelThatAClientHas) {
  Ring ring(5);
  ring.options.classes = 3;
  ring.options.class_levels = 2;
  const unknot_plan plan = ring.plan(ring.tables(), ring.levels());
  for (std::uint32_t a = 0; a < 5; ++a) {
    for (std::uint32_t b = 0; b < 5; ++b) {
      if (a == b) continue;
      const auto level = [&](std::uint8_t hint) {
        return unknot_plan_level(&plan, static_cast<std::uint16_t>(1 + a), static_cast<std::uint16_t>(1 + b),
                                 hint);
      };
      const auto own = static_cast<std::uint8_t>(ring.level(a, b));
      for (std::uint8_t c = 0; c < 3; ++c) {
        EXPECT_EQ(level(static_cast<std::uint8_t>(2 * c)), 2 * c + own);
        EXPECT_EQ(level(static_cast<std::uint8_t>(2 * c + 1)), 2 * c + own);
      }
      EXPECT_EQ(level(6), own);  // of no class
      EXPECT_EQ(level(15), own);
    }
  }
  EXPECT_THAT(plan.summary, testing::HasSubstr("3 classes of 2 service levels"));
}

TEST(Classes, NeedLanesAndLevelsThatFit) {
  Ring ring(5);
  ring.options.classes = 5;
  ring.options.class_levels = 2;
  EXPECT_THAT(ring.refusal(ring.tables(), ring.levels()),
              testing::HasSubstr("service levels up to 9 need 10 operational virtual lanes"));
  ring.options.class_levels = 1;
  EXPECT_THAT(ring.refusal(ring.tables(), ring.levels()),
              testing::HasSubstr("has service level 1, which is beyond the 1 levels of a class"));
}

}  // namespace
}  // namespace opensm
}  // namespace unknot
