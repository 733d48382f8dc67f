// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

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

TEST(BandwidthCommand, TheBoundAloneOfNetworksWithTooManyNodesForTrees) {
  const Json bound = run("schedule torus:72x64 --collective AAB --goal bandwidth --bounds --json").json();
  EXPECT_EQ(bound["optimum"], "4607/4");
  EXPECT_FALSE(bound.contains("reached"));
  const Result refused = run("schedule torus:72x64 --collective AAB --goal bandwidth");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("4608 nodes: trees are made for 4096 at most; --bounds gives the optimum alone"));
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

TEST_F(BandwidthFiles, CapacitiesAreThoseThatTheFabricStates) {
  write("ring.dot", "graph { a -- b [capacity=400]; b -- c [capacity=12.5]; c -- a }");
  const std::string line = "schedule ring.dot --collective AAB --goal bandwidth";
  const Json stated = run(line + " --json").json();
  EXPECT_EQ(stated["unit_megabits"], 500);
  EXPECT_EQ(stated["assumed_links"], 1);
  EXPECT_EQ(stated["optimum"], "2/27");  // two shares over 12.5 + 1 Gb/s
  EXPECT_EQ(stated["proven_optimal"], true);
  EXPECT_THAT(run(line).out, HasSubstr("1 is 0.5 Gb/s, as stated; a link of which nothing is known counts "
                                       "as 1 Gb/s\n"));
  const Json cables = run(line + " --capacity cables --json").json();
  EXPECT_EQ(cables["unit_megabits"], nullptr);
  EXPECT_EQ(cables["optimum"], "1");
  EXPECT_THAT(run(line + " --terminal-capacity 2").err, HasSubstr("--terminal-capacity counts cables"));
  EXPECT_EQ(run(line + " --terminal-capacity 2 --capacity cables").code, 0);
  EXPECT_THAT(run("info ring.dot").out,
              HasSubstr("400 Gb/s: 2 channels, 12.5 Gb/s: 2 channels, none stated: 2 channels\n"));
  EXPECT_EQ(run("info ring.dot --json").json()["capacities"][0]["megabits"], 400'000);
  EXPECT_FALSE(run("info ring:3 --json").json().contains("capacities"));
  EXPECT_THAT(run("topology ring.dot -o lost --format ibsim").err, HasSubstr("no place for the capacities"));
  EXPECT_THAT(run(line + " --capacity rates").err,
              HasSubstr("the rate of a port 1 -> b port 1 is not known"));
}

TEST_F(BandwidthFiles, WhatIsWrittenIsCheckedAndDamageIsFound) {
  for (const char* collective : {"AAB", "AAR", "OAB --root 5", "AOR"}) {
    const std::string line =
        std::string("schedule torus:4x4 --goal bandwidth --json -o trees.json --collective ");
    const Result made = run(line + collective);
    ASSERT_EQ(made.code, 0) << made.err;
    const Result checked = run("schedule check torus:4x4 trees.json --json");
    EXPECT_EQ(checked.code, 0) << collective << checked.err << checked.out;
    for (const char* member :
         {"optimum", "reached", "cut", "trees", "copies", "depth", "proven_optimal", "valid"})
      EXPECT_EQ(checked.json()[member], made.json()[member]) << collective << ' ' << member;
    // On a network with one cable less its trees cannot be run.
    const Result broken = run("schedule check torus:4x4 trees.json --fail cables=S-0-S-1 --json");
    EXPECT_EQ(broken.code, 1) << collective;
    EXPECT_EQ(broken.json()["valid"], false);
    EXPECT_NE(broken.json()["fault"], nullptr);
  }
  EXPECT_THAT(run("schedule check torus:4x4 trees.json").out, HasSubstr("proven optimal"));
}

TEST_F(BandwidthFiles, NoTreesAreRefusedWithTheirPlace) {
  const auto expect_refused = [&](const std::string& text, const char* why) {
    write("bad.json", text);
    const Result result = run("schedule check ring:3 bad.json");
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_THAT(result.err, ::testing::AllOf(HasSubstr("bad.json"), HasSubstr(why))) << text;
  };
  const std::string head = R"({"collective":"AAB","copies":1,"trees":)";
  expect_refused(R"({"trees":[]})", "the member \"collective\" is missing");
  expect_refused(R"({"collective":"AAB","trees":[]})", "the member \"copies\" is missing");
  expect_refused(R"({"collective":"AAB","copies":0,"trees":[]})", "copies: expected a whole number from 1");
  expect_refused(R"({"collective":7,"copies":1,"trees":[]})", "collective: expected text");
  expect_refused(head + "7}", "trees: expected a list of trees");
  expect_refused(head + "[7]}", "trees[0]: expected an object");
  expect_refused(head + R"([{"copies":1,"edges":[]}]})", "trees[0]: the member \"root\" is missing");
  expect_refused(head + R"([{"root":-1,"copies":1,"edges":[]}]})", "trees[0].root: expected a node number");
  expect_refused(head + R"([{"root":0,"copies":1,"edges":[[0]]}]})", "trees[0].edges[0]: expected a path");
  expect_refused(head + R"([{"root":0,"copies":1,"edges":[[0,-1]]}]})",
                 "trees[0].edges[0]: expected node numbers");
  expect_refused(head + R"([{"root":0,"root":0,"copies":1,"edges":[]}]})", "root");
  expect_refused(head + "[", "bad.json");
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
  expect_refused(line + "--collective AAB -o x.svg --format svg", "trees are written as json only");
  expect_refused(line + "--collective AAB --capacity rates", "capacities by rate: the rate of");
  expect_refused("schedule torus:4x4 --collective AAB --capacity cables", "it is for --goal bandwidth");
}

}  // namespace
}  // namespace unknot::cli::test
