// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using AlgorithmsCommand = InFolder;

TEST_F(AlgorithmsCommand, ComparesPredictsAndSimulates) {
  const nlohmann::json all =
      run("algorithms torus:4x4 --engine dfsssp --collective all-reduce --bytes 1K,64K --json").json();
  EXPECT_EQ(all["collective"], "all-reduce");
  EXPECT_EQ(all["ranks"], 16);
  ASSERT_GE(all["algorithms"].size(), 10U);
  for (const auto& row : all["algorithms"]) {
    ASSERT_EQ(row["sizes"].size(), 2U);
    for (const auto& size : row["sizes"]) {
      EXPECT_GT(size["predicted"], 0);
      EXPECT_GT(size["simulated"], 0);
      EXPECT_EQ(size["deadlock"], false);
    }
    EXPECT_EQ(row["worst"].is_null(), row["contention_free"] == true);
    const bool surely_free = row["name"] == "grid-rings" || row["name"] == "unknot-steps";
    EXPECT_TRUE(!surely_free || row["contention_free"] == true) << row["name"];
  }
  EXPECT_EQ(all["best"].size(), 2U);
  EXPECT_EQ(all["ranges"][0]["from"], 1);
}

TEST_F(AlgorithmsCommand, NamesTheChannelAndItsFlows) {
  const Result shared =
      run("algorithms kary-ntree:k=4,n=3 --engine ftree --collective all-gather --algorithm ring --shuffle "
          "--known-only --no-simulation --check --json");
  EXPECT_EQ(shared.code, 1);
  const nlohmann::json row = shared.json()["algorithms"][0];
  EXPECT_EQ(row["contention_free"], false);
  EXPECT_EQ(row["worst"]["flows"].size(), row["most_flows"]);
  EXPECT_THAT(row["worst"]["channel"].get<std::string>(), HasSubstr("->"));
  const Result found =
      run("algorithms kary-ntree:k=4,n=3 --engine ftree --collective all-gather --algorithm ring --shuffle "
          "--find-ring "
          "--known-only --no-simulation --check -o order");
  EXPECT_EQ(found.code, 0) << found.out << found.err;
  const Result again = run(
      "algorithms kary-ntree:k=4,n=3 --engine ftree --collective all-gather --algorithm ring --order order "
      "--known-only --no-simulation --check");
  EXPECT_EQ(again.code, 0) << again.out << again.err;
}

TEST_F(AlgorithmsCommand, KeepsRoundsApart) {
  const nlohmann::json all =
      run("algorithms torus:4x4 --engine dfsssp --collective all-to-all --bytes 64K --rounds-apart --json")
          .json();
  EXPECT_EQ(all["rounds_apart"], true);
  for (const auto& row : all["algorithms"]) {
    if (row["contention_free"] == true) {
      EXPECT_NEAR(row["sizes"][0]["error"], 0, 0.01) << row["name"];
    }
  }
}

TEST_F(AlgorithmsCommand, TakesTablesWithTheirLanes) {
  ASSERT_EQ(run("route torus:5x5 --engine dfsssp -o lfts --lanes lanes").code, 0);
  const std::string line = " --collective all-gather --algorithm bruck --known-only --bytes 64K --json";
  const nlohmann::json made = run("algorithms torus:5x5 --engine dfsssp" + line).json();
  const nlohmann::json read = run("algorithms torus:5x5 --tables lfts --lanes lanes" + line).json();
  EXPECT_EQ(read["algorithms"][0]["worst"], made["algorithms"][0]["worst"]);
  EXPECT_EQ(read["algorithms"][0]["sizes"][0]["predicted"], made["algorithms"][0]["sizes"][0]["predicted"]);
  EXPECT_THAT(read["lanes"].get<std::string>(), ::testing::StartsWith("proven deadlock-free"));
}

// A ring in order leaves each of nine groups once in each of 71 rounds, over one global link.
TEST_F(AlgorithmsCommand, CountsTrafficBetweenGroups) {
  const std::string line =
      "algorithms dragonfly:a=4,h=2,p=2 --engine minhop --collective all-gather --algorithm ring "
      "--known-only --no-simulation --json";
  EXPECT_EQ(run(line + " --group-routers 4").json()["algorithms"][0]["group_bytes"], 9 * 71);
  EXPECT_TRUE(run(line).json()["algorithms"][0]["group_bytes"].is_null());
}

TEST_F(AlgorithmsCommand, RefusesInOneSentence) {
  const std::string known = "algorithms torus:4x4 --engine dfsssp --collective ";
  expect_refused("algorithms torus:4x4 --engine dfsssp", "--collective is missing");
  expect_refused("algorithms torus:4x4 --collective all-gather", "give --engine or --tables, one of them");
  expect_refused(known + "all-gathr", "all-gather");
  expect_refused(known + "all-gather --algorithm rng", "'ring'");
  expect_refused(known + "all-gather --algorithm binomial", "binomial: it is for broadcast and all-reduce");
  expect_refused(known + "broadcast --root 16", "--root 16: there are 16 ranks");
  expect_refused(known + "all-gather --bytes 1X", "expected bytes");
  expect_refused(known + "all-gather --hosts 3", "two ranks or more");
  expect_refused(known + "all-gather --json -o -", "cannot both have standard output");
  expect_refused(known + "all-gather --order none --shuffle", "give one of them");
  write("ranks", "rank 0=H-1 slot=0\nrank 1=H-99 slot=0\n");
  expect_refused(known + "all-gather --order ranks", "H-99");
}

}  // namespace
}  // namespace unknot::cli::test
