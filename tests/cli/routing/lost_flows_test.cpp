// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

/// Two hosts on each end of a line, and tables that have no path from the first to the last and back.
class LossyLine : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    write("two.json",
          R"({"format":"unknot-network","version":1,"routers":3,"cables":[[0,1,1,1],[1,2,2,1]],
              "terminals":[[0,3],[0,4],[2,3],[2,4]]})");
    write("lossy.json",
          R"({"format":"unknot-tables","version":1,
              "terminals":[{"guid":"0x0001000000000001"},{"guid":"0x0001000000000003"},
                           {"guid":"0x0001000000000005"},{"guid":"0x0001000000000007"}],
              "routers":[{"guid":"0x0002000000000000","ports":[3,4,1,0]},
                         {"guid":"0x0002000000000001","ports":[1,1,2,2]},
                         {"guid":"0x0002000000000002","ports":[0,1,3,4]}]})");
  }
};

TEST_F(LossyLine, BoundsDeliverNothingWithoutAPath) {
  const auto row = [&](const std::string& line) {
    const Result result = run("bound two.json " + line + " --json");
    EXPECT_EQ(result.code, 1);
    return result.json()["bounds"][0];
  };
  const nlohmann::json half = row("--tables lossy.json --pattern shift:2");
  EXPECT_EQ(half["saturation"], 0);
  EXPECT_EQ(half["worst_saturation"], 0);
  EXPECT_TRUE(half["time"].is_null());
  EXPECT_EQ(half["effective_throughput"], 0.5);
  EXPECT_EQ(half["lost"], 2);
  EXPECT_EQ(half["delivered"], 0.5);
  // Four of the twelve pairs, each with a third of what a terminal sends.
  const nlohmann::json uniform = row("--tables lossy.json");
  EXPECT_EQ(uniform["saturation"], 0);
  EXPECT_EQ(uniform["lost"], 4);
  EXPECT_NEAR(uniform["delivered"].get<double>(), 2.0 / 3, 1e-12);
  const nlohmann::json nothing = row("--paths valiant --pattern shift:2");
  EXPECT_EQ(nothing["saturation"], 0);
  EXPECT_EQ(nothing["effective_throughput"], 0);
  EXPECT_EQ(nothing["lost"], 4);
  // The neighbours on one router need no intermediate.
  const nlohmann::json third = row("--paths valiant --pattern uniform");
  EXPECT_EQ(third["lost"], 8);
  EXPECT_NEAR(third["delivered"].get<double>(), 1.0 / 3, 1e-12);
  // What is lost is sent all the same.
  EXPECT_NEAR(third["effective_throughput"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_THAT(run("bound two.json --tables lossy.json --pattern shift:2").out,
              HasSubstr("2 flows without a path, 50.00 % of what is sent has one"));
  EXPECT_EQ(run("bound two.json --paths minimal --pattern shift:2 --json").json()["bounds"][0]["delivered"],
            1);
}

TEST_F(LossyLine, NoLoadIsTheWorstWhereAPairHasNoPath) {
  for (const auto& [routing, lost] : {std::pair("--tables lossy.json", 4), std::pair("--paths valiant", 8)}) {
    const Result result = run(std::string("adversary two.json ") + routing + " --json");
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.json()["exact"], false);
    EXPECT_EQ(result.json()["saturation"], 0);
    EXPECT_EQ(result.json()["lost_pairs"], lost);
    const std::string text = run(std::string("adversary two.json ") + routing).out;
    EXPECT_THAT(text, HasSubstr("pairs without a path"));
    EXPECT_EQ(text.find("so it is the worst"), std::string::npos);
  }
  EXPECT_EQ(run("adversary two.json --paths minimal --json").json()["lost_pairs"], 0);
}

// Paths are whole, and SL-to-VL tables send some packets to lane 15: lost like those without a path.
TEST_F(LossyLine, PacketsThatALaneDropsAreNotDelivered) {
  ASSERT_EQ(run("topology torus:4x4 -o t").code, 0);
  ASSERT_EQ(run("route t --engine dor -o whole --format json").code, 0);
  nlohmann::json tables = nlohmann::json::parse(read("whole"));
  ASSERT_FALSE(tables["sl_to_vl"].empty());
  for (nlohmann::json& entry : tables["sl_to_vl"]) {
    if (entry["router"] == "0x0002000000000000" && entry["out"] == 1) {
      for (nlohmann::json& lane : entry["lanes"]) lane = 15;
    }
  }
  write("drops", tables.dump());
  const auto checked = run("verify t drops --json").json();
  const auto lost = checked["unroutable_pairs"].get<std::uint64_t>();
  ASSERT_GT(lost, 0);
  const auto all = run("congestion t --tables drops --pattern all-to-all --json");
  EXPECT_EQ(all.code, 1);
  EXPECT_EQ(all.json()["unroutable_flows"], lost);
  EXPECT_EQ(run("bound t --tables drops --pattern uniform --json").json()["bounds"][0]["lost"], lost);
  EXPECT_EQ(run("adversary t --tables drops --json").json()["lost_pairs"], lost);
  const auto shift = run("congestion t --tables drops --pattern shift:4 --json");
  EXPECT_EQ(shift.code, 1);
  EXPECT_GT(shift.json()["unroutable_flows"], 0);
  EXPECT_EQ(run("congestion t --tables whole --pattern shift:4 --json").json()["unroutable_flows"], 0);
  EXPECT_EQ(run("place t --tables drops --stencil 4x4 --effort 0.01").code, 2);
}

// Lanes that are not there, and the cable to an endpoint: what verify calls laneless is lost for all.
TEST_F(LossyLine, LanelessPairsAreLostInEveryCommand) {
  ASSERT_EQ(run("topology torus:4x4 -o t").code, 0);
  const auto tables_of = [](const std::string& engine) {
    EXPECT_EQ(run("route t --engine " + engine + " --vls 4 -o whole --format json").code, 0);
    return nlohmann::json::parse(read("whole"));
  };
  nlohmann::json tables = tables_of("dfsssp");
  tables["service_levels"][0]["levels"][1] = 3;
  tables["virtual_lanes"] = 3;
  write("undeclared", tables.dump());
  tables = tables_of("dor");
  for (nlohmann::json& row : tables["sl_to_vl"]) {
    if (row["router"] != "0x0002000000000000" || row["in"] != 1 || row["out"] != 5) continue;
    for (nlohmann::json& lane : row["lanes"]) lane = 2;
  }
  write("last-cable", tables.dump());
  for (const std::string file : {"undeclared", "last-cable"}) {
    SCOPED_TRACE(file);
    const auto lost = run("verify t " + file + " --json").json()["laneless_pairs"].get<std::uint64_t>();
    ASSERT_GT(lost, 0);
    const auto answer = [&](const std::string& line) {
      return run(line + " --tables " + file + " --json").json();
    };
    EXPECT_EQ(answer("congestion t --pattern all-to-all")["unroutable_flows"], lost);
    EXPECT_EQ(answer("bound t --pattern uniform")["bounds"][0]["lost"], lost);
    EXPECT_EQ(answer("adversary t")["lost_pairs"], lost);
    EXPECT_EQ(run("place t --stencil 4x4 --effort 0.01 --tables " + file).code, 2);
    EXPECT_EQ(run("simulate t --load 0.5 --tables " + file).code, 2);
  }
}

TEST_F(LossyLine, AllFlowsAtOneRateAreNoneWhereOneIsLost) {
  for (const std::string pattern : {"shift:2", "all-to-all"}) {
    const Result result = run("congestion two.json --tables lossy.json --pattern " + pattern + " --json");
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.json()["throughput"], 0) << pattern;
    EXPECT_GT(result.json()["effective_bisection_bandwidth"], 0) << pattern;
  }
}

}  // namespace
}  // namespace unknot::cli::test
