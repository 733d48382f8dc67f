// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using Place = InFolder;

TEST_F(Place, WritesWhatItReadsBackInEveryFormat) {
  for (const char* format : {"openmpi-rankfile", "slurm-hostfile", "json"}) {
    const std::string common = "place torus:4x4 --engine dor --stencil 2x8 --seed 3 --json ";
    const Result first = run(common + "--effort 0.005 -o ranks --format " + format);
    ASSERT_EQ(first.code, 0) << first.err;
    const Result again = run(common + "--effort 0 --starts 1 --from ranks");
    ASSERT_EQ(again.code, 0) << again.err;
    const auto given = again.json()["placements"][1];
    EXPECT_EQ(given["placement"], "given");
    for (const char* key : {"busiest_channel", "busiest_cable", "hop_bytes"})
      EXPECT_EQ(given[key], first.json()["placements"].back()[key]) << format << " " << key;
  }
}

TEST_F(Place, WritesFlowsThatOtherCommandsMeasureAlike) {
  const Result placed =
      run("place torus:4x4 --engine dor --pattern shift:5 --bytes 1 --effort 0.005 --flows flows --json");
  ASSERT_EQ(placed.code, 0) << placed.err;
  const Result bound = run("bound torus:4x4 --engine dor --pattern file:flows --json");
  ASSERT_EQ(bound.code, 0) << bound.err;
  EXPECT_EQ(bound.json()["bounds"][0]["max_load"], placed.json()["placements"].back()["busiest_channel"]);
}

TEST_F(Place, TakesAPartOfTheHosts) {
  const Result result = run(
      "place torus:4x4 --engine dor --hosts H-[2-5],H-11 --per-host 2 --stencil 10 --effort 0.005 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  std::vector<std::string> hosts = result.json()["host_of_rank"];
  std::sort(hosts.begin(), hosts.end());
  EXPECT_EQ(hosts, (std::vector<std::string>{"H-11", "H-11", "H-2", "H-2", "H-3", "H-3", "H-4", "H-4", "H-5",
                                             "H-5"}));
  // A pattern then counts places, not terminals.
  EXPECT_EQ(
      run("place torus:4x4 --engine dor --hosts 0-4 --pattern all-to-all --effort 0 --json").json()["ranks"],
      5);
}

// All that was exchanged between hosts is exchanged inside them: no gain of 1.
TEST_F(Place, NothingLeftToCarryIsAGainWithoutEnd) {
  write("pairs", "0 0 9 0\n0 0 0 9\n9 0 0 0\n0 9 0 0\n");
  const std::string line = "place ring:4 --engine minhop --matrix pairs --per-host 2 --effort 0.001";
  const auto document = run(line + " --json").json();
  ASSERT_GT(document["placements"].front()["busiest_cable"], 0);
  ASSERT_EQ(document["placements"].back()["busiest_cable"], 0);
  EXPECT_TRUE(document["gain"].is_null());
  EXPECT_THAT(run(line).out, HasSubstr("carries nothing any more"));
}

TEST_F(Place, ReadsMatricesAndWorkloads) {
  write("matrix", "0 5 0\n0 0 7\n1 0 0\n");
  const Result matrix = run("place ring:4 --engine minhop --matrix matrix --effort 0 --json");
  ASSERT_EQ(matrix.code, 0) << matrix.err;
  EXPECT_EQ(matrix.json()["ranks"], 3);
  EXPECT_EQ(matrix.json()["placements"][0]["bytes_between_hosts"], 13);
  EXPECT_EQ(
      run("place ring:4 --engine minhop --workload matrix:matrix --effort 0 --json").json()["placements"],
      matrix.json()["placements"]);
}

TEST_F(Place, RefusesBadInput) {
  const std::string place = "place ring:4 --engine minhop ";
  expect_refused("place ring:4 --stencil 4 -o ranks", "place: give --engine or --tables");
  expect_refused(place + "-o ranks", "place: give what the ranks exchange");
  expect_refused(place + "--stencil 4 --pattern shift:1 -o ranks", "place: give what the ranks exchange");
  expect_refused(place + "--stencil 4y -o ranks", "stencil '4y'");
  expect_refused(place + "--stencil 5 -o ranks", "5 ranks do not fit 4 hosts");
  expect_refused(place + "--stencil 4 --hosts nobody -o ranks", "no node is called 'nobody'");
  expect_refused(place + "--stencil 4 --format pbs -o ranks", "unknown format 'pbs'");
  expect_refused(place + "--pattern nothing -o ranks", "unknown pattern 'nothing'");
  expect_refused(place + "--stencil 4 --from missing -o ranks", "missing");
  expect_refused(place + "--stencil 4 --json -o -", "cannot both have standard output");
}

// Two hosts of two sockets: pairs of ranks that exchange much share a socket, and files say which.
TEST_F(Place, GivesRanksCores) {
  write("pairs", "0 9 1 0\n9 0 0 1\n1 0 0 9\n0 1 9 0\n");
  const std::string line = "place ring:2 --engine minhop --cores 2x2 --effort 0.001 --matrix pairs ";
  const Result result = run(line + "--json -o ranks");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto placed = result.json()["placements"].back();
  EXPECT_EQ(placed["bytes_between_hosts"], 0);  // four ranks fit one host: --cores says how many it takes
  EXPECT_EQ(placed["bytes_between_sockets"], 4);
  EXPECT_EQ(placed["most_between_sockets"], 4);
  EXPECT_EQ(placed["bytes_between_caches"], 0);
  const std::vector<int> socket = result.json()["socket_of_rank"];
  EXPECT_EQ(socket[0], socket[1]);
  EXPECT_EQ(socket[2], socket[3]);
  EXPECT_NE(socket[0], socket[2]);
  EXPECT_THAT(read("ranks"), HasSubstr(fmt::format("slot={}:{}", socket[3], 1)));
  EXPECT_THAT(run(line).out, HasSubstr("bytes on hosts  between sockets"));
  // the same from a file of hwloc
  const std::string socket_of_two =
      "<object type=\"Package\"><object type=\"Core\"/><object type=\"Core\"/></object>";
  write("node.xml",
        "<topology><object type=\"Machine\">" + socket_of_two + socket_of_two + "</object></topology>\n");
  const Result from_file =
      run("place ring:2 --engine minhop --cores node.xml --effort 0.001 --matrix pairs --json");
  EXPECT_EQ(from_file.json()["core_of_rank"], result.json()["core_of_rank"]) << from_file.err;
}

TEST_F(Place, RefusesBadCores) {
  const std::string place = "place ring:4 --engine minhop --stencil 4 ";
  write("empty.xml", "<topology/>\n");
  expect_refused(place + "--cores 2x -o ranks", "--cores '2x': expected sockets x cores");
  expect_refused(place + "--cores 8 -o ranks", "--cores '8': expected sockets x cores");
  expect_refused(place + "--cores empty.xml -o ranks", "empty.xml:1: expected a machine with cores");
  expect_refused(place + "--cores missing -o ranks", "missing");
  expect_refused(place + "--cores 2x2 --per-host 5 -o ranks",
                 "--per-host 5 is more than the 4 cores of a host");
  expect_refused(place + "--cores 2x2 --format slurm-hostfile -o ranks",
                 "format slurm-hostfile holds hosts and no cores");
}

// Two routers with hosts of a wide and of a narrow cable: who sends most gets the wide ones.
TEST_F(Place, CountsWhatLinksCarry) {
  write("wide.json", R"({"format": "unknot-network", "version": 1, "routers": 2, "cables": [[0, 1, 1, 1]],
    "terminals": [[0, 2], [0, 3], [1, 2], [1, 3]], "cable_capacity": [[200, 200]],
    "terminal_capacity": [100, 400, 100, 400]})");
  write("loud", "0 8 0 0\n8 0 0 0\n0 0 0 1\n0 0 1 0\n");
  const std::string line = "place wide.json --engine minhop --matrix loud --effort 0.001 --json ";
  const Result stated = run(line + "--capacity stated");
  ASSERT_EQ(stated.code, 0) << stated.err;
  const auto placed = stated.json()["placements"].back();
  // the loud pair on the wide cables would meet on the link between: 8 bytes over half a wide cable are 16;
  // on one router one of them has a narrow cable, 32; so the link it is, with the quiet pair on it, too
  EXPECT_EQ(placed["busiest_channel"], 18);
  EXPECT_EQ(stated.json()["capacity"], "stated");
  EXPECT_LE(stated.json()["lower_bound"], 18);
  EXPECT_EQ(run(line).json()["placements"].back()["busiest_channel"], 0);
  expect_refused("place ring:4 --engine minhop --stencil 4 --capacity stated -o ranks",
                 "--capacity stated: the capacity of S-0 port 1 -> S-1 port 2 is not known");
}

TEST_F(Place, RefusesBadRankFiles) {
  write("few", "H-0\nH-1\n");
  const Result few = run("place ring:4 --engine minhop --stencil 4 --from few");
  EXPECT_EQ(few.code, 2);
  EXPECT_THAT(few.err, HasSubstr("few has 2 ranks"));
  write("crowd", "H-0\nH-0\nH-1\nH-2\n");
  const Result crowd = run("place ring:4 --engine minhop --stencil 4 --from crowd");
  EXPECT_EQ(crowd.code, 2);
  EXPECT_THAT(crowd.err, HasSubstr("rank 1 is on H-0, which has no place left"));
}

}  // namespace
}  // namespace unknot::cli::test
