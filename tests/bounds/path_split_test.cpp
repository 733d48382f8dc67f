// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/path_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "effort.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

RouterDemand demand_of(const Network& network, const std::string& pattern) {
  return exchange_of(network, make_pattern(network, pattern), 1, 0).between;
}

/// The best over a set, exactly.
FlowCheck best_over(const Network& network, const RouterDemand& demand, const std::string& set) {
  Progress silent;
  const PathLists lists = make_path_lists(network, demand, set, silent);
  return check_split(network, lists, split_by_program(network, lists));
}

TEST(PathSplit, KnownOptima) {
  struct Case {
    const char *topology, *pattern, *set;
    double optimum;
  };
  for (const Case& one : {
           Case{"ring:5", "neighbour", "minimal", 1},
           Case{"ring:5", "neighbour", "shortest:2", 1.25},  // a fifth goes the long way
           Case{"ring:4,p=2", "shift-router:2", "minimal", 0.5},
           Case{"hypercube:3", "bit-complement", "minimal", 1},
           Case{"hypercube:3", "bit-complement", "shortest:1", 1},  // one dimension after another
           // docs/traffic.md: evenly over shortest paths 1/6, Valiant's evenly 8/13, any paths 0.794597
           Case{"slimfly:q=5,p=3", "worst-case", "minimal", 1.0 / 6},
           Case{"slimfly:q=5,p=3", "worst-case", "ugal", 0.794597},
           Case{"slimfly:q=5,p=3", "worst-case", "shortest:64", 0.794597},
       }) {
    SCOPED_TRACE(std::string(one.topology) + " " + one.pattern + " " + one.set);
    const Network network = make_network(one.topology);
    const FlowCheck check = best_over(network, demand_of(network, one.pattern), one.set);
    EXPECT_LT(check.imbalance, 1e-9);
    EXPECT_NEAR(check.lower, one.optimum, 1e-6);
    EXPECT_NEAR(check.upper, one.optimum, 1e-6);
  }
}

TEST(PathSplit, BothWaysAgreeAndSetsAreInOrderOnEveryTopology) {
  Progress silent;
  std::uint32_t compared = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.channel_count() * EndpointRouters(network).count() > (fewer_cases() ? 400 : 900)) continue;
      for (const char* pattern : {"all-to-all", "permutation", "longest-matching"}) {
        SCOPED_TRACE(example + " " + pattern);
        const RouterDemand demand = demand_of(network, pattern);
        if (demand.between() == 0) continue;
        ++compared;
        const FlowCheck any = check_flow({network, demand}, flow_by_program({network, demand}));
        std::vector<std::string> sets = {"minimal", "shortest:1", "shortest:4", "shortest:9"};
        if (EndpointRouters(network).count() > 2) sets.insert(sets.end(), {"valiant", "ugal"});
        std::vector<double> best;
        for (const std::string& set : sets) {
          SCOPED_TRACE(set);
          const PathLists lists = make_path_lists(network, demand, set, silent);
          const FlowCheck exact = check_split(network, lists, split_by_program(network, lists));
          const PathSplit near = split_by_potential(network, lists, 0.1, 0, 2000, silent);
          const FlowCheck check = check_split(network, lists, near);
          for (const FlowCheck& one : {exact, check}) EXPECT_LT(one.imbalance, 1e-9);
          EXPECT_NEAR(exact.lower, exact.upper, 1e-5 * exact.upper);
          EXPECT_LE(check.lower, exact.upper * (1 + 1e-6));
          EXPECT_GE(check.upper, exact.lower * (1 - 1e-6));
          EXPECT_LE(check.upper, 1.1001 * check.lower);
          EXPECT_LE(exact.lower, any.upper * (1 + 1e-6));
          EXPECT_GE(length_bound({network, demand}, near.length), any.lower * (1 - 1e-6));
          best.push_back(exact.upper);
        }
        // more paths, or a split that need not be even, carry no less
        EXPECT_LE(best[1], best[2] * (1 + 1e-5));
        EXPECT_LE(best[2], best[3] * (1 + 1e-5));
        const auto even = [&](ObliviousPaths paths) {
          return 1 / oblivious_load(network, paths, demand, 1, silent).max;
        };
        EXPECT_LE(even(ObliviousPaths::minimal), best[0] * (1 + 1e-5));
        if (best.size() < 6) continue;
        EXPECT_LE(even(ObliviousPaths::valiant), best[4] * (1 + 1e-5));
        EXPECT_LE(std::max(best[0], best[4]), best[5] * (1 + 1e-5));
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

/// A rich set bounds any paths from both sides.
TEST(PathSplit, LengthsProveSomethingOfAnyPaths) {
  Progress silent;
  const Network network = make_network("slimfly:q=5,p=3");
  const RouterDemand demand = demand_of(network, "worst-case");
  const PathLists lists = make_path_lists(network, demand, "ugal", silent);
  const PathSplit split = split_by_potential(network, lists, 0.02, 0, 3000, silent);
  EXPECT_GE(length_bound({network, demand}, split.length), 0.794597);
  EXPECT_LE(length_bound({network, demand}, split.length), 0.794597 * 1.02);
  EXPECT_EQ(length_bound({network, demand}, std::vector<double>(network.channel_count(), 0)),
            std::numeric_limits<double>::infinity());
  EXPECT_NEAR(length_bound({network, demand}, std::vector<double>(network.channel_count(), 1)),
              350 / (3 * (48 * 2 + 2.0)), 1e-9);  // all but one adjacent pair of routers are two apart
}

TEST(PathSplit, TheCheckFindsWhatIsWrong) {
  Progress silent;
  const Network network = make_network("torus:3x3");
  const RouterDemand demand = demand_of(network, "shift:4");
  const PathLists lists = make_path_lists(network, demand, "shortest:5", silent);
  const PathSplit good = split_by_program(network, lists);
  const FlowCheck reference = check_split(network, lists, good);
  ASSERT_LT(reference.imbalance, 1e-12);
  for (const double amount : {0.3, -0.2}) {
    PathSplit bad = good;
    bad.rate[3] += amount;
    EXPECT_GT(check_split(network, lists, bad).imbalance, 0.1);
  }
  PathSplit moved = good;  // adds up, but is negative somewhere
  moved.rate[0] += 2;
  moved.rate[1] -= 2;
  EXPECT_GT(check_split(network, lists, moved).imbalance, 0.5);
  for (std::size_t c = 0; c < good.length.size(); c += 5) {  // any other lengths prove less
    PathSplit other = good;
    other.length[c] += 0.5;
    EXPECT_GE(check_split(network, lists, other).upper, reference.upper * (1 - 1e-9));
  }
  PathSplit short_one = good;
  short_one.rate.pop_back();
  EXPECT_THROW((void)check_split(network, lists, short_one), std::logic_error);
  const auto refused = [&](const std::vector<ChannelId>& path) {
    PathLists wrong;
    wrong.add_pair({RouterId(0), network.target(ChannelId(0)), 1});
    wrong.add_path(path);
    PathSplit split;
    split.rate = {1};
    split.length.assign(network.channel_count(), 1);
    EXPECT_THROW((void)check_split(network, wrong, split), std::logic_error);
  };
  refused({ChannelId(1)});
  refused({ChannelId(0), ChannelId(0)});
  refused({});
}

TEST(PathSplit, RepeatedChannelsCountTwice) {
  Progress silent;
  const Network network = make_network("ring:4");
  PathLists lists;
  const ChannelId there = network.out(RouterId(0))[0];
  const ChannelId back = network.reverse(there);
  lists.add_pair({RouterId(0), network.target(there), 1});
  lists.add_path(std::vector<ChannelId>{there, back, there});
  for (const PathSplit& split :
       {split_by_program(network, lists), split_by_potential(network, lists, 0.01, 0, 50, silent)}) {
    const FlowCheck check = check_split(network, lists, split);
    EXPECT_NEAR(check.lower, 0.5, 1e-9);
    EXPECT_NEAR(check.upper, 0.5, 0.01);
  }
}

TEST(PathSplit, NothingToSendStopsAndInterruption) {
  Progress silent;
  const Network network = make_network("ring:4");
  const PathLists none;
  for (const PathSplit& split :
       {split_by_program(network, none), split_by_potential(network, none, 0.01, 0, 50, silent)})
    EXPECT_EQ(check_split(network, none, split).max_load, 0);
  const Network slimfly = make_network("slimfly:q=5,p=3");
  const PathLists lists = make_path_lists(slimfly, demand_of(slimfly, "worst-case"), "shortest:32", silent);
  const PathSplit quick = split_by_potential(slimfly, lists, 0.01, 3, 1000, silent);
  EXPECT_LE(check_split(slimfly, lists, quick).max_load, 3);
  EXPECT_LT(quick.rounds, 20U);
  class Stopped : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  } stopped;
  EXPECT_THROW((void)split_by_potential(slimfly, lists, 0.01, 0, 1000, stopped), Interrupted);
}

}  // namespace
}  // namespace unknot
