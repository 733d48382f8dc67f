// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <gmock/gmock.h>

#include <random>

#include "ring.hpp"

namespace unknot::opensm {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Plan, InstallsTheFilesUnderTheLidsOfToday) {
  for (const std::uint16_t first_lid : {1, 40, 2000}) {
    const Ring ring(6, first_lid);
    const unknot_plan plan = ring.plan(ring.tables(), ring.levels());
    for (std::uint32_t a = 0; a < 6; ++a) {
      for (std::uint32_t b = 0; b < 6; ++b) {
        const auto lid = static_cast<std::uint16_t>(first_lid + b);
        EXPECT_EQ(plan.rows[a][lid], ring.port_towards(a, b));
        EXPECT_EQ(plan.rows[a][lid + 100], a == b ? 0 : ring.port_towards(a, b));
        const auto source = static_cast<std::uint16_t>(first_lid + a);
        EXPECT_EQ(unknot_plan_level(&plan, source, lid, 9), a == b ? 9 : ring.level(a, b));
      }
    }
  }
}

TEST(Plan, ReadsWhatDumpLftsPrints) {
  const Ring ring(5);
  std::string other;
  for (std::uint32_t s = 0; s < 5; ++s) {
    other += fmt::format(
        "Unicast lids [0x0-0x69] of switch DR path slid 0; dlid 0; 0,1 guid 0x{:016x} (s{}):\n  Lid  Out   "
        "Destination\n       Port     Info \n",
        Ring::kSwitchGuid + s, s);
    for (std::uint32_t d = 0; d < 5; ++d) {
      other += fmt::format("0x{:04x} {:03} : (Channel Adapter portguid 0x{:016x}: 'h{} HCA-1')\n", 1 + d,
                           ring.port_towards(s, d), Ring::kNodeGuid + 2 * d + 1, d);
    }
    other += "5 valid lids dumped \n";
  }
  const unknot_plan plan = ring.plan(other, ring.levels());
  EXPECT_EQ(plan.rows[3][1], ring.port_towards(3, 0));
}

TEST(Plan, TakesRawLidsWhereRowsNameNoPort) {
  const Ring ring(5);
  std::string bare;
  for (std::uint32_t s = 0; s < 5; ++s) {
    bare += fmt::format("Unicast lids guid 0x{:x} \r\n", Ring::kSwitchGuid + s);
    for (std::uint32_t d = 0; d < 5; ++d)
      bare += fmt::format("0x{:04x} {:03}\r\n", 1 + d, ring.port_towards(s, d));
  }
  EXPECT_EQ(ring.plan(bare, ring.levels()).rows[0][5], 2);
}

TEST(Plan, SourcesMayBeNamedByPort) {
  const Ring ring(5);
  const unknot_plan by_node = ring.plan(ring.tables(), ring.levels());
  const unknot_plan by_port =
      ring.plan(ring.tables(), ring.levels([](std::uint32_t i) { return Ring::kNodeGuid + 2 * i + 1; }));
  EXPECT_EQ(by_node.levels.levels, by_port.levels.levels);
  EXPECT_EQ(by_node.levels.row_of_lid, by_port.levels.row_of_lid);
}

TEST(Plan, LevelsMayBeCompact) {
  const Ring ring(7);
  const unknot_plan plain = ring.plan(ring.tables(), ring.levels());
  const unknot_plan compact = ring.plan(ring.tables(), ring.compact_levels());
  EXPECT_EQ(plain.levels.levels, compact.levels.levels);
  EXPECT_EQ(plain.levels.row_of_lid, compact.levels.row_of_lid);
}

/// A source that others refer to tells them its levels although it is away itself.
TEST(Plan, ARowOfASourceThatIsAway) {
  Ring ring(6);
  const std::string tables = ring.tables();
  const std::uint64_t last = Ring::kNodeGuid + 10;
  std::string levels = fmt::format("0x{:016x} 0:1-6\n", last);
  for (std::uint32_t a = 0; a < 5; ++a) {
    levels += fmt::format("0x{:016x} = 0x{:016x}\n", Ring::kNodeGuid + 2 * a, last);
  }
  ring.options.allow_deadlock = 1;
  const unknot_plan whole = ring.plan(tables, levels);
  EXPECT_EQ(whole.levels.get(1, 2), 0);
  EXPECT_EQ(whole.levels.get(6, 5), 0);
  ring.fabric.adapters.pop_back();
  ring.fabric.switches[5].ports[3] = {};
  const unknot_plan without = ring.plan(tables, levels);
  EXPECT_EQ(without.levels.get(1, 2), 0);
  EXPECT_EQ(without.levels.get(5, 1), 0);
}

TEST(Plan, SourcesWithEqualLevelsShareARow) {
  const Ring ring(8);
  std::string flat = ring.levels();
  for (std::size_t at = flat.find(" 1\n"); at != std::string::npos; at = flat.find(" 1\n"))
    flat[at + 1] = '0';
  ring.options.allow_deadlock = 1;
  const unknot_plan plan = ring.plan(ring.tables(), flat);
  // Each row has its own hole, the path of a source to itself; columns are of hosts and switches.
  EXPECT_EQ(plan.levels.levels.size(), 8U * 16U);
  EXPECT_EQ(plan.levels.highest, 0U);
}

TEST(Plan, EveryLidOfAPortHasItsOwnRoutes) {
  Ring ring(4);
  ring.fabric.adapters[2].lid = 50;
  ring.fabric.adapters[2].lids = 2;
  EXPECT_THAT(ring.refusal(ring.tables(), ring.levels()), HasSubstr("has 2 LIDs"));
  std::string tables = ring.tables();
  std::string levels = ring.levels();
  for (std::uint32_t s = 0; s < 4; ++s) {  // from switch 0 both ways are as short
    const std::uint32_t first = ring.port_towards(s, 2);
    const std::string row = fmt::format("0x0003 {:03} # Channel Adapter portguid 0x{:016x}: 'h2 HCA-1'\n",
                                        first, Ring::kNodeGuid + 5);
    const std::string second = fmt::format("0x0030 {:03} # Channel Adapter portguid 0x{:016x}: 'h2 HCA-1'\n",
                                           s == 0 ? 2 : first, Ring::kNodeGuid + 5);
    // The row behind it tells the tables apart that are done already.
    tables = changed(std::move(tables), fmt::format("{}0x0004", row), fmt::format("{}{}0x0004", row, second));
    if (s != 2) levels += fmt::format("0x{:016x} 48 {}\n", Ring::kNodeGuid + 2 * s, 2 + s);
  }
  const unknot_plan plan = ring.plan(tables, levels);
  EXPECT_EQ(plan.rows[0][50], 1);
  EXPECT_EQ(plan.rows[0][51], 2);
  EXPECT_EQ(plan.levels.get(1, 51), 2);
}

TEST(Plan, SwitchesWithoutRowsFollowTheirAdapter) {
  const Ring ring(6);
  const unknot_plan plan = ring.plan(ring.tables(false), ring.levels());
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = 0; b < 6; ++b) {
      EXPECT_EQ(plan.rows[a][101 + b], a == b ? 0 : ring.port_towards(a, b));
      if (a != b) {
        EXPECT_EQ(plan.levels.get(static_cast<std::uint16_t>(1 + a), static_cast<std::uint16_t>(101 + b)),
                  ring.level(a, b));
      }
    }
  }
  EXPECT_THAT(plan.notes, HasSubstr("6 LIDs"));
}

TEST(Plan, AggregationNodesNeedNoRows) {
  Ring ring(5);
  unknot_fabric_add_adapter(&ring.fabric, 0xA0, 0xA1, "s2 Aggregation Node", 60, 1);
  unknot_fabric_link_adapter(&ring.fabric, 2, 4, 5);
  const unknot_plan plan = ring.plan(ring.tables(), ring.levels());
  EXPECT_EQ(plan.rows[2][60], 4);
  EXPECT_EQ(plan.rows[0][60], plan.rows[0][3]);
  EXPECT_EQ(plan.levels.get(1, 60), plan.levels.get(1, 3));
  EXPECT_EQ(plan.levels.get(60, 1), plan.levels.get(3, 1));
}

TEST(Plan, HostsThatAreAwayAreNoMisfit) {
  Ring ring(5);
  ring.fabric.adapters.erase(ring.fabric.adapters.begin() + 4);
  ring.fabric.switches[4].ports[3] = {};
  EXPECT_EQ(ring.refusal(ring.tables(), ring.levels()), "");
}

TEST(Plan, WithoutLevelsTheHintStands) {
  const Ring ring(3);
  const unknot_plan plan = ring.plan(ring.tables(), nullptr);
  EXPECT_EQ(unknot_plan_level(&plan, 1, 2, 7), 7);
}

TEST(Plan, OneLaneOnARingIsRefused) {
  const Ring ring(5);
  const std::string* none = nullptr;
  EXPECT_THROW((void)ring.plan(ring.tables(), none), Misfit);
  ring.options.allow_deadlock = 1;
  EXPECT_NO_THROW((void)ring.plan(ring.tables(), none));
}

TEST(Plan, AMovedCableThatStillDeliversCanCloseACircle) {
  // All paths of a path graph 0-1-2-3-4 on one lane; the cable 4-0 carries nothing. Once the paths from 3 and
  // 4 to 0 and 1 take it, every path is still complete, and shortest, but the ring is closed.
  const Ring ring(5);
  std::string levels = ring.levels();
  for (std::size_t at = levels.find(" 1\n"); at != std::string::npos; at = levels.find(" 1\n"))
    levels[at + 1] = '0';
  const std::string why = ring.refusal(ring.tables(), levels);
  EXPECT_THAT(why, StartsWith("packets of service level 0 can wait for each other in a circle ("));
  EXPECT_THAT(why, HasSubstr("'s0' port 1"));
}

struct Case {
  const char* name;
  std::function<void(Ring&, std::string& tables, std::string& levels)> spoil;
  const char* says;
};

class Misfits : public ::testing::TestWithParam<Case> {};

TEST_P(Misfits, AreNamedInOneSentence) {
  Ring ring(6);
  std::string tables = ring.tables();
  std::string levels = ring.levels();
  ASSERT_EQ(ring.refusal(tables, levels), "");
  GetParam().spoil(ring, tables, levels);
  const std::string why = ring.refusal(tables, levels);
  EXPECT_THAT(why, HasSubstr(GetParam().says));
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

const Case kCases[] = {
    {"empty", [](Ring&, std::string& t, std::string&) { t.clear(); }, "no table in it"},
    {"row_before_any_table", [](Ring&, std::string& t, std::string&) { t.insert(0, "0x0001 001\n"); },
     "tables:1: a row outside of any switch's table"},
    {"no_guid", [](Ring&, std::string& t, std::string&) { t = changed(t, " guid 0x", " grid 0x"); },
     "tables:1: a table without the guid"},
    {"bad_guid", [](Ring&, std::string& t, std::string&) { t = changed(t, " guid 0x", " guid zz"); },
     "expected a switch guid"},
    {"table_twice", [](Ring&, std::string& t, std::string&) { t += t; },
     "a second table for switch 0x0002000000000000"},
    {"row_twice", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0002 ", "0x0001 "); },
     "a second row for LID 1"},
    {"lid_of_two_ports",
     [](Ring&, std::string& t, std::string&) {
       t = changed(t, "0x0001 003 # Channel Adapter portguid 0x0001000000000001",
                   "0x0001 003 # portguid 0x77");
     },
     "LID 1 belongs to port 0x0001000000000001 here"},
    {"no_port", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 #"); },
     "expected a LID and a port"},
    {"huge_port", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 999"); },
     "port 999 is beyond 254"},
    {"multicast_lid", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0xc001 003"); },
     "LID 49153 is not a unicast LID"},
    {"port_beyond_switch",
     [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 005"); },
     "sends LID 1 to port 5, but the switch has 4 ports"},
    {"no_cable", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 004"); },
     "to port 4, which is not connected"},
    {"port_0", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 000"); },
     "its row names port 0"},
    {"wrong_host", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0002 001", "0x0002 003"); },
     "to port 3, where adapter 'h0 HCA-1'"},
    {"loop", [](Ring&, std::string& t, std::string&) { t = changed(t, "0x0001 003", "0x0001 001"); },
     "go round in a loop, through switches"},
    {"cut_short", [](Ring&, std::string& t, std::string&) { t.resize(t.size() - 20); }, "it is incomplete"},
    {"cut_after_a_row", [](Ring&, std::string& t, std::string&) { t.resize(t.size() - 16); },
     "it is incomplete"},
    {"hosts_swapped",
     [](Ring& r, std::string&, std::string&) {
       unknot_fabric_link_adapter(&r.fabric, 0, 3, 1);
       unknot_fabric_link_adapter(&r.fabric, 1, 3, 0);
     },
     "was a cable moved?"},
    {"new_host",
     [](Ring& r, std::string&, std::string&) {
       unknot_fabric_add_adapter(&r.fabric, 0xA0, 0xA1, "new HCA-1", 60, 1);
       unknot_fabric_link_adapter(&r.fabric, 2, 4, 6);
     },
     "adapter 'new HCA-1' (port 0x00000000000000a1) of the fabric has no row"},
    {"new_switch",
     [](Ring& r, std::string&, std::string&) { unknot_fabric_add_switch(&r.fabric, 0xB0, "new", 61, 1, 4); },
     "switch 'new' (0x00000000000000b0) of the fabric has no table"},
    {"switch_gone",
     [](Ring&, std::string& t, std::string&) { t += "Unicast lids guid 0xcc \n1 lids dumped\n"; },
     "switch 0x00000000000000cc of "},
    {"level_missing", [](Ring&, std::string&, std::string& l) { l.erase(0, l.find('\n') + 1); },
     "names no service level for the path from adapter 'h0 HCA-1' (port 0x0001000000000001) to adapter 'h1 "
     "HCA-1'"},
    {"level_beyond_15", [](Ring&, std::string&, std::string& l) { l = changed(l, " 0\n", " 16\n"); },
     "service level 16 is beyond 15"},
    {"levels_beyond_lanes",
     [](Ring& ring, std::string&, std::string&) {
       for (auto& one : ring.fabric.switches) {
         for (auto& link : one.ports) link.lanes = 1;
       }
     },
     "service levels up to 1 need 2 operational virtual lanes, but port 1 of switch 's0' "
     "(0x0002000000000000) has "
     "1; on the lanes that there are, packets can wait for each other in a circle"},
    {"level_twice",
     [](Ring&, std::string&, std::string& l) { l += fmt::format("0x{:x} 2 5\n", Ring::kNodeGuid); },
     "service level 5 for a path that had level 0 before"},
    {"level_of_unknown_lid", [](Ring&, std::string&, std::string& l) { l = changed(l, " 2 0\n", " 77 0\n"); },
     "LID 77 is in no row"},
    {"level_garbage", [](Ring&, std::string&, std::string& l) { l.insert(0, "0x1 what 0\n"); },
     "levels:1: expected '0x<source guid> <destination lid> <service level>'"},
    {"range_of_unknown_lid",
     [](Ring&, std::string&, std::string& l) { l += fmt::format("0x{:x} 0:77\n", Ring::kNodeGuid); },
     "LID 77 is in no row"},
    {"range_backwards", [](Ring&, std::string&, std::string& l) { l += "0x1 0:3-1\n"; },
     "expected '<service level>:<lid>,<first lid>-<last lid>,...', LIDs ascending, or '= 0x<source guid>'"},
    {"range_garbage", [](Ring&, std::string&, std::string& l) { l += "0x1 0:3;4\n"; },
     "expected '<service level>:<lid>,<first lid>-<last lid>,...', LIDs ascending, or '= 0x<source guid>'"},
    {"reference_to_nobody", [](Ring&, std::string&, std::string& l) { l += "0x1 = 0x2\n"; },
     "expected a source whose levels are told as '<service level>:<lid>,...' on lines above"},
    {"levels_cut_short", [](Ring&, std::string&, std::string& l) { l.pop_back(); }, "it is incomplete"},
    {"no_qos", [](Ring& r, std::string&, std::string&) { r.sl2vl.managed = 0; },
     "need OpenSM's option 'qos TRUE'"},
    {"other_sl2vl", [](Ring& r, std::string&, std::string&) { r.sl2vl.lane[1] = 0; },
     "puts service level 1 on lane 0, where the tables need lane 1"},
    {"no_file", [](Ring&, std::string&, std::string& l) { l.assign(1U << 19U, 'x'); }, "more than 256 KiB"},
};

INSTANTIATE_TEST_SUITE_P(All, Misfits, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Plan, SpoiledBytesAreTakenOrRefusedNeverWorse) {
  std::mt19937 random(1);
  const Ring ring(5);
  const std::string tables = ring.tables();
  const std::string levels = ring.levels();
  unsigned refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string t = tables;
    std::string l = levels;
    for (int change = 0; change < 3; ++change) {
      std::string& text = (random() & 1U) != 0 ? t : l;
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
      }
      if (text.empty()) text.push_back('\n');
    }
    if (!ring.refusal(t, l).empty()) ++refused;
  }
  EXPECT_GT(refused, 300U);
}

}  // namespace
}  // namespace unknot::opensm
