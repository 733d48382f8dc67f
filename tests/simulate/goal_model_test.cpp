// SPDX-License-Identifier: Apache-2.0
// GOAL programs on a network where no two messages meet, against a plain event loop in the way of LogGOPSim
// (Hoefler, Schneider, Lumsdaine, LSAP 2010): MPI's two queues match messages as they come; CPUs and NICs do
// one thing at a time. It knows nothing of task graphs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kGoalRanks = 5;
constexpr std::uint32_t kGoalPacketFlits = 32;
constexpr int kAnything = -1;

struct GoalOperation {
  enum class Kind { compute, send, receive } kind = Kind::compute;
  std::uint32_t rank = 0;
  std::uint64_t amount = 0;  ///< nanoseconds or bytes
  int peer = 0, tag = 0;     ///< kAnything allowed
  std::uint32_t cpu = 0, nic = 0;
  std::vector<std::size_t> after = {}, after_begun = {};
};

struct GoalProgram {
  std::vector<GoalOperation> operations;

  /// Operations as the text has them: rank by rank.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> numbers(operations.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::size_t a, std::size_t b) { return operations[a].rank < operations[b].rank; });
    return numbers;
  }

  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("num_ranks {}\n", kGoalRanks);
    for (std::uint32_t rank = 0; rank < kGoalRanks; ++rank) {
      text += fmt::format("rank {} {{\n", rank);
      for (std::size_t i = 0; i < operations.size(); ++i) {
        const GoalOperation& one = operations[i];
        if (one.rank != rank) continue;
        text +=
            one.kind == GoalOperation::Kind::compute ? fmt::format("l{}: calc {}", i, one.amount)
            : one.kind == GoalOperation::Kind::send
                ? fmt::format("l{}: send {}b to {} tag {} nic {}", i, one.amount, one.peer, one.tag, one.nic)
                : fmt::format("l{}: recv {}b from {} tag {}", i, one.amount, one.peer, one.tag);
        text += fmt::format(" cpu {}\n", one.cpu);
        for (const std::size_t before : one.after) text += fmt::format("l{} requires l{}\n", i, before);
        for (const std::size_t before : one.after_begun)
          text += fmt::format("l{} irequires l{}\n", i, before);
      }
      text += "}\n";
    }
    return text;
  }
};

/// Adds to a program. Each operation waits for a computation that has a CPU of its own and a length of its
/// own, so that hardly any two are ready at one instant.
class GoalMaker {
 public:
  explicit GoalMaker(Random& random) : random_(random) {}
  GoalProgram program;

  /// After some that there are of the rank.
  std::size_t delay(std::uint32_t rank, std::vector<std::size_t> after = {}) {
    GoalOperation one{GoalOperation::Kind::compute, rank, 1 + random_.below(16'384)};
    one.cpu = 10 + delays_[rank]++;
    one.after = std::move(after);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      if (program.operations[i].rank != rank || random_.below(8) > 0) continue;
      (random_.below(3) == 0 ? one.after_begun : one.after).push_back(i);
    }
    return add(one);
  }
  void compute(std::uint32_t rank) {
    const std::size_t before = delay(rank);
    GoalOperation one{GoalOperation::Kind::compute, rank, random_.below(4000)};
    one.cpu = random_.below(2);
    one.after = {before};
    add(one);
  }
  std::size_t send(std::uint32_t from, std::uint32_t to, int tag, const std::vector<std::size_t>& after) {
    const std::size_t before = delay(from);
    GoalOperation one{GoalOperation::Kind::send, from, kSizes[random_.below(kSizes.size())]};
    one.peer = static_cast<int>(to);
    one.tag = tag;
    one.cpu = random_.below(2);
    one.nic = random_.below(3);
    one.after = after;
    one.after.push_back(before);
    return add(one);
  }
  std::size_t receive(std::size_t send, int from, int tag, std::optional<std::size_t> begun) {
    const GoalOperation sent = program.operations[send];
    const std::size_t before = delay(static_cast<std::uint32_t>(sent.peer));
    GoalOperation one{GoalOperation::Kind::receive, static_cast<std::uint32_t>(sent.peer), sent.amount};
    one.peer = from;
    one.tag = tag;
    one.cpu = random_.below(2);
    one.after = {before};
    if (begun) one.after_begun = {*begun};
    return add(one);
  }

 private:
  // The last packets of all have 8 flits or more: so packets follow each other without a gap.
  static constexpr std::array<std::uint64_t, 6> kSizes{64, 100, 256, 1000, 8000, 20'224};

  std::size_t add(const GoalOperation& one) {
    program.operations.push_back(one);
    return program.operations.size() - 1;
  }
  Random& random_;
  std::map<std::uint32_t, std::uint32_t> delays_;
};

/// Each rank hears of one other alone: no two messages are for one rank at the same time but from one NIC.
/// Those of a pair of ranks and a tag come one after the other, so that what matches is what the text says.
GoalProgram program_of_pairs(Random& random) {
  GoalMaker maker(random);
  std::vector<std::uint32_t> source(kGoalRanks);
  std::vector<bool> anything(kGoalRanks);
  for (std::uint32_t r = 0; r < kGoalRanks; ++r) {
    source[r] = (r + 1 + random.below(kGoalRanks - 1)) % kGoalRanks;
    anything[r] = random.below(2) == 0;
  }
  std::map<std::pair<std::uint32_t, int>, std::pair<std::size_t, std::size_t>> last;
  const std::uint32_t steps = 5 + random.below(25);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::uint32_t rank = random.below(kGoalRanks);
    if (random.below(3) == 0) {
      maker.compute(rank);
      continue;
    }
    const int tag = static_cast<int>(random.below(3));
    const std::pair key(rank, anything[rank] ? kAnything : tag);
    const auto before = last.find(key);
    std::vector<std::size_t> sent;
    std::optional<std::size_t> posted;
    if (before != last.end()) {
      sent = {before->second.first};
      posted = before->second.second;
    }
    const std::size_t send = maker.send(source[rank], rank, tag, sent);
    const bool any_source = anything[rank] && random.below(2) == 0;
    const bool any_tag = anything[rank] && random.below(2) == 0;
    const std::size_t receive = maker.receive(send, any_source ? kAnything : static_cast<int>(source[rank]),
                                              any_tag ? kAnything : tag, posted);
    last[key] = {send, receive};
  }
  return std::move(maker.program);
}

/// One message is under way at a time, from anyone to anyone.
GoalProgram program_of_a_token(Random& random) {
  GoalMaker maker(random);
  std::uint32_t at = random.below(kGoalRanks);
  std::vector<std::size_t> has;
  std::vector<std::optional<std::size_t>> posted(kGoalRanks);
  const std::uint32_t steps = 3 + random.below(15);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::uint32_t to = (at + 1 + random.below(kGoalRanks - 1)) % kGoalRanks;
    const int tag = static_cast<int>(random.below(3));
    const std::size_t send = maker.send(at, to, tag, has);
    posted[to] = maker.receive(send, random.below(2) == 0 ? kAnything : static_cast<int>(at),
                               random.below(2) == 0 ? kAnything : tag, posted[to]);
    has = {*posted[to]};
    at = to;
    maker.compute(random.below(kGoalRanks));
  }
  return std::move(maker.program);
}

/// The event loop. `latency`: from when the last flit has left until it has arrived.
class PlainGoal {
 public:
  PlainGoal(const GoalProgram& program, std::uint64_t overhead, std::uint64_t latency)
      : operations_(program.operations),
        overhead_(overhead),
        latency_(latency),
        done(operations_.size()),
        missing_(operations_.size()),
        packets_(operations_.size(), 0),
        number_(operations_.size()),
        ranks_(kGoalRanks) {
    const std::vector<std::size_t> order = program.order();
    for (std::size_t i = 0; i < order.size(); ++i) number_[order[i]] = i;
    for (std::size_t i = 0; i < operations_.size(); ++i)
      missing_[i] = operations_[i].after.size() + operations_[i].after_begun.size();
    std::vector<std::size_t> free;
    for (const std::size_t i : order) {
      if (missing_[i] == 0) free.push_back(i);
    }
    for (const std::size_t i : free) ready(i, 0);
    while (!events_.empty()) {
      const auto [time, what, number, i] = *events_.begin();
      events_.erase(events_.begin());
      last = std::max(last, time);
      if (what == What::left) left(i, time);
      if (what == What::begins) release(i, true, time);
      if (what == What::next_packet) next_packet(ranks_[operations_[i].rank], time, time + 1);
      if (what == What::arrived) arrived(i, time);
      if (what == What::computed) computed(i, time);
    }
  }

 private:
  using Kind = GoalOperation::Kind;
  // Of one instant in this order. A packet is taken up while the last flit of the one before leaves.
  enum class What { arrived, computed, left, begins, next_packet };
  struct Rank {
    std::map<std::uint32_t, std::deque<std::size_t>> cpus, nics;
    std::optional<std::uint32_t> last_nic;
    bool sends = false;
    std::list<std::size_t> posted, unexpected;
  };

  void at(std::uint64_t time, What what, std::size_t i) { events_.emplace(time, what, number_[i], i); }
  void release(std::size_t i, bool begun, std::uint64_t time) {
    std::vector<std::pair<std::size_t, std::size_t>> free;
    for (std::size_t next = 0; next < operations_.size(); ++next) {
      const auto& before = begun ? operations_[next].after_begun : operations_[next].after;
      const auto count = static_cast<std::size_t>(std::count(before.begin(), before.end(), i));
      missing_[next] -= count;
      if (count > 0 && missing_[next] == 0) free.emplace_back(number_[next], next);
    }
    std::sort(free.begin(), free.end());
    for (const auto& [number, next] : free) ready(next, time);
  }
  void finish(std::size_t i, std::uint64_t time) { release(i, false, time); }

  void ready(std::size_t i, std::uint64_t time) {
    if (operations_[i].kind == Kind::receive) {
      std::list<std::size_t>& unexpected = ranks_[operations_[i].rank].unexpected;
      const auto message =
          std::find_if(unexpected.begin(), unexpected.end(), [&](std::size_t m) { return suits(i, m); });
      if (message == unexpected.end()) {
        ranks_[operations_[i].rank].posted.push_back(i);
      } else {
        unexpected.erase(message);
        taken(i, time);
      }
      release(i, true, time);
    } else if (operations_[i].kind == Kind::compute || overhead_ > 0) {
      join_cpu(i, time);
    } else {
      join_nic(i, time);
    }
  }

  void join_cpu(std::size_t i, std::uint64_t time) {
    std::deque<std::size_t>& queue = ranks_[operations_[i].rank].cpus[operations_[i].cpu];
    queue.push_back(i);
    if (queue.size() == 1) work(i, time);
  }
  void work(std::size_t i, std::uint64_t time) {
    const bool computes = operations_[i].kind == Kind::compute;
    at(time + (computes ? operations_[i].amount : overhead_), What::computed, i);
    if (operations_[i].kind != Kind::receive) release(i, true, time);
  }
  void computed(std::size_t i, std::uint64_t time) {
    std::deque<std::size_t>& queue = ranks_[operations_[i].rank].cpus[operations_[i].cpu];
    queue.pop_front();
    if (!queue.empty()) work(queue.front(), time);
    if (operations_[i].kind == Kind::send) {
      join_nic(i, time);
      return;
    }
    if (operations_[i].kind == Kind::compute) done[i] = time;
    finish(i, time);
  }

  void join_nic(std::size_t i, std::uint64_t time) {
    Rank& rank = ranks_[operations_[i].rank];
    rank.nics[operations_[i].nic].push_back(i);
    if (!rank.sends) next_packet(rank, time, time);
  }
  /// Of the next NIC, around; its first flit leaves at `free`.
  void next_packet(Rank& rank, std::uint64_t time, std::uint64_t free) {
    rank.sends = false;
    std::optional<std::uint32_t> chosen;
    for (const bool later : {true, false}) {
      for (const auto& [nic, queue] : rank.nics) {
        if (!chosen && !queue.empty() && later == (!rank.last_nic || nic > *rank.last_nic)) chosen = nic;
      }
    }
    if (!chosen) return;
    rank.sends = true;
    rank.last_nic = chosen;
    const std::size_t i = rank.nics[*chosen].front();
    const std::uint64_t flits = (operations_[i].amount + 7) / 8 - kGoalPacketFlits * packets_[i];
    const std::uint64_t end = free + std::min<std::uint64_t>(flits, kGoalPacketFlits);
    at(end - 1, What::next_packet, i);
    if (flits <= kGoalPacketFlits) {
      rank.nics[*chosen].pop_front();
      at(end, What::left, i);
    }
    if (packets_[i]++ > 0 || overhead_ > 0) return;
    if (free > time) {
      at(free, What::begins, i);
    } else {
      release(i, true, time);
    }
  }
  void left(std::size_t i, std::uint64_t time) {
    done[i] = time;
    at(time + latency_, What::arrived, i);
    finish(i, time);
  }

  [[nodiscard]] bool suits(std::size_t receive, std::size_t message) const {
    const GoalOperation& r = operations_[receive];
    const GoalOperation& s = operations_[message];
    return (r.peer == kAnything || static_cast<std::uint32_t>(r.peer) == s.rank) &&
           (r.tag == kAnything || r.tag == s.tag);
  }
  void arrived(std::size_t message, std::uint64_t time) {
    Rank& rank = ranks_[static_cast<std::size_t>(operations_[message].peer)];
    const auto receive = std::find_if(rank.posted.begin(), rank.posted.end(),
                                      [&](std::size_t r) { return suits(r, message); });
    if (receive == rank.posted.end()) {
      rank.unexpected.push_back(message);
      return;
    }
    const std::size_t i = *receive;
    rank.posted.erase(receive);
    taken(i, time);
  }
  void taken(std::size_t i, std::uint64_t time) {
    done[i] = time;
    if (overhead_ > 0) {
      join_cpu(i, time);
    } else {
      finish(i, time);
    }
  }

  const std::vector<GoalOperation>& operations_;
  std::uint64_t overhead_, latency_;

 public:
  std::uint64_t last = 0;
  /// When a computation ends, a message's last flit has left, a message has arrived and its receive is there.
  std::vector<std::optional<std::uint64_t>> done;

 private:
  std::vector<std::size_t> missing_;
  std::vector<std::uint64_t> packets_;  // of sends: handed out
  std::vector<std::size_t> number_;     // in the text
  std::vector<Rank> ranks_;
  std::set<std::tuple<std::uint64_t, What, std::size_t, std::size_t>> events_;
};

WorkloadReport run_goal(const RoutePlan& plan, const std::string& text, std::uint64_t overhead,
                        std::uint32_t at_once = 1) {
  std::vector<TerminalId> terminals;
  for (std::uint32_t rank = 0; rank < kGoalRanks; ++rank) terminals.emplace_back(rank);
  Settings settings;
  settings.packet_flits = kGoalPacketFlits;
  settings.vc_buffer = 2048;
  Workload workload;
  workload.name = "program";
  workload.at_once = at_once;
  workload.tasks =
      std::make_shared<const TaskGraph>(parse_goal(text, "program", terminals, nullptr, overhead));
  Progress silent;
  return run_workload(plan, settings, workload, silent, {.tasks = true});
}

/// Every rank one channel from every other.
class GoalModel : public ::testing::Test {
 protected:
  void SetUp() override {
    const WorkloadReport alone = run(
        "num_ranks 2\nrank 0 { c: calc 1000; s: send 800b to 1; s requires c }\nrank 1 { recv 800b from 0 }");
    EXPECT_EQ(alone.tasks[1].done, 1100U);
    latency_ = alone.tasks[2].done - alone.tasks[1].done;
  }
  [[nodiscard]] WorkloadReport run(const std::string& text, std::uint64_t overhead = 0,
                                   std::uint32_t at_once = 1) const {
    return run_goal(plan_, text, overhead, at_once);
  }
  void compare(const GoalProgram& program, std::uint64_t overhead, int round) const {
    const WorkloadReport report = run(program.text(), overhead);
    const PlainGoal plain(program, overhead, latency_);
    ASSERT_TRUE(report.complete);
    EXPECT_EQ(static_cast<std::uint64_t>(report.completion_cycles), plain.last) << round;
    const std::vector<std::size_t> order = program.order();
    for (std::size_t task = 0; task < order.size(); ++task) {
      ASSERT_TRUE(plain.done[order[task]].has_value());
      ASSERT_EQ(report.tasks[task].done, *plain.done[order[task]]) << round << "\n" << program.text();
    }
  }
  Progress silent_;
  Network network_ = make_network("full-mesh:5");
  RoutePlan plan_ = plan_routing(network_, route(network_, "minhop", {}, silent_), true);
  std::uint64_t latency_ = 0;
};

TEST_F(GoalModel, RandomProgramsGoAsInAPlainEventLoop) {
  Random random(7);
  int shared = 0;
  for (int round = 0; round < 300; ++round) {
    const GoalProgram program = program_of_pairs(random);
    compare(program, 0, round);
    GoalProgram one_nic = program;
    for (GoalOperation& one : one_nic.operations) one.nic = 0;
    shared += PlainGoal(one_nic, 0, latency_).done == PlainGoal(program, 0, latency_).done ? 0 : 1;
  }
  EXPECT_GT(shared, 50);  // by which NIC they went made a difference
}

TEST_F(GoalModel, SendsAndReceivesTakeTheirCpus) {
  Random random(8);
  for (int round = 0; round < 300; ++round) compare(program_of_pairs(random), 1 + random.below(3000), round);
}

TEST_F(GoalModel, AnySourceIsWhoeverSends) {
  Random random(9);
  for (int round = 0; round < 200; ++round)
    compare(program_of_a_token(random), random.below(2) == 0 ? 0 : 700, round);
}

/// Not while the last flit of the one before leaves.
TEST_F(GoalModel, WhatWaitsForASendInTurnBeginsWithIt) {
  for (const std::string bytes : {"8", "800"}) {
    const WorkloadReport report = run("num_ranks 2\nrank 0 { l0: send " + bytes +
                                          "b to 1; l1: send 8b to 1 tag 1; l2: calc 30; l2 irequires l1 }\n"
                                          "rank 1 { recv " +
                                          bytes + "b from 0; recv 8b from 0 tag 1 }\n",
                                      0, 1);
    EXPECT_EQ(report.tasks[1].begun, report.tasks[0].done);
    EXPECT_EQ(report.tasks[2].begun, report.tasks[1].begun);
    EXPECT_EQ(report.tasks[2].done, report.tasks[1].begun + 30);
  }
}

/// 8 packets, and one of another NIC.
TEST_F(GoalModel, NicsShareTheCableByTurns) {
  const auto left = [&](const std::string& second, std::uint32_t at_once) {
    const WorkloadReport report = run("num_ranks 3\nrank 0 { send 2048b to 1; send 256b to 2 " + second +
                                          " }\nrank 1 { recv 2048b from 0 }\nrank 2 { recv 256b from 0 }\n",
                                      0, at_once);
    return std::pair(report.tasks[0].done, report.tasks[1].done);
  };
  EXPECT_EQ(left("", 1), std::pair(std::uint64_t{256}, std::uint64_t{288}));
  EXPECT_EQ(left("nic 1", 1), std::pair(std::uint64_t{288}, std::uint64_t{64}));
  EXPECT_EQ(left("", 2), std::pair(std::uint64_t{288}, std::uint64_t{64}));
}

}  // namespace
}  // namespace unknot::simulate
