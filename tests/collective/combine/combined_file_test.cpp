// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/combined_file.hpp"

#include <gmock/gmock.h>

#include "collective/schedules.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/collective/model/pattern_messages.hpp"
#include "unknot/support/error.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;

constexpr const char* kSum =
    R"({"fabric": "ring:3", "collective": "all-reduce", "terminals": [0, 1, 2], "pieces": 1, "steps": [
 [{"path": [1, 0], "blocks": [[0, 0]], "combine": true}],
 [{"path": [2, 0], "blocks": [[0, 0]], "combine": true}],
 [{"path": [0, 1], "blocks": [[0, 0]]}, {"path": [0, 2], "blocks": [[0, 0]]}]
]}
)";

CombinedDocument read_combined(const std::string& text) {
  return std::get<CombinedDocument>(parse_any_schedule(text, "f"));
}

TEST(CombinedFile, ReadsWhatIsSpecified) {
  const CombinedDocument document = read_combined(kSum);
  EXPECT_EQ(document.collective, "all-reduce");
  EXPECT_EQ(document.pieces, 1U);
  EXPECT_EQ(document.schedule.step_count(), 3U);
  EXPECT_TRUE(document.schedule.combines(0));
  EXPECT_FALSE(document.schedule.combines(2));
  EXPECT_EQ(combined_json(document), kSum);
  const CombinedProblem problem =
      make_combined(testing::graph_of("ring:3"), find_combined_collective(document.collective),
                    document.participants, document.pieces);
  EXPECT_TRUE(check_combined(problem, document.schedule).valid());
  EXPECT_THROW((void)parse_schedule(kSum, "f"), InputError);
  EXPECT_TRUE(std::holds_alternative<ScheduleDocument>(
      parse_any_schedule(R"({"collective": "AAS", "steps": []})", "f")));
}

TEST(CombinedFile, WhatIsWrittenReadsBackTheSame) {
  Progress silent;
  CombiningOptions options;
  options.tries = 2;
  for (const CombinedRow& row : combined_collectives()) {
    const CombinedProblem problem = make_combined(testing::graph_of("hypercube:2"), row);
    for (const CombiningChoice& choice : combining_choices(problem)) {
      const CombinedSolution made = choice.make(options, silent);
      const CombinedDocument document{"a \"b\"", row.name, participants_of(problem.base), made.problem.pieces,
                                      made.schedule};
      const CombinedDocument again = read_combined(combined_json(document));
      EXPECT_EQ(again, document) << row.name;
      const CombinedProblem same = make_combined(problem.base.graph, row, again.participants, again.pieces);
      EXPECT_TRUE(check_combined(same, again.schedule).valid()) << row.name << choice.name;
    }
  }
}

TEST(CombinedFile, SaysWhereItIsMalformed) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (
      const Case& one : {
          Case{"{\"steps\": [[\n{\"path\": [0, 1], \"blocks\": []}]]}", "f:2: empty \"blocks\""},
          Case{"{\"steps\": [[\n{\"path\": [0, 1], \"blocks\": 3}]]}", "f:2: expected a list of pairs"},
          Case{"{\"steps\": [[\n{\"path\": [0, 1], \"blocks\": [3]}]]}", "f:2: expected a list of pairs"},
          Case{"{\"steps\": [[{\"path\": [0, 1], \"blocks\": [\n[3]]}]]}", "f:2: expected a pair of numbers"},
          Case{"{\"steps\": [[{\"path\": [0, 1], \"blocks\": [\n[3, 1, 2]]}]]}", "found a third"},
          Case{"{\"steps\": [[{\"path\": [0, 1], \"blocks\": [\n[3, -1]]}]]}", "f:2: expected a node number"},
          Case{"{\"steps\": [[{\"blocks\": [[3, 1]]\n}]]}", "f:2: a transfer without \"path\""},
          Case{"{\"steps\": [[{\"path\": [0, 1], \"blocks\": [[3, 1]], \"origin\": 0\n}]]}",
               "f:2: a transfer with \"origin\" and \"blocks\""},
          Case{
              "{\"steps\": [[{\"path\": [0, 1], \"origin\": 0},\n{\"path\": [0, 1], \"blocks\": [[3, 1]]}]]}",
              "f:2: some transfers have \"origin\" and some have \"blocks\""},
          Case{"{\"steps\": [[{\"path\": [0, 1], \"origin\": 0, \"combine\": true}]]}",
               "\"combine\" in a transfer without"},
          Case{"{\"steps\": [[{\"combine\": 1}]]}", "f:1: expected true or false"},
          Case{"{\"pieces\": 0}", "f:1: expected a number of pieces from 1 on, found 0"},
          Case{"{\"pieces\": 1,\n\"pieces\": 1}", "f:2: the member \"pieces\" comes twice"},
          Case{"{\"messages\": [1]}", "f:1: expected a list of pairs"},
          Case{"{\"messages\": [[1]]}", "f:1: expected a pair of numbers, found its end"},
          Case{"{\"messages\": [],\n\"messages\": []}", "f:2: the member \"messages\" comes twice"},
      }) {
    try {
      (void)parse_any_schedule(one.text, "f");
      ADD_FAILURE() << one.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(one.message)) << one.text;
      EXPECT_THAT(error.what(), ::testing::StartsWith("f:"));
    }
  }
}

TEST(CombinedFile, DamagedTextsAreRefusedOrReadBack) {
  std::uint32_t read = 0, refused = 0;
  testing::for_damaged_texts(kSum, "[]{},:\"0123456789-tf\n ", [&](const std::string& text) {
    try {
      const auto any = parse_any_schedule(text, "f");
      const auto* const document = std::get_if<CombinedDocument>(&any);
      if (document == nullptr) return;
      ++read;
      bool utf8 = true;  // what is no UTF-8 cannot be written as it was
      for (const char c : document->fabric + document->collective)
        utf8 = utf8 && static_cast<unsigned char>(c) < 128;
      if (utf8) {
        EXPECT_EQ(read_combined(combined_json(*document)), *document);
      }
    } catch (const InputError&) {
      ++refused;
    }
  });
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 1000U);
}

/// Lists of messages: patterns of traffic, as permutations and otherwise, and back from files.
TEST(CombinedFile, PatternsBecomeMessagesAndComeBack) {
  for (const char* const spec : {"torus:4x4", "fat:2,ring:4"}) {
    const Network network = make_network(spec);
    const auto graph = std::make_shared<const NodeGraph>(network);
    for (const Pattern& row : patterns()) {
      if (row.read || !row.any_network) continue;
      Participants who;
      who.messages = pattern_messages(network, *graph, row.name, 3);
      const std::string collective = row.one_to_one ? "permutation" : "MNS";
      const Problem problem = make_collective(graph, collective, who);
      const TrafficPattern pattern = make_pattern(network, row.name);
      std::vector<Flow> flows;
      if (!pattern.all_pairs) pattern.flows(3, 0, flows);
      EXPECT_LE(problem.messages(), pattern.all_pairs ? 1000U : flows.size()) << row.name;
      for (const Flow& flow : flows) {
        const std::uint32_t first = graph->has_terminal_nodes() ? graph->router_count() : 0;
        const std::uint32_t group = problem.group_of(NodeId(first + flow.source.value));
        ASSERT_NE(group, Problem::kNone) << row.name;
        EXPECT_NE(problem.message_of(group, NodeId(first + flow.destination.value)), Problem::kNone);
      }
      const ScheduleDocument document = document_of(problem, spec, {});
      const Problem same = problem_of(parse_schedule(schedule_json(document), "again"), graph);
      EXPECT_EQ(same.owner, problem.owner) << row.name;
      EXPECT_EQ(same.partner, problem.partner) << row.name;
      if (!row.one_to_one && !pattern.all_pairs && problem.messages() > problem.groups()) {
        EXPECT_THROW((void)make_collective(graph, "permutation", who), InputError) << row.name;
      }
      EXPECT_THROW((void)make_collective(graph, "AAS", who), InputError);
    }
  }
  Participants uneven;
  uneven.transmitters = nodes({0, 1, 2});
  EXPECT_THROW((void)testing::problem_on("ring:4", "permutation", uneven), InputError);
  // a scan: all to those after them
  const Problem scan = testing::problem_on("ring:4", "scan");
  EXPECT_EQ(scan.owner, nodes({0, 1, 2}));
  EXPECT_EQ(scan.partner, nodes({1, 2, 3, 2, 3, 3}));
}

}  // namespace
}  // namespace unknot
