// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/message_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refusal.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

Workload parse(const std::string& text) {
  return parse_messages(testing::single(4), text, "list");
}

std::string message_file_refusal(const std::string& text) {
  return refusal([&] { (void)parse(text); });
}

TEST(MessageFile, ReadsNumbersNamesAndComments) {
  const Workload workload = parse("# list\n\n0 1 7680\r\n H-1\t2  5 # small\nlast: 0 H-3 1\n0 1 2\n");
  EXPECT_FALSE(workload.tasks);
  EXPECT_EQ(messages_text(workload, 4, ""), "0 1 7680\n0 3 1\n0 1 2\n1 2 5\n");
  EXPECT_EQ(workload.at_once, 1U);
  EXPECT_EQ(workload_totals(workload, 4), (WorkloadTotals{4, 7688, 3, 2, 7683, 7682}));
}

TEST(MessageFile, AfterMeansSentOrReceived) {
  const Workload workload = parse("b: 1 2 20 after a c\na: 0 1 10\nc: 1 3 30\n2 0 1 after b\n");
  ASSERT_TRUE(workload.tasks);
  const TaskGraph& graph = *workload.tasks;
  ASSERT_EQ(graph.tasks.size(), 8U);                     // send and receive of each line
  EXPECT_THAT(graph.done_before(0), ElementsAre(3, 4));  // a has arrived, c has left
  EXPECT_THAT(graph.done_before(6), ElementsAre(1));     // b has arrived
  for (const std::uint32_t free : {1U, 2U, 3U, 4U, 5U, 7U}) EXPECT_THAT(graph.done_before(free), IsEmpty());
  EXPECT_EQ(graph.tasks[1], (TaskGraph::Task{TaskGraph::Kind::receive, TerminalId(2), 0, 20}));
  EXPECT_EQ(workload_fault(workload, 4), "");
  EXPECT_EQ(messages_text(workload, 4, "x"),
            "# x\nm0: 1 2 20 after m2 m4\nm2: 0 1 10\nm4: 1 3 30\n2 0 1 after m0\n");
}

TEST(MessageFile, RefusesEverythingElseWithOneSentence) {
  EXPECT_THAT(message_file_refusal(""), StartsWith("list: no messages"));
  EXPECT_THAT(message_file_refusal("# nothing\n"), HasSubstr("no messages"));
  EXPECT_THAT(message_file_refusal("0\n"), StartsWith("list:1: expected a destination terminal"));
  EXPECT_THAT(message_file_refusal("0 1\n"),
              StartsWith("list:1: expected a number of bytes from 1 to 281474976710656, not the end"));
  EXPECT_THAT(message_file_refusal("0 1 5\n0 4 5\n"),
              StartsWith("list:2: there is no terminal 4: the network has 4"));
  EXPECT_THAT(message_file_refusal("0 H-9 1\n"), HasSubstr("'H-9'"));
  EXPECT_THAT(message_file_refusal("2 H-2 1\n"), HasSubstr("sends to itself"));
  for (const char* bytes : {"0", "-1", "1.5", "1e3", "281474976710657", "99999999999999999999", "x"})
    EXPECT_THAT(message_file_refusal("0 1 " + std::string(bytes)), HasSubstr("expected a number of bytes"))
        << bytes;
  EXPECT_THAT(message_file_refusal("0 1 1 2\n"), HasSubstr("expected '[label:] source destination bytes"));
  EXPECT_THAT(message_file_refusal("0 1 1 after\n"), HasSubstr("expected a label behind 'after'"));
  EXPECT_THAT(message_file_refusal("0 1 1 after a\n"), StartsWith("list:1: no line has the label 'a'"));
  EXPECT_THAT(message_file_refusal(": 0 1 1\n"), HasSubstr("a label without a name"));
  EXPECT_THAT(message_file_refusal("a: 0 1 1\n\na: 1 2 1\n"),
              StartsWith("list:3: the label 'a' is on line 1 already"));
  EXPECT_THAT(message_file_refusal("a: 0 1 1\n2 3 1 after a\n"),
              StartsWith("list:2: terminal 2 cannot know when message 'a' of line 1"));
  EXPECT_THAT(message_file_refusal("a: 0 1 1 after a\n"),
              StartsWith("list:1: messages wait for each other in a circle"));
  EXPECT_THAT(message_file_refusal("0 2 1\na: 0 1 1 after c\nb: 1 3 1 after a\nc: 3 0 1 after b\n"),
              StartsWith("list:2: messages wait for each other in a circle, those of lines 2 4 3"));
  EXPECT_THAT(message_file_refusal(std::string("0 1 1\n\0", 7)), StartsWith("list"));
  EXPECT_THAT(message_file_refusal("0 1 \x1b[31m\n"), Not(HasSubstr("\x1b")));
}

TEST(MessageFile, RefusesMoreBytesThanCanBeCounted) {
  std::string text;
  for (int i = 0; i < 65536; ++i) text += "0 1 281474976710656\n";
  EXPECT_THAT(message_file_refusal(text),
              StartsWith("list:65536: the messages up to here have 2^64 bytes or more"));
}

TEST(MessageFile, DamagedTextsAreReadOrRefusedNeverWorse) {
  testing::for_damaged_texts("a: 0 1 25\nb: 1 H-2 3 after a\n# end\n3 0 1\nc: 2 3 9 after b\n",
                             "0 1\n.#:abeH", [](const std::string& text) {
                               try {
                                 EXPECT_EQ(workload_fault(parse(text), 4), "") << text;
                               } catch (const InputError& error) {
                                 EXPECT_THAT(error.what(), StartsWith("list")) << text;
                               }
                             });
}

TEST(MessageFile, WhatIsWrittenComesBack) {
  const Network network = make_network("torus:4x4,p=2");
  for (const char* spec : {"all-to-all", "neighbours:4x4x2", "flows:uniform", "flows:stencil3d:4x2x2"}) {
    SCOPED_TRACE(spec);
    const std::string text = messages_text(make_workload(network, spec, 3), 32, spec);
    EXPECT_THAT(text, StartsWith(std::string("# ") + spec + "\n"));
    const Workload again = parse_messages(network, text, "again", 4);
    EXPECT_EQ(again.at_once, 4U);
    EXPECT_EQ(messages_text(again, 32, spec), text);
  }
  const std::string text = "m0: 0 1 5\nm2: 1 2 6 after m0\n2 3 7 after m2\n1 0 8 after m2\n";
  EXPECT_EQ(messages_text(parse(text), 4, ""), text);
}

TEST(MessageFile, OnlyListsOfMessagesAreWritten) {
  const auto refused = [](const TaskGraphBuilder& builder) -> std::string {
    Workload workload;
    workload.tasks = std::make_shared<const TaskGraph>(TaskGraphBuilder(builder).build());
    try {
      (void)messages_text(workload, 4, "");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  TaskGraphBuilder builder;
  const std::uint32_t send = builder.send(TerminalId(0), TerminalId(1), 1);
  const std::uint32_t receive = builder.receive(send);
  const std::uint32_t back = builder.send(TerminalId(1), TerminalId(0), 1);
  const std::uint32_t got = builder.receive(back);
  EXPECT_EQ(refused(builder), "accepted");
  TaskGraphBuilder begun = builder;
  begun.require_begun(back, receive);
  EXPECT_THAT(refused(begun), HasSubstr("waits for another to begin"));
  TaskGraphBuilder held = builder;
  held.require_done(got, send);
  EXPECT_THAT(refused(held), HasSubstr("a receive waits"));
  TaskGraphBuilder computing = builder;
  computing.compute(TerminalId(3), 4);
  EXPECT_THAT(refused(computing), HasSubstr("it computes"));
}

}  // namespace
}  // namespace unknot
