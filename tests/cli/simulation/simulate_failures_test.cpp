// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using SimulateFailures = InFolder;

const std::string kTorus = "simulate torus:4x4 --engine updn --load 0.1 --set measure=4000 ";

TEST_F(SimulateFailures, EveryPacketIsDeliveredOrLost) {
  write("failures",
        "# a router, then a cable\n3000 repair routers=5\n1000 fail routers=5 # by number\n\n2000 fail "
        "cables=40\n");
  const auto made = run(kTorus + "--failures-during failures --reroute-after 300 --json");
  ASSERT_EQ(made.code, kYes) << made.err;
  const auto document = made.json();
  EXPECT_EQ(document["proven_deadlock_free"], true);
  const auto& phases = document["phases"];
  ASSERT_EQ(phases.size(), 7U);
  EXPECT_EQ(phases[1]["what"], "fail routers=5");
  EXPECT_EQ(phases[2]["what"], "tables of updn for what works at 1000");
  EXPECT_EQ(phases[2]["begins"], 1300);
  std::uint64_t lost = 0;
  for (const auto& phase : phases) {
    EXPECT_EQ(phase["created"].get<std::uint64_t>(),
              phase["delivered"].get<std::uint64_t>() + phase["lost"].get<std::uint64_t>());
    lost += phase["lost"].get<std::uint64_t>();
  }
  EXPECT_EQ(document["lost"], lost);
  EXPECT_EQ(phases[6]["lost"], 0);
  // A sixteenth of the terminals neither sends nor receives: that part of uniform traffic is lost.
  EXPECT_NEAR(phases[2]["lost"].get<double>() / phases[2]["created"].get<double>(), 0.125, 0.03);
  EXPECT_EQ(run(kTorus + "--failures-during failures --reroute-after 300 --json --threads 3").out, made.out);
  EXPECT_THAT(run(kTorus + "--failures-during failures --reroute-after 300").out,
              HasSubstr("every packet was delivered or lost"));
}

TEST_F(SimulateFailures, TablesThatComeAfterTheTrafficHasEndedAreLeftOut) {
  write("failures", "2000 fail cables=3\n4200 fail cables=5\n");
  // Traffic goes on to 1,000 + 4,000: tables for the second failure would come at its end.
  const auto made = run(kTorus + "--failures-during failures --reroute-after 800 --set warmup=1000 --json");
  ASSERT_EQ(made.code, kYes) << made.err;
  EXPECT_EQ(made.json()["phases"].size(), 4U);
  EXPECT_EQ(made.json()["unanswered"], nlohmann::json::array({4200}));
  EXPECT_THAT(run(kTorus + "--failures-during failures --reroute-after 800 --set warmup=1000").out,
              HasSubstr("; traffic ends before those for what works at 4,200\n"));
  const auto sooner = run(kTorus + "--failures-during failures --reroute-after 799 --set warmup=1000 --json");
  EXPECT_EQ(sooner.json()["phases"].size(), 5U);
  EXPECT_EQ(sooner.json()["unanswered"], nlohmann::json::array());
}

TEST_F(SimulateFailures, TablesOfAFileAreTakenWhenItSaysSo) {
  ASSERT_EQ(run("route torus:4x4 --engine updn -o old").code, kYes);
  ASSERT_EQ(run("route torus:4x4 --engine updn --fail cables=5 -o new").code, kYes);
  write("failures", "1000 fail cables=5\n2000 tables new\n");
  const std::string line =
      "simulate torus:4x4 --load 0.1 --set measure=4000 --json --failures-during failures ";
  const auto by_file = run(line + "--tables old").json();
  ASSERT_EQ(by_file["phases"].size(), 3U);
  EXPECT_GT(by_file["phases"][1]["lost"], 0);
  EXPECT_EQ(by_file["phases"][2]["lost"], 0);
  write("failures", "1000 fail cables=5\n");
  const auto by_engine = run(line + "--engine updn").json();
  EXPECT_EQ(by_engine["phases"][2]["delivered"], by_file["phases"][2]["delivered"]);
  EXPECT_EQ(by_engine["phases"][2]["latency_mean"], by_file["phases"][2]["latency_mean"]);
  // Nobody makes tables: what goes over the cable is lost on and on.
  EXPECT_GT(run(line + "--tables old").json()["phases"][1]["lost"], 100);
}

TEST_F(SimulateFailures, WhatMakesNoSenseIsRefused) {
  const std::string line = kTorus + "--failures-during failures ";
  write("failures", "1000 fail cables=5\nsoon repair cables=5\n");
  expect_refused(line, "failures, line 2: not 'CYCLE fail SPEC'");
  write("failures", "1000 fail\n");
  expect_refused(line, "failures, line 1: not 'CYCLE fail SPEC'");
  write("failures", "1000 repair cables=5\n");
  expect_refused(line, "failures, line 1: simulate: channel");
  write("failures", "1000 fail terminals=5\n");
  expect_refused(line, "terminals with their routers");
  write("failures", "1000 fail cables=999\n");
  expect_refused(line, "failures, line 1");
  write("failures", "4000 fail cables=5\n");
  expect_refused(line, "failures, line 1: 'fail cables=5' is at cycle 4000, and traffic ends at 4000");
  write("failures", "1000 fail router-rate=1\n");
  expect_refused(line, "failures, line 1: torus:4x4");
  write("failures", "1000 fail cables=5\n");
  expect_refused(line + "--set router=input-output-queued", "router=input-queued");
  expect_refused(line + "--seeds 2", "simulated once");
  expect_refused("simulate torus:4x4 --engine updn --load 0.1,0.2 --failures-during failures", "one --load");
  expect_refused("simulate torus:4x4 --paths minimal --load 0.1 --failures-during failures",
                 "--engine or --tables");
  expect_refused("simulate torus:4x4 --engine updn --load 0.1 --reroute-after 5", "--failures-during");
  ASSERT_EQ(run("route torus:4x4 --engine updn -o old").code, kYes);
  expect_refused("simulate torus:4x4 --tables old --load 0.1 --failures-during failures --reroute-after 5",
                 "--reroute-after is for --engine");
}

TEST_F(SimulateFailures, PathsOfUgalAndTwoOrdersSayWhatTheyAre) {
  const std::string mesh = "simulate mesh:4x4 --load 0.3 --set measure=500 --json --paths ";
  EXPECT_EQ(run(mesh + "o1turn:adaptive=1").json()["address"], "queues");
  EXPECT_EQ(run(mesh + "o1turn:adaptive=0").json()["points"], run(mesh + "o1turn").json()["points"]);
  expect_refused(mesh + "o1turn:adaptive=2", "adaptive");
  expect_refused(mesh + "o1turn:adaptive=1 --lane-scheme hop", "a lane for each order");
  const std::string fly =
      "simulate dragonfly:a=4,p=1,h=2 --load 0.3 --set measure=500 --set vcs=0 --json --paths ";
  const auto par = run(fly + "ugal:progressive=1").json(), ugal = run(fly + "ugal").json();
  EXPECT_EQ(par["ugal"]["progressive"], 1);
  EXPECT_FALSE(ugal["ugal"].contains("progressive"));
  EXPECT_EQ(par["virtual_lanes"].get<int>(), ugal["virtual_lanes"].get<int>() + 1);
  EXPECT_EQ(par["proven_deadlock_free"], true);
  EXPECT_THAT(par["proof"].get<std::string>(), HasSubstr("behind 1 lane of hops before"));
  expect_refused(fly + "ugal:progressive=9", "progressive");
}

}  // namespace
}  // namespace unknot::cli::test
