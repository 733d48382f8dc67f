// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

TEST(FrontCommand, SaysStepsAgainstTimeWithProofs) {
  const nlohmann::json all = run("schedule dgx1 --collective all-gather --goal front --json").json();
  EXPECT_EQ(all["collective"], "AAB");
  EXPECT_EQ(all["least_steps"], 2);
  EXPECT_EQ(all["bound"], "7/6");
  ASSERT_EQ(all["points"].size(), 2U);
  EXPECT_EQ(all["points"][0]["steps"], 2);
  EXPECT_EQ(all["points"][0]["time"], "3/2");
  EXPECT_EQ(all["points"][0]["bound_proof"], "weights");
  EXPECT_EQ(all["points"][0]["proven_optimal"], true);
  EXPECT_EQ(all["points"][0]["from_bytes"], 1);
  EXPECT_EQ(all["points"][1]["steps"], 3);
  EXPECT_EQ(all["points"][1]["time"], "7/6");
  EXPECT_EQ(all["points"][1]["proven_optimal"], true);
  // A step costs 1 us, a byte 40 ps: a third of a share saved is a step from 75,000 bytes on.
  EXPECT_EQ(all["points"][1]["from_bytes"], 75001);
}

TEST(FrontCommand, MessagesOfTheirOwnAreShown) {
  const nlohmann::json all = run("schedule dgx1 --collective all-to-all --goal front --json").json();
  EXPECT_EQ(all["bound"], "8/3");
  ASSERT_EQ(all["points"].size(), 1U);
  EXPECT_EQ(all["points"][0]["proven_optimal"], true);
  EXPECT_THAT(run("schedule dgx1 --collective AAS --goal front -o x.json").err,
              HasSubstr("the front is shown, not written"));
}

using FrontFiles = InFolder;

TEST_F(FrontFiles, AreReadAndCheckedInTheirRounds) {
  ASSERT_EQ(run("schedule dgx1 --collective all-reduce --goal front -o front.json").code, 0);
  const nlohmann::json checked = run("schedule check dgx1 front.json --json").json();
  EXPECT_EQ(checked["valid"], true);
  EXPECT_EQ(checked["steps"], 6);
  std::string text = read_file("front.json");
  const std::size_t at = text.find("\"rounds\": [") + std::string("\"rounds\": [").size();
  text.replace(at, text.find(',', at) - at, "1");
  write_file("hurried.json", text);
  const Result hurried = run("schedule check dgx1 hurried.json");
  EXPECT_EQ(hurried.code, 1);
  EXPECT_THAT(hurried.out, HasSubstr("blocks from node"));
  ASSERT_EQ(
      run("schedule dgx1 --collective all-reduce --goal front --steps 4 -o plan.json --format mscclpp").code,
      0);
  EXPECT_EQ(run("schedule check plan.json --json").json()["valid"], true);
  ASSERT_EQ(run("schedule dgx1 --collective AAB --goal front --bytes 1K -o front.c --format c").code, 0);
  EXPECT_THAT(read_file("front.c"), HasSubstr("MPI_"));
}

TEST_F(FrontFiles, WhatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& command, const std::string& why) {
    const Result result = run(command);
    EXPECT_EQ(result.code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr(why));
  };
  refused("schedule dgx1 --collective AAB --goal front --steps 1",
          "there is no schedule of fewer than 2 steps");
  refused("schedule dgx1 --collective AAB --goal front --ports 1",
          "--ports: it means nothing for --goal front");
  refused("schedule dgx1 --collective AAB --goal front -o x --format svg",
          "schedules of a front are written as json, table, c, mscclpp, chakra or goal");
  refused("schedule torus:17x17 --collective AAB --goal front",
          "289 nodes: the front of steps against bytes");
  refused("schedule dgx1 --collective scan --goal front", "");
  write_file("plain.json",
             R"({"collective": "AAB", "rounds": [1], "steps": [[{"origin": 0, "path": [0, 1]}]]})");
  refused("schedule check ring:3 plain.json", "\"rounds\" are for transfers with \"blocks\"");
  write_file("none.json",
             R"({"collective": "AAB", "rounds": [0], "steps": [[{"blocks": [[0, 0]], "path": [0, 1]}]]})");
  refused("schedule check ring:3 none.json", "expected a list of numbers of rounds from 1 on, found 0");
}

TEST_F(FrontFiles, AreCheckedByTheCapacitiesTheyWereMadeFor) {
  write_file("uneven.dot",
             "graph { a -- b [capacity=400]; b -- c [capacity=100]; c -- d [capacity=400]; d -- a "
             "[capacity=200]; }");
  for (const char* fabric : {"uneven.dot", "boxes:2,3"}) {
    for (const char* collective : {"all-gather", "broadcast --root 0"}) {
      if (std::string(fabric) == "boxes:2,3" && std::string(collective) != "all-gather") continue;
      const Result made = run(fmt::format("schedule {} --collective {} --goal front --steps 3 -o front.json",
                                          fabric, collective));
      ASSERT_EQ(made.code, 0) << made.err;
      EXPECT_EQ(run(fmt::format("schedule check {} front.json", fabric)).code, 0)
          << fabric << " " << collective;
    }
  }
  // By other capacities it may not fit.
  EXPECT_EQ(run("schedule uneven.dot --collective all-gather --goal front --steps 3 -o front.json").code, 0);
  EXPECT_EQ(run("schedule check uneven.dot front.json --capacity cables").code, 1);
}

}  // namespace
}  // namespace unknot::cli::test
