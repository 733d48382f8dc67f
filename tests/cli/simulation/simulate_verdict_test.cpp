// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using SimulateVerdict = InFolder;

const std::string kSmallTorus = "simulate torus:4x4,p=2 --engine updn --set measure=500 ";

// Below saturation, and given up before the last packets are there: one verdict, wherever it is asked for.
TEST_F(SimulateVerdict, UndeliveredIsTheSameVerdictEverywhere) {
  std::string line = "simulate torus:4x4,p=2 --engine updn --load 0.1 --set warmup=1000";
  for (const char* one : {"measure=2000", "link_latency=100", "vc_buffer=300"})
    line += std::string(" --set ") + one;
  ASSERT_EQ(run(line + " --json").json()["points"][0]["state"], "steady");
  line += " --set drain=1";
  const Result text = run(line);
  EXPECT_EQ(text.code, kNo);
  EXPECT_THAT(text.out, HasSubstr("UNDELIVERED"));
  EXPECT_THAT(text.out, HasSubstr("some measured packets had not arrived"));
  const Result result = run(line + " --json");
  EXPECT_EQ(result.code, kNo);
  const auto point = result.json()["points"][0];
  EXPECT_EQ(point["steady"], false);
  EXPECT_EQ(point["saturated"], false);
  EXPECT_EQ(point["all_arrived"], false);
  EXPECT_EQ(point["state"], "undelivered");
  for (const char* field : {"latency_mean", "latency_half_width", "latency_p50", "latency_p95", "latency_p99",
                            "latency_max", "queueing_mean", "network_mean", "hops_mean", "indirect_share"})
    EXPECT_TRUE(point[field].is_null()) << field;
  const auto seeds = run(line + " --seeds 2 --json").json()["points"][0];
  EXPECT_EQ(seeds["state"], "undelivered");
  EXPECT_EQ(seeds["steady"], false);
  EXPECT_TRUE(seeds["latency_mean"].is_null());
  write("s.toml",
        "command = \"simulate\"\nfabric = \"torus:4x4,p=2\"\nengine = \"updn\"\nload = 0.1\nset = "
        "[[\"warmup=1000\", \"measure=2000\", \"link_latency=100\", \"vc_buffer=300\", \"drain=1\"]]\n");
  EXPECT_THAT(run("sweep s.toml -o swept").out, HasSubstr("undelivered"));
  const std::string table = read("swept/table.csv");
  std::istringstream lines(table);
  std::string names, values;
  std::getline(lines, names);
  std::getline(lines, values);
  EXPECT_THAT(names, HasSubstr(",saturated,steady,all_arrived,state,deadlock,"));
  EXPECT_THAT(values, HasSubstr(",false,false,false,undelivered,false,"));
}

// Two terminals and few bursts: what they create has little to do with the load.
TEST_F(SimulateVerdict, FewBurstsAreNotSteady) {
  const auto point =
      run("simulate mesh:1,p=2 --paths minimal --injection pareto --load 0.3 --set measure=500 "
          "--set warmup=1000 --json")
          .json()["points"][0];
  EXPECT_GT(std::abs(point["created"].get<double>() - 0.3), 0.25 * 0.3);
  EXPECT_EQ(point["state"], "not steady");
  EXPECT_THAT(point["verdict"].get<std::string>(), HasSubstr("by chance the sources created"));
}

TEST_F(SimulateVerdict, LatenciesAreOfRunsInWhichAllArrived) {
  // A warm-up so short that some of what is measured arrives in the time.
  const std::string line = kSmallTorus + "--load 0.1,1 --set warmup=100 --json";
  const auto points = run(line).json()["points"];
  ASSERT_EQ(points[1]["saturated"], true);
  for (const char* field : {"latency_mean", "latency_p50", "latency_max", "queueing_mean", "hops_mean"}) {
    EXPECT_TRUE(points[0][field].is_number()) << field;
    EXPECT_TRUE(points[1][field].is_null()) << field;
  }
  EXPECT_GT(points[1]["packets"], 0);
}

/// Before anything is said of a proof that fails: one sentence on standard error.
TEST_F(SimulateVerdict, WhatCannotBeSimulatedIsRefusedFirst) {
  const std::string ring = "simulate ring:5 --engine minhop ";
  expect_refused(ring + "--load 0.1 --set priority=class", "is for --messages");
  for (const char* setting : {"send_queue=2", "receive_queue=5", "service=7"})
    expect_refused(ring + "--load 0.1 --set " + setting, "is for --messages");
  for (const char* setting : {"ecn_delay=7", "ecn_timer=7"})
    expect_refused(ring + "--load 0.1 --set " + setting, "does nothing without ecn_threshold");
  expect_refused(ring + "--load 0.1 --preset paper-sc15 --set sw_iterations=3",
                 "are for switches that are given to");
  expect_refused(ring + "--saturation --set measure=50", "no load can be told from saturation");
  write("packets", "0 0 1\n5 2 3 40\n");
  expect_refused(ring + "--packets packets --set switching=virtual-cut-through",
                 "packets: a packet of 40 flits does not fit");
  // A list with a longer packet is one of flits.
  EXPECT_EQ(run(ring + "--packets packets --set router=input-output-queued --set sw_iterations=3").code,
            kYes);
}

TEST_F(SimulateVerdict, FlowsAreReadAsTheCatalogueListsThem) {
  write("flows", "0 1\n2 3 0.5\n");
  const auto plain = run(kSmallTorus + "--traffic file:flows --load 0.1 --json").json();
  const auto named = run(kSmallTorus + "--traffic file:path=flows --load 0.1 --json").json();
  EXPECT_EQ(plain["points"], named["points"]);
}

/// BookSim's file: a latency is that of one direction, and of a node's link of both.
TEST_F(SimulateVerdict, TakesLatenciesThatTheFabricStates) {
  write("any", "router 0 node 0 7 router 1 20\nrouter 1 node 1 3 router 0 5\n");
  write("there", "0 0 1\n");
  write("back", "0 1 0\n");
  write("plain", "router 0 node 0 router 1\nrouter 1 node 1\n");
  const auto arrived = [&](const std::string& fabric, const std::string& packets) {
    const Result result =
        run("simulate " + fabric + " --engine minhop --packets " + packets + " --deliveries out");
    EXPECT_EQ(result.code, kYes) << result.err;
    const std::string text = read("out");
    return std::stoi(text.substr(text.rfind(' ') + 1));
  };
  // Links of 7, 20 and 3 cycles in place of 1 each; and of 3, 5 and 7.
  EXPECT_EQ(arrived("any", "there"), arrived("plain", "there") + 6 + 19 + 2);
  EXPECT_EQ(arrived("any", "back"), arrived("plain", "back") + 2 + 4 + 6);
  // In another format, too.
  for (const char* format : {"json", "dot", "graphml", "anynet"}) {
    ASSERT_EQ(run(std::string("topology any -o kept --format ") + format).code, kYes);
    EXPECT_EQ(arrived("kept", "there"), arrived("any", "there")) << format;
    EXPECT_EQ(arrived("kept", "back"), arrived("any", "back")) << format;
  }
  EXPECT_THAT(run("simulate any --engine minhop --packets there").out,
              HasSubstr("latencies of 2 channels and 2 terminals as the fabric states them"));
  EXPECT_EQ(run("simulate any --engine minhop --packets there --json").json()["stated_latencies"]["channels"],
            2);
  EXPECT_THAT(run("topology any -o lost --format ibsim").err, HasSubstr("no place for the latencies"));
  EXPECT_EQ(run("topology plain -o lost --format ibsim").err.find("latencies"), std::string::npos);
  // What is left of a fabric may state none.
  write(
      "one",
      "router 0 router 1 9 router 2\nrouter 1 router 2\nrouter 0 node 0\nrouter 1 node 1\nrouter 2 node 2\n");
  EXPECT_THAT(run("topology one -o lost --format ibsim").err, HasSubstr("no place for the latencies"));
  EXPECT_EQ(run("topology one --fail cables=0 -o lost --format ibsim").err.find("latencies"),
            std::string::npos);
  // A class of links has the last word.
  write("all.toml", "[[link]]\nmatch = \"all\"\nlatency = 1\n");
  EXPECT_EQ(run("simulate any --engine minhop --packets there --config all.toml --deliveries out").code,
            kYes);
  const std::string with_class = read("out");
  EXPECT_EQ(std::stoi(with_class.substr(with_class.rfind(' ') + 1)), arrived("plain", "there"));
  write("long", "router 0 node 0 router 1 70000\nrouter 1 node 1\n");
  expect_refused("simulate long --engine minhop --packets there", "70000 cycles");
}

TEST_F(SimulateVerdict, NamesTheFileOfANetworkThatSaysNothingOfItself) {
  write("one.json",
        R"({"format":"unknot-network","version":1,"routers":2,"cables":[[0,1,1,1]],"terminals":[[0,2]]})");
  expect_refused("simulate one.json --engine minhop --load 0.1",
                 "one.json: simulation needs at least two terminals");
}

}  // namespace
}  // namespace unknot::cli::test
