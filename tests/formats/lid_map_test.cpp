// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/lid_map.hpp"

#include <gtest/gtest.h>

#include "formats/table_samples.hpp"
#include "lids_of.hpp"
#include "unknot/formats/tables/lids_in_force.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using test::error_of;

TEST(LidMap, GivesFreeLidsToDevicesWithoutOne) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  for (int i = 0; i < 3; ++i) builder.add_terminal(RouterId(0));
  builder.labels().terminal_lid = {2, 0, 1};
  const Network network = std::move(builder).build();
  const LidMap lids = LidMap::of(network);
  EXPECT_EQ(lids.of(TerminalId(0)), 2U);
  EXPECT_EQ(lids.of(TerminalId(1)), 3U);
  EXPECT_EQ(lids.of(TerminalId(2)), 1U);
  EXPECT_EQ(lids.of(RouterId(0)), 4U);
  EXPECT_EQ(lids.of(RouterId(1)), 5U);
  EXPECT_TRUE(lids.at(4).is_router());
  EXPECT_FALSE(lids.at(6).known());
  EXPECT_FALSE(lids.at(0).known());
}

TEST(LidMap, RefusesOneLidForTwo) {
  NetworkBuilder builder;
  builder.add_router();
  for (int i = 0; i < 2; ++i) builder.add_terminal(RouterId(0));
  builder.labels().terminal_lid = {7, 7};
  const Network network = std::move(builder).build();
  EXPECT_EQ(error_of([&] { (void)LidMap::of(network); }), "H-0 and H-1 have the same LID 7");
}

TEST(LidMap, GuidToLidFileIsReadBack) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    const LidMap lids = LidMap::of(sample.network);
    write_guid2lid(sample.network, lids, folder.file("guid2lid"));
    const LidMap back = read_guid2lid(sample.network, folder.file("guid2lid"));
    EXPECT_TRUE(back.complete());
    EXPECT_EQ(back.highest(), lids.highest());
    for (std::uint32_t lid = 0; lid <= lids.highest(); ++lid) EXPECT_TRUE(back.at(lid) == lids.at(lid));
  }
}

// Tables whose LIDs are those of a guid2lid file, not of the fabric.
TEST(LidMap, IsFoundBesideTheTables) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  folder.put("guid2lid",
             "0x0000000000000b11 0x0001 0x0001\n\n0x0000000000000b21 0x0002 0x0002\n\n"
             "0x0000000000000b31 0x0003 0x0003\n\n0x0000000000000b32 0x0004 0x0005\n\n"
             "0x00000000000000ff 0x0006 0x0006\n\n");
  const std::string bare = folder.put(
      "bare", "Unicast lids guid 0xa1 \n0x0001 001\n0x0002 002\n0x0003 005\n0x0004 006\n0x5 005\n");
  const Routing routing = read_tables(network, bare);
  EXPECT_EQ(routing.table().get(RouterId(0), TerminalId(0)), ForwardingTable::kHere);
  EXPECT_EQ(routing.table().get(RouterId(0), TerminalId(2)), 0U);
  EXPECT_EQ(routing.table().get(RouterId(0), TerminalId(3)), 1U);  // LID 5 is not its base LID
  EXPECT_EQ(routing.table().get(RouterId(1), TerminalId(3)), ForwardingTable::kNone);
  EXPECT_EQ(test::lids_of(network, bare).of(TerminalId(3)), 4U);

  const std::string fdbs =
      folder.put("opensm.fdbs",
                 "dump_ucast_routes: Switch 0xa1\nLID    : Port : Hops : Optimal\n"
                 "0x0001 : 001  : 01   : yes\n0x0002 : 002  : 01   : yes\n"
                 "0x0003 : 005  : 01   : yes\n0x0004 : 006  : 01   : yes\n0x0007 : UNREACHABLE\n");
  EXPECT_TRUE(read_tables(network, fdbs).table() == routing.table());

  const std::string levels = folder.put(
      "psl",
      "0xb10 2 1\n0xb10 3 1\n0xb10 4 1\n0xb20 1 1\n0xb20 3 1\n0xb20 4 1\n0xb30 1 2\n0xb30 2 2\n0xb30 3 2\n"
      "0xb30 4 2\n");
  EXPECT_EQ(read_service_levels(network, levels).get(TerminalId(3), TerminalId(0)), 2);
}

TEST(LidMap, LowestOfSeveralLidsCountsInAnyOrder) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string path = folder.put("lfts",
                                      "Unicast lids guid 0xa1 \n0x000d 006 # portguid 0xb31\n"
                                      "0x000c 005 # portguid 0xb31\nUnicast lids guid 0xa2 \n"
                                      "0x000d 002 # portguid 0xb31\n0x000c 001 # portguid 0xb31\n");
  const Routing routing = read_tables(network, path);
  EXPECT_EQ(routing.table().get(RouterId(0), TerminalId(2)), 0U);
  EXPECT_EQ(routing.table().get(RouterId(1), TerminalId(2)), ForwardingTable::kHere);
  EXPECT_EQ(test::lids_of(network, path).of(TerminalId(2)), 12U);
}

// A host that has lost all its rows has a LID all the same: the one of guid2lid, else the fabric's.
TEST(LidMap, OfAHostWithoutRowsIsToldByOthers) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string path =
      folder.put("lfts",
                 "Unicast lids guid 0xa1 \n0x0031 001 # portguid 0xb11\n0x0033 005 # portguid 0xb31\n"
                 "0x0034 006 # portguid 0xb32\n");
  EXPECT_EQ(test::lids_of(network, path).of(TerminalId(0)), 0x31U);
  EXPECT_EQ(test::lids_of(network, path).of(TerminalId(1)), LidMap::of(network).of(TerminalId(1)));
  folder.put("guid2lid",
             "0x0000000000000b11 0x0001 0x0001\n\n0x0000000000000b21 0x0002 0x0002\n\n"
             "0x0000000000000b31 0x0003 0x0003\n\n0x0000000000000b32 0x0004 0x0005\n");
  EXPECT_EQ(test::lids_of(network, path).of(TerminalId(0)), 0x31U);
  EXPECT_EQ(test::lids_of(network, path).of(TerminalId(1)), 2U);
  EXPECT_TRUE(told_lids(network, read_file(path), path)->complete());
}

// The number that a service node without a LID gets where one must be written is in force nowhere: it must
// not keep a host from the LID that the fabric's file gives it.
TEST(LidsInForce, WhatNobodyHasGivenOutIsInNobodysWay) {
  const auto fabric = [](std::vector<std::uint32_t> lids) {
    NetworkBuilder builder;
    builder.add_routers(1);
    builder.add_terminal(RouterId(0));
    builder.add_terminal(RouterId(0));
    builder.labels().terminal_port_guid = {0x11, 0x12};
    builder.labels().terminal_lid = std::move(lids);
    builder.labels().router_lid = {45};
    builder.labels().service_nodes.push_back({RouterId(0), 9, 0x33, 0x33, 0, 0, "service"});
    return std::move(builder).build();
  };
  const Network before = fabric({25, 31});
  LidMap told(before);
  told.assign(Device(Device::Kind::terminal, 0), 64);
  told.assign(Device(Device::Kind::terminal, 1), 66);
  const Network in_force = with_lids(before, told);
  EXPECT_EQ(in_force.labels().service_nodes[0].lid, 0U);
  EXPECT_EQ(in_force.router_lid(RouterId(0)), 45U);
  const Network after = with_lids_kept(fabric({25, 1}), before, in_force);
  EXPECT_EQ(after.terminal_lid(TerminalId(0)), 64U);
  EXPECT_EQ(after.terminal_lid(TerminalId(1)), 1U);
}

// Switches go on to have entries for the LID of a host that is gone.
TEST(LidsInForce, WhatHasComeGetsALidThatNobodyHad) {
  const auto fabric = [](const std::vector<std::uint64_t>& hosts) {
    NetworkBuilder builder;
    builder.add_routers(1);
    for (std::size_t i = 0; i < hosts.size(); ++i) builder.add_terminal(RouterId(0));
    builder.labels().terminal_port_guid = hosts;
    return std::move(builder).build();
  };
  const Network before = fabric({0x11, 0x12, 0x13});
  const Network in_force = with_lids(before, LidMap::of(before));  // 1 to 3, the switch 4
  const Network own = fabric({0x11, 0x14, 0x12});
  const Network after = with_lids_kept(own, before, in_force);
  EXPECT_EQ(after.terminal_lid(TerminalId(0)), 1U);
  EXPECT_EQ(after.terminal_lid(TerminalId(1)), 5U);
  EXPECT_EQ(after.terminal_lid(TerminalId(2)), 2U);
  EXPECT_EQ(after.router_lid(RouterId(0)), 4U);
  ASSERT_EQ(after.labels().kept_lids.size(), 1U);
  EXPECT_EQ(after.labels().kept_lids[0].port_guid, 0x13U);
  // It comes back to its own LID, and the other one keeps the new one.
  const Network back = with_lids_kept(fabric({0x13, 0x14, 0x11}), own, after);
  EXPECT_EQ(back.terminal_lid(TerminalId(0)), 3U);
  EXPECT_EQ(back.terminal_lid(TerminalId(1)), 5U);
  EXPECT_EQ(back.terminal_lid(TerminalId(2)), 1U);
  ASSERT_EQ(back.labels().kept_lids.size(), 1U);
  EXPECT_EQ(back.labels().kept_lids[0].port_guid, 0x12U);
}

TEST(LidMap, OwnFormsStateTheirs) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  folder.put("guid2lid", "0x0000000000000b11 0x0001 0x0001\n");  // names not all: not used
  write_tables(network, test::some_routing(network, ServiceLevels::Rows::none, 1, 1), "binary",
               folder.file("t"));
  EXPECT_EQ(test::lids_of(network, folder.file("t")).of(TerminalId(0)), 11U);
  LidMap others(network);
  for (const TerminalId t : network.terminals())
    others.assign(Device(Device::Kind::terminal, t.value), 40 - t.value);
  for (const char* form : {"json", "binary"}) {
    write_tables(with_lids(network, others), test::some_routing(network, ServiceLevels::Rows::none, 1, 1),
                 form, folder.file("t"));
    for (const TerminalId t : network.terminals())
      EXPECT_EQ(test::lids_of(network, folder.file("t")).of(t), 40 - t.value) << form;
  }
  EXPECT_EQ(lid_map_beside(network, folder.file("t")).of(TerminalId(0)), 11U);
}

}  // namespace
}  // namespace unknot
