// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/chakra_workload.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chakra_bytes.hpp"
#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace unknot {
namespace {

using test::attribute;
using test::named;
using test::TraceBytes;
using test::wire_block;
using test::wire_field;
using test::wire_fixed;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<TerminalId> many_terminals() {
  std::vector<TerminalId> terminals;
  for (std::uint32_t t = 0; t < 16; ++t) terminals.emplace_back(t);
  return terminals;
}

TaskGraph graph_of(const std::vector<std::string>& texts, const ChakraOptions& options = {},
                   TaskTrace* trace = nullptr) {
  std::vector<std::string> files;
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    files.push_back("t." + std::to_string(rank) + ".et");
  TaskGraph graph = parse_chakra(
      files, [&](std::uint32_t rank) { return texts[rank]; }, options, many_terminals(), trace);
  Workload workload;
  workload.tasks = std::make_shared<const TaskGraph>(graph);
  EXPECT_EQ(workload_fault(workload, 16), "");
  return graph;
}
TaskGraph graph_of(const std::vector<TraceBytes>& traces, const ChakraOptions& options = {}) {
  std::vector<std::string> texts;
  for (const TraceBytes& trace : traces) texts.push_back(trace.text());
  return graph_of(texts, options);
}
std::string trace_refusal(const std::vector<TraceBytes>& traces, const ChakraOptions& options = {}) {
  return refusal([&] { (void)graph_of(traces, options); });
}

/// Sends as (from, to), sorted.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const TaskGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const TaskGraph::Task& task : graph.tasks) {
    if (task.kind == TaskGraph::Kind::send) pairs.emplace_back(task.terminal.value, task.peer);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Chakra, NumbersAreReadInEachFormOfTheSchema) {
  const std::vector<std::string> forms = {
      wire_field(7, 300),     wire_field(9, 300),    wire_field(11, 300),    wire_field(13, 300),
      wire_field(15, 600),    wire_field(17, 600),   wire_fixed(19, 300, 4), wire_fixed(21, 300, 8),
      wire_fixed(23, 300, 4), wire_fixed(25, 300, 8)};
  for (const std::string& form : forms) {
    std::vector<TraceBytes> traces(2);
    traces[0].node(0, 5, {}, attribute("comm_dst", 1) + attribute("comm_size", form));
    traces[1].receive(0, 0, 300);
    const TaskGraph graph = graph_of(traces);
    ASSERT_EQ(graph.tasks.size(), 2U);
    EXPECT_EQ(graph.tasks[0].amount, 300U);
  }
  const std::uint64_t minus = ~std::uint64_t{0};  // -1
  const std::vector<std::string> wrong = {
      wire_field(9, minus),     wire_field(17, 599),   wire_fixed(23, 0xFFFFFFFF, 4),
      wire_fixed(25, minus, 8), wire_fixed(9, 300, 8), wire_field(21, 300),
      wire_block(29, "three"),  wire_fixed(3, 300, 8), "",
      wire_field(13, minus)};
  for (const std::string& form : wrong) {
    std::vector<TraceBytes> traces(2);
    traces[0].node(0, 5, {}, attribute("comm_dst", 1) + attribute("comm_size", form));
    EXPECT_EQ(trace_refusal(traces),
              "t.0.et: node 0: comm_size: expected a number from 0 to 9223372036854775807");
  }
}

TEST(Chakra, ComputationsTakeWhatTheyState) {
  std::vector<TraceBytes> traces(1);
  traces[0].compute(7, 3);
  traces[0].node(8, 4, {7}, wire_field(7, 5) + attribute("is_cpu_op", wire_field(27, 1)));
  traces[0].node(9, 4, {}, attribute("num_ops", 4'000'000) + attribute("tensor_size", 1000));
  traces[0].node(10, 2, {}, attribute("tensor_size", 999));
  traces[0].node(11, 3, {}, wire_field(7, 2) + attribute("tensor_size", 999));
  traces[0].node(12, 1, {});
  traces[0].node(13, 9, {}, wire_field(7, 1));
  EXPECT_EQ(trace_refusal(traces),
            "t.0.et: node 9 (n9): 4000000 operations and no duration: give a rate, tflops=X");
  ChakraOptions options;
  options.tera_ops = 2;
  EXPECT_EQ(trace_refusal(traces, options),
            "t.0.et: node 10 (n10): 999 bytes and no duration: give a rate, memory=GB/s");
  options.memory = 10;
  const std::string on_host = attribute("is_cpu_op", wire_field(27, 1));
  traces[0].node(14, 7, {}, wire_field(7, 4) + on_host);  // PyTorch's calls that launch what comes then
  traces[0].node(15, 5, {}, wire_field(7, 4) + on_host);
  const TaskGraph graph = graph_of(traces, options);
  using Kind = TaskGraph::Kind;
  const std::uint32_t own = TaskGraph::kOwnProcessor;
  const TerminalId zero(0);
  EXPECT_EQ(graph.tasks, (std::vector<TaskGraph::Task>{{Kind::compute, zero, 1, 3000},
                                                       {Kind::compute, zero, 0, 5000},
                                                       {Kind::compute, zero, 1, 2000},
                                                       {Kind::compute, zero, own, 100},
                                                       {Kind::compute, zero, own, 2000},
                                                       {Kind::compute, zero, own, 0},
                                                       {Kind::compute, zero, own, 1000},
                                                       {Kind::compute, zero, 0, 4000},
                                                       {Kind::compute, zero, 0, 4000}}));
  ASSERT_EQ(graph.done_before(1).size(), 1U);
  EXPECT_EQ(graph.done_before(1)[0], 0U);
  options.memory = .25;  // now the tensor takes longer than the operations
  EXPECT_EQ(graph_of(traces, options).tasks[2].amount, 4000U);
}

TEST(Chakra, GroupsAreTheirListsOrWhoNamesThem) {
  const auto calls = [](const std::vector<std::string>& more) {
    std::vector<TraceBytes> traces(more.size());
    for (std::size_t rank = 0; rank < more.size(); ++rank) traces[rank].collective(1, 0, 64, {}, more[rank]);
    return traces;
  };
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  const Pairs halves = {{0, 2}, {0, 2}, {1, 3}, {1, 3}, {2, 0}, {2, 0}, {3, 1}, {3, 1}};
  EXPECT_EQ(pairs_of(graph_of(calls({named("a"), named("b"), named("a"), named("b")}))), halves);
  const auto numbered = [](std::uint64_t n) { return attribute("comm_group", wire_field(7, n)); };
  EXPECT_EQ(pairs_of(graph_of(calls({numbered(4), numbered(5), numbered(4), numbered(5)}))), halves);
  EXPECT_EQ(pairs_of(graph_of(calls({"", "", "", ""}))).size(), 4U * 6);
  // Along dimensions of a grid: the second one, then both.
  const auto along = [](const std::string& flags) {
    return attribute("involved_dim", wire_block(28, wire_block(1, flags)));
  };
  const std::string second = along(std::string("\0\1", 2));
  ChakraOptions grid;
  grid.dims = {2, 2};
  EXPECT_EQ(pairs_of(graph_of(calls({second, second, second, second}), grid)), halves);
  const std::string both = along("\1\1");
  EXPECT_EQ(pairs_of(graph_of(calls({both, both, both, both}), grid)).size(), 4U * 6);
  EXPECT_EQ(pairs_of(graph_of(calls({both, both, both, both}))).size(), 4U * 6);
  EXPECT_THAT(trace_refusal(calls({second, second, second, second})),
              HasSubstr("give the grid of the ranks"));
  grid.dims = {2, 3};
  EXPECT_EQ(trace_refusal(calls({second, second, second, second}), grid),
            "t.3.et: 4 ranks, but dims is a grid of 6");
}

/// One name for several groups, which the ranks' metadata tell apart; the order of ranks is that of the list.
TEST(Chakra, MetadataListGroups) {
  const auto traces = [](const std::vector<std::string>& lists) {
    std::vector<TraceBytes> made(lists.size());
    for (std::size_t rank = 0; rank < lists.size(); ++rank) {
      const std::string inputs =
          "['[{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", \"ranks\": []}, {\"pg_name\": \"1\", "
          "\"ranks\": " +
          lists[rank] + "}]']";
      made[rank].node(0, 1, {}, wire_block(8, wire_block(1, inputs)));
      made[rank].collective(1, 7, 64, {0}, named("1"));
      made[rank].collective(2, 9, 0, {1}, named("0"));
    }
    return made;
  };
  const TaskGraph graph = graph_of(traces({"[0, 3, 1]", "[0, 3, 1]", "[2]", "[0, 3, 1]"}));
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  // A ring of three ranks, and a barrier of four in two rounds.
  EXPECT_EQ(pairs_of(graph), (Pairs{{0, 1},
                                    {0, 2},
                                    {0, 3},
                                    {0, 3},
                                    {1, 0},
                                    {1, 0},
                                    {1, 2},
                                    {1, 3},
                                    {2, 0},
                                    {2, 3},
                                    {3, 0},
                                    {3, 1},
                                    {3, 1},
                                    {3, 1}}));
  EXPECT_EQ(trace_refusal(traces({"[1]", "[1]"})), "t.0.et: node 1 (n1): rank 0 is not in its group '1'");
  EXPECT_EQ(trace_refusal(traces({"[0, 0, 1]", "[0, 0, 1]"})),
            "t.0.et: node 1 (n1): rank 0 is in its group '1' twice");
  EXPECT_EQ(trace_refusal(traces({"[0, 9]", "[1]"})),
            "t.0.et: node 1 (n1): there is no rank 9 of its group '1': there are 2");
  EXPECT_EQ(trace_refusal(traces({"[0, 1]", "[1, 0]"})),
            "t.0.et: node 1 (n1): it is collective 1 of group '1' there, and rank 1 has only 0");
  EXPECT_THAT(trace_refusal(traces({"7", "[0]"})), HasSubstr("group 1: expected a list of ranks"));
  EXPECT_THAT(trace_refusal(traces({"[0", "[0]"})), StartsWith("t.0.et: node 0 (n0)"));
}

TEST(Chakra, CollectivesOfAGroupMustBeAlike) {
  std::vector<TraceBytes> traces(2);
  for (TraceBytes& trace : traces) trace.collective(1, 0, 64);
  traces[0].collective(2, 2, 100);
  EXPECT_EQ(trace_refusal(traces),
            "t.0.et: node 2 (n2): it is collective 2 of group '' there, and rank 1 has only 1");
  std::vector<TraceBytes> other = traces;
  traces[1].collective(5, 2, 101);
  EXPECT_EQ(trace_refusal(traces),
            "t.1.et: node 5 (n5): an all-gather of 101 bytes, but t.0.et: node 2 (n2) is an all-gather of "
            "100 bytes");
  other[1].collective(5, 5, 100, {}, attribute("root", 1));
  EXPECT_THAT(trace_refusal(other),
              HasSubstr("a broadcast of 100 bytes with root 1, but t.0.et: node 2 (n2) is"));
  std::vector<TraceBytes> rooted(2);
  for (TraceBytes& trace : rooted) trace.collective(1, 5, 8, {}, attribute("root", 2));
  EXPECT_EQ(trace_refusal(rooted), "t.0.et: node 1 (n1): its root 2 is not in its group");
}

TEST(Chakra, SaysWhatIsWrongAndWhere) {
  const auto one = [](const std::string& fields, std::uint64_t type) {
    std::vector<TraceBytes> traces(2);
    traces[0].node(4, type, {}, fields);
    return trace_refusal(traces);
  };
  EXPECT_EQ(one("", 0), "t.0.et: node 4 (n4): type 0, expected 1 to 10");
  EXPECT_EQ(one("", 11), "t.0.et: node 4 (n4): type 11, expected 1 to 10");
  EXPECT_EQ(one("", 5), "t.0.et: node 4 (n4): a send without comm_size");
  EXPECT_EQ(one(attribute("comm_size", 1), 6), "t.0.et: node 4 (n4): a receive without comm_src");
  EXPECT_EQ(one("", 7), "t.0.et: node 4 (n4): a collective without comm_type");
  EXPECT_EQ(one(attribute("comm_type", 10), 7), "t.0.et: node 4 (n4): comm_type 10, expected 0 to 9");
  EXPECT_EQ(one(attribute("comm_type", 0), 7), "t.0.et: node 4 (n4): a collective without comm_size");
  const std::string size = attribute("comm_size", 5);
  EXPECT_EQ(one(size + attribute("comm_dst", 0), 5), "t.0.et: node 4 (n4): a message to itself");
  EXPECT_EQ(one(size + attribute("comm_dst", 2), 5),
            "t.0.et: node 4 (n4): there is no rank 2: there are 2, counted from 0");
  EXPECT_EQ(one(size + attribute("comm_dst", 1) + attribute("comm_src", 1), 5),
            "t.0.et: node 4 (n4): a send of rank 1");
  EXPECT_EQ(one(size + attribute("comm_dst", 1), 5),
            "t.0.et: node 4 (n4): rank 0 to 1, tag 0: no receive takes this message");
  EXPECT_EQ(one(size + attribute("comm_src", 1), 6),
            "t.0.et: node 4 (n4): rank 1 to 0, tag 0: no message is there to receive");
  EXPECT_EQ(one(attribute("comm_size", std::uint64_t{1} << 50U) + attribute("comm_dst", 1), 5),
            "t.0.et: node 4 (n4): 1125899906842624 bytes, more than 2^48");
  EXPECT_EQ(one(wire_field(7, ~std::uint64_t{0}), 4),
            "t.0.et: node 4 (n4): it takes more than 2^48 nanoseconds");
  EXPECT_EQ(one(attribute("involved_dim", 1), 7),
            "t.0.et: node 0: involved_dim: expected a list of yes and no");
  EXPECT_EQ(one(attribute("pg_name", wire_fixed(3, 1, 8)), 7),
            "t.0.et: node 0: pg_name: expected a text or a number");
  EXPECT_EQ(one(wire_field(8, 1), 1), "t.0.et: node 0: its inputs are no message");

  std::vector<TraceBytes> twice(1);
  twice[0].compute(4, 1);
  twice[0].compute(4, 1);
  EXPECT_EQ(trace_refusal(twice), "t.0.et: node 4 (n4): its id comes twice");
  std::vector<TraceBytes> unknown(1);
  unknown[0].compute(4, 1, {5});
  EXPECT_EQ(trace_refusal(unknown), "t.0.et: node 4 (n4): it comes after node 5, which is not there");
  ChakraOptions lenient;
  lenient.drop_missing = true;
  EXPECT_EQ(graph_of(unknown, lenient).requires_done.size(), 0U);
  std::vector<TraceBytes> circle(2);
  circle[0].receive(1, 1, 8);
  circle[0].send(2, 1, 8, 0, {1});
  circle[1].receive(1, 0, 8);
  circle[1].send(3, 0, 8, 0, {1});
  EXPECT_EQ(
      trace_refusal(circle),
      "t.0.et: node 1 (n1): nodes wait for each other in a circle, those of rank and id 0:1 1:3 1:1 0:2");
  std::vector<TraceBytes> sizes(2);
  sizes[0].send(1, 1, 8);
  sizes[1].receive(2, 0, 9);
  EXPECT_EQ(trace_refusal(sizes),
            "t.1.et: node 2 (n2): it receives 9 bytes, but t.0.et: node 1 (n1) sends 8");
  EXPECT_EQ(trace_refusal(std::vector<TraceBytes>(17)),
            "t.16.et: 17 ranks, but the network has 16 terminals");
}

/// The same orders of two collectives on all ranks can be done; different ones where each waits for the one
/// before cannot.
TEST(Chakra, OrdersOfCollectivesMayLock) {
  std::vector<TraceBytes> traces(2);
  traces[0].collective(1, 0, 8, {}, named("a"));
  traces[0].collective(2, 0, 8, {1}, named("b"));
  traces[1].collective(2, 0, 8, {}, named("b"));
  traces[1].collective(1, 0, 8, {2}, named("a"));
  EXPECT_THAT(trace_refusal(traces),
              HasSubstr("nodes wait for each other in a circle, those of rank and id"));
}

/// No piece of a file is read as a whole one, and no damage does more than to be refused.
TEST(Chakra, DamagedFilesAreRefusedOrRead) {
  std::vector<TraceBytes> traces(2);
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    traces[rank].node(0, 1, {},
                      wire_block(8, wire_block(1, "['[{\"pg_name\": \"0\", \"ranks\": [0, 1]}]']")));
    traces[rank].compute(1, 5, {0});
    traces[rank].collective(2, 0, 100, {1}, named("0"));
    if (rank == 0) traces[0].send(3, 1, 7, 1, {2});
    if (rank == 1) traces[1].receive(3, 0, 7, 1, {2});
  }
  const std::string whole = traces[0].text();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string why = refusal([&] {
      (void)graph_of(std::vector<std::string>{whole.substr(0, size), traces[1].text()});
    });
    EXPECT_THAT(why, StartsWith("t.")) << size;
  }
  Random random(3);
  std::size_t read = 0;
  for (int run = 0; run < 5000; ++run) {
    std::string damaged = whole;
    for (std::uint32_t i = 0; i <= random.below(3); ++i)
      damaged[random.below(static_cast<std::uint32_t>(damaged.size()))] =
          static_cast<char>(random.below(256));
    const std::string why = refusal([&] {
      (void)graph_of(std::vector<std::string>{damaged, traces[1].text()});
    });
    read += why.empty() ? 1 : 0;
    EXPECT_TRUE(why.empty() || why.find("t.") == 0) << why;
  }
  EXPECT_GT(read, 100U);
  EXPECT_LT(read, 4000U);
}

using ChakraFiles = test::TemporaryFolder;

TEST_F(ChakraFiles, AreFoundByPrefixOrFolder) {
  std::vector<TraceBytes> traces(3);
  for (TraceBytes& trace : traces) trace.collective(1, 2, 10);
  const auto messages = [&](const std::string& given) {
    return pairs_of(read_chakra(given, {}, many_terminals())).size();
  };
  for (std::size_t rank = 0; rank < 3; ++rank)
    write("a.b." + std::to_string(rank) + ".et", traces[rank].text());
  write("a.b.01.et", "no rank");
  write("a.b.et", "no rank");
  write("other.txt", "");
  EXPECT_EQ(messages(path("a.b")), 6U);
  EXPECT_EQ(messages(path("a.b.0.et")), 6U);
  EXPECT_EQ(messages(path("")), 6U);
  const auto said = [&](const std::string& given) { return refusal([&] { (void)messages(given); }); };
  EXPECT_EQ(said(path("c")), path("c") + ": there is no file " + path("c.0.et"));
  write("c.0.et", traces[0].text());
  EXPECT_THAT(said(path("")), HasSubstr("traces of several prefixes, among them a.b and c"));
  write("a.b.4.et", traces[0].text());
  EXPECT_EQ(said(path("a.b")), path("a.b.3.et") + ": it is missing, and " + path("a.b.4.et") + " is there");
  ASSERT_TRUE(std::filesystem::create_directory(path("empty")));
  EXPECT_THAT(said(path("empty")), HasSubstr("no traces in this folder"));
}

TEST_F(ChakraFiles, GroupsComeFromAFile) {
  std::vector<TraceBytes> traces(4);
  for (TraceBytes& trace : traces) trace.collective(1, 2, 10, {}, named("1"));
  for (std::size_t rank = 0; rank < 4; ++rank)
    write("t." + std::to_string(rank) + ".et", traces[rank].text());
  ChakraOptions options;
  options.groups = path("groups.json");
  write("groups.json", R"({"1": [3, 2, 1, 0], "2": [0]})");
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(
      pairs_of(read_chakra(path("t"), options, many_terminals())),
      (Pairs{
          {0, 3}, {0, 3}, {0, 3}, {1, 0}, {1, 0}, {1, 0}, {2, 1}, {2, 1}, {2, 1}, {3, 2}, {3, 2}, {3, 2}}));
  const auto said = [&](const std::string& text) {
    write("groups.json", text);
    return refusal([&] { (void)read_chakra(path("t"), options, many_terminals()); });
  };
  EXPECT_THAT(said("[1]"), HasSubstr("groups.json: expected groups as"));
  EXPECT_THAT(said("{\"1\": [-1]}"), HasSubstr("groups.json: group 1: expected a list of ranks"));
  EXPECT_THAT(said("{\"1\": "), HasSubstr("groups.json:1"));
}

}  // namespace
}  // namespace unknot
