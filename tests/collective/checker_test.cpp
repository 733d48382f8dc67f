// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/check/checker.hpp"

#include <gmock/gmock.h>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;
using testing::problem_on;

/// One step after the other, each a list of (origin, path).
using Steps = std::vector<std::vector<std::pair<std::uint32_t, std::vector<NodeId>>>>;

Schedule schedule_of(const Steps& steps) {
  Schedule schedule;
  for (const auto& step : steps) {
    schedule.add_step();
    for (const auto& [origin, path] : step) schedule.add(NodeId(origin), path);
  }
  return schedule;
}

Steps steps_of(const Schedule& schedule) {
  Steps steps(schedule.step_count());
  for (std::uint32_t i = 0; i < schedule.step_count(); ++i) {
    for (std::uint32_t t = schedule.step_begin(i); t < schedule.step_end(i); ++t)
      steps[i].push_back({schedule.origin(t).value, {schedule.path(t).begin(), schedule.path(t).end()}});
  }
  return steps;
}

void expect_valid(const Problem& problem, const Schedule& schedule) {
  const ScheduleVerdict verdict = check_schedule(problem, schedule);
  EXPECT_TRUE(verdict.valid()) << (verdict.valid() ? "" : verdict.findings[0].first);
  EXPECT_EQ(verdict.violations(), 0U);
}

/// One violation and nothing else, in the step (from 0) and with these words.
void expect_only(const Problem& problem, const Steps& steps, ViolationKind kind, std::uint32_t step,
                 const std::string& words) {
  const ScheduleVerdict verdict = check_schedule(problem, schedule_of(steps));
  EXPECT_EQ(verdict.of(kind), 1U) << name_of(kind);
  EXPECT_EQ(verdict.violations(), 1U) << name_of(kind);
  ASSERT_EQ(verdict.findings.size(), 1U) << name_of(kind);
  EXPECT_EQ(verdict.findings[0].step, step);
  EXPECT_EQ(verdict.findings[0].count, 1U);
  EXPECT_EQ(verdict.findings[0].kind, kind);
  EXPECT_THAT(verdict.findings[0].first, HasSubstr(words));
}

TEST(Checker, AcceptsKnownConstructions) {
  for (std::uint32_t d = 1; d <= 6; ++d) {
    SCOPED_TRACE(d);
    const std::string spec = "hypercube:" + std::to_string(d);
    const Schedule exchange = testing::hypercube_exchange(d);
    EXPECT_EQ(exchange.step_count(), 1U << (d - 1));
    expect_valid(problem_on(spec, "AAS"), exchange);
    Participants last;
    last.root = NodeId((1U << d) - 1);
    expect_valid(problem_on(spec, "OAB", last), testing::recursive_doubling(d, last.root->value));
  }
  for (std::uint32_t n = 3; n <= 9; ++n) {
    SCOPED_TRACE(n);
    expect_valid(problem_on("ring:" + std::to_string(n), "AAB"), testing::ring_gossip(n));
    expect_valid(problem_on("uniring:" + std::to_string(n), "AAS"), testing::one_way_ring_exchange(n));
  }
}

TEST(Checker, GathersAndReductionsAreTimeReversals) {
  const Schedule broadcast = testing::recursive_doubling(4);
  const Schedule reduction = time_reversed(broadcast, Delivery::broadcast);
  expect_valid(problem_on("hypercube:4", "AOR"), reduction);
  expect_valid(time_reversed(problem_on("hypercube:4", "OAB")), reduction);
  EXPECT_FALSE(check_schedule(problem_on("hypercube:4", "AOR"), broadcast).valid());
  expect_valid(problem_on("ring:6", "AAR"), time_reversed(testing::ring_gossip(6), Delivery::broadcast));
  EXPECT_EQ(time_reversed(reduction, Delivery::reduction), broadcast);

  // one-way channels: a scatter from a node is a gather to it on the ring that runs the other way
  const Problem gather = problem_on("uniring:4", "AOG");
  const Schedule steps =
      schedule_of({{{1, nodes({1, 2, 3, 0})}}, {{2, nodes({2, 3, 0})}}, {{3, nodes({3, 0})}}});
  expect_valid(gather, steps);
  expect_valid(time_reversed(gather), time_reversed(steps, Delivery::scatter));
  EXPECT_EQ(time_reversed(time_reversed(steps, Delivery::scatter), Delivery::scatter), steps);
}

TEST(Checker, NamesWhatIsWrongWithAScatter) {
  const Problem oas = problem_on("ring:4", "OAS");
  const Steps good = {{{0, nodes({0, 1})}, {0, nodes({0, 3, 2})}}, {{0, nodes({0, 3})}}};
  expect_valid(oas, schedule_of(good));
  Steps bad = good;
  bad[0][0].second = nodes({0, 3, 2, 1});
  {
    const ScheduleVerdict verdict = check_schedule(oas, schedule_of(bad));
    EXPECT_EQ(verdict.of(ViolationKind::channel_conflict), 2U);  // 0 to 3, and 3 to 2
    EXPECT_EQ(verdict.violations(), 2U);
    ASSERT_EQ(verdict.findings.size(), 1U);
    EXPECT_EQ(verdict.findings[0].first, "step 1: more than one message on the channel from 0 to 3");
  }
  bad = good;
  bad[1].clear();
  expect_only(oas, bad, ViolationKind::missing, 2, "node 3 never gets the message of 0");
  bad = good;
  bad[1].push_back({0, nodes({0, 1})});
  expect_only(oas, bad, ViolationKind::duplicate, 1, "node 1 has got this message in step 1");
  bad = good;
  bad[1].push_back({7, nodes({0, 1})});
  expect_only(oas, bad, ViolationKind::unknown_node, 1, "origin 7 has no message");
  bad = good;
  bad[1].push_back({0, nodes({0, 9})});
  expect_only(oas, bad, ViolationKind::unknown_node, 1, "there is no node 9; nodes are 0 to 3");
  bad = good;
  bad[1].push_back({0, nodes({0})});
  expect_only(oas, bad, ViolationKind::no_path, 1, "has no channel");
  bad = good;
  bad[1].push_back({0, nodes({1, 2, 1})});
  expect_only(oas, bad, ViolationKind::no_path, 1, "comes to node 1 twice");
  bad = good;
  bad[1].push_back({0, nodes({0, 2})});
  expect_only(oas, bad, ViolationKind::no_channel, 1, "no channel leads from 0 to 2");
  bad = good;
  bad[1].push_back({0, nodes({3, 0})});
  {
    const ScheduleVerdict verdict = check_schedule(oas, schedule_of(bad));
    EXPECT_EQ(verdict.of(ViolationKind::wrong_sender), 1U);
    EXPECT_EQ(verdict.of(ViolationKind::not_a_receiver), 1U);
  }
  bad = good;
  bad[1][0].second = nodes({2, 3});
  expect_only(oas, bad, ViolationKind::wrong_sender, 1, "must be sent by it, not by 2");
}

TEST(Checker, NamesWhatIsWrongWithABroadcast) {
  const Problem oab = problem_on("ring:4", "OAB");
  const Steps good = {{{0, nodes({0, 1})}}, {{0, nodes({0, 3})}, {0, nodes({1, 2})}}};
  expect_valid(oab, schedule_of(good));
  Steps bad = good;
  std::swap(bad[0], bad[1]);
  expect_only(oab, bad, ViolationKind::not_informed, 0,
              "step 1: transfer 1 to 2 of the message of 0: node 1");
  bad = {{{0, nodes({0, 1})}, {0, nodes({1, 2})}}, {{0, nodes({0, 3})}}};  // in the very same step
  expect_only(oab, bad, ViolationKind::not_informed, 0, "does not have the message before this step");
  bad = good;
  bad[1].push_back({0, nodes({1, 0})});
  expect_only(oab, bad, ViolationKind::not_a_receiver, 1, "node 0 is not to get this message");

  Problem repeated = oab;
  repeated.repeats = true;
  bad = good;
  bad[1].push_back({0, nodes({0, 1})});
  expect_only(oab, bad, ViolationKind::duplicate, 1, "");
  expect_valid(repeated, schedule_of(bad));

  Participants some;
  some.transmitters = nodes({0});
  some.receivers = nodes({2});
  const Problem to_one = problem_on("ring:4", "MNB", some);
  expect_valid(to_one, schedule_of({{{0, nodes({0, 1, 2})}}}));
  const ScheduleVerdict relayed =
      check_schedule(to_one, schedule_of({{{0, nodes({0, 1})}}, {{0, nodes({1, 2})}}}));
  EXPECT_EQ(relayed.of(ViolationKind::not_a_receiver), 1U);
  EXPECT_EQ(relayed.of(ViolationKind::wrong_sender), 1U);
}

TEST(Checker, NamesWhatIsWrongWithAReductionInItsOwnOrderOfTime) {
  const Problem aor = problem_on("ring:4", "AOR");
  const Steps good = {{{0, nodes({2, 1})}, {0, nodes({3, 0})}}, {{0, nodes({1, 0})}}};
  expect_valid(aor, schedule_of(good));
  Steps bad = good;
  std::swap(bad[0], bad[1]);
  expect_only(aor, bad, ViolationKind::not_informed, 1,
              "step 2: transfer 2 to 1 of the result for 0: node 1 does not pass");
  bad = good;
  bad[0].pop_back();
  expect_only(aor, bad, ViolationKind::missing, 2, "node 3 never sends its part of the result for 0");
  bad = good;
  bad[1].push_back({0, nodes({3, 0})});
  expect_only(aor, bad, ViolationKind::duplicate, 0, "node 3 sends its part also in step 2");
}

TEST(Checker, PortsLengthsDuplexAndTerminals) {
  Problem problem = problem_on("ring:4", "OAS");
  const Steps good = {{{0, nodes({0, 1})}, {0, nodes({0, 3, 2})}}, {{0, nodes({0, 3})}}};
  problem.send_ports = 1;
  expect_only(problem, good, ViolationKind::send_ports, 0, "node 0 sends more than 1 message,");
  problem.send_ports = Problem::kAllPorts;
  problem.extra_hops = 0;
  expect_valid(problem, schedule_of(good));
  const Steps long_way = {{{0, nodes({0, 1})}, {0, nodes({0, 3})}}, {{0, nodes({0, 1, 2})}}};
  expect_valid(problem, schedule_of(long_way));
  const Steps too_long = {{{0, nodes({0, 3, 2, 1})}}, {{0, nodes({0, 3})}, {0, nodes({0, 1, 2})}}};
  expect_only(problem, too_long, ViolationKind::detour, 0, "3 channels where at most 1 are allowed");
  problem.extra_hops = 2;
  expect_valid(problem, schedule_of(too_long));

  Participants pair;
  pair.transmitters = nodes({0, 2});
  pair.receivers = nodes({1});
  Problem two = problem_on("ring:4", "MNS", pair);
  const Steps at_once = {{{0, nodes({0, 1})}, {2, nodes({2, 1})}}};
  expect_valid(two, schedule_of(at_once));
  two.receive_ports = 1;
  expect_only(two, at_once, ViolationKind::receive_ports, 0, "node 1 receives more than 1 message,");

  const auto half = testing::graph_of("ring:4", {NodeModel::routers, LinkClass::half_duplex, 1});
  Participants ends;
  ends.nodes = nodes({0, 1});
  const Problem swap = make_collective(half, "AAS", ends);
  expect_only(swap, {{{0, nodes({0, 1})}, {1, nodes({1, 0})}}}, ViolationKind::channel_conflict, 0,
              "half-duplex link between");
  expect_valid(swap, schedule_of({{{0, nodes({0, 1})}, {1, nodes({1, 2, 3, 0})}}}));

  // two terminals on each of two routers: nodes 2 to 5
  const Problem leaves = problem_on("ring:2,p=2", "OAS");
  EXPECT_EQ(leaves.owner[0], NodeId(2));
  const Steps one_by_one = {{{2, nodes({2, 0, 3})}}, {{2, nodes({2, 0, 1, 4})}}, {{2, nodes({2, 0, 1, 5})}}};
  expect_valid(leaves, schedule_of(one_by_one));
}

TEST(Checker, APathThroughATerminalIsNone) {
  // a terminal with two cables to its router can be passed only by coming to the router twice: both are named
  const auto graph = testing::graph_of("ring:2,p=2", {NodeModel::terminals, LinkClass::full_duplex, 2});
  const ScheduleVerdict verdict =
      check_schedule(make_collective(graph, "OAS"), schedule_of({{{2, nodes({2, 0, 3, 0, 1, 4})}}}));
  EXPECT_EQ(verdict.of(ViolationKind::through_terminal), 1U);
  EXPECT_EQ(verdict.of(ViolationKind::no_path), 1U);
}

/// Some change to one step or transfer.
void damage(Steps& steps, std::uint32_t nodes, Random& random) {
  std::uint32_t s = random.below(static_cast<std::uint32_t>(steps.size()));
  while (steps[s].empty()) s = random.below(static_cast<std::uint32_t>(steps.size()));
  const std::uint32_t t = random.below(static_cast<std::uint32_t>(steps[s].size()));
  auto& [origin, path] = steps[s][t];
  const std::uint32_t at = random.below(static_cast<std::uint32_t>(path.size()));
  switch (random.below(8)) {
    case 0:
      origin = random.below(nodes + 1);
      return;
    case 1:
      path[at] = NodeId(random.below(nodes + 1));
      return;
    case 2:
      if (path.size() > 1) path.erase(path.begin() + at);
      return;
    case 3:
      path.insert(path.begin() + at, NodeId(random.below(nodes)));
      return;
    case 4:
      std::swap(steps[s], steps[random.below(static_cast<std::uint32_t>(steps.size()))]);
      return;
    case 5: {
      const auto moved = steps[s][t];
      steps[s].erase(steps[s].begin() + t);
      steps[random.below(static_cast<std::uint32_t>(steps.size()))].push_back(moved);
      return;
    }
    case 6:
      steps[s].erase(steps[s].begin() + t);
      return;
    default:
      steps[random.below(static_cast<std::uint32_t>(steps.size()))].push_back(steps[s][t]);
  }
}

TEST(Checker, AgreesWithThePlainRulesOnAnyDamage) {
  struct Case {
    const char* fabric;
    const char* collective;
    Schedule schedule;
  };
  const Case cases[] = {
      {"hypercube:3", "AAS", testing::hypercube_exchange(3)},
      {"uniring:5", "AAS", testing::one_way_ring_exchange(5)},
      {"hypercube:4", "OAB", testing::recursive_doubling(4)},
      {"ring:6", "AAB", testing::ring_gossip(6)},
      {"hypercube:4", "AOR", time_reversed(testing::recursive_doubling(4), Delivery::broadcast)},
  };
  std::uint32_t still_valid = 0, refused = 0;
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.fabric) + " " + one.collective);
    const Network network = make_network(one.fabric);
    for (const std::uint32_t ports : {Problem::kAllPorts, 2U}) {
      for (const std::uint32_t extra : {Problem::kAnyLength, 0U}) {
        Problem problem = problem_on(one.fabric, one.collective);
        problem.send_ports = ports;
        problem.extra_hops = extra;
        const testing::ReferenceChecker plain(network, problem);
        EXPECT_EQ(check_schedule(problem, one.schedule).valid(), plain.valid(one.schedule));
        Random random(1, ports + extra);
        for (int i = 0; i < 250; ++i) {
          Steps steps = steps_of(one.schedule);
          for (std::uint32_t changes = 1 + random.below(2); changes > 0; --changes)
            damage(steps, network.router_count(), random);
          const Schedule schedule = schedule_of(steps);
          const bool expected = plain.valid(schedule);
          ASSERT_EQ(check_schedule(problem, schedule).valid(), expected) << "damage " << i;
          ++(expected ? still_valid : refused);
        }
      }
    }
  }
  EXPECT_GT(still_valid, 100U);
  EXPECT_GT(refused, 2000U);
}

}  // namespace
}  // namespace unknot
