// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/collective/combine/combined_problem.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using CombiningCommand = InFolder;

TEST_F(CombiningCommand, ComparesAndWritesTheQuickest) {
  for (const CombinedRow& row : combined_collectives()) {
    const std::string line =
        "schedule hypercube:2 --bytes 100 --tries 4 --json -o made --collective " + row.name;
    const Result result = run(line);
    ASSERT_EQ(result.code, 0) << row.name << result.err;
    const auto document = result.json();
    EXPECT_EQ(document["collective"], row.name);
    EXPECT_EQ(document["valid"], true);
    EXPECT_EQ(document["bytes"], 100);
    EXPECT_EQ(document["cost"]["alpha"], 1e-6);
    EXPECT_EQ(document["ranges"][0]["from"], 1);
    double least = 1e9;
    for (const auto& one : document["algorithms"]) {
      least = std::min(least, one["time"].get<double>());
      EXPECT_EQ(one["best"].get<bool>(), one["name"] == document["best"]);
      EXPECT_GE(one["steps"], document["lower_bound"]);
    }
    EXPECT_DOUBLE_EQ(document["time"].get<double>(), least);
    const Result checked = run("schedule check hypercube:2 made --json");
    EXPECT_EQ(checked.code, 0) << row.name << checked.out << checked.err;
    EXPECT_EQ(checked.json()["steps"], document["steps"]);
    EXPECT_EQ(checked.json()["collective"], row.name);
    for (const std::string& alias : row.aliases)
      EXPECT_EQ(run("schedule hypercube:2 --bytes 100 --tries 4 --json --collective " + alias).json()["best"],
                document["best"]);
  }
}

TEST_F(CombiningCommand, SizesAndCostsDecide) {
  const auto best = [](const std::string& rest) {
    return run("schedule hypercube:3 --collective AAS --json " + rest).json()["best"];
  };
  EXPECT_EQ(best("--bytes 1"), "gossip");
  EXPECT_EQ(best("--bytes 1000000"), "direct");
  EXPECT_EQ(best("--bytes 1000000 --cost alpha=1"), "gossip");
  EXPECT_EQ(best("--bytes 1 --algorithm bruck"), "bruck");
  const auto hops = run("schedule ring:6 --collective OAB --bytes 1 --cost alpha=0,beta=0,hop=1 --solver "
                        "auto:levels=1,effort=3 --json")
                        .json();
  EXPECT_GE(hops["time"], 3.0);  // the farthest node is three hops away
}

TEST_F(CombiningCommand, ChecksWhatAnyoneWrote) {
  write("sum", R"({"collective": "all-reduce", "terminals": [0, 1], "steps": [
 [{"path": [1, 0], "blocks": [[0, 0]], "combine": true}, {"path": [0, 1], "blocks": [[0, 0]], "combine": true}]]})");
  EXPECT_EQ(run("schedule check mesh:2 sum").code, 0);
  EXPECT_THAT(run("schedule check mesh:2 sum --table").out, HasSubstr("1->0 (1,0) +[0,0]"));
  write("twice", R"({"collective": "all-reduce", "terminals": [0, 1], "steps": [
 [{"path": [1, 0], "blocks": [[0, 0]], "combine": true}],
 [{"path": [0, 1], "blocks": [[0, 0]], "combine": true}]]})");
  const Result twice = run("schedule check mesh:2 twice --json");
  EXPECT_EQ(twice.code, 1);
  EXPECT_EQ(twice.json()["kinds"]["duplicate"], 1);
  EXPECT_THAT(run("schedule check mesh:2 twice").out, HasSubstr("a contribution would count twice"));
  // written again as it was read
  EXPECT_EQ(run("schedule check mesh:2 sum -o again").code, 0);
  EXPECT_EQ(run("schedule check mesh:2 again").code, 0);
  expect_refused("schedule check mesh:2 sum -o drawing --format svg", "written as json");
}

TEST_F(CombiningCommand, PermutationsOfPatternsAndLists) {
  EXPECT_EQ(run("schedule torus:4x4 --collective permutation --pattern transpose --json").json()["messages"],
            12);
  EXPECT_EQ(run("schedule ring:5 --collective permutation --pattern shift:2 -o made --json").code, 0);
  EXPECT_EQ(run("schedule check ring:5 made").code, 0);
  write("list", "0 3\n3 1\n");
  EXPECT_EQ(run("schedule ring:5 --collective permutation --messages list --json").json()["messages"], 2);
  EXPECT_EQ(run("schedule ring:5 --collective MNS --messages list -o some --json").code, 0);
  EXPECT_EQ(run("schedule check ring:5 some --json").json()["messages"], 2);
  EXPECT_EQ(run("schedule ring:8 --collective MNB --pattern hotspot --seed 4 --json").code, 0);
  EXPECT_EQ(run("schedule ring:5 --collective scan --json").json()["messages"], 10);
}

TEST_F(CombiningCommand, RefusesWhatMakesNoSense) {
  expect_refused("schedule ring:4 --collective all-reduce", "--bytes N");
  expect_refused("schedule ring:4 --bytes 8", "--collective is missing");
  expect_refused("schedule ring:4 --collective AAS --cost alpha=1", "--bytes N, which is missing");
  expect_refused("schedule ring:4 --collective AAS --bytes 8 --bounds", "--bounds and --steps");
  expect_refused("schedule ring:4 --collective AAS --bytes 8 --cost gamma=1", "no parameter 'gamma'");
  expect_refused("schedule ring:4 --collective AAS --bytes 8 -o x --format msccl", "written as json");
  expect_refused("schedule ring:4 --collective AAS --bytes 8 --algorithm brick", "'bruck'");
  expect_refused("schedule ring:4 --collective AAS --bytes 8 --solver ant", "unknown solver 'ant'");
  expect_refused("schedule ring:4 --collective permutation --pattern all-to-all", "more than one message");
  expect_refused("schedule ring:4 --collective AAS --pattern shift:1", "AAS has its own messages");
}

TEST_F(CombiningCommand, WritesFunctionsAndTables) {
  EXPECT_EQ(run("schedule ring:4 --collective all-reduce --bytes 64K -o f.c --format c").code, 0);
  EXPECT_THAT(read("f.c"), HasSubstr("int unknot_all_reduce_4(const void *send"));
  EXPECT_EQ(run("schedule ring:4 --collective all-reduce --bytes 64K -o all.json").code, 0);
  EXPECT_EQ(run("schedule check ring:4 all.json -o g.c --format c").code, 0);
  EXPECT_EQ(read("g.c"), read("f.c"));
  EXPECT_THAT(run("schedule check ring:4 all.json -o - --format table").out, HasSubstr("step 1\n  "));
  EXPECT_EQ(
      run("schedule ring:4 --collective all-reduce --goal bandwidth --bytes 64K -o t.c --format c").code, 0);
  EXPECT_THAT(read("t.c"), HasSubstr("It leaves what MPI_Allreduce leaves."));
  expect_refused("schedule ring:4 --collective AAS --goal bandwidth -o x --format c",
                 "paths are written as json only");
  expect_refused("schedule ring:4 --collective AAB --goal bandwidth -o x --format svg",
                 "trees and paths are written as json, trees as c");
}

/// On the routes of tables all takes them, and what chooses paths itself is left out.
TEST_F(CombiningCommand, KeepsToRoutesInForce) {
  for (const char* collective : {"AAS", "AAB", "OAB", "AOR", "AAR", "all-reduce", "scan"}) {
    const std::string line = std::string("schedule torus:3x3 --collective ") + collective;
    const nlohmann::json all = run(line + " --bytes 4K --engine dfsssp -o made.json --json").json();
    EXPECT_EQ(all["routes"], "dfsssp");
    for (const auto& row : all["algorithms"]) EXPECT_NE(row["name"], "gossip") << collective;
    EXPECT_GT(all["algorithms"].size(), collective == std::string("scan") ? 0U : 2U);
    const nlohmann::json checked = run("schedule check torus:3x3 made.json --engine dfsssp --json").json();
    EXPECT_EQ(checked["valid"], true) << collective;
  }
}

TEST_F(CombiningCommand, SizesAndNamesAsElsewhere) {
  const nlohmann::json row = run("schedule ring:4 --collective MPI_Allreduce --bytes 64K --json").json();
  EXPECT_EQ(row["bytes"], 65536);
  EXPECT_EQ(row["collective"], "all-reduce");
  EXPECT_EQ(run("schedule ring:4 --collective bcast --json").json()["steps"], 2);
  EXPECT_EQ(run("schedule ring:4 --collective MPI_Alltoall --bounds --json").code, 0);
  for (const auto& [text, bytes] :
       {std::pair{"1024", 1024}, {"2KiB", 2048}, {"1M", 1 << 20}, {"3KB", 3072}}) {
    const Result size =
        run(std::string("schedule ring:4 --collective AAB --json --algorithm ring --bytes ") + text);
    EXPECT_EQ(size.json()["bytes"], bytes) << size.err;
  }
  for (const char* bytes :
       {"0", "0K", "-1", "64X", "1e3", "K", "B", "4096G", "18446744073709551616", "64k"}) {
    const Result refused = run(std::string("schedule ring:4 --collective AAB --bytes=") + bytes);
    EXPECT_EQ(refused.code, 2) << bytes << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("--bytes")) << bytes;
  }
}

/// What is not made in its part of the time is left out, and said to be.
TEST_F(CombiningCommand, TimeIsLimited) {
  const nlohmann::json all = run("schedule ring:8 --collective AAB --bytes 1024 --limit 100 --json").json();
  EXPECT_EQ(all["interrupted"], false);
  EXPECT_TRUE(all["refused"].empty());
  EXPECT_EQ(all["algorithms"].size(), 6U);
  // How many are made in so short a time depends on the machine; each is made or left out.
  const Result some = run("schedule torus:12x12 --collective AAB --bytes 1M --limit 0.5 --json");
  if (some.code == 2) {
    EXPECT_THAT(some.err, HasSubstr("--limit gives more"));
    return;
  }
  ASSERT_EQ(some.code, 0) << some.err;
  EXPECT_EQ(some.json()["algorithms"].size() + some.json()["refused"].size(), 6U);
  const auto refused = some.json()["refused"];
  for (const auto& row : refused) EXPECT_THAT(row["why"].get<std::string>(), HasSubstr("--limit gives more"));
}

}  // namespace
}  // namespace unknot::cli::test
