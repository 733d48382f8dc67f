// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/goal_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Kind = TaskGraph::Kind;
using Task = TaskGraph::Task;

std::vector<TerminalId> terminals(std::uint32_t count) {
  std::vector<TerminalId> list;
  for (std::uint32_t t = 0; t < count; ++t) list.emplace_back(t);
  return list;
}

TaskGraph parse(const std::string& text, std::uint32_t count = 4) {
  return parse_goal(text, "goal", terminals(count));
}

std::string goal_file_refusal(const std::string& text) {
  return refusal([&] { (void)parse(text); });
}

std::string fault(TaskGraph graph, std::uint32_t count = 4) {
  Workload workload;
  workload.tasks = std::make_shared<const TaskGraph>(std::move(graph));
  return workload_fault(workload, count);
}

TEST(GoalFile, ReadsOperationsLabelsAndRequirements) {
  const TaskGraph graph = parse(
      "// a comment\nnum_ranks 2\n\nrank 0 {\nl1: calc 100 cpu 1\n\tl2: send 10b to 1 tag 5 cpu 0 nic 1\n"
      "l2 requires l1 /* of\n two lines */\nl3: calc 0\nl3 irequires l2\n}\r\n"
      "rank 1 {\nl3: recv 12 b from 0 tag 5\r\nl1: calc 7\nl1 requires l3\nl1 irequires l3\n}\n");
  EXPECT_THAT(graph.tasks,
              ElementsAre(Task{Kind::compute, TerminalId(0), 1, 100}, Task{Kind::send, TerminalId(0), 1, 10},
                          Task{Kind::compute, TerminalId(0), 0, 0}, Task{Kind::receive, TerminalId(1), 1, 10},
                          Task{Kind::compute, TerminalId(1), 0, 7}));
  EXPECT_THAT(graph.nics, ElementsAre(0, 1, 0, 0, 0));
  EXPECT_THAT(graph.done_before(0), IsEmpty());
  EXPECT_THAT(graph.done_before(1), ElementsAre(0));
  EXPECT_THAT(graph.begun_before(1), IsEmpty());
  EXPECT_THAT(graph.done_before(2), IsEmpty());
  EXPECT_THAT(graph.begun_before(2), ElementsAre(1));
  EXPECT_THAT(graph.done_before(4), ElementsAre(3));
  EXPECT_THAT(graph.begun_before(4), ElementsAre(3));
  EXPECT_EQ(fault(graph), "");
}

TEST(GoalFile, SemicolonsAndBracesEndStatementsToo) {
  const TaskGraph graph =
      parse("num_ranks 2; rank 0 { a requires b; a: send 1b to 1; b: calc 3 }\nrank 1\n{ recv 1b from 0 }");
  EXPECT_EQ(graph.tasks.size(), 3U);
  EXPECT_THAT(graph.done_before(0), ElementsAre(1));
}

TEST(GoalFile, MatchesInOrderOfSourceDestinationAndTag) {
  const TaskGraph graph = parse(
      "num_ranks 3\nrank 0 {\nsend 1b to 2 tag 7\nsend 2b to 2 tag 8\nsend 3b to 2 tag 7\nsend 4b to 1 tag "
      "7\n}\n"
      "rank 1 {\nrecv 9b from 0 tag 7\nsend 5b to 2 tag 7\n}\n"
      "rank 2 {\nrecv 9b from 1 tag 7\nrecv 9b from 0 tag 7\nrecv 9b from 0 tag 7\nrecv 9b from 0 tag "
      "8\n}\n");
  std::vector<std::uint32_t> sends;
  for (const Task& task : graph.tasks) {
    if (task.kind == Kind::receive) sends.push_back(task.peer);
  }
  EXPECT_THAT(sends, ElementsAre(3, 5, 0, 2, 1));
  EXPECT_EQ(fault(graph), "");
}

TEST(GoalFile, RanksStandOnTheirTerminals) {
  const TaskGraph graph = parse_goal("num_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { recv 1b from 0 }\n",
                                     "goal", {TerminalId(3), TerminalId(0)});
  EXPECT_THAT(graph.tasks,
              ElementsAre(Task{Kind::send, TerminalId(3), 0, 1}, Task{Kind::receive, TerminalId(0), 0, 1}));
}

TEST(GoalFile, OverheadIsWorkOfTheCpuBeforeASendAndAfterAReceive) {
  const std::string text =
      "num_ranks 2\nrank 0 {\na: calc 3\nb: send 8b to 1 cpu 2 nic 1\nb requires a\nc: calc 4\nc irequires "
      "b\nd: calc 5\nd requires b\n}\n"
      "rank 1 {\na: recv 8b from 0 cpu 1\nb: calc 6\nb requires a\nc: calc 7\nc irequires a\n}\n";
  TaskTrace trace;
  const TaskGraph graph = parse_goal(text, "goal", terminals(4), &trace, 90);
  ASSERT_EQ(graph.tasks.size(), 9U);
  EXPECT_EQ(graph.tasks[7], (Task{Kind::compute, TerminalId(0), 2, 90}));
  EXPECT_EQ(graph.tasks[8], (Task{Kind::compute, TerminalId(1), 1, 90}));
  EXPECT_THAT(graph.nics, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(graph.done_before(7), ElementsAre(0));
  EXPECT_THAT(graph.done_before(1), ElementsAre(7));
  EXPECT_THAT(graph.begun_before(2), ElementsAre(7));
  EXPECT_THAT(graph.done_before(3), ElementsAre(1));
  EXPECT_THAT(graph.done_before(8), ElementsAre(4));
  EXPECT_THAT(graph.done_before(5), ElementsAre(8));
  EXPECT_THAT(graph.begun_before(6), ElementsAre(4));
  EXPECT_THAT(trace.node_of, ElementsAre(0, 1, 2, 3, 4, 5, 6, 1, 4));
  EXPECT_EQ(fault(graph), "");
}

// A server answers two clients, whoever comes first: the client that computes nothing.
TEST(GoalFile, AnySourceTakesWhatComesFirstInRounds) {
  const std::string text =
      "num_ranks 3\n"
      "rank 0 {\na: recv 9b from -1 tag 1\nb: recv 9b from -1 tag 1\nb requires a\n}\n"
      "rank 1 {\nc: calc 5\ns: send 1b to 0 tag 1\ns requires c\n}\n"
      "rank 2 {\ns: send 2b to 0 tag 1\n}\n";
  const TaskGraph graph = parse(text);
  EXPECT_EQ(graph.tasks[0].peer, 4U);
  EXPECT_EQ(graph.tasks[1].peer, 3U);
  EXPECT_EQ(fault(graph), "");
}

TEST(GoalFile, AnyDoesNotTakeWhatAnEarlierReceiveWaitsFor) {
  const TaskGraph graph = parse(
      "num_ranks 3\nrank 0 {\na: recv 9b from 1 tag 1\nb: recv 9b from -1 tag -1\n}\n"
      "rank 1 {\nsend 1b to 0 tag 1\n}\nrank 2 {\nsend 2b to 0 tag 4\n}\n");
  EXPECT_EQ(graph.tasks[0].peer, 2U);
  EXPECT_EQ(graph.tasks[1].peer, 3U);
  // Of messages that wait, the receive takes the first that suits it.
  const TaskGraph late = parse(
      "num_ranks 2\nrank 0 {\nc: calc 1\na: recv 9b from 1 tag 6\na requires c\nb: recv 9b from 1 tag -1\nb "
      "requires a\n}\n"
      "rank 1 {\nsend 1b to 0 tag 5\nsend 2b to 0 tag 6\n}\n");
  EXPECT_EQ(late.tasks[1].peer, 4U);
  EXPECT_EQ(late.tasks[2].peer, 3U);
}

TEST(GoalFile, RefusesEverythingElseWithOneSentence) {
  const auto in_rank = [](const std::string& body) {
    return goal_file_refusal("num_ranks 2\nrank 0 {\n" + body + "\n}\n");
  };
  EXPECT_THAT(goal_file_refusal(""), StartsWith("goal: no operations"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 { }\n"), StartsWith("goal: no operations"));
  EXPECT_THAT(goal_file_refusal("rank 0 { calc 1 }"),
              StartsWith("goal:1: expected 'num_ranks' before the first rank"));
  EXPECT_THAT(goal_file_refusal("num_ranks 0"), HasSubstr("at least one rank"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nnum_ranks 2"),
              StartsWith("goal:2: the number of ranks is given already"));
  EXPECT_THAT(goal_file_refusal("\nnum_ranks 5\n"),
              StartsWith("goal:2: 5 ranks, but the network has 4 terminals"));
  EXPECT_THAT(goal_file_refusal("num_ranks 99999999999999999999"), HasSubstr("at most"));
  EXPECT_THAT(goal_file_refusal("num_ranks x"), StartsWith("goal:1: expected a number of ranks, not 'x'"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 2 { calc 1 }"),
              StartsWith("goal:2: there is no rank 2: there are 2"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 { calc 1 }\nrank 0 { calc 1 }"),
              StartsWith("goal:3: rank 0 has a section on line 2"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 calc"), HasSubstr("expected '{', not 'calc'"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 {\ncalc 1\n"),
              StartsWith("goal:4: the section of rank 0 does not end"));
  EXPECT_THAT(goal_file_refusal("calc 1"), HasSubstr("expected 'num_ranks' or 'rank', not 'calc'"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2 /* \n\n"), StartsWith("goal:1: a comment that does not end"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\n?"), StartsWith("goal:2: '?' is no part of GOAL"));
  EXPECT_THAT(in_rank("calc"),
              StartsWith("goal:3: expected a number of nanoseconds, not the end of the statement"));
  EXPECT_THAT(in_rank("calc 1 nanosecond"), HasSubstr("expected the end of the statement"));
  EXPECT_THAT(in_rank("calc 1 tag 1"), HasSubstr("expected the end of the statement"));
  EXPECT_THAT(in_rank("calc 281474976710657"), HasSubstr("at most 281474976710656"));
  EXPECT_THAT(in_rank("send 281474976710657b to 1"), HasSubstr("at most 281474976710656"));
  EXPECT_THAT(in_rank("send 1 to 1"), HasSubstr("expected 'b' behind the number of bytes"));
  EXPECT_THAT(in_rank("send 1b from 1"), HasSubstr("expected 'to'"));
  EXPECT_THAT(in_rank("recv 1b to 1"), HasSubstr("expected 'from'"));
  EXPECT_THAT(in_rank("send 1b to -1"), HasSubstr("expected a rank, not '-1'"));
  EXPECT_THAT(in_rank("send 1b to 1 tag -1"), HasSubstr("expected a tag, not '-1'"));
  EXPECT_THAT(in_rank("send 1b to 1 tag 4294967295"), HasSubstr("a tag of at most 4294967294"));
  EXPECT_THAT(in_rank("send 1b to 1 cpu 256"), HasSubstr("at most 255"));
  EXPECT_THAT(in_rank("send 1b to 1 cpu 1 cpu 1"), HasSubstr("expected the end of the statement"));
  EXPECT_THAT(in_rank("send 1b to 2"), StartsWith("goal:3: there is no rank 2"));
  EXPECT_THAT(in_rank("send 1b to 0"), StartsWith("goal:3: rank 0 and itself exchange a message"));
  EXPECT_THAT(in_rank("recv 1b from 0"), StartsWith("goal:3: rank 0 and itself exchange a message"));
  EXPECT_THAT(in_rank("a: calc 1\nb: calc 2\na: calc 1"),
              StartsWith("goal:5: the label 'a' is on line 3 already"));
  EXPECT_THAT(in_rank("a: calc 1\na requires c"),
              StartsWith("goal:4: no operation of rank 0 has the label 'c'"));
  EXPECT_THAT(in_rank("a: calc 1\na needs a"),
              HasSubstr("expected ':', 'requires' or 'irequires', not 'needs'"));
  EXPECT_THAT(in_rank("a: a requires a"), HasSubstr("expected 'calc', 'send' or 'recv'"));
  EXPECT_THAT(in_rank("send 1b to 1"),
              StartsWith("goal:3: send to rank 1, tag 0: no receive takes its message"));
  EXPECT_THAT(in_rank("recv 1b from 1 tag 3"),
              StartsWith("goal:3: receive from rank 1, tag 3: no message is there"));
  EXPECT_THAT(in_rank("recv 1b from -1 tag 3"),
              StartsWith("goal:3: receive from rank -1, tag 3: no message is there"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 { a: calc 1 }\nrank 1 { b: calc 1; b requires a }"),
              StartsWith("goal:3: no operation of rank 1 has the label 'a'"));
  EXPECT_THAT(goal_file_refusal("num_ranks 2\nrank 0 { send 5b to 1 }\nrank 1 { recv 4b from 0 }"),
              StartsWith("goal:3: the message of line 2 has 5 bytes, its receive takes 4"));
  EXPECT_THAT(goal_file_refusal(std::string("num_ranks 1\n\0", 13)), StartsWith("goal:2:"));
}

TEST(GoalFile, RefusesCircles) {
  EXPECT_THAT(goal_file_refusal("num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}"),
              StartsWith("goal:3: operations wait for each other in a circle, those of lines 3"));
  EXPECT_THAT(
      goal_file_refusal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na irequires b\nb irequires a\n}"),
      HasSubstr("lines 3 4"));
  EXPECT_THAT(
      goal_file_refusal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb irequires a\n}"),
      HasSubstr("lines 3 4"));
  const std::string both =
      "rank 0 {\nr: recv 1b from 1\ns: send 1b to 1\ns requires r\n}\n"
      "rank 1 {\nr: recv 1b from 0\ns: send 1b to 0\ns requires r\n}\n";
  EXPECT_THAT(goal_file_refusal("num_ranks 2\n" + both),
              StartsWith("goal:3: operations wait for each other in a circle, those of lines 3 9 8 4"));
  // Who begins to receive has not received: this one can go on.
  std::string begun = "num_ranks 2\n" + both;
  begun.replace(begun.find("requires"), 8, "irequires");
  EXPECT_EQ(goal_file_refusal(begun), "");
  EXPECT_THAT(
      goal_file_refusal(
          "num_ranks 2\nrank 0 {\nr: recv 1b from -1\na: calc 1\na requires a\n}\nrank 1 { send 1b to 0 }"),
      StartsWith("goal:4: operations wait for each other"));
}

TEST(GoalFile, WhatIsWrittenComesBack) {
  const TaskGraph graph = parse(
      "num_ranks 3\nrank 0 {\na: send 5b to 2 tag 1\nb: send 6b to 2 tag 1\nb requires a\n}\n"
      "rank 2 {\na: recv 5b from 0 tag 1\nb: recv 6b from 0 tag 1\nc: calc 8\nc requires b\nc requires a\nc "
      "irequires a\n}\n");
  EXPECT_EQ(parse(goal_text(graph, 4)), graph);
  EXPECT_EQ(goal_text(parse("num_ranks 1\nrank 0 { calc 4 }"), 1),
            "num_ranks 1\n\nrank 0 {\nl0: calc 4\n}\n");
}

TEST(GoalFile, DamagedTextsAreReadOrRefusedNeverWorse) {
  const std::string good =
      "num_ranks 3\nrank 0 {\na: send 5b to 2 tag 1\nb: calc 7\nb irequires a\n}\n"
      "rank 1 { send 9b to 2 }\nrank 2 {\nc: recv 5b from 0 tag 1\nd: recv 9b from -1\nd requires c\n} // "
      "end\n";
  EXPECT_EQ(fault(parse(good)), "");
  testing::for_damaged_texts(good, "01b\n;:{}-/*a", [](const std::string& text) {
    try {
      const TaskGraph graph = parse(text);
      EXPECT_EQ(fault(graph), "") << text;
      EXPECT_EQ(parse(goal_text(graph, 4)).tasks.size(), graph.tasks.size()) << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith("goal:")) << text;
    }
  });
}

// A binomial broadcast as the schedule generator of LogGOPSim writes it.
TEST(GoalFile, ReadsASchedulersOwnExample) {
  const std::string path = std::string(UNKNOT_SHARED_DIR) + "/data/goal/binary_tree_32.goal";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const TaskGraph graph = parse_goal(read_file(path), path, terminals(32));
  EXPECT_EQ(fault(graph, 32), "");
  std::vector<std::uint32_t> received(32, 0);
  for (const Task& task : graph.tasks) {
    if (task.kind == Kind::receive) ++received[task.terminal.value];
  }
  EXPECT_EQ(graph.tasks.size(), 62U);
  EXPECT_EQ(received[0], 0U);
  for (std::uint32_t rank = 1; rank < 32; ++rank) EXPECT_EQ(received[rank], 1U);
  EXPECT_EQ(parse_goal(goal_text(graph, 32), "again", terminals(32)), graph);
}

}  // namespace
}  // namespace unknot
