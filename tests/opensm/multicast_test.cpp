// SPDX-License-Identifier: Apache-2.0
#include "multicast.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "multicast_file.hpp"
#include "ring.hpp"

namespace unknot::opensm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t kGuid = Ring::kSwitchGuid;

/// All cables of the ring but the one from `end` clockwise, and all hosts, as OpenSM dumps it.
std::string chain(std::uint32_t size, std::uint32_t end, const std::string& lids = "0xC000") {
  std::string text;
  for (std::uint32_t s = 0; s < size; ++s) {
    text += fmt::format("\nSwitch 0x{:016x}\nLID    : Out Port(s)\n{} :{}{} 0x003 \n", kGuid + s, lids,
                        s == end ? "" : " 0x001 ", s == (end + 1) % size ? "" : " 0x002 ");
  }
  return text;
}

unknot_plan plan_with(const Ring& ring, const std::string& trees) {
  const std::string path = ring.file("trees", trees);
  path.copy(ring.options.multicast, path.size());
  ring.options.multicast[path.size()] = '\0';
  return ring.plan(ring.tables(), ring.levels());
}

std::string refusal(const Ring& ring, const std::string& trees) {
  try {
    (void)plan_with(ring, trees);
  } catch (const Misfit& misfit) {
    return misfit.what();
  }
  return "";
}

using Port = std::pair<std::uint64_t, unsigned>;

/// The group's ports when these are its members; by the calls of C.
std::set<Port> ports_of(const unknot_plan& plan, std::uint16_t lid, std::vector<unknot_member>& members) {
  unknot_tree_port* ports = nullptr;
  const int count = unknot_plan_tree(&plan, lid, members.data(), members.size(), &ports);
  std::set<Port> set;
  for (int i = 0; i < count; ++i) {
    EXPECT_TRUE(set.emplace(ports[i].switch_guid, ports[i].port).second) << "a port twice";
  }
  std::free(ports);  // NOLINT: made for C
  return set;
}

std::set<Port> ports_of(const unknot_plan& plan, std::uint16_t lid, const std::vector<std::uint32_t>& hosts) {
  std::vector<unknot_member> members;
  for (const std::uint32_t h : hosts) members.push_back({Ring::kNodeGuid + 2 * h + 1, kGuid + h, 3, 0});
  return ports_of(plan, lid, members);
}

TEST(MulticastFile, IsWhatOpenSmDumps) {
  const Ring ring(3);
  const MulticastFile file = read_multicast_file(ring.file(
      "trees",
      "# a comment\r\n\nSwitch 0x0002c9000100d050\nLID    : Out Port(s)\n0xC000 : 0x001  0x00B \r\n0xC001 : "
      "0x000\n0xC002 :\nSwitch 0x0002c9000100d051 more\n0xC001 : 0x0fe 0x002\n# 0xC001 sl=3\n# 0xC00F "
      "sl=1\n"));
  EXPECT_THAT(file.switches, ElementsAre(0x0002c9000100d050, 0x0002c9000100d051));
  ASSERT_EQ(file.groups.size(), 2U);
  const MulticastFile::Group& first = file.groups.at(0xC000);
  const MulticastFile::Group& second = file.groups.at(0xC001);
  ASSERT_EQ(first.rows.size(), 1U);
  EXPECT_THAT(first.rows[0].ports, ElementsAre(1, 11));
  EXPECT_EQ(first.level, 0);
  ASSERT_EQ(second.rows.size(), 2U);
  EXPECT_THAT(second.rows[0].ports, ElementsAre(0));
  EXPECT_THAT(second.rows[1].ports, ElementsAre(2, 254));
  EXPECT_EQ(second.level, 3);
}

TEST(Multicast, TreesArePrunedToTheMembers) {
  const Ring ring(6);
  const unknot_plan plan = plan_with(ring, chain(6, 5));
  EXPECT_EQ(unknot_plan_has_trees(&plan), 1);
  EXPECT_THAT(plan.summary, HasSubstr(", 1 multicast trees from "));
  EXPECT_THAT(ports_of(plan, 0xC000, {1, 3}),
              UnorderedElementsAre(Port(kGuid + 1, 3), Port(kGuid + 1, 1), Port(kGuid + 2, 2),
                                   Port(kGuid + 2, 1), Port(kGuid + 3, 2), Port(kGuid + 3, 3)));
  EXPECT_THAT(ports_of(plan, 0xC000, {0, 5}).size(), 2U + 2U * 5U);
  // Nothing to copy.
  EXPECT_THAT(ports_of(plan, 0xC000, {4}), IsEmpty());
  EXPECT_THAT(ports_of(plan, 0xC000, {4, 4}), IsEmpty());
  EXPECT_THAT(ports_of(plan, 0xC000, std::vector<std::uint32_t>()), IsEmpty());
}

TEST(Multicast, MembersCanBeSwitchesOrOutside) {
  const Ring ring(6);
  std::string part = chain(6, 5);
  part.resize(part.find(fmt::format("\nSwitch 0x{:016x}", kGuid + 4)));  // 0 to 3
  part = part.replace(part.rfind(" 0x001 "), 7, "");
  const unknot_plan plan = plan_with(ring, part);
  std::vector<unknot_member> members{
      {1, kGuid + 3, 0, 7}, {2, kGuid + 4, 3, 7}, {3, kGuid + 3, 3, 7}, {4, 0, 0, 7}, {5, 99, 1, 7}};
  EXPECT_THAT(ports_of(plan, 0xC000, members), UnorderedElementsAre(Port(kGuid + 3, 0), Port(kGuid + 3, 3)));
  const std::vector<int> outside{0, 1, 0, 1, 1};
  for (std::size_t i = 0; i < members.size(); ++i) EXPECT_EQ(members[i].outside, outside[i]) << i;
}

TEST(Multicast, GroupsWithoutATreeGetThatOfAllHostsOrTheFirst) {
  const Ring ring(6);
  for (const auto& [lids, other] :
       std::map<std::string, std::uint16_t>{{"0xC000", 0xC000}, {"0xC003", 0xC003}}) {
    std::string text;
    std::istringstream lines(chain(6, 5, lids));
    for (std::string line; std::getline(lines, line);) {
      text += line + "\n";
      if (line.starts_with(lids)) text += "0xC00A" + line.substr(lids.size()) + "\n";
    }
    const unknot_plan plan = plan_with(ring, text);
    EXPECT_EQ(unknot_plan_tree_lid(&plan, 0xC00A), 0xC00A);
    EXPECT_EQ(unknot_plan_tree_lid(&plan, 0xC00B), other);
    EXPECT_EQ(unknot_plan_tree_lid(&plan, other), other);
  }
}

/// What is left of any tree for any members: leaves without members cut again and again, word for word.
TEST(Multicast, PruningIsCuttingLeaves) {
  std::mt19937 random(1);
  const Ring files(3);
  for (int round = 0; round < 200; ++round) {
    const auto size = static_cast<std::uint32_t>(1 + random() % 20);
    unknot_fabric fabric;
    std::vector<std::map<unsigned, Port>> cables(size);
    std::string text;
    for (std::uint32_t s = 0; s < size; ++s) unknot_fabric_add_switch(&fabric, kGuid + s, "s", 1, 1, 40);
    for (std::uint32_t s = 1; s < size; ++s) {
      const auto t = static_cast<std::uint32_t>(random() % s);
      const auto here = static_cast<std::uint8_t>(1 + cables[s].size());
      const auto there = static_cast<std::uint8_t>(1 + cables[t].size());
      unknot_fabric_link_switch(&fabric, static_cast<int>(s), here, static_cast<int>(t), there, 8);
      unknot_fabric_link_switch(&fabric, static_cast<int>(t), there, static_cast<int>(s), here, 8);
      cables[s][here] = {t, there};
      cables[t][there] = {s, here};
    }
    for (std::uint32_t s = 0; s < size; ++s) {
      text += fmt::format("Switch 0x{:016x}\n0xC000 : 0x028", kGuid + s);
      for (const auto& [port, peer] : cables[s]) text += fmt::format(" 0x{:03x}", port);
      text += '\n';
    }
    const MulticastTrees trees = make_multicast_trees(fabric, files.file("trees", text));
    std::vector<unknot_member> members;
    std::vector<bool> has_members(size, false);
    const std::size_t count = 2 + random() % 4;
    for (std::uint8_t i = 0; i < count; ++i) {
      const auto s = static_cast<std::uint32_t>(random() % size);
      members.push_back({0, kGuid + s, static_cast<std::uint8_t>(30 + i), 0});
      has_members[s] = true;
    }
    std::set<Port> expected;
    for (const unknot_member& m : members) expected.emplace(m.switch_guid, m.port);
    for (bool cut = true; cut;) {
      cut = false;
      for (std::uint32_t s = 0; s < size; ++s) {
        if (cables[s].size() != 1 || has_members[s]) continue;
        const auto [peer, port] = cables[s].begin()->second;
        cables[peer].erase(port);
        cables[s].clear();
        cut = true;
      }
    }
    for (std::uint32_t s = 0; s < size; ++s) {
      for (const auto& [port, peer] : cables[s]) expected.emplace(kGuid + s, port);
    }
    std::set<Port> found;
    for (const unknot_tree_port& p : trees.prune(0xC000, members)) found.emplace(p.switch_guid, p.port);
    EXPECT_EQ(found, expected);
  }
}

/// Level 0 of the ring's tables leaves the cable from the last switch to the first alone, level 1 any other.
TEST(Multicast, TreesAreProvenWithTheTables) {
  const Ring ring(6);
  unknot_plan plan = plan_with(ring, chain(6, 5));
  EXPECT_EQ(plan.multicast.levels, 1U);
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 0), 0);
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 1), 1);
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 1), -1) << "said once";
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC001, 1), 1);
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 15), 1);

  const std::string why = refusal(ring, chain(6, 2));
  EXPECT_THAT(why, HasSubstr("packets of service level 0 can wait for each other in a circle ("));
  EXPECT_THAT(why, HasSubstr("can deadlock on this fabric together with the multicast trees of "));
  EXPECT_EQ(refusal(ring, "# 0xC000 sl=1\n" + chain(6, 2)), "");
  EXPECT_THAT(refusal(ring, "# 0xC000 sl=1\n" + chain(6, 5)), HasSubstr("packets of service level 1"));

  plan = plan_with(ring, "# 0xC000 sl=1\n" + chain(6, 2));
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 1), 0);
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 0), 1);

  ring.options.allow_deadlock = 1;
  plan = plan_with(ring, chain(6, 2));
  EXPECT_EQ(unknot_plan_level_warning(&plan, 0xC000, 0), 0) << "nobody asked for a proof";
}

TEST(Multicast, LevelsOfTheFileNeedLanes) {
  Ring ring(6);
  EXPECT_EQ(refusal(ring, "# 0xC000 sl=3\n" + chain(6, 2)), "");
  EXPECT_THAT(refusal(ring, "# 0xC000 sl=9\n" + chain(6, 2)),
              HasSubstr("service levels up to 9 need 10 operational virtual lanes"));
  ring.sl2vl.lane[3] = 0;
  EXPECT_THAT(refusal(ring, "# 0xC000 sl=3\n" + chain(6, 2)), HasSubstr("puts service level 3 on lane 0"));
}

TEST(Multicast, WithoutTheOptionThereAreNoTrees) {
  const Ring ring(4);
  const unknot_plan plan = ring.plan(ring.tables(), ring.levels());
  EXPECT_EQ(unknot_plan_has_trees(&plan), 0);
}

TEST(Multicast, HostsThatAreAwayAreNoMisfit) {
  Ring ring(5);
  ring.fabric.adapters.erase(ring.fabric.adapters.begin() + 4);
  ring.fabric.switches[4].ports[3] = {};
  EXPECT_EQ(refusal(ring, chain(5, 4)), "");
}

struct Case {
  const char* name;
  std::function<void(Ring&, std::string& trees)> spoil;
  const char* says;
};

class MulticastMisfits : public ::testing::TestWithParam<Case> {};

TEST_P(MulticastMisfits, AreNamedInOneSentence) {
  Ring ring(6);
  std::string trees = chain(6, 5);
  ASSERT_EQ(refusal(ring, trees), "");
  GetParam().spoil(ring, trees);
  const std::string why = refusal(ring, trees);
  EXPECT_THAT(why, HasSubstr(GetParam().says));
  EXPECT_EQ(why.find('\n'), std::string::npos);
}

const Case kCases[] = {
    {"empty", [](Ring&, std::string& t) { t.clear(); }, "no multicast table in it"},
    {"no_rows", [](Ring&, std::string& t) { t = "Switch 0x0002000000000000\n"; },
     "no group has a port in it"},
    {"no_file", [](Ring&, std::string& t) { t.assign(1U << 19U, ' '); }, "more than 256 KiB"},
    {"row_before_any_switch", [](Ring&, std::string& t) { t.insert(0, "0xC000 : 0x001\n"); },
     "trees:1: a row outside of any switch's table"},
    {"bad_guid", [](Ring&, std::string& t) { t = changed(t, "Switch 0x", "Switch zz"); },
     "trees:2: expected 'Switch 0x<guid>'"},
    {"switch_twice", [](Ring&, std::string& t) { t += t; }, "a second table for switch 0x0002000000000000"},
    {"row_twice", [](Ring&, std::string& t) { t = changed(t, "0xC000 :", "0xC000 : 0x001\n0xC000 :"); },
     "trees:5: a second row for group 0xC000 of this switch"},
    {"port_twice", [](Ring&, std::string& t) { t = changed(t, " 0x001 ", " 0x001 0x001 "); },
     "trees:4: the row names a port twice"},
    {"no_colon", [](Ring&, std::string& t) { t = changed(t, "0xC000 :", "0xC000"); },
     "expected ':' and ports"},
    {"no_lid", [](Ring&, std::string& t) { t = changed(t, "0xC000 :", "C000 :"); },
     "expected a row '0xC000 : 0x001 0x00b'"},
    {"unicast_lid", [](Ring&, std::string& t) { t = changed(t, "0xC000 :", "0xBFFF :"); },
     "LID 0xBFFF is not a multicast LID"},
    {"last_lid", [](Ring&, std::string& t) { t = changed(t, "0xC000 :", "0xFFFF :"); },
     "LID 0xFFFF is not a multicast LID"},
    {"decimal_port", [](Ring&, std::string& t) { t = changed(t, " 0x001 ", " 1 "); },
     "expected ports in hexadecimal"},
    {"huge_port", [](Ring&, std::string& t) { t = changed(t, " 0x001 ", " 0x0ff "); },
     "port 255 is beyond 254"},
    {"port_beyond_switch", [](Ring&, std::string& t) { t = changed(t, " 0x003 ", " 0x005 "); },
     "sends group 0xC000 to port 5 of switch 's0' (0x0002000000000000), but the switch has 4 ports"},
    {"level_beyond_15", [](Ring&, std::string& t) { t += "# 0xC000 sl=16\n"; },
     "service level 16 is beyond 15"},
    {"two_levels", [](Ring&, std::string& t) { t += "# 0xC000 sl=0\n# 0xC000 sl=1\n"; },
     "service level 1 for group 0xC000 that had level 0 before"},
    {"no_level", [](Ring&, std::string& t) { t += "# 0xC000 sl=\n"; },
     "expected a service level after 'sl='"},
    {"cut_short", [](Ring&, std::string& t) { t.resize(t.size() - 3); }, "it is incomplete"},
    {"cut_after_a_row", [](Ring&, std::string& t) { t.resize(t.rfind("\nSwitch")); },
     "copies group 0xC000 from switch 's4' (0x0002000000000004) port 1 to switch 's5' (0x0002000000000005), "
     "but "
     "not back by port 2"},
    {"unknown_switch", [](Ring&, std::string& t) { t += "Switch 0xcc\n0xC000 : 0x001\n"; },
     "switch 0x00000000000000cc of "},
    {"one_sided", [](Ring&, std::string& t) { t = changed(t, " 0x001  0x003", " 0x003"); },
     "but not back by port 1"},
    {"circle",
     [](Ring&, std::string& t) {
       t = changed(t, " 0x001  0x003", " 0x001  0x002  0x003");
       t.insert(t.rfind(" 0x003"), " 0x001 ");
     },
     "round in a circle"},
    {"parallel_cables",
     [](Ring& r, std::string& t) {
       unknot_fabric_link_switch(&r.fabric, 0, 4, 1, 4, 8);
       unknot_fabric_link_switch(&r.fabric, 1, 4, 0, 4, 8);
       t = changed(t, " 0x003 ", " 0x003  0x004 ");
       t.insert(t.find(" 0x003", t.find("\nSwitch", 5)), " 0x004 ");
     },
     "round in a circle, through port 4 of switch 's0' (0x0002000000000000) and port 4 of switch 's1'"},
    {"two_parts",
     [](Ring&, std::string& t) {
       t = changed(t, "0x001  0x002  0x003", "0x002  0x003");  // of s1
       t = changed(t, "0x001  0x002  0x003", "0x001  0x003");  // of s2
     },
     "falls apart: none of its cables joins switch 's0' (0x0002000000000000) to switch 's2'"},
    {"moved_cable",
     [](Ring& r, std::string& t) {
       // Port 4 now is where the tree's cable is said to be.
       unknot_fabric_link_switch(&r.fabric, 0, 4, 2, 4, 8);
       unknot_fabric_link_switch(&r.fabric, 2, 4, 0, 4, 8);
       t = changed(t, " 0x003 ", " 0x003  0x004 ");
     },
     "was a cable moved?"},
};

INSTANTIATE_TEST_SUITE_P(All, MulticastMisfits, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Multicast, ADeadCableIsNamed) {
  Ring ring(4);
  ring.fabric.switches[1].ports[1] = {};
  ring.fabric.switches[2].ports[2] = {};
  const std::string path = ring.file("trees", chain(4, 3));
  try {
    (void)make_multicast_trees(ring.fabric, path);
    FAIL() << "taken";
  } catch (const Misfit& misfit) {
    EXPECT_THAT(misfit.what(), HasSubstr("falls apart"));
    EXPECT_THAT(misfit.what(), HasSubstr("(port 1 of switch 's1' (0x0002000000000001) is not connected)"));
  }
}

TEST(Multicast, SpoiledBytesAreTakenOrRefusedNeverWorse) {
  std::mt19937 random(1);
  const Ring ring(5);
  const std::string trees = "# 0xC000 sl=0\n" + chain(5, 4);
  unsigned refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string t = trees;
    for (int change = 0; change < 2; ++change) {
      const std::size_t at = random() % t.size();
      switch (random() % 3) {
        case 0:
          t[at] = static_cast<char>(random());
          break;
        case 1:
          t.erase(at, random() % 40);
          break;
        default:
          t.insert(at, t.substr(random() % t.size(), random() % 40));
          break;
      }
      if (t.empty()) t.push_back('\n');
    }
    if (!refusal(ring, t).empty()) ++refused;
  }
  EXPECT_GT(refused, 300U);
}

}  // namespace
}  // namespace unknot::opensm
