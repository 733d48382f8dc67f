// SPDX-License-Identifier: Apache-2.0
// `verify` and the lanes that are there: what the tables declare, what the hardware has, and who drops what.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_command.hpp"

namespace unknot::cli {
namespace {

using ::testing::HasSubstr;

/// SL-to-VL rows of one switch, `ports` of them; `lane` of each pair of ports.
std::string rows(const std::string& guid, int ports, const std::function<int(int in, int out)>& lane) {
  std::string text;
  for (int in = 0; in <= ports; ++in) {
    for (int out = 1; out <= ports; ++out) {
      text += fmt::format("{} {} {}", guid, in, out);
      for (int pair = 0; pair < 8; ++pair) text += fmt::format(" 0x{0:x}{0:x}", lane(in, out));
      text += '\n';
    }
  }
  return text;
}

class VerifyLanes : public test::InFolder {
 protected:
  static std::string first_finding(const test::Result& result) {
    return result.json()["findings"].empty() ? "" : result.json()["findings"][0]["kind"].get<std::string>();
  }
  /// Tables of a ring on two lanes as JSON, changed.
  static void ring_tables(const std::function<void(nlohmann::json&)>& change) {
    ASSERT_EQ(test::run("route ring:5 --engine dfsssp --vls 2 -o t.json --format json").code, 0);
    nlohmann::json tables = nlohmann::json::parse(read("t.json"));
    ASSERT_EQ(tables["virtual_lanes"], 2);
    change(tables);
    write("t.json", tables.dump(1));
  }
};

TEST_F(VerifyLanes, OneSwitchThatDropsAllDeliversNothing) {
  ASSERT_EQ(test::run("route mesh:1,p=3 -o t").code, 0);
  write("ok", rows("0x0002000000000000", 5, [](int, int) { return 0; }));
  EXPECT_EQ(test::run("verify mesh:1,p=3 t --sl2vl ok").code, 0);
  write("drops", rows("0x0002000000000000", 5, [](int, int) { return 15; }));
  const test::Result result = test::run("verify mesh:1,p=3 t --sl2vl drops --json");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.json()["complete"], false);
  EXPECT_EQ(result.json()["unroutable_pairs"], 6);
  EXPECT_EQ(first_finding(result), "dropped_lane");
}

TEST_F(VerifyLanes, RowsOfEndpointsPortsMustBeThere) {
  ASSERT_EQ(test::run("route mesh:1,p=3 -o t").code, 0);
  write("none", "# nothing\n");
  expect_refused(
      "verify mesh:1,p=3 t --sl2vl none",
      "none: 6 ways to the port of an endpoint have no SL-to-VL row, the first S-0 port 4 to port 3, of H-0");
}

TEST_F(VerifyLanes, AdaptersKeepWhatTheyDrop) {
  ASSERT_EQ(test::run("route mesh:1,p=3 -o t").code, 0);
  const std::string ok = rows("0x0002000000000000", 5, [](int, int) { return 0; });
  const std::string lanes = " : 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15\n";
  write("kept", ok + "Channel Adapter 0x0001000000000001, base LID 1, \"H-0\"\n0 0" + lanes);
  const test::Result result = test::run("verify mesh:1,p=3 t --sl2vl kept --json");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.json()["unroutable_pairs"], 2);
  expect_refused("verify mesh:1,p=3 t --sl2vl " +
                     write("twice", read("kept") + "0 0 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"),
                 "other lanes for the adapter of H-0 than above");
}

TEST_F(VerifyLanes, DeclaredLanesBind) {
  ring_tables([](nlohmann::json& tables) { tables["virtual_lanes"] = 1; });
  const test::Result result = test::run("verify ring:5 t.json --json");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.json()["complete"], false);
  EXPECT_GT(result.json()["laneless_pairs"], 0);
  EXPECT_EQ(result.json()["lanes_available"], 1);
  EXPECT_THAT(test::run("verify ring:5 t.json").out,
              HasSubstr("on lane 1, and only lane 0 is there for data"));
  expect_refused("simulate ring:5 --tables t.json --load 0.1",
                 "paths travel on lanes up to 1, and only 1 are there for data");
  // What a file does not declare, it does not bind.
  ring_tables([](nlohmann::json& tables) { tables.erase("virtual_lanes"); });
  EXPECT_EQ(test::run("verify ring:5 t.json").code, 0);
}

TEST_F(VerifyLanes, LaneFifteenAndBeyondCarryNoData) {
  for (const int level : {15, 16, 63, 64, 200}) {
    ring_tables([&](nlohmann::json& tables) {
      tables["virtual_lanes"] = 254;
      tables["service_levels"][0]["levels"][1] = level;
    });
    const test::Result result = test::run("verify ring:5 t.json --json");
    EXPECT_EQ(result.code, 1) << level;
    EXPECT_EQ(result.json()["unroutable_pairs"], 1) << level;
  }
}

TEST_F(VerifyLanes, TheHardwareHasNoMoreThanItHas) {
  ASSERT_EQ(test::run("route ring:5 --engine dfsssp --vls 2 -o t --lanes l").code, 0);
  EXPECT_EQ(test::run("verify ring:5 t --lanes l").code, 0);
  const test::Result two = test::run("verify ring:5 t --lanes l --vls 2");
  EXPECT_EQ(two.code, 0);
  EXPECT_THAT(two.out, HasSubstr("fits 2 lanes"));
  const test::Result one = test::run("verify ring:5 t --lanes l --vls 1");
  EXPECT_EQ(one.code, 1);
  EXPECT_THAT(one.out, HasSubstr("fits 1 lane"));
  EXPECT_THAT(one.out, HasSubstr("up to lane 1"));
  expect_refused("verify ring:5 t --lanes l --vls 0", "--vls");
  // Lane 15 is for management: nobody hands it out.
  for (const std::string command :
       {"verify ring:5 t --lanes l", "route ring:5 --engine dfsssp", "report ring:5",
        "simulate ring:5 --engine dfsssp", "bound ring:5 --engine dfsssp",
        "congestion ring:5 --engine dfsssp", "adversary ring:5 --engine dfsssp",
        "reroute ring:5 --tables t --lanes l --fail cables=0"}) {
    expect_refused(command + " --vls 16", "expected a whole number from 1 to 15");
  }
  // The engine may be told of lanes that the settings have beside: it takes no more than carry data.
  EXPECT_EQ(test::run("simulate ring:5 --engine dfsssp --set vcs=16 --load 0.1 --json").code, 0);
  EXPECT_EQ(test::run("verify ring:5 --paths minimal --lane-scheme hop").code, 0);
  EXPECT_EQ(test::run("verify ring:5 --paths minimal --lane-scheme hop --vls 2").code, 0);
  const test::Result paths = test::run("verify ring:5 --paths minimal --lane-scheme hop --vls 1 --json");
  EXPECT_EQ(paths.code, 1);
  EXPECT_EQ(paths.json()["lanes_fit"], false);
}

}  // namespace
}  // namespace unknot::cli
