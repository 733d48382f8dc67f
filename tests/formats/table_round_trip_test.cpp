// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "effort.hpp"
#include "formats/table_samples.hpp"
#include "unknot/formats/tables/management_routes.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using test::error_of;
using ::testing::HasSubstr;

bool fits_infiniband(const Network& network) {
  for (const RouterId r : network.routers()) {
    if (network.port_count(r) > 254) return false;
  }
  return true;
}

TEST(TableFormats, EveryWriterOfEverySampleIsReadBack) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    const Routing routing = test::some_routing(sample.network, ServiceLevels::Rows::by_router, 4, 7);
    for (const TableFormat& format : table_formats()) {
      if (!format.write || format.holds == TableContent::source_routes) continue;
      if (!test::comes_back(format, sample.network)) continue;
      if (format.name.starts_with("opensm") && !fits_infiniband(sample.network)) {
        EXPECT_THAT(
            error_of([&] { write_tables(sample.network, routing, format.name, folder.file("tables")); }),
            HasSubstr("has 301 ports, but an InfiniBand switch has at most 254"));
        continue;
      }
      SCOPED_TRACE(sample.name + " as " + format.name);
      write_tables(sample.network, routing, format.name, folder.file("tables"));
      const Routing back = read_tables(sample.network, folder.file("tables"));
      EXPECT_TRUE(back.table() == routing.table());
    }
  }
}

TEST(TableFormats, OwnFormsKeepLanes) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    for (const char* format : {"json", "binary"}) {
      for (const auto rows :
           {ServiceLevels::Rows::none, ServiceLevels::Rows::by_router, ServiceLevels::Rows::by_terminal}) {
        // the lane map of hundreds of ports fills a large file
        if (fewer_cases() && sample.network.channel_count() > 500 && rows != ServiceLevels::Rows::by_router)
          continue;
        SCOPED_TRACE(sample.name + " as " + format);
        Routing routing = test::some_routing(sample.network, rows, 5, 3);
        routing.lanes_needed = 3;
        const auto map = std::make_shared<LaneMap>(test::some_lane_map(sample.network, 5));
        routing.lane_map = map;
        write_tables(sample.network, routing, format, folder.file("tables"));
        const Routing back = read_tables(sample.network, folder.file("tables"));
        EXPECT_EQ(back.engine, routing.engine);
        EXPECT_EQ(back.virtual_lanes, 5U);
        EXPECT_EQ(back.lanes_needed, 3U);
        EXPECT_TRUE(back.table() == routing.table());
        EXPECT_EQ(back.service_levels.rows(), rows);
        EXPECT_TRUE(rows == ServiceLevels::Rows::none || back.service_levels == routing.service_levels);
        ASSERT_NE(back.lane_map, nullptr);
        for (const RouterId r : sample.network.routers()) {
          for (std::uint16_t in = 0; in <= sample.network.port_count(r); ++in) {
            for (std::uint16_t out = 0; out <= sample.network.port_count(r); ++out) {
              ASSERT_EQ(back.lane_map->get(r, in, out), map->get(r, in, out));
            }
          }
        }
      }
    }
  }
}

// Where some terminals of a router send alike and others do not, each has its row in a file.
TEST(TableFormats, OwnFormsKeepLevelsThatSomeTerminalsShare) {
  const test::ScratchFolder folder;
  const Network network = make_network("mesh:2x3,p=3");
  Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 5, 3);
  std::vector<bool> begins(network.terminal_count(), false);
  for (std::uint32_t t = 0; t < begins.size(); t += 2) begins[t] = true;
  ServiceLevels levels(network, begins, 0);
  for (std::uint32_t row = 0; row < levels.row_count(); ++row) {
    for (std::uint32_t t = 0; t < network.terminal_count(); ++t) {
      levels.row(row)[t] = static_cast<std::uint8_t>((3 * row + t) % 5);
    }
  }
  routing.service_levels = levels;
  for (const char* format : {"json", "binary"}) {
    SCOPED_TRACE(format);
    write_tables(network, routing, format, folder.file("tables"));
    const Routing back = read_tables(network, folder.file("tables"));
    EXPECT_EQ(back.service_levels.rows(), ServiceLevels::Rows::by_terminal);
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId t : network.terminals()) {
        EXPECT_EQ(back.service_levels.get(s, t), levels.get(s, t)) << s.value << " to " << t.value;
      }
    }
  }
}

TEST(TableFormats, MissingAndStrayRoutesSurvive) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
  routing.table().set(RouterId(2), TerminalId(1), ForwardingTable::kNone);
  routing.table().set(RouterId(0), TerminalId(0), ForwardingTable::kNone);
  routing.table().set(RouterId(1), TerminalId(0), ForwardingTable::kStray);
  for (const char* format : {"json", "binary"}) {
    write_tables(network, routing, format, folder.file("tables"));
    EXPECT_TRUE(read_tables(network, folder.file("tables")).table() == routing.table()) << format;
  }
  write_tables(network, routing, "opensm", folder.file("tables"));
  routing.table().set(RouterId(1), TerminalId(0), ForwardingTable::kNone);  // a dump has no row for it
  EXPECT_TRUE(read_tables(network, folder.file("tables")).table() == routing.table());
}

TEST(TableFormats, DumpIsWordForWordOpenSMs) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing;
  routing.paths = ForwardingTable(network);
  for (const TerminalId t : network.terminals()) {
    const bool left = t.value < 2;
    routing.table().set(RouterId(left ? 1 : 0), t, t.value % 2);
    routing.table().set(RouterId(2), t, left ? t.value : 2 + t.value % 2);
  }
  write_tables(network, routing, "opensm", folder.file("lfts"));
  const std::string text = read_file(folder.file("lfts"));
  EXPECT_EQ(text.substr(0, text.find("Unicast", 1)),
            "Unicast lids [0-20] of switch Lid 1 guid 0x00000000000000a1 ('leaf1'):\n"
            "0x0001 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
            "0x0002 005 # Switch portguid 0x00000000000000a2: 'leaf2'\n"
            "0x0003 005 # Switch portguid 0x00000000000000a3: 'spine'\n"
            "0x000b 001 # Channel Adapter portguid 0x0000000000000b11: 'n1'\n"
            "0x000c 002 # Channel Adapter portguid 0x0000000000000b21: 'n2 'odd' portguid 0xbad'\n"
            "0x000d 005 # Channel Adapter portguid 0x0000000000000b31: 'n3'\n"
            "0x000e 006 # Channel Adapter portguid 0x0000000000000b32: 'n3'\n"
            "0x0014 005 # Channel Adapter portguid 0x00000000000000c1: 'Aggregation Node'\n"
            "20 lids dumped\n");
  EXPECT_THAT(text, HasSubstr("\n0x0014 008 # Channel Adapter portguid 0x00000000000000c1"));
  EXPECT_THAT(
      read_file(folder.file("guid2lid")),
      ::testing::StartsWith("0x00000000000000a1 0x0001 0x0001\n\n0x00000000000000a2 0x0002 0x0002\n\n"));
  write_tables(network, routing, "opensm-bare", folder.file("bare"));
  EXPECT_THAT(read_file(folder.file("bare")),
              ::testing::StartsWith("Unicast lids guid 0x00000000000000a1 \n"
                                    "0x0001 000 # portguid 0x00000000000000a1\n"));
}

TEST(TableFormats, RefusesMoreLidsThanInfiniBandHas) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.labels().terminal_lid = {0xC000};
  const Network network = std::move(builder).build();
  const Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
  const test::ScratchFolder folder;
  EXPECT_EQ(
      error_of([&] { write_tables(network, routing, "opensm", folder.file("t")); }),
      "the fabric needs LIDs up to 49152, but InfiniBand has unicast LIDs up to 49151 only; the 'binary' "
      "format has no such limit");
  EXPECT_FALSE(std::filesystem::exists(folder.file("t")));
}

TEST(TableFormats, UnknownFormatsAreNamed) {
  const Network network = test::small_fabric();
  const Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
  EXPECT_THAT(error_of([&] { write_tables(network, routing, "opensn", "t"); }),
              HasSubstr("did you mean 'opensm'"));
  EXPECT_THAT(error_of([&] { write_tables(network, routing, "xyzzy", "t"); }),
              HasSubstr("there are: opensm, opensm-bare, json, binary"));
}

TEST(TableFormats, BinaryRefusesAnotherNetwork) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  write_tables(network, test::some_routing(network, ServiceLevels::Rows::by_router, 2, 1), "binary",
               folder.file("t"));
  NetworkBuilder other;
  other.add_routers(2);
  other.add_cable(RouterId(0), RouterId(1));
  const Network small = std::move(other).build();
  EXPECT_EQ(error_of([&] { (void)read_tables(small, folder.file("t")); }),
            folder.file("t") + ": the tables were made for another network");
}

// A switch's tree reaches it from everywhere and never loops, terminals or none.
TEST(ManagementRoutes, LeadToEverySwitch) {
  for (const test::RoutedSample& sample : test::samples()) {
    const Network& network = sample.network;
    const Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 11);
    const ManagementRoutes routes(network, routing.table());
    for (const RouterId to : network.routers()) {
      for (const RouterId from : network.routers()) {
        RouterId at = from;
        std::uint32_t hops = 0;
        while (at != to && hops <= network.router_count()) {
          const std::uint32_t position = routes.next(at, to);
          ASSERT_LT(position, network.out(at).size()) << sample.name;
          at = network.target(network.out(at)[position]);
          ++hops;
        }
        EXPECT_EQ(at, to) << sample.name;
      }
    }
  }
}

TEST(TableFormats, LeaveTheDataBaseOfOpenSmAlone) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
  const auto written = [&](const std::string& name) {
    return error_of([&] { write_tables(network, routing, "opensm", folder.file(name)); });
  };
  EXPECT_THAT(written("guid2lid"), HasSubstr("name the tables otherwise"));
  EXPECT_EQ(written("lfts"), "");
  EXPECT_EQ(written("lfts"), "");  // our own guid2lid may be replaced
  folder.put("guid2mkey", "");
  const std::string before = read_file(folder.file("guid2lid"));
  EXPECT_THAT(written("other"), HasSubstr("in this folder OpenSM keeps its guid2lid"));
  EXPECT_EQ(read_file(folder.file("guid2lid")), before);
}

/// Lane 15 is not for data.
TEST(TableFormats, HaveFifteenLanesForDataInInfiniBandsForms) {
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::by_router, 15, 1);
  EXPECT_EQ(error_of([&] { require_data_lanes(network, routing); }), "");
  routing.service_levels.row(0)[3] = LaneMap::kDrop;
  routing.virtual_lanes = 16;
  EXPECT_THAT(error_of([&] { require_data_lanes(network, routing); }),
              HasSubstr("service level 15 would travel on virtual lane 15, which InfiniBand keeps"));
  // SL-to-VL tables may bring that level elsewhere, and others there.
  routing.lane_map = std::make_shared<const LaneMap>(network, std::uint8_t{8});
  EXPECT_EQ(error_of([&] { require_data_lanes(network, routing); }), "");
  routing.lane_map = std::make_shared<const LaneMap>(network, std::uint8_t{LaneMap::kLevels});
  EXPECT_THAT(error_of([&] { require_data_lanes(network, routing); }), HasSubstr("virtual lane 15"));
}

}  // namespace
}  // namespace unknot
