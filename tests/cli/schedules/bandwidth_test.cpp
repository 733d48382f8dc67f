// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

TEST(BandwidthCommand, SaysTheOptimumItsProofAndTrees) {
  const Json all = run("schedule fattree3:4 --collective all-gather --goal bandwidth --json").json();
  EXPECT_EQ(all["collective"], "AAB");
  EXPECT_EQ(all["optimum"], "15");
  EXPECT_EQ(all["reached"], "15");
  EXPECT_EQ(all["proven_optimal"], true);
  EXPECT_EQ(all["cut"]["shares"], 15);
  EXPECT_EQ(all["cut"]["capacity"], 1);
  EXPECT_EQ(all["unit_megabits"], nullptr);
  EXPECT_EQ(all["trees"], 16);
}

using BandwidthFiles = InFolder;

/// Two switches with two hosts each, whose cable is half as fast as those of the hosts.
TEST_F(BandwidthFiles, CapacitiesAreRatesWhereAllAreKnown) {
  write("two.json",
        R"({"format":"unknot-network","version":1,"routers":2,"cables":[[0,3,1,3,"4xEDR"]],)"
        R"("terminals":[[0,1],[0,2],[1,1],[1,2]],"terminal_rate":["4xHDR","4xHDR","4xHDR","4xHDR"]})");
  const std::string line = "schedule two.json --collective AAB --goal bandwidth --json";
  const Json rates = run(line).json();
  EXPECT_EQ(rates["unit_megabits"], 100'000);
  EXPECT_EQ(rates["optimum"], "2");  // two shares over the cable between, three over twice that
  const Json cables = run(line + " --capacity cables").json();
  EXPECT_EQ(cables["unit_megabits"], nullptr);
  EXPECT_EQ(cables["optimum"], "3");
}

TEST(BandwidthCommand, WhatMeansNothingIsRefused) {
  const std::string line = "schedule torus:4x4 --goal bandwidth ";
  const auto expect_refused = [](const std::string& words, const char* why) {
    const Result result = run(words);
    EXPECT_EQ(result.code, 2) << words;
    EXPECT_THAT(result.err, HasSubstr(why)) << words;
  };
  expect_refused(line, "--collective is missing");
  expect_refused(line + "--collective all-reduce", "ask for reduce-scatter and all-gather");
  expect_refused(line + "--collective scan", "it has no part in --goal bandwidth");
  expect_refused(line + "--collective AAS", "a receiver of its own");
  expect_refused(line + "--collective AAB --steps 3", "it means nothing for --goal bandwidth");
  expect_refused(line + "--collective AAB -o x.json", "it means nothing for --goal bandwidth");
  expect_refused(line + "--collective AAB --capacity rates", "capacities by rate: the rate of");
  expect_refused("schedule torus:4x4 --collective AAB --capacity cables", "it is for --goal bandwidth");
}

}  // namespace
}  // namespace unknot::cli::test
