// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BoundFiles : public InFolder {};

TEST(Bound, OverAllTrafficStandsAlone) {
  const Result result = run("bound torus:4x4,p=2 --tub --json");
  EXPECT_EQ(result.code, 0);
  const nlohmann::json document = result.json();
  EXPECT_EQ(document["tub"], 0.5);
  EXPECT_EQ(document["all_traffic"]["saturation"], 0.5);
  EXPECT_EQ(document["all_traffic"]["channels"], 64);
  EXPECT_EQ(document["all_traffic"]["length"], 128);
  EXPECT_EQ(document["all_traffic"]["longest"], 128);
  EXPECT_EQ(document["all_traffic"]["exact"], true);
  EXPECT_TRUE(document["pattern"].is_null());
  EXPECT_TRUE(document["bounds"].empty());
  EXPECT_THAT(run("bound torus:4x4,p=2 --tub").out, Not(HasSubstr("max load")));
}

TEST(Bound, OverAllTrafficStandsBesideAPattern) {
  const nlohmann::json document =
      run("bound hyperx:4x4,p=4 --tub --pattern longest-matching --optimal --json").json();
  EXPECT_EQ(document["bounds"].size(), 2U);
  EXPECT_EQ(document["tub"], 0.75);
  EXPECT_LE(document["optimal"]["saturation"]["upper"], 0.75 + 1e-9);
  const nlohmann::json without = run("bound hyperx:4x4,p=4 --json").json();
  EXPECT_TRUE(without["tub"].is_null());
  EXPECT_TRUE(without["all_traffic"].is_null());
  EXPECT_EQ(without["pattern"], "uniform");
}

TEST(Bound, SplitsOverSetsOfPaths) {
  const nlohmann::json document =
      run("bound slimfly:q=5,p=3 --pattern worst-case --split minimal,shortest:8,ugal --json").json();
  ASSERT_EQ(document["splits"].size(), 3U);
  double before = 0;
  for (const nlohmann::json& split : document["splits"]) {
    EXPECT_EQ(split["pairs"], 50);
    EXPECT_EQ(split["method"], "linear program");
    EXPECT_NEAR(split["saturation"]["lower"].get<double>(), split["saturation"]["upper"].get<double>(), 1e-6);
    EXPECT_GT(split["saturation"]["lower"], before);
    before = split["saturation"]["lower"];
  }
  EXPECT_EQ(document["splits"][1]["paths"], 400);
  EXPECT_NEAR(before, 0.794597, 1e-6);
  // many paths: by rounds, within the gap
  const nlohmann::json near =
      run("bound slimfly:q=5,p=3 --pattern worst-case --split shortest:100 --gap 0.05 --json")
          .json()["splits"][0];
  EXPECT_EQ(near["method"], "potential");
  EXPECT_LE(near["gap"], 0.05);
  EXPECT_LE(near["saturation"]["lower"], 0.7946);
  EXPECT_GE(near["saturation"]["upper"], 0.7945);
}

TEST(Bound, SplitsOverTheAddressesOfTables) {
  const nlohmann::json document =
      run("bound torus:4x4,p=2 --engine dor --pattern uniform --split addresses --json").json();
  ASSERT_EQ(document["splits"].size(), 1U);
  const nlohmann::json& split = document["splits"][0];
  EXPECT_EQ(split["set"], "addresses of dor");
  EXPECT_EQ(split["paths"], split["pairs"]);  // one address each
  EXPECT_NEAR(split["max_load"]["upper"].get<double>(), document["bounds"][0]["max_load"].get<double>(),
              1e-9);
}

TEST_F(BoundFiles, SplitsOverTheWaysOfAnAdaptiveRouting) {
  ASSERT_EQ(run("route torus:4x4 --engine minhop --adaptive-groups groups").code, 1);  // they can deadlock
  const Result result =
      run("bound torus:4x4 --pattern tornado --adaptive groups --split minimal --exact --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto splits = result.json()["splits"];
  ASSERT_EQ(splits.size(), 2U);
  EXPECT_EQ(splits[0]["set"], "minimal");
  EXPECT_EQ(splits[1]["set"], "groups of groups");
  EXPECT_EQ(splits[0]["paths"], splits[1]["paths"]);
  EXPECT_NEAR(splits[0]["saturation"]["upper"].get<double>(), splits[1]["saturation"]["upper"].get<double>(),
              1e-9);
  expect_refused("bound torus:4x4 --adaptive missing", "missing");
  expect_refused("bound torus:4x4 --adaptive groups --capacity rates", "--capacity has no place beside them");
  expect_refused("bound torus:4x2 --adaptive groups", "groups");
}

TEST_F(BoundFiles, GroupsThatLosePacketsAreCounted) {
  ASSERT_EQ(run("route ring:4 --engine minhop --adaptive-groups groups").code, 1);  // they can deadlock
  nlohmann::json file = nlohmann::json::parse(read("groups"));
  file["data_lanes"] = 1;
  file["fixed_levels"] = {0, 5};  // the latter has no lane
  write("lossy", file.dump());
  write("flows", "0 2\n");
  const std::string command = "bound ring:4 --pattern file:flows --paths minimal --adaptive lossy";
  const Result result = run(command + " --json");
  EXPECT_EQ(result.code, 1) << result.err;
  const auto row = result.json()["bounds"][1];
  EXPECT_EQ(row["routing"], "groups at random");
  EXPECT_EQ(row["lost"], 1);
  EXPECT_EQ(row["max_load"], 0);
  EXPECT_TRUE(result.json()["splits"].empty());
  EXPECT_THAT(run(command).out,
              HasSubstr("1 flow whose packets may be lost, 0.00 % of what is sent arrives whole"));
  expect_refused("adversary ring:4 --adaptive lossy", "lossy: packets from");
}

TEST_F(BoundFiles, ShortestPathsOfATorusNeedNoList) {
  const Result result = run("bound torus:8x8x8,p=2 --split minimal --pattern uniform --json --rounds 3");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto split = result.json()["splits"][0];
  EXPECT_EQ(split["paths"], 450'060'288);
  EXPECT_EQ(split["set"], "minimal");
  EXPECT_NEAR(split["max_load"]["upper"].get<double>(), split["max_load"]["lower"].get<double>(), 1e-9);
  EXPECT_LT(split["imbalance"].get<double>(), 1e-9);
}

TEST_F(BoundFiles, WrongSetsOfPathsAreRefused) {
  expect_refused("bound ring:5 --split longest", "unknown path set 'longest'");
  expect_refused("bound ring:5 --split shortest:0", "count");
  expect_refused("bound ring:5 --split addresses", "needs --engine or --tables");
  expect_refused("bound ring:5 --tub --rounds 3", "--rounds is for --optimal, --split or --adaptive");
}

TEST_F(BoundFiles, TooManyPathsAreRefused) {
  expect_refused("bound torus:8x8x8 --pattern tornado --split ugal", "too many to be listed");
  expect_refused("bound slimfly:q=5 --split shortest:200 --exact --pattern uniform", "at most 200000");
}

TEST_F(BoundFiles, OverAllTrafficIsNoneWhereNoneLeavesARouter) {
  write("one.json",
        R"({"format":"unknot-network","version":1,"routers":1,"cables":[],"terminals":[[0,1],[0,2]]})");
  const Result inside = run("bound one.json --tub --json");
  EXPECT_EQ(inside.code, 0) << inside.err;
  EXPECT_TRUE(inside.json()["tub"].is_null());
  EXPECT_EQ(inside.json()["all_traffic"]["saturation"], 1);
  EXPECT_THAT(run("bound one.json --tub").out, HasSubstr("no traffic leaves a router"));
}

/// A link of three times the capacity is three cables.
TEST_F(BoundFiles, CapacitiesCountAsSoManyCables) {
  std::string wide = "graph {", cables = "graph {";
  for (const char* link : {"a -- b", "b -- c", "c -- d", "d -- a"}) {
    const bool thick = std::string(link) != "c -- d";
    wide += std::string(link) + " [capacity=" + (thick ? "300" : "100") + "];";
    for (int i = 0; i < (thick ? 3 : 1); ++i) cables += std::string(link) + ";";
  }
  write("wide.dot", wide + "}");
  write("cables.dot", cables + "}");
  const nlohmann::json one = run("bound cables.dot --optimal --json").json();
  const nlohmann::json other = run("bound wide.dot --optimal --capacity stated --json").json();
  EXPECT_EQ(one["unit_megabits"], nullptr);
  EXPECT_EQ(other["unit_megabits"], 300'000);
  // In units of the wide channels, of which there is a third as much.
  EXPECT_NEAR(other["optimal"]["max_load"]["upper"].get<double>(),
              3 * one["optimal"]["max_load"]["upper"].get<double>(), 1e-6);
  // From c to d go a third of a message and two halves of thirds, evenly over routes, over a third of a unit.
  EXPECT_NEAR(other["bounds"][0]["max_load"].get<double>(), 2.0, 1e-9);
  EXPECT_THAT(run("bound wide.dot --capacity stated").out, HasSubstr("a rate of 1 is 300 Gb/s, as stated\n"));
  const auto expect_refused = [](const std::string& words, const char* why) {
    const Result result = run(words);
    EXPECT_EQ(result.code, 2) << words;
    EXPECT_THAT(result.err, HasSubstr(why)) << words;
  };
  expect_refused("bound cables.dot --capacity stated", "--capacity stated: the capacity of a port");
  expect_refused("bound cables.dot --capacity rates", "--capacity rates: the rate of a port");
  expect_refused("bound wide.dot --capacity stated --tub", "--tub, --split and --adaptive count cables");
  expect_refused("bound wide.dot --capacity tea", "--capacity");
}

}  // namespace
}  // namespace unknot::cli::test
