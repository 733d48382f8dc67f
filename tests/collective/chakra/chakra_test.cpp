// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"
#include "refusal.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/chakra/chakra_tasks.hpp"
#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"

namespace unknot::chakra {
namespace {

using ::testing::HasSubstr;
using unknot::testing::graph_of;
using unknot::testing::nodes;
using unknot::testing::problem_on;

/// Traces of these moves come back from their files, without a fault, and carry what is to be moved.
void expect_traces(const mscclpp::RankMoves& moves, const std::string& what) {
  const std::vector<Trace> made = make_traces(moves, 100);
  std::vector<Trace> read;
  for (const Trace& trace : made) {
    read.push_back(parse_trace(trace_text(trace), "f"));
    ASSERT_EQ(read.back(), trace) << what;
  }
  ASSERT_EQ(find_fault(read), std::nullopt) << what;
  std::uint64_t sent = 0;
  std::uint64_t moved = 0;
  for (const Trace& trace : read) {
    for (const TraceNode& node : trace) sent += node.type == NodeType::send ? node.bytes : 0;
  }
  for (const mscclpp::RankMoves::Move& move : moves.moves) {
    for (const std::uint32_t item : moves.items_of(move))
      moved += 100 * std::uint64_t{moves.items[item].chunks};
  }
  EXPECT_EQ(sent, moved) << what;
  // as tasks: what GOAL says is the same graph
  const TaskGraph tasks = task_graph_of(read);
  const std::string goal = goal_text(tasks, moves.ranks());
  std::vector<TerminalId> terminals;
  for (std::uint32_t r = 0; r < moves.ranks(); ++r) terminals.emplace_back(r);
  EXPECT_EQ(parse_goal(goal, "g", terminals).tasks.size(), tasks.tasks.size()) << what;
}

TEST(Chakra, TracesOfSchedulesCombinedMessagesAndTrees) {
  for (const char* spec : {"ring:6", "hypercube:3"}) {
    for (const char* collective : {"AAS", "AAB", "OAB", "AOR", "AAR"}) {
      const Problem problem = problem_on(spec, collective);
      expect_traces(mscclpp::moves_of(problem, unknot::testing::found_schedule(problem)), collective);
    }
    for (const char* collective : {"all-reduce", "AAB", "AAS", "OAB"}) {
      const CombinedProblem problem = make_combined(graph_of(spec), find_combined_collective(collective));
      CombiningOptions options;
      options.threads = 1;
      options.tries = 2;
      for (const CombiningChoice& choice : combining_choices(problem)) {
        Progress silent;
        CombinedSolution made;
        if (refusal([&] { made = choice.make(options, silent); }).empty())
          expect_traces(mscclpp::moves_of(made.problem, made.schedule), choice.name);
      }
    }
  }
  const BandwidthProblem problem = make_bandwidth_problem(graph_of("torus:3x3"), "all-gather");
  Progress silent;
  const Forest forest = make_forest(problem, bandwidth_optimum(problem, silent), silent);
  expect_traces(mscclpp::moves_of(problem, forest, 2), "trees");
}

std::vector<Trace> chain() {
  Schedule schedule;
  schedule.add_step();
  schedule.add(NodeId(0), nodes({0, 1}));
  schedule.add_step();
  schedule.add(NodeId(0), nodes({1, 2}));
  return make_traces(mscclpp::moves_of(problem_on("uniring:3", "OAB"), schedule), 8);
}

TEST(Chakra, AFileByteByByte) {
  const std::string text = trace_text(chain()[1]);
  // metadata: version; node 0: a receive; node 1: a send after it
  const std::string expected = std::string("\x07\x0a\x05", 3) + "1.0.0" + std::string("\x55\x12\x12", 3) +
                               "COMM_RECV_NODE_0_0" + "\x18\x06" +
                               "\x52\x0d\x0a\x09"
                               "comm_type"
                               "\x48\x06" +
                               "\x52\x0d\x0a\x09"
                               "comm_size"
                               "\x48\x08" +
                               std::string(
                                   "\x52\x0c\x0a\x08"
                                   "comm_src"
                                   "\x38\x00",
                                   14) +
                               std::string(
                                   "\x52\x0c\x0a\x08"
                                   "comm_tag"
                                   "\x38\x00",
                                   14);
  EXPECT_EQ(text.substr(0, 8), expected.substr(0, 8));
  EXPECT_EQ(text.substr(9, expected.size() - 9), expected.substr(9));
  EXPECT_EQ(static_cast<unsigned char>(text[8]), expected.size() - 9);  // the length of the node
}

TEST(Chakra, NamesWhatIsWrong) {
  EXPECT_EQ(find_fault(chain()), std::nullopt);
  std::vector<Trace> traces = chain();
  traces[2].clear();
  EXPECT_EQ(find_fault(traces), "rank 1, node 1: what it sends to rank 2 with tag 0 is not received");
  traces = chain();
  traces[0].clear();
  EXPECT_EQ(find_fault(traces), "rank 1, node 0: rank 0 does not send what it receives with tag 0");
  traces = chain();
  traces[2][0].bytes = 9;
  EXPECT_EQ(find_fault(traces), "rank 1, node 1: it sends 8 bytes to rank 2, which receives 9");
  traces = chain();
  traces[1][0].after = {1};
  EXPECT_EQ(find_fault(traces), "rank 1, node 0: it never begins: what it waits for waits for it");
  traces = chain();
  traces[1][0].after = {7};
  EXPECT_EQ(find_fault(traces), "rank 1, node 0: it comes after node 7, which is not there");
  traces = chain();
  traces[1][1].id = 0;
  EXPECT_EQ(find_fault(traces), "rank 1, node 0: its id comes twice");
  traces = chain();
  traces[1][1].peer = 3;
  EXPECT_EQ(find_fault(traces), "rank 1, node 1: its peer is rank 3");
}

TEST(Chakra, SaysWhereItIsMalformed) {
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_trace(text, "f"); }); };
  const std::string head = std::string("\x07\x0a\x05", 3) + "1.0.0";
  const auto node = [&](const std::string& fields) {
    return head + static_cast<char>(fields.size()) + fields;
  };
  EXPECT_EQ(said(""), "f: empty, expected metadata and nodes");
  EXPECT_EQ(said("\x09"), "f: metadata: it ends within a field");
  EXPECT_EQ(said(node("\x18\x07")),
            "f: node 0: type 7, expected 4, 5 or 6: a computation, a send or a receive");
  EXPECT_EQ(said(node("\x18\x05")), "f: node 0: a send without comm_size");
  EXPECT_EQ(said(node("\x12\x7f")), "f: node 0: it ends within a field");
  EXPECT_EQ(said(node("\x0a\x01\x31")), "f: node 0: its id is no number");
  EXPECT_EQ(said(node("\x0b")), "f: node 0: a field of a kind that protocol buffers do not have");
  EXPECT_EQ(said(node(std::string("\x00\x01", 2))),
            "f: node 0: no field of protocol buffers has that number");
  EXPECT_EQ(said(node(std::string("\x08") + std::string(10, '\xff'))),
            "f: node 0: a number of more than 64 bits");
  EXPECT_THAT(said(node("\x52\x0b\x0a\x09"
                        "comm_size")),
              HasSubstr("f: node 0: comm_size: expected a number from 0"));
  const std::string whole = trace_text(chain()[1]);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string why = said(whole.substr(0, size));
    refused += why.empty() ? 0 : 1;
    EXPECT_TRUE(why.empty() || why.starts_with("f: ")) << size;
  }
  EXPECT_EQ(refused, whole.size() - 2);  // it may end behind the metadata, and behind a node
}

}  // namespace
}  // namespace unknot::chakra
