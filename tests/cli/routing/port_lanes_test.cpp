// SPDX-License-Identifier: Apache-2.0
// Fabrics whose ports have different numbers of lanes: what is routed is proven with levels cut to them, and
// the same as SL-to-VL tables is proven alike.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class PortLanes : public InFolder {};

std::string guid(unsigned router) {
  return fmt::format("0x{:016x}", 0x0002000000000000ULL + router);
}

/// Lanes as the dice have them for some ports of the switches of a torus of 16.
std::string thrown(unsigned seed, const std::vector<int>& lanes) {
  std::mt19937 random(seed);
  std::string text = "# guid port lanes\n";
  for (unsigned router = 0; router < 16; ++router) {
    for (int port = 1; port <= 4; ++port) {
      if (random() % 3 == 0)
        text += fmt::format("{} {} {}\n", guid(router), port, lanes[random() % lanes.size()]);
    }
  }
  return text;
}

TEST_F(PortLanes, ThePlansAreProvenAsTheyAreInForce) {
  ASSERT_EQ(run("topology torus:4x4,p=2 -o fabric --format json").code, 0);
  int fewer = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    write("ports", thrown(seed, seed < 4 ? std::vector<int>{2, 4} : std::vector<int>{1, 2, 8, 15}));
    const Result made =
        run("route fabric --engine nue --vls 8 --port-lanes ports -o tables --lanes lanes "
            "--certificate proof --json");
    ASSERT_EQ(made.code, 0) << made.out << made.err;
    const nlohmann::json json = made.json();
    EXPECT_TRUE(json["port_lanes"]["deadlock_free"]);
    EXPECT_GT(json["port_lanes"]["channels"], 0);
    fewer += json["port_lanes"]["lanes"] < 8 ? 1 : 0;
    const Result back =
        run("verify fabric tables --lanes lanes --port-lanes ports --certificate proof --vls 8 --json");
    EXPECT_EQ(back.code, 0) << back.out << back.err;
    EXPECT_TRUE(back.json()["certificate_holds"]);
  }
  EXPECT_GT(fewer, 0);
}

TEST_F(PortLanes, WhereTheyCloseACycleItIsFound) {
  ASSERT_EQ(run("topology torus:4x4 -o fabric --format json").code, 0);
  ASSERT_EQ(run("route fabric --engine lash -o tables --lanes lanes").code, 0);
  ASSERT_EQ(run("verify fabric tables --lanes lanes").code, 0);
  std::string all;
  for (unsigned router = 0; router < 16; ++router) {
    for (int port = 1; port <= 4; ++port) all += fmt::format("{} {} 1\n", guid(router), port);
  }
  write("ports", all);
  const Result bad = run("verify fabric tables --lanes lanes --port-lanes ports --json");
  EXPECT_EQ(bad.code, 1);
  EXPECT_FALSE(bad.json()["deadlock_free"]);
  EXPECT_EQ(bad.json()["lanes_used"], 1);
  // An engine that makes do with one lane is taken with one.
  const Result made = run("route fabric --engine nue --port-lanes ports --json");
  EXPECT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(made.json()["port_lanes"]["lanes"], 1);
}

TEST_F(PortLanes, WhatCannotBeIsRefused) {
  ASSERT_EQ(run("topology torus:4x4 -o fabric --format json").code, 0);
  for (const char* line : {" 1 3\n", " 1 0\n", " 1 16\n", " 0 4\n", " 9 4\n", " 1\n", " 1 4 4\n"}) {
    write("ports", guid(0) + line);
    const Result bad = run("route fabric --engine updn --port-lanes ports");
    EXPECT_EQ(bad.code, 2) << line;
    EXPECT_THAT(bad.err, HasSubstr("ports:1: ")) << line;
  }
  write("ports", guid(0) + " 1 4\n" + guid(0) + " 1 4\n");
  EXPECT_THAT(run("route fabric --engine updn --port-lanes ports").err, HasSubstr("is told twice"));
  write("ports", "0x77 1 4\n");
  EXPECT_EQ(run("route fabric --engine updn --port-lanes ports").code, 2);
  write("ports", guid(0) + " 1 4\n");
  EXPECT_EQ(run("route fabric --engine dor --port-lanes ports").code, 2);  // lanes by ports of its own
  EXPECT_EQ(run("route fabric --engine updn --port-lanes ports --qos a,b").code, 2);
  EXPECT_EQ(run("route fabric --engine angara-bfs --port-lanes ports").code, 2);
  EXPECT_EQ(run("route fabric --engine updn --port-lanes ports --sl2vl maps").code, 2);
}

}  // namespace
}  // namespace unknot::cli::test
