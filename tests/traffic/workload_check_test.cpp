// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workload_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "unknot/support/random.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workloads.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using Kind = TaskGraph::Kind;

/// 0 sends to 1; that computes when it has come, and sends back while it computes.
TaskGraph sound_graph() {
  TaskGraphBuilder builder;
  const std::uint32_t there = builder.send(TerminalId(0), TerminalId(1), 10);
  const std::uint32_t got = builder.receive(there);
  const std::uint32_t work = builder.compute(TerminalId(1), 5);
  const std::uint32_t back = builder.send(TerminalId(1), TerminalId(0), 20);
  builder.receive(back);
  builder.require_done(work, got);
  builder.require_begun(back, work);
  return std::move(builder).build();
}

std::string fault_after(const std::function<void(TaskGraph&)>& damage) {
  TaskGraph graph = sound_graph();
  damage(graph);
  Workload workload;
  workload.tasks = std::make_shared<const TaskGraph>(std::move(graph));
  return workload_fault(workload, 2);
}

TEST(WorkloadCheck, FindsEveryBrokenPromiseOfTasks) {
  EXPECT_EQ(fault_after([](TaskGraph&) {}), "");
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[0].peer = 2; }), HasSubstr("no such destination"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[0].peer = 0; }), HasSubstr("sends to itself"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[0].amount = 0; }), HasSubstr("no bytes"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[2].amount = kMostAmount + 1; }), HasSubstr("too large"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[1].amount = 11; }), HasSubstr("another size"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[1].peer = 2; }), HasSubstr("no task sends"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[1].peer = 99; }), HasSubstr("no task sends"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[1].peer = 3; }), HasSubstr("another terminal gets"));
  EXPECT_THAT(fault_after([](TaskGraph& g) {
                g.tasks[4] = {Kind::compute, TerminalId(0), 0, 1};
              }),
              HasSubstr("a send with 0 receives"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.nics = {1}; }), HasSubstr("NICs do not fit the tasks"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[2] = g.tasks[1]; }),
              HasSubstr("a send with 2 receives"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.tasks[0].terminal = TerminalId(7); }),
              HasSubstr("no such terminal"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.requires_done[0] = 0; }), HasSubstr("another terminal"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.requires_begun[0] = 5; }), HasSubstr("does not exist"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.first.pop_back(); }), HasSubstr("do not fit"));
  EXPECT_THAT(fault_after([](TaskGraph& g) {
                ++g.first[1];
                --g.first[2];
              }),
              HasSubstr("do not fit"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.first_begun.clear(); }), HasSubstr("do not fit"));
  EXPECT_THAT(fault_after([](TaskGraph& g) { g.requires_begun[0] = 3; }), HasSubstr("waits for itself"));
}

TEST(WorkloadCheck, FindsEveryBrokenPromiseOfLists) {
  const auto fault_of = [](std::uint32_t to, std::uint64_t bytes) {
    Workload workload;
    workload.count = [](TerminalId t) { return t.value; };
    workload.message = [=](TerminalId, std::uint32_t) { return Message{TerminalId(to), bytes}; };
    return workload_fault(workload, 2);
  };
  EXPECT_EQ(fault_of(0, 1), "");
  EXPECT_THAT(fault_of(1, 1), HasSubstr("sends to itself"));
  EXPECT_THAT(fault_of(2, 1), HasSubstr("no such destination"));
  EXPECT_THAT(fault_of(0, 0), HasSubstr("no bytes"));
  EXPECT_THAT(fault_of(0, kMostAmount + 1), HasSubstr("too many bytes"));
  EXPECT_THAT(workload_fault(Workload(), 2), HasSubstr("neither"));
  Workload fickle;
  fickle.count = [](TerminalId) { return 1U; };
  fickle.message = [calls = std::make_shared<std::uint64_t>(0)](TerminalId t, std::uint32_t) {
    return Message{TerminalId(1 - t.value), ++*calls};
  };
  EXPECT_THAT(workload_fault(fickle, 2), HasSubstr("asked again"));
  Workload wrong = all_to_all(4, 10, SendOrder::shift, 1, 1);
  ++wrong.totals->most_bytes_received;
  EXPECT_THAT(workload_fault(wrong, 4), HasSubstr("totals"));
  wrong.totals.reset();
  EXPECT_EQ(workload_fault(wrong, 4), "");
  wrong.at_once = 0;
  EXPECT_THAT(workload_fault(wrong, 4), HasSubstr("at any time"));
}

/// Requirements and messages drawn at random: often there is a circle, often not.
TaskGraph random_graph(Random& random) {
  constexpr std::uint32_t kTerminals = 3;
  TaskGraphBuilder builder;
  std::vector<std::vector<std::uint32_t>> of(kTerminals);
  const auto keep = [&](std::uint32_t task) { of[builder.task(task).terminal.value].push_back(task); };
  for (std::uint32_t i = 1 + random.below(8); i > 0; --i) {
    const std::uint32_t from = random.below(kTerminals);
    if (random.below(3) == 0) {
      keep(builder.compute(TerminalId(from), random.below(9)));
      continue;
    }
    const std::uint32_t to = (from + 1 + random.below(kTerminals - 1)) % kTerminals;
    const std::uint32_t send = builder.send(TerminalId(from), TerminalId(to), 1 + random.below(9));
    keep(send);
    keep(builder.receive(send));
  }
  for (std::uint32_t i = random.below(10); i > 0; --i) {
    const std::vector<std::uint32_t>& here = of[random.below(kTerminals)];
    if (here.size() < 2) continue;
    const std::uint32_t a = here[random.below(static_cast<std::uint32_t>(here.size()))];
    const std::uint32_t b = here[random.below(static_cast<std::uint32_t>(here.size()))];
    if (random.below(3) == 0) {
      builder.require_begun(a, b);
    } else {
      builder.require_done(a, b);
    }
  }
  return std::move(builder).build();
}

TEST(TaskGraph, WaitingCirclesAreFoundWhereTheCheckFindsThem) {
  Random random(1);
  std::uint32_t circles = 0;
  constexpr std::uint32_t kGraphs = 3000;
  for (std::uint32_t i = 0; i < kGraphs; ++i) {
    const TaskGraph graph = random_graph(random);
    const std::vector<std::uint32_t> circle = waiting_circle(graph);
    Workload workload;
    workload.tasks = std::make_shared<const TaskGraph>(graph);
    ASSERT_EQ(workload_fault(workload, 3).empty(), circle.empty());
    if (circle.empty()) continue;
    ++circles;
    for (std::size_t k = 0; k < circle.size(); ++k) {  // each waits for the next, as some condition says
      const std::uint32_t a = circle[k];
      const std::uint32_t b = circle[(k + 1) % circle.size()];
      const auto in = [&](std::span<const std::uint32_t> list) {
        return std::find(list.begin(), list.end(), b) != list.end();
      };
      ASSERT_TRUE(in(graph.done_before(a)) || in(graph.begun_before(a)) ||
                  (graph.tasks[a].kind == Kind::receive && graph.tasks[a].peer == b));
    }
  }
  EXPECT_GT(circles, kGraphs / 10);
  EXPECT_LT(circles, kGraphs * 9 / 10);
}

TEST(TaskGraph, SuccessorsAreTheRequirementsTurnedRound) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const TaskGraph graph = random_graph(random);
    const TaskSuccessors successors(graph);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> done;
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> begun;
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      for (const std::uint32_t before : graph.done_before(t)) done.emplace(before, t);
      for (const std::uint32_t before : graph.begun_before(t)) begun.emplace(before, t);
      EXPECT_EQ(successors.requirements[t], graph.done_before(t).size() + graph.begun_before(t).size());
      if (graph.tasks[t].kind == Kind::receive) {
        EXPECT_EQ(successors.receive_of[graph.tasks[t].peer], t);
      } else if (graph.tasks[t].kind == Kind::compute) {
        EXPECT_EQ(successors.receive_of[t], TaskSuccessors::kNoTask);
      }
    }
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> done_turned;
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> begun_turned;
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      for (const std::uint32_t next : successors.after_done(t)) done_turned.emplace(t, next);
      for (const std::uint32_t next : successors.after_begun(t)) begun_turned.emplace(t, next);
    }
    EXPECT_EQ(done, done_turned);
    EXPECT_EQ(begun, begun_turned);
  }
}

}  // namespace
}  // namespace unknot
