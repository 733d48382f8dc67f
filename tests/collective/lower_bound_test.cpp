// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/lower_bound.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "patterns.hpp"
#include "unknot/collective/bounds/length_count.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/paths/scatter_flow.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/faults.hpp"

namespace unknot {
namespace {

using testing::nodes;

Problem problem_of_case(const std::string& spec, const std::string& collective, int root,
                        std::uint32_t extra) {
  Participants who;
  if (root >= 0) who.root = NodeId(static_cast<std::uint32_t>(root));
  Problem problem = testing::problem_on(spec, collective, who);
  problem.extra_hops = extra;
  return problem;
}

TEST(LowerBound, KnownValues) {
  constexpr std::uint32_t kAny = Problem::kAnyLength;
  struct Case {
    const char* spec;
    const char* collective;
    int root;
    std::uint32_t extra, steps;
    const char* name;
  };
  for (const Case& one : {
           Case{"hypercube:3", "AAS", -1, kAny, 4, "distance"},
           Case{"hypercube:4", "AAS", -1, kAny, 8, "distance"},
           Case{"hypercube:4", "AAB", -1, kAny, 4, "ports"},
           Case{"hypercube:8", "OAB", 0, kAny, 3, "growth"},
           Case{"uniring:8", "AAS", -1, kAny, 28, "distance"},  // P (P - 1) / 2
           Case{"mesh:5x5", "AAS", -1, kAny, 30, "cut"},        // 10 * 15 / 5, not 25^2 / 2 / 10
           Case{"torus:3x3", "AAS", -1, kAny, 3, "distance"},
           Case{"torus:3x3", "AAB", -1, kAny, 2, "ports"},
           Case{"mesh:3x4", "OAB", 0, kAny, 2, "growth"},  // with the degree of each node
           Case{"mesh:8x8", "OAB", 0, kAny, 4, "growth"},
           Case{"mesh:8x8", "OAB", 4, kAny, 3, "growth"},
           Case{"mesh:10x10", "OAB", 5, kAny, 4, "growth"},
           Case{"mesh:10x10", "OAB", 55, kAny, 3, "growth"},
           Case{"mesh:4x4", "OAS", 2, kAny, 5, "ports"},
           Case{"mesh:4x4", "OAS", 2, 0, 6, "flow"},  // minimal paths need one step more
           Case{"mesh:4x4", "AOG", 2, 0, 6, "flow"},  // backwards
           Case{"mesh:8x8", "OAS", 4, kAny, 21, "ports"},
           Case{"kautz:b=3,n=2,oriented=1", "AAS", -1, kAny, 7, "distance"},
           Case{"kautz:b=3,n=3,oriented=1", "OAS", 0, 0, 13, "flow"},
           Case{"kautz:b=3,n=3,oriented=1", "AAS", -1, kAny, 32, "program"},
           Case{"kautz:b=3,n=3,oriented=1", "AAS", -1, 0, 34, "program"},  // unique paths: the largest load
           Case{"hypercube:3,p=2", "AAS", -1, kAny, 16, "distance"},
           Case{"hypercube:3,p=2", "AAB", -1, kAny, 15, "ports"},
           Case{"hypercube:3,p=2", "OAB", 8, kAny, 4, "growth"},
           Case{"hypercube:3,p=2", "AOR", 8, kAny, 4, "growth"},
       }) {
    SCOPED_TRACE(std::string(one.spec) + " " + one.collective);
    const Problem problem = problem_of_case(one.spec, one.collective, one.root, one.extra);
    const LowerBound best = lower_bound(problem);
    EXPECT_EQ(best.steps, one.steps);
    EXPECT_EQ(best.name, one.name);
    EXPECT_TRUE(check_bound(problem, best));
    EXPECT_EQ(best.reversed, std::string(one.collective) == "AOR" || std::string(one.collective) == "AOG");
  }
}

TEST(LowerBound, ManyToManyOfNodesThatAreNotReceivers) {
  // no transmitter is a receiver: after t steps 1 + N nodes are to have the message
  Participants who;
  who.transmitters = nodes({0});
  who.receivers = nodes({1, 2, 3});
  Problem problem = testing::problem_on("hypercube:2", "MNB", who);
  problem.send_ports = 1;
  EXPECT_EQ(lower_bound(problem).steps, 2U);
  who.receivers = nodes({1, 2, 3, 4});
  problem = testing::problem_on("hypercube:3", "MNB", who);
  problem.send_ports = 1;
  EXPECT_EQ(lower_bound(problem).steps, 3U);
  // base of the 8-hypercube to the rest of it: the thesis's formula says 2
  who.transmitters = nodes({0, 1, 2, 3});
  who.receivers = nodes({4, 5, 6, 7});
  EXPECT_EQ(lower_bound(testing::problem_on("hypercube:3", "MNS", who)).steps, 4U);
}

TEST(LowerBound, HalfDuplexAndPorts) {
  const NodeGraphOptions half{NodeModel::automatic, LinkClass::half_duplex, 1};
  const Problem exchange = make_collective(testing::graph_of("hypercube:3", half), "AAS");
  EXPECT_EQ(lower_bound(exchange).steps, 8U);  // twice the 4 of full duplex
  const Problem ring = make_collective(testing::graph_of("ring:5", half), "AAS");
  EXPECT_EQ(lower_bound(ring).steps, 6U);  // 20 messages of mean length 1.5 over 5 cables
  Problem ports = testing::problem_on("hypercube:3", "OAS");
  ports.send_ports = 2;
  EXPECT_EQ(lower_bound(ports).steps, 4U);
  ports = testing::problem_on("hypercube:3", "AAB");
  ports.receive_ports = 1;
  EXPECT_EQ(lower_bound(ports).steps, 7U);
}

/// Two cliques of six and a cable: the message that crosses last has yet to be passed on.
TEST(LowerBound, WhatCrossesLastIsPassedOn) {
  NetworkBuilder builder;
  builder.add_routers(12);
  for (std::uint32_t r = 0; r < 12; ++r) {
    builder.add_terminal(RouterId(r));
    for (std::uint32_t other = r + 1; other < 12; ++other) {
      if (r / 6 == other / 6) builder.add_cable(RouterId(r), RouterId(other));
    }
  }
  builder.add_cable(RouterId(5), RouterId(6));
  const Network network = std::move(builder).build();
  for (const char* collective : {"AAB", "AAR"}) {
    const LowerBound bound =
        lower_bound(make_collective(std::make_shared<const NodeGraph>(network), collective));
    EXPECT_EQ(bound.steps, 7U) << collective;
    EXPECT_EQ(bound.name, "cut");
    EXPECT_THAT(bound.reason, ::testing::HasSubstr("1 step more to come to all 6 there"));
  }
}

/// Five hosts on a switch, whose cables carry one message in one direction: two pairs a step.
TEST(LowerBound, OddOnesOutWaitUnderHalfDuplex) {
  NetworkBuilder builder;
  builder.add_routers(1);
  for (std::uint32_t t = 0; t < 5; ++t) builder.add_terminal(RouterId(0));
  const Network network = std::move(builder).build();
  const auto graph = std::make_shared<const NodeGraph>(
      network, NodeGraphOptions{NodeModel::terminals, LinkClass::half_duplex, 1});
  for (const char* collective : {"AAS", "AAB"}) {
    const LowerBound bound = lower_bound(make_collective(graph, collective));
    EXPECT_EQ(bound.steps, 10U) << collective;
    EXPECT_EQ(bound.name, "pairing");
  }
  EXPECT_EQ(evaluate(testing::problem_on("ring:4", "AAS"), PairingProof{}).steps, 0U);
}

/// Beside the exact solver, on small random networks of both kinds of links.
TEST(LowerBound, NeverAboveTheFewestSteps) {
  Random random(77);
  Progress silent;
  int met = 0;
  for (int i = 0; i < 120; ++i) {
    const testing::SampleShape shape{2 + random.below(3), random.below(2), random.below(4), i % 3 == 2};
    const Network network = testing::sample_network(shape, random);
    for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
      const auto graph =
          std::make_shared<const NodeGraph>(network, NodeGraphOptions{NodeModel::routers, links, 1});
      for (const char* collective : {"AAB", "AAS", "AAR", "OAB"}) {
        const Problem problem = make_collective(graph, collective);
        const LowerBound bound = lower_bound(problem);
        SolveOptions options;
        options.lower_bound = 1;
        const Solution fewest = solve(problem, "sat", options, silent);
        ASSERT_EQ(fewest.conflicts, 0U);
        EXPECT_LE(bound.steps, fewest.steps) << "case " << i << ' ' << collective << ' ' << bound.reason;
        met += bound.steps == fewest.steps ? 1 : 0;
      }
    }
  }
  EXPECT_GT(met, 900);  // of 960
}

TEST(LowerBound, NeverAboveAValidSchedule) {
  const auto check = [](const std::string& spec, const std::string& collective, const Schedule& schedule) {
    const Problem problem = testing::problem_on(spec, collective);
    ASSERT_TRUE(check_schedule(problem, schedule).valid());
    for (const LowerBound& bound : lower_bounds(problem)) {
      EXPECT_LE(bound.steps, schedule.step_count()) << spec << " " << collective << " " << bound.name;
      EXPECT_TRUE(check_bound(problem, bound)) << spec << " " << collective << " " << bound.name;
    }
  };
  for (std::uint32_t d = 1; d <= 5; ++d) {
    check("hypercube:" + std::to_string(d), "AAS", testing::hypercube_exchange(d));
    check("hypercube:" + std::to_string(d), "OAB", testing::recursive_doubling(d));
    check("hypercube:" + std::to_string(d), "AOR",
          time_reversed(testing::recursive_doubling(d), Delivery::broadcast));
  }
  for (std::uint32_t n = 3; n <= 8; ++n) {
    check("ring:" + std::to_string(n), "AAB", testing::ring_gossip(n));
    check("uniring:" + std::to_string(n), "AAS", testing::one_way_ring_exchange(n));
  }
}

// For one source, the flow in whole numbers and the linear program say the same: nothing is lost to
// fractions.
TEST(LowerBound, OneSourceFlowsAndProgramsAgreeOnEveryTopology) {
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.terminal_count() < 2 || network.channel_count() > 400) continue;
      for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
        const auto graph =
            std::make_shared<const NodeGraph>(network, NodeGraphOptions{NodeModel::automatic, links, 1});
        for (const std::uint32_t extra : {Problem::kAnyLength, 0U}) {
          Problem problem = make_collective(graph, "OAS");
          problem.extra_hops = extra;
          SCOPED_TRACE(example + (extra == 0 ? " minimal" : "") +
                       (links == LinkClass::half_duplex ? " half" : ""));
          const std::optional<BoundProof> flow = flow_bound(problem, {});
          const std::optional<BoundProof> program = program_bound(problem, {});
          ASSERT_TRUE(flow && program);
          const std::uint32_t steps = ScatterFlow(problem, 0).least_steps();
          EXPECT_EQ(evaluate(problem, *flow).steps, steps);
          EXPECT_EQ(evaluate(problem, *program).steps, steps);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

/// Beyond the size of the program, exponential lengths come as near to it as a part in a hundred.
TEST(LowerBound, LargeProgramsAreNearlySolved) {
  for (const char* spec : {"torus:5x5", "mesh:4x5", "jellyfish:routers=20,degree=4,p=1"}) {
    const Network whole = make_network(spec);
    const auto graph =
        std::make_shared<NodeGraph>(with_faults(whole, parse_faults(whole, "cable-count=3,seed=1")));
    for (const std::uint32_t extra : {Problem::kAnyLength, 0U}) {
      ProblemRules rules;
      rules.extra_hops = extra;
      const Problem problem = make_collective(graph, "AAS", {}, rules);
      const std::uint64_t columns = std::uint64_t{graph->arc_count()} * problem.groups();
      const auto exact = program_bound(problem, {.most_columns = columns});
      const auto nearly = program_bound(problem, {.most_columns = columns - 1});
      ASSERT_TRUE(exact && nearly);
      const auto time = [&](const BoundProof& proof) {
        const LengthCount count = count_lengths(problem, std::get<LengthProof>(proof));
        return static_cast<double>(count.distances) / static_cast<double>(count.capacity);
      };
      EXPECT_LE(time(*nearly), time(*exact) * (1 + 1e-4)) << spec;
      EXPECT_GE(time(*nearly), time(*exact) * 0.99) << spec;
    }
  }
  EXPECT_FALSE(program_bound(testing::problem_on("torus:8x8", "AAS"), {.most_columns = 10}));
}

TEST(LowerBound, ProofsThatDoNotFitProveNothing) {
  const Problem scatter = testing::problem_on("ring:4", "AAS");
  const Problem broadcast = testing::problem_on("ring:4", "OAB");
  EXPECT_EQ(evaluate(scatter, CutProof{nodes({9}), CutProof::Direction::out}).steps, 0U);
  EXPECT_EQ(evaluate(scatter, CutProof{nodes({}), CutProof::Direction::out}).steps, 0U);
  EXPECT_EQ(evaluate(scatter, CutProof{nodes({0}), CutProof::Direction::in, 0}).steps, 0U);
  EXPECT_EQ(evaluate(scatter, LengthProof{{1, 1}, {}}).steps, 0U);
  EXPECT_EQ(
      evaluate(scatter, LengthProof{std::vector<std::uint32_t>(8, LengthProof::kMaxLength + 1), {}}).steps,
      0U);
  EXPECT_EQ(evaluate(scatter, LengthProof{std::vector<std::uint32_t>(8, 0), {}}).steps, 0U);
  EXPECT_EQ(evaluate(scatter, GrowthProof{0, {1, 3, 4}}).steps, 0U);
  EXPECT_EQ(evaluate(broadcast, GrowthProof{0, {1, 3, 4}}).steps, 2U);
  EXPECT_EQ(evaluate(broadcast, GrowthProof{0, {1, 2, 4}}).steps, 0U);  // slower than it may be
  EXPECT_EQ(evaluate(broadcast, GrowthProof{0, {1, 3}}).steps, 2U);
  EXPECT_EQ(evaluate(broadcast, GrowthProof{0, {1}}).steps, 0U);
  EXPECT_EQ(evaluate(broadcast, GrowthProof{1, {1, 3, 4}}).steps, 0U);
  LowerBound wrong = lower_bound(scatter);
  EXPECT_TRUE(check_bound(scatter, wrong));
  ++wrong.steps;
  EXPECT_FALSE(check_bound(scatter, wrong));
}

/// Network for its name in the reference results; nothing for families that there are not.
std::optional<Network> network_of(const std::string& name) {
  std::vector<std::string> match;
  const auto matches = [&](const char* pattern) {
    match = match_of(name, pattern);
    return !match.empty();
  };
  if (matches("(?:([0-9])-fat-)?hypercube-([0-9]+)")) {
    const int dimensions = std::bit_width(std::stoul(match[2])) - 1;
    return make_network("hypercube:" + std::to_string(dimensions) +
                        (match[1].empty() ? "" : ",p=" + match[1]));
  }
  if (matches("ring-bi-([0-9]+)")) return make_network("ring:" + match[1]);
  if (matches("ring-uni-([0-9]+)")) return make_network("uniring:" + match[1]);
  if (matches("(mesh|torus)-([0-9]+x[0-9]+)")) return make_network(match[1] + ":" + match[2]);
  if (name == "kautz-12") return make_network("kautz:b=3,n=2,oriented=1");
  if (name == "kautz-36") return make_network("kautz:b=3,n=3,oriented=1");
  if (matches("mesh-4x4-(fault([0-9]+)-([0-9]+)|deadnode([0-9]+))")) {
    const Network whole = make_network("mesh:4x4");
    return with_faults(whole,
                       parse_faults(whole, !match[4].empty() ? "routers=" + match[4]
                                                             : "cables=S-" + match[2] + "-S-" + match[3]));
  }
  return std::nullopt;
}

TEST(LowerBound, IsThatOfTheReferenceResults) {
  const std::filesystem::path file =
      std::filesystem::path(UNKNOT_SHARED_DIR) / "reference/collectives/results.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the reference results are not here";
  std::ifstream lines(file);
  std::string line;
  std::getline(lines, line);
  std::uint32_t compared = 0;
  std::set<std::string> seen;  // an instance may have a row for each of several schedules
  while (std::getline(lines, line)) {
    std::stringstream cells(line);
    std::string topology, pattern, root, bound;
    for (std::string* cell : {&topology, &pattern, &root, &bound}) std::getline(cells, *cell, ',');
    std::optional<Network> network = network_of(topology);
    if (!seen.insert(topology + " " + pattern + " " + root).second) continue;
    // the largest take seconds
    if (!network || network->router_count() > (pattern == "AAS" ? 36U : 128U)) continue;
    Participants who;
    if (!root.empty()) who.root = NodeId(static_cast<std::uint32_t>(std::stoul(root)));
    const Problem problem = make_collective(std::make_shared<const NodeGraph>(*network), pattern, who);
    BoundOptions quick;
    quick.most_columns = 4'200;
    EXPECT_EQ(std::to_string(lower_bound(problem, quick).steps), bound) << line;
    ++compared;
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace unknot
