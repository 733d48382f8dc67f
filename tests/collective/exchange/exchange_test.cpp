// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <functional>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/exchange/exchange_check.hpp"
#include "unknot/collective/exchange/make_exchange.hpp"
#include "unknot/collective/exchange/relieve_arcs.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {
namespace {

using testing::graph_of;
using testing::problem_on;

struct Made {
  ExchangeBound bound;
  ExchangePlan plan;
  ExchangeVerdict verdict;
};

Made made(const Problem& problem, std::uint32_t threads = 1) {
  Progress progress;
  const ExchangeFlow flow(problem, {.threads = threads}, progress);
  Made result{flow.bound(), flow.plan(), {}};
  result.verdict = check_exchange(problem, result.plan);
  return result;
}

void expect_near(const Made& all, const std::string& name) {
  EXPECT_EQ(all.verdict.fault, "") << name;
  EXPECT_GE(all.verdict.time, all.bound.time()) << name;
  EXPECT_LE(all.verdict.time.value(), all.bound.time().value() * 1.01 + 1e-9) << name;
}

/// The program by its definition: flow of each message by itself, on arcs; the least time.
double by_messages(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  LinearProgram program;
  std::vector<LinearProgram::Entry> entries;
  for (const ArcId a : graph.arcs()) {
    program.add_row(-LinearProgram::kInfinity, 0);
    entries.push_back({a.value, -static_cast<double>(graph.capacity(a))});
  }
  program.add_column(1, entries);
  std::vector<std::uint32_t> first;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId to : problem.partners(g)) {
      first.push_back(program.rows());
      for (const NodeId n : graph.nodes()) {
        const double out = n == problem.owner[g] ? 1 : n == to ? -1 : 0;
        program.add_row(out, out);
      }
    }
  }
  for (const std::uint32_t row : first) {
    for (const ArcId a : graph.arcs()) {
      entries = {{a.value, 1}, {row + graph.tail(a).value, 1}, {row + graph.head(a).value, -1}};
      program.add_column(0, entries);
    }
  }
  return program.solve().objective;
}

TEST(ExchangePlans, BoundIsTheLeastTimeAndIsReachedWithinOnePercent) {
  Random random(1990);
  for (int i = 0; i < 60; ++i) {
    const testing::SampleShape shape{2 + random.below(4), random.below(3), random.below(8), i % 2 == 1};
    const Network network = testing::sample_network(shape, random);
    const auto graph = testing::routers_graph(network);
    for (const char* collective : {"AAS", "OAS", "AOG", "permutation"}) {
      const std::string name = "case " + std::to_string(i) + " " + collective;
      const Problem problem = make_collective(graph, collective);
      const Made all = made(problem);
      const double least = by_messages(problem);
      EXPECT_NEAR(all.bound.time().value(), least, least * 1e-5) << name;
      expect_near(all, name);
    }
  }
}

TEST(ExchangePlans, IsReachedWithinOnePercentOnEveryFamily) {
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      const Network network = make_network(spec);
      if (network.terminal_count() < 2 || network.terminal_count() > 40) continue;
      try {
        expect_near(made(problem_on(spec, "AAS")), spec);
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::HasSubstr("no path leads"),
                                                   ::testing::HasSubstr("cannot receive"),
                                                   ::testing::HasSubstr("cannot send")))
            << spec;
      }
    }
  }
}

TEST(ExchangePlans, KnownValues) {
  EXPECT_EQ(made(problem_on("ring:5", "AAS")).bound.time().text(), "3");
  EXPECT_EQ(made(problem_on("torus:4x4", "AAS")).bound.time().text(), "8");
  EXPECT_EQ(made(problem_on("hypercube:5", "AAS")).bound.time().text(), "16");
  const Made star = made(problem_on("fattree3:4", "AAS"));
  EXPECT_EQ(star.bound.time().text(), "15");
  EXPECT_EQ(star.verdict.time.text(), "15");
  EXPECT_EQ(made(problem_on("mesh:3x3", "OAS")).verdict.time.text(), "4");
}

/// By exponential lengths, as it is too large for the program.
TEST(ExchangePlans, OfManyNodesAtAnyNumberOfThreads) {
  const Problem problem = problem_on("jellyfish:routers=48,degree=5,p=1", "AAS");
  const Made one = made(problem, 1);
  expect_near(one, "jellyfish");
  const Made three = made(problem, 3);
  EXPECT_EQ(one.bound.length, three.bound.length);
  EXPECT_EQ(one.plan.nodes, three.plan.nodes);
}

/// A tenth of the capacity is a tenth of a network ten times as fast.
TEST(ExchangePlans, CapacitiesCount) {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId(r));
  for (int i = 0; i < 3; ++i) builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(1), RouterId(2));
  const Network network = std::move(builder).build();
  const Made all = made(make_collective(testing::routers_graph(network), "AAS"));
  EXPECT_EQ(all.bound.time().text(), "2");  // two messages each way over the single cable
  EXPECT_EQ(all.verdict.time.text(), "2");
  EXPECT_EQ(all.verdict.from.value, 1U);
  EXPECT_EQ(all.verdict.to.value, 2U);
}

TEST(ExchangePlans, LengthsOfAnySortBound) {
  const Problem problem = problem_on("mesh:3x3", "AAS");
  const Fraction least = made(problem).bound.time();
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    std::vector<std::uint32_t> length(problem.graph->arc_count());
    for (std::uint32_t& one : length) one = random.below(5);
    length[0] += 1;
    EXPECT_LE(count_lengths(problem, length).time(), least);
  }
}

TEST(ExchangePlans, CheckerFindsWhatIsWrong) {
  const Problem problem = problem_on("fattree3:4", "AAS");
  const Made all = made(problem);
  const auto expect_fault = [&](const std::function<void(ExchangePlan&)>& damage, const char* words) {
    ExchangePlan plan = all.plan;
    damage(plan);
    EXPECT_THAT(check_exchange(problem, plan).fault, ::testing::HasSubstr(words));
  };
  const auto node = [&](std::size_t i) { return all.plan.nodes[i]; };
  expect_fault([](ExchangePlan& p) { p.copies = 0; }, "divided into no part");
  expect_fault([](ExchangePlan& p) { p.copies *= 2; }, "there are");
  expect_fault([](ExchangePlan& p) { p.routes[0].copies = 0; }, "it carries 0 parts");
  expect_fault([](ExchangePlan& p) { p.routes[0].copies = 99; }, "it carries 99 parts");
  expect_fault([](ExchangePlan& p) { p.routes.pop_back(); }, "path");  // the last has two ways then
  expect_fault([](ExchangePlan& p) { p.nodes[0] = NodeId(999); }, "there is no node 999");
  expect_fault([](ExchangePlan& p) { p.nodes[0] = NodeId(8); }, "node 8 has nothing for node");
  expect_fault([](ExchangePlan& p) { p.nodes[0] = p.nodes[2]; }, "twice");
  expect_fault([&](ExchangePlan& p) { p.nodes[1] = NodeId(node(1).value == 0 ? 1 : 0); },
               "no channel leads from");
  expect_fault([&](ExchangePlan& p) { p.routes[1].first = p.routes[0].first + 1; }, "it leads nowhere");
  ExchangePlan fewer = all.plan;
  fewer.nodes.resize(fewer.routes.back().first);
  fewer.routes.pop_back();
  EXPECT_THAT(check_exchange(problem, fewer).fault, ::testing::HasSubstr("parts are carried from node"));
}

/// Three hosts on a switch, of which the way from one to the other is made to pass the third.
TEST(ExchangePlans, ThroughTerminalsNothingLeads) {
  NetworkBuilder builder;
  builder.add_routers(1);
  for (std::uint32_t t = 0; t < 3; ++t) builder.add_terminal(RouterId(0));
  const Network network = std::move(builder).build();
  const Problem problem = make_collective(std::make_shared<const NodeGraph>(network), "AAS");
  ExchangePlan plan = made(problem).plan;
  EXPECT_EQ(check_exchange(problem, plan).time.text(), "2");
  plan.routes[0].first = 0;
  const auto second = plan.nodes.begin() + plan.routes[1].first;
  const NodeId from = plan.nodes[0], to = *(second - 1);
  const NodeId third(1 + 2 + 3 - from.value - to.value);
  plan.nodes.insert(second - 1, third);
  for (std::size_t r = 1; r < plan.routes.size(); ++r) ++plan.routes[r].first;
  EXPECT_THAT(check_exchange(problem, plan).fault, ::testing::HasSubstr("no channel leads from"));
}

TEST(ExchangePlans, ArcsAreRelieved) {
  // A ring of four: all messages across go one way round; half of them fit the other way.
  const Problem problem = problem_on("ring:4", "AAS");
  ExchangePlan plan;
  plan.copies = 1;
  for (std::uint32_t s = 0; s < 4; ++s) {
    for (const std::uint32_t hops : {1U, 2U, 3U}) {
      plan.routes.push_back({1, static_cast<std::uint32_t>(plan.nodes.size())});
      const std::uint32_t step = hops == 3 ? 3 : 1;
      plan.nodes.emplace_back(s);
      for (std::uint32_t i = 0; i < (hops == 2 ? 2U : 1U); ++i)
        plan.nodes.emplace_back((plan.nodes.back().value + step) % 4);
    }
  }
  EXPECT_EQ(check_exchange(problem, plan).fault, "");
  EXPECT_EQ(check_exchange(problem, plan).time.text(), "3");
  EXPECT_TRUE(relieve_arcs(problem, Fraction(2, 1), plan));
  EXPECT_EQ(check_exchange(problem, plan).fault, "");
  EXPECT_EQ(check_exchange(problem, plan).time.text(), "2");
  EXPECT_FALSE(relieve_arcs(problem, Fraction(1, 1), plan));
  EXPECT_EQ(check_exchange(problem, plan).fault, "");
}

TEST(ExchangePlans, IsRefusedWhereItMeansNothing) {
  Progress progress;
  ProblemRules rules;
  rules.send_ports = 1;
  const Problem ports = make_collective(graph_of("ring:4"), "AAS", {}, rules);
  EXPECT_THROW(ExchangeFlow(ports, {}, progress), InputError);
  rules = {};
  rules.extra_hops = 0;
  const Problem minimal = make_collective(graph_of("ring:4"), "AAS", {}, rules);
  EXPECT_THROW(ExchangeFlow(minimal, {}, progress), InputError);
}

}  // namespace
}  // namespace unknot
