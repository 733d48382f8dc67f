// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "formats/table_samples.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using test::error_of;

TEST(LaneMapFile, EverySampleIsReadBack) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    SCOPED_TRACE(sample.name);
    const Network& network = sample.network;
    Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 3, 1);
    const auto map = std::make_shared<LaneMap>(test::some_lane_map(network, 2));
    for (const bool explicit_map : {true, false}) {
      routing.lane_map = explicit_map ? map : nullptr;
      if (sample.name == "300 parallel cables") {
        EXPECT_EQ(error_of([&] { write_lane_map(network, routing, folder.file("slvl")); }),
                  "S-0 has 301 ports, but SL-to-VL tables are for switches of at most 254");
        continue;
      }
      write_lane_map(network, routing, folder.file("slvl"));
      const LaneMap back = read_lane_map(network, folder.file("slvl"));
      for (const RouterId r : network.routers()) {
        for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
          for (std::uint16_t out = 1; out <= network.port_count(r); ++out) {
            if (explicit_map) {
              ASSERT_EQ(back.get(r, in, out), map->get(r, in, out));
            } else {
              ASSERT_EQ(back.lane(7, r, in, out), 7 % 3);
            }
          }
        }
      }
    }
  }
}

std::string identity_dump() {
  std::string text;
  for (const char* guid : {"a1", "a2", "a3"}) {
    text += "Switch 0x00000000000000" + std::string(guid) + ", base LID 1, \"x\"\n#in out : 0 1\n";
    for (int out = 1; out <= 8; ++out) {
      for (int in = 0; in <= 8; ++in) {
        text += std::to_string(in) + "   " + std::to_string(out) +
                "   : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15 \n";
      }
    }
    text += "#----\n\n";
  }
  return text +
         "Channel Adapter 0xb11, base LID 11, \"n1\"\n#in out : 0\n0   0   : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
         "0\n";
}

TEST(LaneMapFile, BothFormsSayTheSame) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 16, 1);
  write_lane_map(network, routing, folder.file("slvl"));
  EXPECT_THAT(read_file(folder.file("slvl")),
              ::testing::StartsWith("0x00000000000000a1 0 1 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
                                    "0x00000000000000a1 1 1 0x01 "));
  const LaneMap lines = read_lane_map(network, folder.file("slvl"));
  const LaneMap dump = read_lane_map(network, folder.put("dump", identity_dump()));
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= 8; ++in) {
      for (std::uint16_t out = 1; out <= 8; ++out) ASSERT_EQ(lines.get(r, in, out), dump.get(r, in, out));
    }
  }
}

TEST(LaneMapFile, WhatNoRowTellsOfTakesLevelsToLanesOfTheirNumbers) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  std::string rows;
  for (const RouterId r : network.routers()) {
    for (int in = 0; in <= 8; ++in) {
      for (int out = 0; out <= 8; ++out) {
        if (in == out) continue;  // no path turns back; packets in a loop do
        rows += fmt::format("0x{:x} {} {} 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n", network.router_guid(r),
                            in, out);
      }
    }
  }
  const LaneMap map = read_lane_map(network, folder.put("slvl", rows));
  for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) {
    EXPECT_EQ(map.lane(level, RouterId(0), 5, 5), level);
    EXPECT_EQ(map.lane(level, RouterId(0), 5, 6), 0);
  }
}

TEST(LaneMapFile, SaysWhatIsWrong) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const auto error = [&](const std::string& text) {
    const std::string path = folder.put("slvl", text);
    const std::string what = error_of([&] { (void)read_lane_map(network, path); });
    return what.starts_with(path) ? what.substr(path.size()) : what;
  };
  const std::string row = " 0x01 0x23 0x45 0x67 0x01 0x23 0x45 0x67\n";
  const std::string lanes = " : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7\n";
  EXPECT_EQ(error(identity_dump()), "");
  EXPECT_EQ(error(""), ": 24 pairs of ports have no SL-to-VL row, the first leaf1 port 5 to port 6");
  EXPECT_EQ(error("0xdead 1 2" + row), ":1: switch 0x000000000000dead is not in the fabric");
  EXPECT_EQ(error("0xa1 1 9" + row), ":1: port 9 is beyond the 8 ports of leaf1");
  EXPECT_EQ(error("0xa1 1 2" + row + "0xa1 1 2 0x11 0x23 0x45 0x67 0x01 0x23 0x45 0x67\n"),
            ":2: other lanes for ports 1 to 2 of leaf1 than above");
  const std::string lines_form = "expected '0x<switch guid> <in> <out>' and 8 bytes '0x<vl><vl>'";
  EXPECT_EQ(error("0xa1 1 2 0x01 0x23\n"), ":1: " + lines_form);
  EXPECT_EQ(error("0xa1 1 2 0x123" + row), ":1: " + lines_form);
  EXPECT_EQ(error("1 2" + lanes), ":1: expected 'Switch 0x<guid>' or '0x<switch guid> <in> <out> ...'");
  const std::string head = "Switch 0xa1, base LID 1, \"x\"\n";
  EXPECT_EQ(error(head + "1 2 : 0 1 2\n"), ":2: expected '<in> <out> :' and 16 lanes");
  EXPECT_EQ(error(head + "1 2 : 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 16\n"), ":2: lane 16 is beyond 15");
  EXPECT_EQ(error(head + "nonsense\n"), ":2: expected '<in> <out> :' and 16 lanes");
}

}  // namespace
}  // namespace unknot
