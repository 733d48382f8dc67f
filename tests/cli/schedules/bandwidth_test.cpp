// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>
#include <tuple>
#include <utility>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

TEST(BandwidthCommand, SaysTheOptimumItsProofAndTrees) {
  const nlohmann::json all =
      run("schedule fattree3:4 --collective all-gather --goal bandwidth --json").json();
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
  const nlohmann::json bound =
      run("schedule mesh:72x64 --collective AAB --goal bandwidth --bounds --json").json();
  EXPECT_EQ(bound["optimum"], "4607/2");
  EXPECT_FALSE(bound.contains("reached"));
  const Result refused = run("schedule mesh:72x64 --collective AAB --goal bandwidth");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr("4,608 nodes: trees of all are made for 4,096 at most, and of one with translations of "
                "the network: none were found that lead every node to every other; --bounds gives "
                "the optimum alone"));
}

TEST(BandwidthCommand, TreesOfOneNodeStandForThoseOfAll) {
  const nlohmann::json many =
      run("schedule torus:72x64 --collective all-reduce --goal bandwidth --json").json();
  EXPECT_EQ(many["optimum"], "4607/2");
  EXPECT_EQ(many["proven_optimal"], true);
  EXPECT_EQ(many["translated"], true);
  EXPECT_LE(many["trees"], 4);
  EXPECT_EQ(many["depth"], 68);
  const std::string file = ::testing::TempDir() + "translated_trees.json";
  const nlohmann::json boxes =
      run("schedule boxes:4,8 --collective reduce-scatter --goal bandwidth --translations --json -o " + file)
          .json();
  EXPECT_EQ(boxes["reached"], "31/10");
  const nlohmann::json checked = run("schedule check boxes:4,8 " + file + " --json").json();
  EXPECT_EQ(checked["valid"], true);
  EXPECT_EQ(checked["reached"], "31/10");
  EXPECT_EQ(checked["translated"], true);
  // Of another network they are no translations.
  const Result other = run("schedule check boxes:8,4 " + file);
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("NO: translation 1: "));
}

TEST(BandwidthCommand, TranslationsAreRefusedWhereTheyMeanNothing) {
  const std::string schedule = "schedule torus:4x4 --collective all-gather ";
  for (const auto& [words, why] :
       {std::pair{"--translations", "it is for --goal bandwidth"},
        std::pair{"--goal bandwidth --translations --bounds", "there are no trees to translate"},
        std::pair{"--goal bandwidth --translations --group 0,1 --group 2,3", "for one group"}}) {
    const Result refused = run(schedule + words);
    EXPECT_EQ(refused.code, 2) << words;
    EXPECT_THAT(refused.err, HasSubstr(why)) << words;
  }
}

TEST(BandwidthCommand, OneGroupsShareIsItsOwnUnit) {
  const std::string file = ::testing::TempDir() + "one_group.json";
  for (const char* collective : {"all-gather", "all-reduce"}) {
    const std::string schedule = std::string("schedule ring:4 --goal bandwidth --collective ") + collective;
    const nlohmann::json alone = run(schedule + " --group 0,1,2 --json").json();
    const nlohmann::json sized = run(schedule + " --group 0,1,2 --group-sizes 2 --json -o " + file).json();
    EXPECT_EQ(sized["reached"], alone["reached"]) << collective;
    const nlohmann::json checked = run("schedule check ring:4 " + file + " --json").json();
    EXPECT_EQ(checked["reached"], alone["reached"]) << collective;
  }
}

TEST(BandwidthCommand, WithoutSwitchesTheyCanDoNothing) {
  const std::string schedule = "schedule uniring:4 --collective all-reduce --goal bandwidth --json ";
  EXPECT_EQ(run(schedule + "--switches copy,combine").json()["bound"], run(schedule).json()["bound"]);
}

TEST(BandwidthCommand, AllReduceIsProvenByParts) {
  const nlohmann::json all = run("schedule mesh:3x3 --collective all-reduce --goal bandwidth --json").json();
  EXPECT_EQ(all["collective"], "all-reduce");
  EXPECT_EQ(all["optimum"], "6");
  EXPECT_EQ(all["reached"], "6");
  EXPECT_EQ(all["proven_optimal"], true);
  EXPECT_EQ(all["cut"]["parts"].size(), 9U);
  EXPECT_EQ(all["cut"]["shares"], 144);
  EXPECT_EQ(all["cut"]["capacity"], 24);
  EXPECT_THAT(run("schedule mesh:3x3 --collective all-reduce --goal bandwidth --bounds").out,
              HasSubstr("144 shares in all must enter the parts 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8, over a "
                        "capacity of 24"));
}

TEST(BandwidthCommand, AllToAllIsBoundedByLengths) {
  const nlohmann::json all =
      run("schedule fattree3:4 --collective all-to-all --goal bandwidth --json").json();
  EXPECT_EQ(all["collective"], "AAS");
  EXPECT_EQ(all["optimum"], "15");
  EXPECT_EQ(all["bound"], "15");
  EXPECT_EQ(all["reached"], "15");
  EXPECT_EQ(all["gap"], 0);
  EXPECT_EQ(all["proven_optimal"], true);
  EXPECT_EQ(all["cut"]["distances"], 15);
  EXPECT_EQ(all["cut"]["capacity"], 1);
  EXPECT_EQ(all["cut"]["lengths"].size(), 1U);
  const nlohmann::json near = run("schedule torus:4x4 --collective AAS --goal bandwidth --json").json();
  EXPECT_EQ(near["bound"], "8");
  EXPECT_LE(near["gap"], 0.01);
  const nlohmann::json bound =
      run("schedule torus:4x4 --collective AAS --goal bandwidth --bounds --json").json();
  EXPECT_EQ(bound["bound"], "8");
  EXPECT_EQ(bound["optimum"], nullptr);
  EXPECT_FALSE(bound.contains("reached"));
}

TEST(BandwidthCommand, SizesGiveChunksAndTimes) {
  const std::string line = "schedule torus:4x4 --goal bandwidth --json --bytes 1M --collective ";
  const nlohmann::json trees = run(line + "all-gather").json();
  EXPECT_EQ(trees["bytes"], 1 << 20);
  const double least = 15.0 / 4 * (1 << 20) * 5e-10;
  EXPECT_GE(trees["time"].get<double>(), least);
  EXPECT_LT(trees["time"].get<double>(), least * 1.2);
  EXPECT_EQ(trees["steps"].get<int>(), trees["chunks"].get<int>() + trees["depth"].get<int>() - 1);
  const nlohmann::json one = run(line + "all-gather --chunks 1 --cost alpha=0,beta=1e-9").json();
  EXPECT_EQ(one["chunks"], 1);
  EXPECT_DOUBLE_EQ(one["time"].get<double>(), one["steps"].get<int>() * 15.0 / 4 * (1 << 20) * 1e-9);
  const nlohmann::json sums = run(line + "all-reduce").json();  // a message is the whole vector
  EXPECT_GE(sums["time"].get<double>(), 15.0 / 2 * (1 << 16) * 5e-10);
  EXPECT_LT(sums["time"].get<double>(), 15.0 / 2 * (1 << 16) * 5e-10 * 2);
  const nlohmann::json paths = run(line + "AAS --cost alpha=1,beta=0").json();
  EXPECT_DOUBLE_EQ(paths["time"].get<double>(), 1);
}

TEST(BandwidthCommand, SwitchesThatCopyAndCombine) {
  const std::string line =
      "schedule boxes:1,8 --collective all-reduce --goal bandwidth --json --capacity cables";
  const nlohmann::json without = run(line).json();
  const nlohmann::json both = run(line + " --switches copy,combine").json();
  EXPECT_EQ(both["switches"], nlohmann::json::parse(R"(["copy","combine"])"));
  EXPECT_EQ(both["proven_optimal"], true);
  EXPECT_EQ(both["reached"], both["bound"]);
  EXPECT_EQ(both["optimum"], both["bound"]);
  EXPECT_EQ(both["gap"], 0);
  EXPECT_EQ(both["trees"], 1);
  EXPECT_EQ(both["cut"]["shares"], 8);
  EXPECT_EQ(without["cut"]["shares"], 112);
  EXPECT_FALSE(without.contains("switches"));
  EXPECT_THAT(run("schedule boxes:1,8 --collective AAB --goal bandwidth --switches copy").out,
              HasSubstr("switches    copy\n"));
  const nlohmann::json as_before = run(line + " --switches pass").json();
  EXPECT_EQ(as_before["reached"], without["reached"]);
}

TEST(BandwidthCommand, GroupsAtTheSameTime) {
  const std::string line = "schedule torus:4x4 --layout a:a=4,b=4 --goal bandwidth --json --collective ";
  for (const char* collective : {"AAB", "reduce-scatter", "all-reduce", "broadcast"}) {
    const nlohmann::json all = run(line + collective).json();
    EXPECT_EQ(all["groups"], 4) << collective;
    EXPECT_EQ(all["alone"].size(), 4U);
    EXPECT_EQ(all["valid"], true);
    EXPECT_LE(all["gap"], 0.01);
    EXPECT_FALSE(all["cut"]["lengths"].empty());
  }
  const nlohmann::json sizes = run(line + "AAB --group-sizes 1,1,1,4").json();
  EXPECT_EQ(sizes["alone"][3], "3");
  EXPECT_EQ(sizes["alone"][0], "3/4");
  EXPECT_EQ(sizes["sizes"], nlohmann::json::parse("[1,1,1,4]"));
  EXPECT_LE(sizes["gap"], 0.01);
  const nlohmann::json bound = run(line + "AAB --bounds").json();
  EXPECT_EQ(bound["bound"], "3/2");
  EXPECT_FALSE(bound.contains("reached"));
}

TEST(BandwidthCommand, SumsOnLinksThatDifferByDirection) {
  const nlohmann::json ring =
      run("schedule uniring:4 --goal bandwidth --collective all-reduce --json").json();
  EXPECT_EQ(ring["bound"], "6");  // 24 shares enter four nodes, over four channels
  EXPECT_EQ(ring["reached"], "6");
  EXPECT_EQ(ring["optimum"], "6");
}

using BandwidthFiles = InFolder;

/// On one-way links the way in is made by itself, and translated, too.
TEST_F(BandwidthFiles, SumsAreTranslatedOnOneWayLinks) {
  for (const char* fabric : {"uniring:5", "torus:3x4"}) {
    const std::string line =
        std::string("schedule ") + fabric + " --collective all-reduce --goal bandwidth --json";
    const nlohmann::json made = run(line + " --translations -o trees.json").json();
    const nlohmann::json bounds = run(line + " --bounds").json();
    EXPECT_EQ(made["reached"], bounds[fabric[0] == 'u' ? "bound" : "optimum"]);
    EXPECT_EQ(made["translated"], true) << fabric;
    EXPECT_EQ(made["proven_optimal"], true) << fabric;
    const nlohmann::json checked = run("schedule check " + std::string(fabric) + " trees.json --json").json();
    EXPECT_EQ(checked["reached"], made["reached"]) << fabric;
    EXPECT_EQ(checked["proven_optimal"], true) << fabric;
  }
  EXPECT_EQ(run("schedule uniring:5 --collective all-reduce --goal bandwidth --translations --json")
                .json()["reached"],
            "8");
}

/// Two channels to a node and one back: what enters parts proves less than what leaves them.
TEST_F(BandwidthFiles, PartsThatSumsLeave) {
  std::ofstream("narrow.dot") << R"(graph {
    a -- s [capacity=1, capacity_back=10];
    b -- s [capacity=1, capacity_back=10];
    c -- s [capacity=1, capacity_back=10];
  })";
  const std::string line =
      "schedule narrow.dot --transmitters 0,2,3 --receivers 0,2,3 --collective all-reduce --goal bandwidth "
      "--bounds";
  const nlohmann::json bound = run(line + " --json").json();
  EXPECT_EQ(bound["bound"], "4");
  EXPECT_EQ(bound["cut"]["leaving"], true);
  EXPECT_THAT(run(line).out,
              HasSubstr("12 shares in all must leave the parts 0 | 2 | 3, over a capacity of 3"));
}

/// Trees that branch at switches, of several groups, and that come in another way than they go out.
TEST_F(BandwidthFiles, TreesByPricesAreWrittenAndChecked) {
  for (const char* words :
       {"boxes:2,4 --collective all-reduce --switches copy,combine",
        "boxes:1,4 --collective AAB --switches copy", "boxes:1,4 --collective AAR --switches combine",
        "mesh:3x3 --collective AAB --group 0-2 --group 3-8",
        "mesh:3x3 --collective AAR --group 0-2 --group 3-8 --group-sizes 3,1",
        "mesh:3x3 --collective all-reduce --group 0,4,8 --group 3,5", "uniring:4 --collective all-reduce"}) {
    const std::string line = std::string("schedule ") + words + " --goal bandwidth --json -o trees.json";
    const Result made = run(line);
    ASSERT_EQ(made.code, 0) << words << made.err;
    const std::string fabric = line.substr(9, line.find(" --") - 9);
    const Result checked = run("schedule check " + fabric + " trees.json --json");
    EXPECT_EQ(checked.code, 0) << words << checked.err << checked.out;
    for (const char* member :
         {"bound", "reached", "trees", "copies", "depth", "proven_optimal", "valid", "gap"})
      EXPECT_EQ(checked.json()[member], made.json()[member]) << words << ' ' << member;
  }
  ASSERT_EQ(run("schedule boxes:1,4 --collective AAB --switches copy --goal bandwidth -o trees.json").code,
            0);
  const Result as_pass = run("schedule check boxes:1,4 trees.json --switches pass --json");
  EXPECT_EQ(as_pass.code, 1);
  EXPECT_THAT(as_pass.json()["fault"].get<std::string>(), HasSubstr("gets what it does not need"));
  EXPECT_THAT(run("schedule boxes:1,4 --collective AAB --switches copy --goal bandwidth -o x --format c").err,
              HasSubstr("--format c: trees that branch at switches"));
}

/// Each tree by itself is one between members: what knows no groups and no translations takes it so.
TEST_F(BandwidthFiles, TreesOfGroupsAndTranslatedOnesAreWrittenOut) {
  const std::string goal = " --goal bandwidth -o written --format ";
  for (const char* collective : {"AAB", "AAR", "all-reduce"}) {
    const std::string groups =
        std::string("schedule torus:4x2 --group 0,2,5,7 --group 1,3,4,6 --collective ") + collective + goal;
    EXPECT_EQ(run(groups + "c").code, 0) << collective;
    EXPECT_THAT(read("written"), HasSubstr("MPI_Comm")) << collective;
    EXPECT_EQ(run(groups + "goal --bytes 4K").code, 0) << collective;
    EXPECT_EQ(run("simulate torus:4x2 --engine updn --workload goal:written --json").code, 0) << collective;
    EXPECT_EQ(run(groups + "chakra").code, 0) << collective;
    EXPECT_EQ(run("schedule check written.0.et").code, 0) << collective;
    EXPECT_THAT(run(groups + "mscclpp").err,
                HasSubstr("--format mscclpp: it has no collective of several groups"));

    const std::string translated =
        std::string("schedule torus:4x4 --translations --collective ") + collective + goal;
    EXPECT_EQ(run(translated + "c").code, 0) << collective;
    EXPECT_EQ(run(translated + "mscclpp").code, 0) << collective;
    const Result checked = run("schedule check written");
    EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  }
  EXPECT_THAT(run("schedule mesh:3x3 --group 0-2 --group 3-8 --collective all-reduce" + goal + "c").err,
              HasSubstr("groups that are not alike divide their messages into unlike numbers of pieces"));
  EXPECT_THAT(
      run("schedule mesh:3x3 --group 0-2 --group 3-8 --group-sizes 3,1 --collective AAB" + goal + "c").err,
      HasSubstr("groups with shares of different sizes are for json alone"));
  EXPECT_THAT(run("schedule torus:40x40 --translations --collective AAB" + goal + "c").err,
              HasSubstr("translations are written out for 1,024 at most"));
  EXPECT_EQ(run("schedule uniring:4 --collective all-reduce" + goal + "mscclpp").code, 0);
  EXPECT_EQ(run("schedule check written").code, 0);  // trees that come in another way than they go out
}

/// What switches can do is the fabric's; a collective takes of it what it has a use for.
TEST_F(BandwidthFiles, SwitchesCopyWhereNothingIsToBeCombined) {
  const std::string line = "schedule boxes:1,4 --goal bandwidth -o trees.json --collective ";
  for (const auto& [collective, useful, why] :
       {std::tuple{"AAB", "copy", "copy; to combine is of no use here, since nothing is summed"},
        std::tuple{"AAR", "combine", "combine; to copy is of no use here, since all is summed"}}) {
    const Result both = run(line + collective + " --switches copy,combine");
    EXPECT_THAT(both.out, HasSubstr(why));
    const std::string file = read("trees.json");
    EXPECT_EQ(run(line + collective + " --switches " + useful).code, 0);
    EXPECT_EQ(read("trees.json"), file) << collective;
    EXPECT_EQ(run("schedule check boxes:1,4 trees.json --switches copy,combine").code, 0);
  }
}

/// Two switches with two hosts each, whose cable is half as fast as those of the hosts.
TEST_F(BandwidthFiles, CapacitiesAreRatesWhereAllAreKnown) {
  write("two.json",
        R"({"format":"unknot-network","version":1,"routers":2,"cables":[[0,3,1,3,"4xEDR"]],)"
        R"("terminals":[[0,1],[0,2],[1,1],[1,2]],"terminal_rate":["4xHDR","4xHDR","4xHDR","4xHDR"]})");
  const std::string line = "schedule two.json --collective AAB --goal bandwidth --json";
  const nlohmann::json rates = run(line).json();
  EXPECT_EQ(rates["unit_megabits"], 100'000);
  EXPECT_EQ(rates["optimum"], "2");  // two shares over the cable between, three over twice that
  const nlohmann::json cables = run(line + " --capacity cables").json();
  EXPECT_EQ(cables["unit_megabits"], nullptr);
  EXPECT_EQ(cables["optimum"], "3");
}

TEST_F(BandwidthFiles, CapacitiesAreThoseThatTheFabricStates) {
  write("ring.dot", "graph { a -- b [capacity=400]; b -- c [capacity=12.5]; c -- a }");
  const std::string line = "schedule ring.dot --collective AAB --goal bandwidth";
  const nlohmann::json stated = run(line + " --json").json();
  EXPECT_EQ(stated["unit_megabits"], 500);
  EXPECT_EQ(stated["assumed_links"], 1);
  EXPECT_EQ(stated["optimum"], "2/27");  // two shares over 12.5 + 1 Gb/s
  EXPECT_EQ(stated["proven_optimal"], true);
  EXPECT_THAT(run(line).out, HasSubstr("1 is 0.5 Gb/s, as stated; a link of which nothing is known counts "
                                       "as 1 Gb/s\n"));
  const nlohmann::json cables = run(line + " --capacity cables --json").json();
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
  for (const char* collective : {"AAB", "AAR", "OAB --root 5", "AOR", "all-reduce"}) {
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
  expect_refused(head + R"([{"root":0,"copies":1,"edges":[],"inward":7}]})",
                 "trees[0].inward: expected a list");
  expect_refused(head + R"([{"root":0,"copies":1,"edges":[],"group":-1}]})",
                 "trees[0].group: expected the number of a group");
  expect_refused(R"({"collective":"AAB","copies":1,"switches":["add"],"trees":[]})",
                 "switches: expected a list of \"copy\" and \"combine\"");
  expect_refused(R"({"collective":"AAB","copies":1,"sizes":[0],"trees":[]})",
                 "sizes: expected a whole number from 1");
  expect_refused(head + "[", "bad.json");
}

TEST_F(BandwidthFiles, PathsAreWrittenAndChecked) {
  for (const char* collective : {"AAS", "scatter --root 5", "AOG", "permutation"}) {
    const Result made = run(
        std::string("schedule torus:4x4 --goal bandwidth --json -o paths.json --collective ") + collective);
    ASSERT_EQ(made.code, 0) << made.err;
    const Result checked = run("schedule check torus:4x4 paths.json --json");
    EXPECT_EQ(checked.code, 0) << collective << checked.err << checked.out;
    for (const char* member : {"bound", "reached", "paths", "copies", "channels", "proven_optimal", "valid"})
      EXPECT_EQ(checked.json()[member], made.json()[member]) << collective << ' ' << member;
  }
  const Result broken = run("schedule check torus:4x4 paths.json --fail cables=S-0-S-1 --json");
  EXPECT_EQ(broken.json()["collective"], "permutation");
  EXPECT_THAT(run("schedule check torus:4x4 paths.json --collective AAB").err,
              HasSubstr("AAB is made by trees"));
  EXPECT_THAT(run("schedule check torus:4x4 paths.json -o x.json").err, HasSubstr("-o and --table"));
}

TEST_F(BandwidthFiles, NoPathsAreRefusedWithTheirPlace) {
  const auto expect_refused = [&](const std::string& text, const char* why) {
    write("bad.json", text);
    const Result result = run("schedule check ring:3 bad.json");
    EXPECT_EQ(result.code, 2) << text;
    EXPECT_THAT(result.err, ::testing::AllOf(HasSubstr("bad.json"), HasSubstr(why))) << text;
  };
  const std::string head = R"({"collective":"AAS","copies":1,"paths":)";
  expect_refused(R"({"paths":[]})", "the member \"collective\" is missing");
  expect_refused(R"({"collective":"AAS","paths":[]})", "the member \"copies\" is missing");
  expect_refused(R"({"collective":"AAS","copies":4294967297,"paths":[]})", "copies: expected a whole number");
  expect_refused(head + "7}", "paths: expected a list of paths");
  expect_refused(head + "[7]}", "paths[0]: expected an object");
  expect_refused(head + R"([{"path":[0,1]}]})", "paths[0]: the member \"copies\" is missing");
  expect_refused(head + R"([{"copies":1}]})", "paths[0]: the member \"path\" is missing");
  expect_refused(head + R"([{"copies":1,"path":[0]}]})", "paths[0].path: expected a path");
  expect_refused(head + R"([{"copies":1,"path":[0,"x"]}]})", "paths[0].path: expected node numbers");
  expect_refused(R"({"collective":"permutation","messages":[[0]],"copies":1,"paths":[]})",
                 "messages: expected pairs of node numbers");
  expect_refused(R"({"collective":"scan","copies":1,"paths":[]})", "scan");
}

TEST(BandwidthCommand, WhatMeansNothingIsRefused) {
  const std::string line = "schedule torus:4x4 --goal bandwidth ";
  const auto expect_refused = [](const std::string& words, const char* why) {
    const Result result = run(words);
    EXPECT_EQ(result.code, 2) << words;
    EXPECT_THAT(result.err, HasSubstr(why)) << words;
  };
  expect_refused(line, "--collective is missing");
  expect_refused(line + "--collective AAB --switches combine",
                 "AAB: it combines nothing that switches could; what they may do for it is copy");
  expect_refused(line + "--collective AAR --switches copy",
                 "AAR: it copies nothing that switches could; what they may do for it is combine");
  expect_refused(line + "--collective AAS --switches copy", "neither copied nor combined");
  expect_refused(line + "--collective AAB --switches sum", "expected pass, copy, combine or copy,combine");
  expect_refused(line + "--collective AAB --group 0-7 --group 8-15 --switches copy", "switches only pass on");
  expect_refused(line + "--collective AAB --group 0,1 --group 8,9 --group-sizes 1",
                 "1 sizes of shares, and 2 groups");
  expect_refused(line + "--collective AAB --group 0,1 --group 8,9 --group-sizes 1,x",
                 "--group-sizes: expected whole");
  expect_refused(line + "--collective all-reduce --group 0,1 --group 8-11 --bytes 1K",
                 "groups are of different sizes here");
  expect_refused(line + "--collective AAB --group 0 --group 8", "no group has two nodes");
  expect_refused(line + "--collective AAB --group 0,1 --group 1,2", "node 1 is of groups 0 and 1");
  expect_refused("schedule torus:4x4 --collective AAB --switches copy", "it is for --goal bandwidth");
  expect_refused(line + "--collective scan", "it has no part in what is optimal in bandwidth");
  expect_refused(line + "--collective AAS --messages x", "x: cannot open");
  expect_refused(line + "--collective AAB --steps 3", "it means nothing for --goal bandwidth");
  expect_refused(line + "--collective AAB -o x.svg --format svg", "trees and paths are written as json");
  expect_refused(line + "--collective AAB --capacity rates", "capacities by rate: the rate of");
  expect_refused("schedule torus:4x4 --collective AAB --capacity cables", "it is for --goal bandwidth");
  expect_refused("schedule torus:4x4 --collective AAB --bytes 8 --chunks 2", "it is for --goal bandwidth");
  expect_refused(line + "--collective AAB --chunks 2", "--bytes N, which is missing");
}

TEST_F(BandwidthFiles, SwitchesThatCanDoMoreAreNoWorse) {
  write("uneven.json",
        R"({"format": "unknot-network", "version": 1, "routers": 4, "cables": [],
 "one_way": [[0, 1, 1, 1], [0, 2, 2, 1], [0, 3, 3, 1], [1, 2, 0, 4], [2, 2, 0, 5], [2, 3, 3, 2], [3, 3, 1, 3], [3, 4, 2, 4]],
 "one_way_capacity": [1, 1, 1, 1, 1, 1, 1, 4], "terminals": [[0, 6], [2, 5], [3, 5]]})");
  for (const char* switches : {"pass", "copy", "combine", "copy,combine"}) {
    const Result made =
        run(std::string("schedule uneven.json --collective all-reduce --goal bandwidth --switches ") +
            switches + " -o trees.json");
    EXPECT_THAT(made.out, ::testing::HasSubstr("reached     3/2, the least")) << switches;
    EXPECT_EQ(run("schedule check uneven.json trees.json").code, 0) << switches;
  }
}

}  // namespace
}  // namespace unknot::cli::test
