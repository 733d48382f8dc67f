// SPDX-License-Identifier: Apache-2.0
// What reaches whom, and how much goes: by the definition of each collective.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "unknot/traffic/workloads/collective_rounds.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace unknot {
namespace {

struct Flow {
  std::vector<std::vector<bool>> reached;  // [from][to]: something of `from` may be at `to`
  std::vector<std::uint64_t> sent, received;
  std::uint64_t messages = 0;
};

Flow flow_of(const CollectiveCase& which) {
  const std::uint32_t n = which.members;
  Flow flow{std::vector(n, std::vector<bool>(n)), std::vector<std::uint64_t>(n),
            std::vector<std::uint64_t>(n), 0};
  for (std::uint32_t m = 0; m < n; ++m) flow.reached[m][m] = true;
  for_each_round(which, [&](std::span<const CollectiveMove> moves) {
    const std::vector<std::vector<bool>> before = flow.reached;
    for (const CollectiveMove& move : moves) {
      EXPECT_NE(move.from, move.to);
      flow.sent[move.from] += move.bytes;
      flow.received[move.to] += move.bytes;
      ++flow.messages;
      for (std::uint32_t m = 0; m < n; ++m) {
        if (before[m][move.from]) flow.reached[m][move.to] = true;
      }
    }
  });
  return flow;
}

std::vector<std::string> ways_of(TraceCollective collective) {
  switch (collective) {
    case TraceCollective::all_reduce:
      return all_reduce_ways();
    case TraceCollective::all_gather:
      return all_gather_ways();
    case TraceCollective::reduce_scatter:
    case TraceCollective::reduce_scatter_block:
      return reduce_scatter_ways();
    case TraceCollective::all_to_all:
      return all_to_all_ways();
    case TraceCollective::broadcast:
    case TraceCollective::reduce:
      return broadcast_ways();
    default:
      return {""};
  }
}

/// Bytes that all send together where nothing goes twice; 0 where a way may send more.
std::uint64_t bytes_expected(const CollectiveCase& which) {
  const std::uint64_t n = which.members;
  switch (which.collective) {
    case TraceCollective::all_reduce:
      return which.way == "recursive-doubling" ? 0 : 2 * (n - 1) * which.bytes;
    case TraceCollective::all_gather:
      return n * (n - 1) * which.bytes;
    case TraceCollective::scatter: {
      const std::uint64_t own = which.bytes / n + (which.root < which.bytes % n ? 1 : 0);
      return which.bytes - own;
    }
    case TraceCollective::barrier:
      return 0;
    default:  // all but what a member keeps of its own vector, or a vector to or from each but one
      return (n - 1) * which.bytes;
  }
}

TEST(CollectiveRounds, BringEachWhatItIsPromised) {
  for (std::uint64_t c = 0; c < kTraceCollectives; ++c) {
    const auto collective = static_cast<TraceCollective>(c);
    for (const std::string& way : ways_of(collective)) {
      for (std::uint32_t n = 1; n <= 17; ++n) {
        const CollectiveCase which{collective, way, n, n / 2, 1003};
        SCOPED_TRACE(fmt::format("{} {} {}", name_of(collective), way, n));
        const Flow flow = flow_of(which);
        const bool from_root =
            collective == TraceCollective::broadcast || collective == TraceCollective::scatter;
        const bool to_root = collective == TraceCollective::reduce || collective == TraceCollective::gather;
        for (std::uint32_t from = 0; from < n; ++from) {
          for (std::uint32_t to = 0; to < n; ++to) {
            const bool promised = (!from_root || from == which.root) && (!to_root || to == which.root);
            EXPECT_TRUE(!promised || flow.reached[from][to]) << from << " to " << to;
          }
        }
        const std::uint64_t total = std::accumulate(flow.sent.begin(), flow.sent.end(), std::uint64_t{0});
        const std::uint64_t expected = n > 1 ? bytes_expected(which) : 0;
        EXPECT_EQ(total, expected > 0 ? expected : total);
        EXPECT_EQ(flow.messages == 0, n == 1);
      }
    }
  }
}

/// Each ends no sooner than it has received all, and the tasks keep what a graph promises.
TEST(CollectiveRounds, BecomeTasks) {
  for (std::uint64_t c = 0; c < kTraceCollectives; ++c) {
    const auto collective = static_cast<TraceCollective>(c);
    for (const std::string& way : ways_of(collective)) {
      for (const std::uint32_t n : {1U, 2U, 3U, 6U, 8U}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name_of(collective), way, n));
        TaskGraphBuilder builder;
        std::vector<TerminalId> terminals;
        std::vector<std::uint32_t> begins, ends;
        for (std::uint32_t m = 0; m < n; ++m) {
          terminals.emplace_back(n - 1 - m);
          begins.push_back(builder.compute(terminals[m], 0));
          ends.push_back(builder.compute(terminals[m], 0));
        }
        std::vector<std::uint32_t> member_of;
        add_collective({collective, way, n, 0, 5}, terminals, begins, ends, builder,
                       [&](std::uint32_t task, std::uint32_t member) {
                         EXPECT_EQ(task, 2 * n + member_of.size());
                         member_of.push_back(member);
                       });
        Workload workload;
        const auto graph = std::make_shared<const TaskGraph>(std::move(builder).build());
        workload.tasks = graph;
        EXPECT_EQ(workload_fault(workload, n), "");
        ASSERT_EQ(graph->tasks.size(), 2 * n + member_of.size());
        for (std::uint32_t t = 2 * n; t < graph->tasks.size(); ++t)
          EXPECT_EQ(graph->tasks[t].terminal, terminals[member_of[t - 2 * n]]);
        // Backwards from the end of each: all that it sends and receives, and its begin, come before.
        for (std::uint32_t m = 0; m < n; ++m) {
          std::vector<bool> before(graph->tasks.size());
          std::vector<std::uint32_t> open{ends[m]};
          while (!open.empty()) {
            const std::uint32_t t = open.back();
            open.pop_back();
            for (const std::uint32_t b : graph->done_before(t)) {
              if (!before[b]) open.push_back(b);
              before[b] = true;
            }
          }
          EXPECT_TRUE(before[begins[m]]);
          for (std::uint32_t t = 2 * n; t < graph->tasks.size(); ++t)
            EXPECT_TRUE(before[t] || member_of[t - 2 * n] != m) << t;
        }
      }
    }
  }
}

}  // namespace
}  // namespace unknot
