// SPDX-License-Identifier: Apache-2.0
// Multicast tables and groups as OpenSM 3.3.23 and the InfiniBand tools wrote them of a simulated 3-ary
// 2-tree (tests/data/multicast): two groups, of five and of four hosts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

const std::string kFolder = std::string(UNKNOT_TEST_DATA) + "/multicast/";

Network fabric() {
  return read_fabric(kFolder + "net");
}

std::vector<std::string> names(const Network& network, const std::vector<TerminalId>& terminals) {
  std::vector<std::string> all;
  for (const TerminalId t : terminals) all.push_back(network.terminal_name(t));
  return all;
}

using Names = std::vector<std::string>;
const Names kFive = {"H-0", "H-2", "H-4", "H-6", "H-8"};
const Names kFour = {"H-0", "H-1", "H-2", "H-3"};

class MulticastFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() /
        ("unknot-multicast-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string with(const std::string& text) const {
    write_file(path("file"), text);
    return path("file");
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(MulticastFiles, OfOpenSmAreReadInBothForms) {
  const Network network = fabric();
  for (const char* name : {"mcfdbs", "dump_mfts"}) {
    const MulticastTables tables = read_multicast_tables(network, kFolder + name);
    ASSERT_EQ(tables.groups.size(), 2U) << name;
    EXPECT_EQ(tables.groups[0].lid(), 0xC000);
    EXPECT_EQ(tables.groups[0].level(), 0);
    EXPECT_EQ(names(network, members(network, tables.groups[0])), kFive) << name;
    EXPECT_EQ(names(network, members(network, tables.groups[1])), kFour) << name;
  }
  EXPECT_EQ(read_multicast_tables(network, kFolder + "mcfdbs"),
            read_multicast_tables(network, kFolder + "dump_mfts"));
}

TEST_F(MulticastFiles, AreWrittenAsOpenSmWritesThem) {
  const Network network = fabric();
  const MulticastTables tables = read_multicast_tables(network, kFolder + "mcfdbs");
  write_multicast_tables(network, tables, path("again"));
  EXPECT_EQ(read_file(path("again")), read_file(kFolder + "mcfdbs"));
}

TEST_F(MulticastFiles, KeepLevelsOfOurOwn) {
  const Network network = fabric();
  MulticastTables tables = read_multicast_tables(network, kFolder + "mcfdbs");
  tables.groups[1].set_level(14);
  write_multicast_tables(network, tables, path("levels"));
  EXPECT_TRUE(read_file(path("levels")).starts_with("# 0xC001 sl=14\n"));
  EXPECT_EQ(read_multicast_tables(network, path("levels")), tables);
}

TEST_F(MulticastFiles, GroupsComeFromTheAdministratorToo) {
  const Network network = fabric();
  const auto groups = read_multicast_groups(network, kFolder + "opensm-sa.dump");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].level, 0);
  EXPECT_EQ(groups[1].level, 2);
  EXPECT_TRUE(groups[1].level_told);
  EXPECT_EQ(names(network, groups[0].members), kFive);
  EXPECT_EQ(names(network, groups[1].members), kFour);
  const auto levels = read_multicast_groups(network, kFolder + "saquery-g");
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[1].lid, 0xC001);
  EXPECT_EQ(levels[1].level, 2);
  EXPECT_TRUE(levels[1].members.empty());
}

TEST_F(MulticastFiles, GroupsAreLines) {
  const Network network = fabric();
  const auto groups =
      read_multicast_groups(network, with("# of our own\n\n0xFFFE sl=15 all\r\n0xC001 "
                                          "H-[1-3],H-1\n0xC000\tsl=0 0x1000000000001, 0x1000000000005\n"));
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(names(network, groups[0].members), (Names{"H-0", "H-2"}));
  EXPECT_EQ(names(network, groups[1].members), (Names{"H-1", "H-2", "H-3"}));
  EXPECT_FALSE(groups[1].level_told);
  EXPECT_EQ(groups[2].members.size(), network.terminal_count());
  EXPECT_EQ(groups[2].level, 15);
}

TEST_F(MulticastFiles, AreToldAfterCommentsOfAnyLength) {
  const Network network = fabric();
  const std::string comments = std::string(500, '#') + "\n";
  std::string many;
  for (int i = 0; i < 40; ++i) many += comments;
  EXPECT_EQ(read_multicast_tables(network, with(many + read_file(kFolder + "mcfdbs"))),
            read_multicast_tables(network, kFolder + "mcfdbs"));
  EXPECT_EQ(read_multicast_groups(network, with(many + read_file(kFolder + "opensm-sa.dump"))).size(), 2U);
}

TEST_F(MulticastFiles, WhoSendsOnlyIsNoMember) {
  const Network network = fabric();
  const std::string group = "MC Group 0xc000 : mlid=0xc000 sl_flow_hop=0x0\n";
  const auto member = [](const char* state) {
    return "mcm_port: port_gid=0xfe80000000000000:0x1000000000001 scope_state=" + std::string(state) + "\n";
  };
  for (const char* receives : {"0x21", "0x22", "0x23", "0x27"}) {
    EXPECT_EQ(read_multicast_groups(network, with(group + member(receives)))[0].members.size(), 1U)
        << receives;
  }
  for (const char* sends : {"0x20", "0x24"})
    EXPECT_EQ(read_multicast_groups(network, with(group + member(sends)))[0].members.size(), 0U) << sends;
}

TEST_F(MulticastFiles, GroupsCanBeNamedInAnotherNetwork) {
  const Network network = fabric();
  const auto specs = read_multicast_groups(network, with("0xC000 H-0,H-2\n0xC001 H-1\n"));
  const Network less = with_faults(network, parse_faults(network, "terminals=H-1"));
  const auto there = carried_over(network, specs, less);
  ASSERT_EQ(there.size(), 2U);
  EXPECT_EQ(names(less, there[0].members), (Names{"H-0", "H-2"}));
  EXPECT_TRUE(there[1].members.empty());
}

TEST_F(MulticastFiles, NamesOfSwitchesStandForTheirHosts) {
  const Network network = fabric();
  const ManagedNetwork managed = managed_network(network);
  const std::string file = with("0xC000 S-0\n");
  const auto hosts = names(network, read_multicast_groups(network, file)[0].members);
  EXPECT_EQ(hosts.size(), 3U);
  EXPECT_EQ(names(managed.network, read_multicast_groups(managed.network, file)[0].members), hosts);
}

TEST_F(MulticastFiles, WhatDoesNotFitIsOneSentence) {
  const Network network = fabric();
  const std::string head = "Switch 0x0002000000000000\nLID    : Out Port(s)\n";
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"",
       ": no multicast tables: expected a line 'Switch 0x<guid>' (opensm.mcfdbs) or 'Multicast mlids ...' "
       "(dump_mfts, ibroute -M)"},
      {"Switch 0x9\n", ":1: switch 0x0000000000000009 is not in the fabric"},
      {"Switch 0x\n", ":1: expected 'Switch 0x<guid>'"},
      {head + head, ":3: switch 0x0002000000000000 has a table above already"},
      {"0xC000 : 0x001\n" + head, ":1: a row comes before the first 'Switch' line"},
      {head + "0xC000 0x001\n", ":3: expected ':' and ports after the group's LID"},
      {head + "C000 : 0x001\n", ":3: expected a row '0x<group> : 0x<port> 0x<port> ...'"},
      {head + "0xC000 : 001\n", ":3: expected ports in hexadecimal, '0x001 0x00b'"},
      {head + "0xC000 : 0x001,\n", ":3: expected ports in hexadecimal, '0x001 0x00b'"},
      {head + "0xBFFF : 0x001\n", ":3: 0xbfff is no LID of a multicast group: these are 0xc000 to 0xfffe"},
      {head + "0xFFFF : 0x001\n", ":3: 0xffff is no LID of a multicast group: these are 0xc000 to 0xfffe"},
      {head + "0xC000 : 0x007\n", ":3: port 7 is beyond the 6 ports of S-0"},
      {head + "0xC000 : 0xffffffffffffffff\n", ":3: port 18446744073709551615 is beyond the 6 ports of S-0"},
      {head + "0xC000 : 0x001\n0xC000 : 0x002\n", ":4: group 0xc000 has two rows in one switch's table"},
      {"# 0xC000 sl=16\n" + head, ":1: service level 16 is above 15"},
      {"# 0xC000 sl=1\n# 0xC000 sl=1\n" + head, ":2: group 0xc000 has its service level above already"},
      {"Multicast mlids [0xc000-0xc3ff] of switch 1 guid 0x\n", ":1: expected a GUID after 'guid 0x'"},
      {"Multicast mlids [0xc000-0xc3ff] of switch 1\n",
       ":1: expected 'Multicast mlids ... guid 0x<guid> ...'"},
      {"Multicast mlids [] guid 0x2000000000000 (S)\n0xc000  x\n",
       ":2: a row comes before the line 'Ports: 0 1 2 ...' of its switch"},
      {"Multicast mlids [] guid 0x2000000000000 (S)\n     Ports: 0 1 2 3 4 5 6 \n MLid\n0xc000        y\n",
       ":4: expected an x below each port of the group"},
      {"Multicast mlids [] guid 0x2000000000000 (S)\n     Ports: 0 1 2 3 4 5 6 \n MLid\n0xc000       x\n",
       ":4: expected an x below each port of the group"},
      {"Multicast mlids [] guid 0x2000000000000 (S)\n     Ports: 0 1 2 3 4 5 6 \n MLid\n0xc000               "
       "       x\n",
       ":4: port 8 is beyond the 6 ports of S-0"},
  };
  for (const auto& [text, sentence] : tables) {
    const std::string file = with(text);
    EXPECT_EQ(refusal([&] { (void)read_multicast_tables(network, file); }), file + sentence);
  }
  const std::vector<std::pair<std::string, std::string>> groups = {
      {"# nothing\n", ": no group: expected lines '0xC001 [sl=N] MEMBERS'"},
      {"C000 all\n", ":1: expected a group, '0xC001 [sl=N] MEMBERS'"},
      {"0xC000\n", ":1: expected a group, '0xC001 [sl=N] MEMBERS'"},
      {"0xC000 \n", ":1: expected the members of the group: nodes, port GUIDs or 'all'"},
      {"0xC000 sl=3\n", ":1: expected the members of the group: nodes, port GUIDs or 'all'"},
      {"0xC000 sl=16 all\n", ":1: service level 16 is above 15"},
      {"0xC000 sl=x all\n", ":1: expected a service level from 0 to 15 after 'sl='"},
      {"0x1000 all\n", ":1: 0x1000 is no LID of a multicast group: these are 0xc000 to 0xfffe"},
      {"0xC000 all\n0xC000 all\n", ":2: group 0xc000 stands above already"},
      {"0xC000 0x77\n", ":1: no host has the port GUID 0x0000000000000077"},
      {"0xC000 0x1000000000001,H-1\n", ":1: expected port GUIDs, '0x...,0x...'"},
      {"MC Group 0xc000 : mlid=0xc000\n", ":1: expected 'MC Group ... mlid=0x... sl_flow_hop=0x...'"},
      {"mcm_port: port_gid=0x1:0x1000000000001 scope_state=0x1\nMC Group 0xc000 : mlid=0xc000 "
       "sl_flow_hop=0x0\n",
       ":1: a member comes before the first 'MC Group' line"},
      {"MC Group 0xc000 : mlid=0xc000 sl_flow_hop=0x0\nmcm_port: port_gid=0x1\n",
       ":2: expected 'mcm_port: port_gid=0x...:0x... scope_state=0x...'"},
      {"MC Group 0xc000 : mlid=0xc000 sl_flow_hop=0x0\nMC Group 0xc000 : mlid=0xc000 "
       "sl_flow_hop=0x10000000\n",
       ":2: groups of LID 0xc000 have service levels 0 and 1: one of them is needed"},
      {"MCMemberRecord group dump:\n\t\tSL......0x0\n",
       ":2: a service level comes before the LID ('Mlid...') of its group"},
      {"MCMemberRecord group dump:\n\t\tMlid....0xC000\nMCMemberRecord group dump:\n",
       ":3: a record comes before the service level ('SL...') of the one above"},
  };
  for (const auto& [text, sentence] : groups) {
    const std::string file = with(text);
    EXPECT_EQ(refusal([&] { (void)read_multicast_groups(network, file); }), file + sentence);
  }
  const std::string unknown = refusal([&] { (void)read_multicast_groups(network, with("0xC000 nobody\n")); });
  EXPECT_TRUE(unknown.starts_with(path("file") + ":1: ")) << unknown;
}

TEST_F(MulticastFiles, APortAbove254IsNotWritten) {
  const Network star = make_network("random:switches=2,links=1,terminals=600,seed=1");
  std::vector<MulticastPort> ports;
  for (const TerminalId t : star.terminals()) ports.push_back({star.router_of(t), star.terminal_port(t)});
  MulticastTables tables;
  tables.groups.emplace_back(std::uint16_t{0xC000}, std::uint8_t{0}, star.router_count(), std::move(ports));
  EXPECT_NE(refusal([&] { write_multicast_tables(star, tables, path("big")); }).find("ports up to 254"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("big")));
}

}  // namespace
}  // namespace unknot
