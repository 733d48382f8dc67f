// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <functional>
#include <utility>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/trees/exact_packing.hpp"
#include "unknot/collective/trees/forest_builder.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::bandwidth_problem;
using testing::graph_of;

struct Made {
  BandwidthProblem problem;
  BandwidthCut cut;
  MemberGraph graph;
  Forest forest;
};

Made made(BandwidthProblem problem) {
  Progress progress;
  Made result{std::move(problem), {}, {}, {}};
  result.cut = bandwidth_optimum(result.problem, progress);
  result.graph = take_switches_out(result.problem, result.cut, progress);
  result.forest = make_forest(result.problem, result.graph, progress);
  return result;
}

/// What make_forest() takes where ranks do not lead to a packing.
Forest exactly(const Made& given) {
  std::vector<std::uint64_t> units;
  for (const NodeId n : given.graph.members)
    units.push_back(given.graph.copies * given.problem.shares[n.value]);
  ForestBuilder builder(given.graph);
  Progress progress;
  for (const EqualTrees& some : pack_exactly(given.graph, units, progress))
    builder.add(some.root, some.count, some.arcs);
  return std::move(builder).take();
}

void expect_optimal(const Made& all, const Forest& forest, const std::string& name) {
  const ForestVerdict verdict = check_forest(all.problem, forest);
  EXPECT_EQ(verdict.fault, "") << name;
  EXPECT_EQ(verdict.time.text(), all.cut.time().text()) << name;
}

TEST(Forest, ReachesTheOptimumWhereverLinksGoBothWays) {
  Random random(5);
  for (int i = 0; i < 800; ++i) {
    const Network network = testing::sample_network(testing::sample_shape(random, false), random);
    for (const char* collective : {"AAB", "AAR", "OAB"}) {
      const Made all = made(bandwidth_problem(network, collective));
      const std::string name = "case " + std::to_string(i) + " " + collective;
      expect_optimal(all, all.forest, name);
      expect_optimal(all, exactly(all), name + ", edge by edge");
    }
  }
}

TEST(Forest, OfOneWayLinksIsOptimalOrRefused) {
  Random random(6);
  int refused = 0;
  for (int i = 0; i < 800; ++i) {
    const Network network = testing::sample_network(testing::sample_shape(random, true), random);
    for (const char* collective : {"AAB", "AAR"}) {
      try {
        const Made all = made(bandwidth_problem(network, collective));
        expect_optimal(all, all.forest, "case " + std::to_string(i) + " " + collective);
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("more capacity in than out"));
        ++refused;
      }
    }
  }
  EXPECT_LT(refused, 80);
}

TEST(Forest, IsShallow) {
  const auto depth = [](const char* spec, const char* collective) {
    const Made all = made(make_bandwidth_problem(graph_of(spec), collective));
    expect_optimal(all, all.forest, spec);
    return depth_of(all.forest).edges;
  };
  EXPECT_EQ(depth("torus:16x16", "AAB"), 16U);  // its diameter
  EXPECT_EQ(depth("torus:4x4x4", "AAR"), 6U);
  EXPECT_EQ(depth("hypercube:6", "AAB"), 6U);
  EXPECT_EQ(depth("jellyfish:routers=64,degree=6,p=1", "AAB"), 4U);
  EXPECT_LE(depth("fattree3:6", "AAB"), 3U);
  EXPECT_LE(depth("slimfly:q=5,p=3", "AAB"), 3U);
  // Two edges to the farthest. As they are packed, trees of the last roots are up to 32 deep.
  const auto of_boxes = [](const char* spec) {
    const Made all = made(make_bandwidth_problem(graph_of(spec, {.unit = CapacityUnit::automatic}), "AAB"));
    expect_optimal(all, all.forest, spec);
    return depth_of(all.forest).edges;
  };
  EXPECT_EQ(of_boxes("boxes:16,gpus=8x7"), 3U);
  EXPECT_EQ(of_boxes("boxes:40,gpus=8x6x7"), 3U);
  EXPECT_LE(of_boxes("boxes:20,gpus=8x8x8x7"), 4U);
}

TEST(Forest, WaysAreShort) {
  const auto channels = [](const char* spec) {
    return depth_of(made(make_bandwidth_problem(graph_of(spec), "AAB")).forest).channels;
  };
  EXPECT_LE(channels("fattree3:8"), 12U);  // two edges from leaf to leaf over the top
  EXPECT_LE(channels("kary-ntree:k=4,n=3"), 12U);
  EXPECT_LE(channels("slimfly:q=5,p=3"), 10U);
}

/// Each way of being wrong is named.
TEST(Forest, CheckerFindsWhatIsWrong) {
  const Made all = made(make_bandwidth_problem(graph_of("torus:4x4"), "AAB"));
  const auto expect_fault = [&](const std::function<void(Forest&)>& damage, const char* words) {
    Forest forest = all.forest;
    damage(forest);
    EXPECT_THAT(check_forest(all.problem, forest).fault, ::testing::HasSubstr(words));
  };
  expect_fault([](Forest& f) { f.copies = 0; }, "divided into no part");
  expect_fault([](Forest& f) { f.trees.pop_back(); }, "trees carry");
  expect_fault([](Forest& f) { f.trees[0].copies = 0; }, "it carries 0 parts");
  expect_fault([](Forest& f) { f.trees[0].copies += 4; }, "it carries");
  expect_fault([](Forest& f) { f.trees[0].root = NodeId(99); }, "has nothing to send");
  expect_fault([](Forest& f) { f.trees[0].edges.pop_back(); }, "it reaches 15 of 16");
  expect_fault([](Forest& f) { std::swap(f.trees[0].edges.front(), f.trees[0].edges.back()); },
               "sends what it does not have yet");
  expect_fault([](Forest& f) { f.trees[0].edges.push_back(f.trees[0].edges.back()); }, "gets it twice");
  expect_fault([](Forest& f) { f.trees[0].edges.back().to = NodeId(77); }, "gets what it does not need");
  expect_fault([](Forest& f) { f.trees[0].edges.back().way = 1'000'000; }, "an edge without a way");
  expect_fault(
      [](Forest& f) {
        const std::array<NodeId, 2> nodes{f.trees[0].root, f.trees[0].root};
        f.trees[0].edges.front().way = f.add_way(nodes);
      },
      "has other ends");
  expect_fault(
      [](Forest& f) {
        const Forest::Edge& edge = f.trees[0].edges.front();
        const std::array<NodeId, 3> nodes{edge.from, NodeId((edge.from.value + 10) % 16), edge.to};
        f.trees[0].edges.front().way = f.add_way(nodes);
      },
      "no channel leads from");
}

TEST(Forest, TwoWaysOfOneArcAreToldApart) {
  // Two members joined by three switches: each carries a third.
  NetworkBuilder builder;
  builder.add_routers(5);
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  for (std::uint32_t s = 2; s < 5; ++s) {
    builder.add_cable(RouterId(0), RouterId(s));
    builder.add_cable(RouterId(s), RouterId(1));
  }
  const Network network = std::move(builder).build();
  const Made all = made(bandwidth_problem(network, "AAB"));
  expect_optimal(all, all.forest, "three switches");
  EXPECT_EQ(all.forest.copies, 3U);
  EXPECT_EQ(all.forest.trees.size(), 6U);
}

TEST(Forest, ReachesTheOptimumOnEveryFamily) {
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      const Network network = make_network(spec);
      if (network.terminal_count() < 2 || network.terminal_count() > 300) continue;
      try {
        const auto graph = std::make_shared<const NodeGraph>(network);
        const Made all = made(make_bandwidth_problem(graph, "AAB"));
        expect_optimal(all, all.forest, spec);
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::HasSubstr("cannot be reached"),
                                                   ::testing::HasSubstr("more capacity in than out")))
            << spec;
      }
    }
  }
}

}  // namespace
}  // namespace unknot
