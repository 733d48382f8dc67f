// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using SimulateFiles = InFolder;

const std::string kMesh = "simulate mesh:3x3,p=2 --engine updn --set measure=500 ";

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    if (!line.empty() && line.back() == ',') row.emplace_back();
  }
  return rows;
}

/// Of a network that is divided among three.
TEST_F(SimulateFiles, ExchangesAreTheSameBytesOnAnyNumberOfThreads) {
  std::string goal = "num_ranks 200\n", packets;
  for (int rank = 0; rank < 200; ++rank) {
    goal += fmt::format(
        "rank {0} {{\nc: calc {0}\ns: send 500b to {1} nic {2}\ns requires c\nrecv 500b from {3}\n}}\n", rank,
        (rank + 7) % 200, rank % 2, (rank + 193) % 200);
    packets += fmt::format("{} {} {} 1\n", rank / 3, rank, (rank * 7 + 1) % 200);
  }
  write("g.goal", goal);
  write("p.txt", packets);
  const std::string line = "simulate slimfly:q=5,p=4 --engine dfsssp --json ";
  for (const std::string what :
       {"--workload all-to-all:bytes=16 --flows file", "--workload goal:g.goal --timeline file",
        "--packets p.txt --deliveries file"}) {
    const Result one = run(line + what + " --threads 1");
    EXPECT_EQ(one.code, 0) << one.err;
    const std::string file = read("file");
    EXPECT_EQ(one.out, run(line + what + " --threads 3").out) << what;
    EXPECT_EQ(file, read("file")) << what;
    EXPECT_EQ(one.out, run(line + what).out) << what;
  }
}

TEST_F(SimulateFiles, BurstsAreTheSameBytesOnAnyNumberOfThreads) {
  for (const char* const spec : {"on-off:burst=8", "markov:low=0.3", "pareto"}) {
    const std::string line = kMesh + "--load 0.05:0.25:0.1 --seeds 2 --json --injection " + spec;
    const auto one = run(line + " --threads 1");
    EXPECT_EQ(one.out, run(line + " --threads 3").out);
    EXPECT_EQ(one.json()["injection"], spec);
    EXPECT_NE(one.json()["points"][1]["latency_mean"],
              run(kMesh + "--load 0.15 --seeds 2 --json").json()["points"][0]["latency_mean"]);
  }
}

TEST_F(SimulateFiles, BurstsThatCannotBeAreRefused) {
  expect_refused(kMesh + "--load 0.1,0.6 --injection on-off:peak=0.5", "load 0.6 is above the 0.5 flits");
  expect_refused(kMesh + "--saturation --injection pareto:peak=0.5", "load 1 is above the 0.5 flits");
  expect_refused(kMesh + "--load 0.1 --injection onoff", "did you mean 'on-off'?");
  expect_refused(kMesh + "--load 0.1 --injection on-off:burst=0.1", "burst");
  expect_refused(kMesh + "--workload all-to-all --injection on-off", "--injection is for --load");
}

TEST_F(SimulateFiles, AddUpToTheAnswer) {
  const auto made =
      run(kMesh + "--load 0.05,0.15 --seeds 2 --flows f.csv --histogram h.csv --csv p.csv --json");
  ASSERT_EQ(made.code, kYes);
  const auto flows = rows_of(read("f.csv"));
  const auto bins = rows_of(read("h.csv"));
  const auto points = rows_of(read("p.csv"));
  ASSERT_EQ(points.size(), 3U);
  for (std::size_t p = 0; p < 2; ++p) {
    const auto point = made.json()["points"][p];
    std::uint64_t packets = 0, binned = 0;
    double accepted = 0, latency = 0;
    for (const auto& row : flows) {
      if (row[0] != (p == 0 ? "0.05" : "0.15")) continue;
      ASSERT_EQ(row.size(), 11U);
      packets += std::stoull(row[5]);
      accepted += std::stod(row[4]) / 18 / 2;
      if (!row[7].empty()) latency += std::stod(row[7]) * std::stod(row[5]);
    }
    for (const auto& row : bins) binned += row[0] == (p == 0 ? "0.05" : "0.15") ? std::stoull(row[4]) : 0;
    EXPECT_EQ(packets, point["packets"].get<std::uint64_t>());
    EXPECT_EQ(binned, packets);
    EXPECT_NEAR(accepted, point["accepted"].get<double>(), 1e-9);
    double of_seeds = 0;
    for (const auto& seed : point["seeds"])
      of_seeds += seed["latency_mean"].get<double>() * seed["packets"].get<double>();
    EXPECT_NEAR(latency, of_seeds, 1e-6 * latency);
    EXPECT_EQ(points[0][0], "load");
    EXPECT_EQ(points[0][3], "accepted");
    EXPECT_EQ(std::stod(points[p + 1][3]), point["accepted"].get<double>());
  }
  EXPECT_EQ(run(kMesh + "--load 0.1 --csv -").out.substr(0, 5), "load,");
}

TEST_F(SimulateFiles, SaturatedRunsHaveFlowsWithoutLatencies) {
  ASSERT_EQ(run(kMesh + "--load 1 --flows f.csv --histogram h.csv").code, kYes);
  const auto flows = rows_of(read("f.csv"));
  ASSERT_GT(flows.size(), 100U);
  EXPECT_EQ(flows[1].size(), 11U);
  EXPECT_EQ(flows[1][7], "");
  EXPECT_EQ(rows_of(read("h.csv")).size(), 1U);
}

TEST_F(SimulateFiles, ExchangesHaveFlows) {
  ASSERT_EQ(run(kMesh + "--workload all-to-all:bytes=16 --flows f.csv --histogram h.csv").code, kYes);
  EXPECT_EQ(rows_of(read("f.csv")).size(), 18 * 17 + 1);
  EXPECT_THAT(read("f.csv"), HasSubstr("\n,1,H-0,H-1,"));
}

TEST_F(SimulateFiles, PacketsAreFollowed) {
  write("wish", "H-0 H-9 0\n");
  write("list", "0 0 9 2\n0 1 9\n1 0 9\n");
  const auto made = run("simulate mesh:4x4 --engine updn --packets list --watch wish --events -");
  ASSERT_EQ(made.code, kYes);
  std::istringstream lines(made.out);
  std::size_t events = 0;
  std::uint64_t arrived = 0;
  for (std::string line; std::getline(lines, line); ++events) {
    const auto event = nlohmann::json::parse(line);
    EXPECT_EQ(event["source"], "H-0");
    EXPECT_EQ(event["number"], 0);
    if (event["event"] == "arrived") arrived = event["cycle"];
  }
  // Four routers: two flits each buffered, through the switch and sent, the head routed and given a lane.
  EXPECT_EQ(events, 1U + 2 + 4 * (2 * 3 + 2) + 2);
  ASSERT_EQ(run("simulate mesh:4x4 --engine updn --packets list --deliveries d").code, kYes);
  EXPECT_THAT(read("d"), HasSubstr("0 0 9 " + std::to_string(arrived) + "\n"));
  write("all", "* * # all\n");
  const std::string steady = kMesh + "--load 0.05 --json ";
  EXPECT_EQ(run(steady).out, run(steady + "--watch all --events e").out);
  write("some", "0 5\n3 * 2\n");
  EXPECT_EQ(run(steady + "--watch some --events a").code, 0);
  EXPECT_EQ(run(steady + "--watch-packets 0:5,3:*:2 --events b").code, 0);
  EXPECT_EQ(read("a"), read("b"));
}

/// A number counts packets to others, too: who takes it for the number of a pair is told.
TEST_F(SimulateFiles, WishesThatNoPacketMeetsAreSaid) {
  write("list", "0 0 3\n1 0 9\n2 0 9\n");
  const std::string line = "simulate mesh:4x4 --engine updn --packets list --events e ";
  const Result one = run(line + "--watch-packets H-0:H-9:0,H-0:H-9:1");
  EXPECT_EQ(one.code, kYes);
  EXPECT_THAT(one.err,
              HasSubstr("--watch-packets: no packet is H-0:H-9:0; the number counts all that a source "
                        "sends, and the first from H-0 to H-9 is number 1"));
  EXPECT_THAT(one.err, ::testing::Not(HasSubstr("H-0:H-9:1;")));
  EXPECT_NE(read("e"), "");
  write("wish", "H-0 H-8\nH-0 * 3\nH-1 *\n* H-1\n* H-9 0\n");
  const Result more = run(line + "--watch wish");
  EXPECT_EQ(more.code, kYes);
  EXPECT_THAT(more.err,
              HasSubstr("wish: no packet is H-0:H-8; H-0 sends 3 packets in this run, none of them to "
                        "H-8\n"));
  EXPECT_THAT(more.err, HasSubstr("wish: no packet is H-0:*:3; H-0 sends 3 packets in this run\n"));
  EXPECT_THAT(more.err, HasSubstr("wish: no packet is H-1:*; H-1 sends 0 packets in this run\n"));
  EXPECT_THAT(more.err, HasSubstr("wish: no packet is *:H-1\n"));
  EXPECT_THAT(more.err,
              HasSubstr("wish: no packet is *:H-9:0; the number counts all that a source sends, and "
                        "the first from H-0 to H-9 is number 1\n"));
  EXPECT_EQ(read("e"), "");
  EXPECT_EQ(run(line + "--watch-packets H-0:H-9").err, "");
}

TEST_F(SimulateFiles, WatchesThatCannotBeAreRefused) {
  write("w", "H-0 H-99\n");
  expect_refused(kMesh + "--load 0.1 --watch w --events e", "w:1: ");
  write("w", "* *\n");
  expect_refused(kMesh + "--load 0.1 --watch w", "give both");
  expect_refused(kMesh + "--load 0.1 --watch-packets 0:1", "give both");
  expect_refused(kMesh + "--load 0.1 --watch-packets 0:1 --watch w --events e", "one of them");
  expect_refused(kMesh + "--load 0.1 --watch-packets 0:1,7 --events e", "--watch-packets:2: ");
  expect_refused(kMesh + "--load 0.1 --watch-packets 0:999 --events e", "--watch-packets:1: ");
  expect_refused(kMesh + "--load 0.1,0.2 --watch w --events e", "give one load");
  expect_refused(kMesh + "--load 0.1 --seeds 2 --watch w --events e", "one run");
  expect_refused(kMesh + "--load 0.1 --lmc 1 --watch w --events e", "one address");
}

/// Transposed traffic in a mesh of 6 x 6: in one order all five that a row sends to a column turn at the same
/// corner, and share its channel; in two orders each has half of five.
TEST_F(SimulateFiles, TwoOrdersShareTheTranspose) {
  const std::string line = "simulate mesh:6x6 --traffic transpose --load 0.1 --set measure=5000 --json ";
  const auto two = run(line + "--paths o1turn"), one = run(line + "--engine dor");
  EXPECT_EQ(two.code, kYes);
  EXPECT_EQ(two.json()["proven_deadlock_free"], true);
  EXPECT_EQ(two.json()["vcs"], 4);
  EXPECT_NEAR(one.json()["points"][0]["utilisation_max"].get<double>(), 0.5, 0.03);
  EXPECT_NEAR(two.json()["points"][0]["utilisation_max"].get<double>(), 0.25, 0.03);
  EXPECT_EQ(run("simulate mesh:4x4 --paths romm --load 0.1 --set vcs=0 --set measure=500").code, kYes);
  expect_refused("simulate torus:4x4 --paths o1turn --load 0.1", "o1turn is for meshes");
  expect_refused("simulate mesh:4x4 --paths o1turn --lane-scheme hop --load 0.1", "a lane for each order");
  expect_refused("simulate mesh:4x4 --paths o1turn --workload all-to-all", "several addresses");
  expect_refused("simulate mesh:4x4 --paths rom --load 0.1", "romm");
}

TEST_F(SimulateFiles, EnergyIsOffByDefault) {
  const std::string line = kMesh + "--load 0.1 --json";
  const auto point = run(line).json()["points"][0];
  EXPECT_FALSE(point.contains("energy"));
  const auto taken = run(line + " --energy write=1,read=1,switch=2,channel=10,router=3").json()["points"][0];
  EXPECT_EQ(taken["latency_mean"], point["latency_mean"]);
  EXPECT_NEAR(taken["energy"]["total_pj"].get<double>(),
              taken["energy"]["buffers_pj"].get<double>() + taken["energy"]["switches_pj"].get<double>() +
                  taken["energy"]["channels_pj"].get<double>() + taken["energy"]["routers_pj"].get<double>(),
              1e-6);
  EXPECT_DOUBLE_EQ(taken["energy"]["routers_pj"].get<double>(), 9 * 3 * 500);
  EXPECT_THAT(run(kMesh + "--load 0.1 --energy switch=2,channel=4").out, HasSubstr("load 0.1: "));
  EXPECT_THAT(run(kMesh + "--workload all-to-all:bytes=8 --energy switch=1").out,
              HasSubstr("switches 100.0 %"));
  expect_refused(kMesh + "--load 0.1 --energy switch=-2", "switch");
  expect_refused(kMesh + "--load 0.1 --energy router=0", "nothing takes energy");
  expect_refused("simulate ring:4 --schedule s --energy switch=1", "--schedule has its own");
}

TEST_F(SimulateFiles, WhatIsCountedIsThatOfAllSeeds) {
  const std::string line =
      kMesh + "--load 0.5 --seeds 3 --set vcs=4 --set ecn_threshold=2 --energy switch=2,router=3";
  const auto point = run(line + " --json").json()["points"][0];
  double energy = 0;
  std::uint64_t arrived = 0, marked = 0, waited = 0;
  for (const auto& seed : point["seeds"]) {
    energy += seed["energy"]["total_pj"].get<double>();
    arrived += seed["throttle"]["arrived"].get<std::uint64_t>();
    marked += seed["throttle"]["marked"].get<std::uint64_t>();
    waited += seed["throttle"]["waited_cycles"].get<std::uint64_t>();
  }
  EXPECT_DOUBLE_EQ(point["energy"]["total_pj"].get<double>(), energy);
  EXPECT_EQ(point["throttle"]["arrived"], arrived);
  EXPECT_EQ(point["throttle"]["marked"], marked);
  EXPECT_EQ(point["throttle"]["waited_cycles"], waited);
  EXPECT_GT(marked, point["seeds"][0]["throttle"]["marked"].get<std::uint64_t>());
  EXPECT_THAT(run(line).out,
              HasSubstr(fmt::format("{:.4g} pJ a flit", point["energy"]["per_flit_pj"].get<double>())));
}

TEST_F(SimulateFiles, WhatIsReadIsNotReplaced) {
  write("packets", "0 0 1\n");
  write("wishes", "0 1\n");
  write("config.toml", "measure = 500\n");
  ASSERT_EQ(run("topology mesh:3x3 --format json -o fabric.json").code, 0);
  expect_refused(kMesh + "--packets packets --deliveries packets",
                 "packets: the output would replace packets");
  expect_refused(kMesh + "--packets packets --watch wishes --events ./wishes", "would replace wishes");
  expect_refused(kMesh + "--load 0.1 --config config.toml --csv config.toml", "would replace config.toml");
  expect_refused("simulate fabric.json --engine dor --load 0.1 --csv fabric.json",
                 "would replace fabric.json");
  write("messages", "0 1 8\n");
  expect_refused(kMesh + "--workload messages:messages --flows messages", "would replace messages");
  expect_refused(kMesh + "--workload messages:messages --filled-traces t",
                 "--filled-traces writes those of workload chakra");
  EXPECT_EQ(read("packets"), "0 0 1\n");
}

TEST_F(SimulateFiles, WhatDoesNotGoTogetherIsRefused) {
  expect_refused(kMesh + "--workload all-to-all --csv p", "--csv is for --load");
  expect_refused(kMesh + "--load 0.1 --flows f --histogram f", "two outputs");
  expect_refused(kMesh + "--load 0.1 --flows - --json", "standard output");
  expect_refused("simulate ring:4 --schedule s --flows f", "--schedule has its own");
  expect_refused(kMesh + "--load 0.1 --flows /dev/full", "/dev/full");
}

}  // namespace
}  // namespace unknot::cli::test
