// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "collective/bandwidth/sample_networks.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/collective/trees/member_graph.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// In seconds for each gigabit of a share, from the network alone: every set of routers, its members and the
/// capacity of the channels that lead into it. A link that states none has 1 Gb/s.
double narrowest_cut(const Network& network) {
  double most = 0;
  for (std::uint32_t set = 1; set < 1U << network.router_count(); ++set) {
    std::uint32_t inside = 0;
    for (const TerminalId t : network.terminals()) inside += set >> network.router_of(t).value & 1U;
    if (inside == 0 || inside == network.terminal_count()) continue;
    double megabits = 0;
    for (const ChannelId c : network.channels()) {
      if ((set >> network.source(c).value & 1U) != 0 || (set >> network.target(c).value & 1U) == 0) continue;
      megabits += network.channel_capacity(c) == 0 ? 1000 : network.channel_capacity(c);
    }
    most = std::max(most, (network.terminal_count() - inside) / megabits * 1000);
  }
  return most;
}

TEST(UnequalLinks, TheOptimumIsThatOfTheNarrowestCut) {
  Random random(31);
  for (int i = 0; i < 400; ++i) {
    testing::SampleShape shape = testing::sample_shape(random, i % 4 == 3);
    shape.capacities =
        i % 2 == 0 ? testing::SampleCapacities::same_both_ways : testing::SampleCapacities::each_its_own;
    const Network network = testing::sample_network(shape, random);
    const BandwidthProblem problem = testing::bandwidth_problem(network, "AAB");
    Progress progress;
    const Fraction optimum = bandwidth_optimum(problem, progress).time();
    const double unit = std::max(1U, problem.graph->unit_megabits()) / 1000.0;
    const double scale = problem.graph->unit_megabits() == 0 ? 1 : unit;
    EXPECT_NEAR(optimum.value() / scale, narrowest_cut(network), 1e-9 * narrowest_cut(network))
        << "case " << i;
  }
}

TEST(UnequalLinks, TreesReachTheOptimum) {
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    testing::SampleShape shape = testing::sample_shape(random, false);
    shape.capacities = testing::SampleCapacities::same_both_ways;
    const Network network = testing::sample_network(shape, random);
    for (const char* collective : {"AAB", "AAR", "OAB"}) {
      const BandwidthProblem problem = testing::bandwidth_problem(network, collective);
      Progress progress;
      const BandwidthCut cut = bandwidth_optimum(problem, progress);
      const Forest forest = make_forest(problem, take_switches_out(problem, cut, progress), progress);
      const ForestVerdict verdict = check_forest(problem, forest);
      EXPECT_EQ(verdict.fault, "") << "case " << i << ' ' << collective;
      EXPECT_EQ(verdict.time.text(), cut.time().text()) << "case " << i << ' ' << collective;
    }
  }
}

TEST(UnequalLinks, EachWayItsOwnTreesReachTheOptimumOrAreRefused) {
  Random random(33);
  for (int i = 0; i < 200; ++i) {
    testing::SampleShape shape = testing::sample_shape(random, false);
    shape.capacities = testing::SampleCapacities::each_its_own;
    const Network network = testing::sample_network(shape, random);
    for (const char* collective : {"AAB", "AAR"}) {
      const BandwidthProblem problem = testing::bandwidth_problem(network, collective);
      Progress progress;
      const BandwidthCut cut = bandwidth_optimum(problem, progress);
      try {
        const Forest forest = make_forest(problem, take_switches_out(problem, cut, progress), progress);
        const ForestVerdict verdict = check_forest(problem, forest);
        EXPECT_EQ(verdict.fault, "") << "case " << i << ' ' << collective;
        EXPECT_EQ(verdict.time.text(), cut.time().text()) << "case " << i << ' ' << collective;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("more capacity in than out"));
      }
    }
  }
}

Fraction optimum_of_boxes(const std::string& spec) {
  const NodeGraphOptions options{.unit = CapacityUnit::automatic};
  const auto graph = std::make_shared<const NodeGraph>(make_network(spec), options);
  Progress progress;
  return bandwidth_optimum(make_bandwidth_problem(graph, "AAB"), progress).time();
}

TEST(UnequalLinks, OfBoxesOfGpusHaveKnownOptima) {
  EXPECT_EQ(optimum_of_boxes("boxes:2,8,link=12,card=1").text(), "15/13");
  EXPECT_EQ(optimum_of_boxes("boxes:2,8,link=4,card=1").text(), "3");
  EXPECT_EQ(optimum_of_boxes("boxes:128,8").text(), "127");  // what enters a box, by its eight cards
  EXPECT_EQ(optimum_of_boxes("boxes:2,8,link=12,card=1,rails=1").text(), "15/13");
}

/// Servers that were measured, where the sample data is there: capacities are NCCL's figures.
TEST(UnequalLinks, OfServersThatNcclHasWritten) {
  const std::string folder = std::string(UNKNOT_SHARED_DIR) + "/data/nccl-topo/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no sample data";
  // Six links of xGMI at 192 Gb/s and PCI at 192 Gb/s lead to each of eight GPUs: 21 times 64 Gb/s.
  const Network eight = read_fabric(folder + "topo_8p6l.xml");
  const NodeGraphOptions options{.unit = CapacityUnit::automatic};
  const auto optimum = [&](const Network& network, std::uint32_t& unit) {
    const auto graph = std::make_shared<const NodeGraph>(network, options);
    unit = graph->unit_megabits();
    Progress progress;
    return bandwidth_optimum(make_bandwidth_problem(graph, "AAB"), progress).time();
  };
  std::uint32_t unit = 0;
  EXPECT_EQ(optimum(eight, unit).text(), "1/3");
  EXPECT_EQ(unit, 64'000U);
  const Network four = read_fabric(folder + "topo_4p1h.xml");
  EXPECT_NEAR(optimum(four, unit).value() * 1000 / unit, narrowest_cut(four), 1e-9);
}

TEST(UnequalLinks, OfSmallMachinesHaveTheNarrowestCut) {
  for (const char* spec :
       {"boxes:2,3,link=2,card=1.5", "boxes:3,gpus=3x2x1,rails=1,link=3,card=1",
        "boxes:2,3,inside=mesh,link=2.5,card=1", "boxes:3,2,link=7,card=2,spines=2,uplink=0.5"}) {
    const Network network = make_network(spec);
    const NodeGraph graph(network, {.unit = CapacityUnit::automatic});
    EXPECT_NEAR(optimum_of_boxes(spec).value() * 1000 / graph.unit_megabits(), narrowest_cut(network), 1e-9)
        << spec;
  }
}

}  // namespace
}  // namespace unknot
