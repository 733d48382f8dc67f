// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using PlanFormats = InFolder;

void expect_no_plan(const std::string& words, const char* why) {
  const Result result = run(words);
  EXPECT_EQ(result.code, 2) << words;
  EXPECT_THAT(result.err, HasSubstr(why)) << words;
}

TEST_F(PlanFormats, PlansOfSchedulesCombinedAlgorithmsAndTrees) {
  for (const char* words :
       {"schedule hypercube:3 --collective AAB", "schedule hypercube:3 --collective all-reduce --bytes 64K",
        "schedule hypercube:3 --collective reduce-scatter --goal bandwidth",
        "schedule ring:4 --collective all-reduce --goal bandwidth --bytes 1M --chunks 3"}) {
    ASSERT_EQ(run(std::string(words) + " -o plan.json --format mscclpp-in-place").code, kYes) << words;
    const nlohmann::json good = run("schedule check plan.json --json").json();
    EXPECT_EQ(good["valid"], true) << words;
    EXPECT_EQ(good["in_place"], true);
    EXPECT_EQ(good["result_checked"], true);
  }
  expect_no_plan("schedule check hypercube:3 plan.json", "a program is checked without a fabric");
  expect_no_plan("schedule check plan.json -o other", "-o: a program is checked as it is");
  std::string text = read_file("plan.json");
  text.replace(text.find("\"name\": \"put\""), 13, "\"name\": \"nop\"");
  write("bad.json", text);
  const Result bad = run("schedule check bad.json");
  EXPECT_EQ(bad.code, kNo);
  EXPECT_THAT(bad.out, HasSubstr("valid          NO"));
  EXPECT_THAT(bad.out, HasSubstr("\nbad.json: GPU "));
  EXPECT_TRUE(run("schedule check bad.json --json").json()["fault"].contains("sentence"));
}

TEST_F(PlanFormats, ASavedScheduleBecomesAPlan) {
  ASSERT_EQ(run("schedule ring:5 --collective all-reduce --bytes 1K -o made.json").code, kYes);
  ASSERT_EQ(run("schedule check ring:5 made.json -o plan.json --format mscclpp").code, kYes);
  EXPECT_EQ(run("schedule check plan.json").code, kYes);
  expect_no_plan("schedule check ring:5 made.json -o rules --format openmpi-rules", "with --bytes");
}

TEST_F(PlanFormats, GraphsOfMachines) {
  const std::string machine = UNKNOT_SOURCE_DIR "/data/machines/h100-two.toml";
  const std::string line = "schedule " + machine + " --collective all-reduce --goal bandwidth -o graph.xml";
  ASSERT_EQ(run(line + " --format nccl-graph").code, kYes);
  const nlohmann::json good = run("schedule check " + machine + " graph.xml --json").json();
  EXPECT_EQ(good["valid"], true);
  EXPECT_EQ(good["graphs"].size(), 2U);
  std::string text = read_file("graph.xml");
  text.replace(text.find("speedintra=\"28.125\""), 19, "speedintra=\"30\"");
  write("bad.xml", text);
  const Result bad = run("schedule check " + machine + " bad.xml");
  EXPECT_EQ(bad.code, kNo);
  EXPECT_THAT(bad.out,
              HasSubstr("\nbad.xml:2: what gpu0 gets from the switch would carry 470 GB/s of its 450"));
  expect_no_plan("schedule " UNKNOT_SOURCE_DIR
                 "/data/machines/mixed.toml --collective AAB --goal bandwidth -o g.xml --format nccl-graph",
                 "expected a machine of one kind, not of new and old");
  expect_no_plan("schedule ring:4 --collective AAB --goal bandwidth -o g.xml --format nccl-graph",
                 "NCCL's graphs are of boxes with GPUs: expected a machine file");
  expect_no_plan("schedule ring:4 --collective AAB -o g.xml --format nccl-graph",
                 "it is made of a machine, with --goal bandwidth");
}

TEST_F(PlanFormats, TracesForEachRank) {
  ASSERT_EQ(run("schedule ring:4 --collective all-reduce --bytes 1M -o made --format chakra").code, kYes);
  const nlohmann::json good = run("schedule check made.0.et --json").json();
  EXPECT_EQ(good["ranks"], 4);
  EXPECT_EQ(good["valid"], true);
  ASSERT_EQ(run("schedule ring:4 --collective AAB --goal bandwidth -o trees --format chakra").code, kYes);
  EXPECT_THAT(run("schedule check trees.0.et").out,
              HasSubstr("of one rank 3,145,728 bytes at most"));  // shares of a mebibyte
  ReadLimits binary;
  binary.text = false;
  write("trees.3.et", read_file("trees.2.et", binary));
  const Result bad = run("schedule check trees.0.et");
  EXPECT_EQ(bad.code, kNo);
  EXPECT_THAT(bad.out, HasSubstr("\ntrees.0.et: rank "));
  expect_no_plan("schedule ring:4 --collective AAB -o - --format chakra", "cannot go to standard output");
}

TEST_F(PlanFormats, GoalOfCombinedMessagesAndTrees) {
  ASSERT_EQ(run("schedule ring:4 --collective all-reduce --bytes 1K -o sum.goal --format goal").code, kYes);
  const nlohmann::json played = run("simulate ring:4 --engine unknot --workload goal:sum.goal --json").json();
  EXPECT_GT(played["messages"], 0);
  ASSERT_EQ(
      run("schedule torus:3x3 --collective AAB --goal bandwidth --bytes 4K -o trees.goal --format goal").code,
      kYes);
  const nlohmann::json trees =
      run("simulate torus:3x3 --engine unknot --workload goal:trees.goal --json").json();
  EXPECT_GE(trees["messages"], 72);
}

TEST_F(PlanFormats, RulesBySize) {
  ASSERT_EQ(run("schedule ring:4 --collective AAB --bytes 64K -o rules --format openmpi-rules").code, kYes);
  EXPECT_THAT(read_file("rules"), HasSubstr("0  # MPI_Allgather\n"));
  ASSERT_EQ(run("schedule ring:4 --collective AAB --bytes 64K -o rows --format nccl-tuner").code, kYes);
  EXPECT_THAT(read_file("rows"), HasSubstr("\nallgather,0,"));
  expect_no_plan("schedule ring:4 --collective scan --bytes 64K -o rules --format openmpi-rules",
                 "that runtime has none of the algorithms of scan in the table");
  expect_no_plan("schedule ring:4 --collective AAB -o rules --format openmpi-rules",
                 "of the sizes of messages, with --bytes");
  expect_no_plan("schedule ring:4 --collective AAB --goal bandwidth -o rules --format nccl-tuner",
                 "of the sizes of messages, with --bytes");
  expect_no_plan(
      "schedule ring:4 --collective all-reduce --group 0,1 --group 2,3 --bytes 64K -o plan --format mscclpp",
      "MSCCL++: it has no collective of several groups at the same time");
  expect_no_plan("schedule ring:4 --collective AAB -o rules --format nccl-turner", "nccl-tuner");
}

}  // namespace
}  // namespace unknot::cli::test
