// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <numeric>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using testing::bandwidth_problem;
using testing::graph_of;

/// The definition: the largest of what must enter over capacity, over all ways to divide the members, and
/// with them switches, into parts. Node by node: a part that is there, a new one, or, of a switch, none.
class AllPartitions {
 public:
  explicit AllPartitions(const BandwidthProblem& problem)
      : problem_(problem), part_(problem.graph->node_count(), kNone) {
    assign(0, 0);
  }

  [[nodiscard]] Fraction most() const { return most_; }

 private:
  static constexpr std::uint32_t kNone = 99;

  void assign(std::uint32_t node, std::uint32_t parts) {
    if (node == part_.size()) {
      count(parts);
      return;
    }
    const bool member = problem_.is_member(NodeId(node));  // members come first
    for (std::uint32_t part = 0; part < parts + (member ? 1 : 0); ++part) {
      part_[node] = part;
      assign(node + 1, std::max(parts, part + 1));
    }
    part_[node] = kNone;
    if (!member) assign(node + 1, parts);
  }

  void count(std::uint32_t parts) {
    if (parts < 2) return;
    const NodeGraph& graph = *problem_.graph;
    std::uint64_t capacity = 0;
    for (const ArcId a : graph.arcs()) {
      const std::uint32_t into = part_[graph.head(a).value];
      if (into != kNone && into != part_[graph.tail(a).value]) capacity += graph.capacity(a);
    }
    most_ = std::max(most_, Fraction(2 * (parts - 1) * problem_.members.size(), capacity));
  }

  const BandwidthProblem& problem_;
  std::vector<std::uint32_t> part_;
  Fraction most_;
};

struct Made {
  BandwidthProblem problem;
  AllReduceOptimum optimum;
  Forest forest;
};

Made made(BandwidthProblem problem) {
  Progress progress;
  Made result{std::move(problem), {}, {}};
  result.optimum = all_reduce_optimum(result.problem, progress);
  result.forest = make_forest(result.optimum, progress);
  return result;
}

void expect_optimal(const Made& all, const std::string& name) {
  const PartitionBound counted = count_partition(all.problem, all.optimum.proof.parts);
  EXPECT_EQ(counted.time().text(), all.optimum.proof.time().text()) << name;
  const ForestVerdict verdict = check_forest(all.problem, all.forest);
  EXPECT_EQ(verdict.fault, "") << name;
  EXPECT_EQ(verdict.time.text(), all.optimum.proof.time().text()) << name;
}

TEST(AllReduce, EqualsTheNarrowestOfAllPartitionsAndIsReached) {
  Random random(1961);
  for (int i = 0; i < 500; ++i) {
    const testing::SampleShape shape{2 + random.below(4), random.below(4), random.below(10), false};
    const Made all = made(bandwidth_problem(testing::sample_network(shape, random), "all-reduce"));
    const std::string name = "case " + std::to_string(i);
    EXPECT_EQ(all.optimum.proof.time().text(), AllPartitions(all.problem).most().text()) << name;
    expect_optimal(all, name);
  }
}

TEST(AllReduce, IsReachedOnLargerOnes) {
  Random random(1964);
  for (int i = 0; i < 200; ++i) {
    const testing::SampleShape shape{2 + random.below(30), random.below(20), random.below(60), false};
    const Network network = testing::sample_network(shape, random);
    const Made all = made(bandwidth_problem(network, "all-reduce"));
    expect_optimal(all, "case " + std::to_string(i));
    // Its halves one after the other are an all-reduce, too.
    Progress progress;
    const Fraction half = bandwidth_optimum(bandwidth_problem(network, "AAB"), progress).time();
    EXPECT_LE(all.optimum.proof.time(), Fraction(2 * half.over(), half.under()));
  }
}

TEST(AllReduce, KnownValues) {
  const auto optimum = [](const char* spec) {
    Made all = made(make_bandwidth_problem(graph_of(spec), "all-reduce"));
    expect_optimal(all, spec);
    return all.optimum.proof.time().text();
  };
  EXPECT_EQ(optimum("ring:5"), "4");          // 2 (n - 1) / 2, as the ring algorithm both ways round
  EXPECT_EQ(optimum("hypercube:3"), "14/3");  // twice an all-gather where nodes are alike
  EXPECT_EQ(optimum("torus:16x16"), "255/2");
  EXPECT_EQ(optimum("fattree3:4"), "30");
  // 12 cables take 8 edges of a tree over 9 nodes, 9 shares each: an all-gather alone takes 8/2.
  EXPECT_EQ(optimum("mesh:3x3"), "6");
}

/// Four nodes around a switch, one with a cable and the others with ten: its two halves one after the other
/// take half as long again.
TEST(AllReduce, OfUnequalNodesTakesLessThanItsHalves) {
  NetworkBuilder builder;
  builder.add_routers(5);
  for (std::uint32_t r = 0; r < 4; ++r) {
    builder.add_terminal(RouterId(r));
    for (std::uint32_t i = 0; i < (r == 0 ? 1U : 10U); ++i) builder.add_cable(RouterId(r), RouterId(4));
  }
  const Network network = std::move(builder).build();
  const Made all = made(bandwidth_problem(network, "all-reduce"));
  expect_optimal(all, "star");
  EXPECT_EQ(all.optimum.proof.time().text(), "4");
  Progress progress;
  EXPECT_EQ(bandwidth_optimum(bandwidth_problem(network, "AAB"), progress).time().text(), "3");
}

TEST(AllReduce, OfSomeNodes) {
  Participants who;
  who.nodes = testing::nodes({0, 5, 10, 15});
  const Made all = made(make_bandwidth_problem(graph_of("torus:4x4"), "all-reduce", who));
  expect_optimal(all, "four of sixteen");
  EXPECT_EQ(all.optimum.proof.time().text(), "3/2");
}

TEST(AllReduce, LinksThatDifferByDirectionAndLonelyNodesAreRefused) {
  const auto expect_refused = [](const Network& network, const char* words) {
    try {
      (void)made(bandwidth_problem(network, "all-reduce"));
      ADD_FAILURE() << "not refused: " << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
    }
  };
  NetworkBuilder one_way;
  one_way.add_routers(2);
  for (std::uint32_t r = 0; r < 2; ++r) one_way.add_terminal(RouterId(r));
  one_way.add_cable(RouterId(0), RouterId(1));
  one_way.add_channel(RouterId(0), RouterId(1));
  expect_refused(std::move(one_way).build(),
                 "all-reduce: node 0 reaches node 1 over a capacity of 2, and back over 1");
  NetworkBuilder lonely;
  lonely.add_routers(4);
  for (std::uint32_t r = 0; r < 4; ++r) lonely.add_terminal(RouterId(r));
  lonely.add_cable(RouterId(0), RouterId(1));
  lonely.add_cable(RouterId(2), RouterId(3));
  expect_refused(std::move(lonely).build(), "node 2 cannot be reached by the others");
}

TEST(AllReduce, CheckerFindsWhatIsWrong) {
  const Made all = made(make_bandwidth_problem(graph_of("torus:4x4"), "all-reduce"));
  const auto expect_fault = [&](const std::function<void(Forest&)>& damage, const char* words) {
    Forest forest = all.forest;
    damage(forest);
    EXPECT_THAT(check_forest(all.problem, forest).fault, ::testing::HasSubstr(words));
  };
  expect_fault([](Forest& f) { f.trees.pop_back(); }, "trees carry");
  expect_fault([](Forest& f) { f.trees.push_back(f.trees.back()); }, "trees carry");
  expect_fault([](Forest& f) { f.trees[0].copies = 1000; }, "it carries 1000 parts");
  expect_fault([](Forest& f) { f.trees[0].edges.pop_back(); }, "it reaches 15 of 16");
  // Both directions count: the same tree for all takes as long as two broadcasts of everything.
  Forest one = all.forest;
  one.trees = {one.trees[0]};
  one.trees[0].copies = one.copies * 16;
  const ForestVerdict verdict = check_forest(all.problem, one);
  EXPECT_EQ(verdict.fault, "");
  EXPECT_EQ(verdict.time.text(), "16");
}

TEST(AllReduce, PartsThatProveNothing) {
  const BandwidthProblem problem = make_bandwidth_problem(graph_of("ring:4"), "all-reduce");
  EXPECT_EQ(count_partition(problem, {testing::nodes({0, 1}), testing::nodes({2})}).shares, 0U);
  EXPECT_EQ(count_partition(problem, {testing::nodes({0, 1, 2}), testing::nodes({2, 3})}).shares, 0U);
  const PartitionBound two = count_partition(problem, {testing::nodes({2, 3}), testing::nodes({1, 0})});
  EXPECT_EQ(two.shares, 8U);
  EXPECT_EQ(two.capacity, 4U);
}

}  // namespace
}  // namespace unknot
