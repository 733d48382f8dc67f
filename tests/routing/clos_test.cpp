// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/routing/up_down/down_up_turn.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNeverMet = 1000;

Routing clos(const Network& network, std::uint32_t threads = 0) {
  Progress quiet;
  EngineRequest request;
  request.threads = threads;
  return route(network, "clos", request, quiet);
}

Network damaged(const std::string& spec, const std::string& faults) {
  const Network whole = make_network(spec);
  return with_faults(whole, parse_faults(whole, faults));
}

std::uint64_t max_load(const Network& network, const Routing& routing) {
  const std::vector<std::uint64_t> load = channel_load(network, routing, 0);
  return *std::max_element(load.begin(), load.end());
}

/// Hops of the shortest way from each router to `goal`, along channels that all lead down, or that lead up
/// and then down; by search from every router, with nothing in common with sets of bits.
struct Ways {
  std::vector<std::uint32_t> down, rule;  // the rule: down where there is a way down
};
Ways ways_to(const Network& network, const UpDownOrder& order, RouterId goal) {
  Ways ways{std::vector<std::uint32_t>(network.router_count(), kNeverMet),
            std::vector<std::uint32_t>(network.router_count(), kNeverMet)};
  ways.down[goal.value] = 0;
  const auto relax = [&](bool up, std::vector<std::uint32_t>& hops) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ChannelId c : network.channels()) {
        const std::uint32_t from = network.source(c).value;
        if (order.up(network.source(c), network.target(c)) != up) continue;
        if (up && ways.down[from] != kNeverMet) continue;
        if (hops[network.target(c).value] + 1 >= hops[from]) continue;
        hops[from] = hops[network.target(c).value] + 1;
        changed = true;
      }
    }
  };
  relax(false, ways.down);
  ways.rule = ways.down;
  relax(true, ways.rule);
  return ways;
}

/// Trees, whole and broken; the last two have cables between routers of one height.
std::vector<Network> small_trees() {
  std::vector<Network> all;
  for (const char* spec : {"xgft:m=4x3,w=2x2", "kary-ntree:k=2,n=4", "xgft:m=3x2x2,w=2x2x2",
                           "xgft:m=5,w=3,terminals=17", "kary-ntree:k=3,n=3"}) {
    all.push_back(make_network(spec));
    for (int seed = 1; seed <= 6; ++seed)
      all.push_back(damaged(spec, fmt::format("cable-rate={},router-count={},seed={}",
                                              seed % 2 == 0 ? 0.1 : 0.3, seed % 3 == 0 ? 1 : 0, seed)));
  }
  all.push_back(make_network("deimos"));
  all.push_back(make_network("random:switches=20,links=45,terminals=13,seed=9"));
  return all;
}

TEST(Clos, ReachesWhatWaysUpThenDownReachAndByAllShortestOfThem) {
  std::uint64_t candidates = 0;
  std::uint64_t without = 0;
  for (const Network& network : small_trees()) {
    const UpDownOrder order = level_order(network).order;
    const LegalReach reach(network, order, LegalReach::Rule::down_first, 2);
    std::vector<std::vector<LegalReach::Word>> sets;
    for (const ChannelId c : network.channels()) {
      sets.emplace_back(reach.words());
      reach.candidates(network, c, sets.back().data());
    }
    std::uint64_t missing = 0;
    for (std::uint32_t d = 0; d < reach.destinations().size(); ++d) {
      const RouterId goal = reach.destinations()[d];
      const Ways ways = ways_to(network, order, goal);
      for (const RouterId r : network.routers()) {
        if (ways.rule[r.value] == kNeverMet)
          missing += std::uint64_t{network.terminals_at(r).size()} * network.terminals_at(goal).size();
      }
      for (const ChannelId c : network.channels()) {
        const std::uint32_t from = network.source(c).value;
        const std::uint32_t to = network.target(c).value;
        const std::vector<std::uint32_t>& hops = ways.down[from] != kNeverMet ? ways.down : ways.rule;
        const bool right = order.up(network.source(c), network.target(c)) == (ways.down[from] == kNeverMet);
        const bool wanted = right && hops[from] != kNeverMet && hops[from] > 0 && hops[to] + 1 == hops[from];
        ASSERT_EQ((sets[c.value][d / 64] >> d % 64 & 1) != 0, wanted) << network.description();
        candidates += wanted ? 1 : 0;
      }
    }
    ASSERT_EQ(reach.missing_pairs(), missing) << network.description();
    without += missing;
  }
  EXPECT_GT(candidates, 1000U);
  EXPECT_GT(without, 0U);  // the rule was put to trees that it does not join, too
}

TEST(Clos, DeliversWhateverIsConnectedAndNeverGoesDownThenUp) {
  std::uint32_t of_levels = 0;
  for (const Network& network : small_trees()) {
    Progress quiet;
    if (!refusal(find_engine("clos"), network).empty()) continue;
    const Routing routing = clos(network);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_EQ(verdict.unroutable_pairs, disconnected_pairs(network).count) << network.description();
    EXPECT_TRUE(verdict.deadlock_free && verdict.loop_free()) << network.description();
    EXPECT_EQ(verdict.lanes_used, 1U);
    if (disconnected_pairs(network).count > 0) continue;
    const LevelOrder levels = level_order(network);
    if (levels.missing > 0) continue;  // an order around the centre then
    EXPECT_FALSE(find_down_up_turn(network, routing.table(), levels.order.place).has_value());
    ++of_levels;
  }
  EXPECT_GT(of_levels, 10U);
}

TEST(Clos, PathsAreShortestOnTreesAsBuilt) {
  Progress quiet;
  for (const char* spec :
       {"xgft:m=4x4,w=2x2", "kary-ntree:k=4,n=3", "xgft:m=3x4x2,w=2x2x3", "kary-ntree:k=2,n=5"}) {
    const Network network = make_network(spec);
    EXPECT_TRUE(verify(network, clos(network), {}, quiet).minimal()) << spec;
  }
}

TEST(Clos, SameBytesAtAnyNumberOfThreads) {
  for (const char* spec : {"xgft:m=10x10,w=5x5,terminals=1024", "kary-ntree:k=4,n=4", "xgft:m=90,w=70"}) {
    const Network network = damaged(spec, "cable-rate=0.05,seed=5");
    const Routing one = clos(network, 1);
    EXPECT_EQ(one.table(), clos(network, 2).table()) << spec;
    EXPECT_EQ(one.table(), clos(network, 5).table()) << spec;
  }
}

/// The traffic that a part of the tree sends or gets over the cables that it has left, at least, for the
/// parts below every level: what no routing can be under.
std::uint64_t load_bound(const Network& network) {
  const std::vector<std::uint32_t> height = heights_above_terminals(network);
  const std::uint32_t top = *std::max_element(height.begin(), height.end());
  std::uint64_t bound = 0;
  for (std::uint32_t level = 0; level < top; ++level) {
    std::vector<std::uint32_t> part(network.router_count());
    for (std::uint32_t r = 0; r < part.size(); ++r) part[r] = r;
    for (bool changed = true; changed;) {
      changed = false;
      for (const ChannelId c : network.channels()) {
        const std::uint32_t a = network.source(c).value;
        const std::uint32_t b = network.target(c).value;
        if (std::max(height[a], height[b]) > level || part[a] == part[b]) continue;
        part[a] = part[b] = std::min(part[a], part[b]);
        changed = true;
      }
    }
    std::map<std::uint32_t, std::uint64_t> terminals;
    std::map<std::uint32_t, std::uint64_t> cables;
    for (const RouterId r : network.routers()) terminals[part[r.value]] += network.terminals_at(r).size();
    for (const ChannelId c : network.channels()) {
      if (height[network.source(c).value] == level && height[network.target(c).value] > level)
        ++cables[part[network.source(c).value]];
    }
    for (const auto& [p, count] : cables) {
      const std::uint64_t pairs = terminals[p] * (network.terminal_count() - terminals[p]);
      bound = std::max(bound, (pairs + count - 1) / count);
    }
  }
  return bound;
}

TEST(Clos, LoadsAreNearWhatTheCutsOfTheTreeAllow) {
  Progress quiet;
  for (const char* spec :
       {"xgft:m=20x20,w=10x10,terminals=8192", "kary-ntree:k=12,n=3", "xgft:m=12x12,w=12x4"}) {
    for (const char* faults : {"", "cable-rate=0.03,seed=1", "cable-rate=0.05,seed=2"}) {
      const Network network = *faults == '\0' ? make_network(spec) : damaged(spec, faults);
      const std::uint64_t load = max_load(network, clos(network));
      EXPECT_GE(load, load_bound(network));
      EXPECT_LE(static_cast<double>(load), 1.12 * static_cast<double>(load_bound(network)))
          << spec << " " << faults;
      EXPECT_LE(load, max_load(network, route(network, "dfsssp", {}, quiet))) << spec << " " << faults;
    }
  }
}

TEST(Clos, WeightsAreEvenWithoutGroups) {
  const Network network = make_network("xgft:m=4x3,w=2x2");
  const LevelOrder levels = level_order(network);
  const LeafGroups groups = one_group(network, levels.height);
  const PathWeights weights(network, levels.order, groups, 3);
  for (const RouterId r : network.routers()) {
    EXPECT_EQ(weights.paths(r.value)[0], 1);
    EXPECT_TRUE(weights.above(r.value, 0));
  }
  for (const ChannelId c : network.channels()) EXPECT_EQ(weights.factor(c.value), 1);
}

TEST(Clos, GroupsAreThePartsBelowALevel) {
  // Three parts of four leaves and two routers above them.
  const Network network = make_network("xgft:m=4x3,w=2x2");
  const LevelOrder levels = level_order(network);
  EXPECT_EQ(groups_of_tree(network, levels.height, 1'000'000).count, 12U);  // each leaf by itself
  const LeafGroups coarse = groups_of_tree(network, levels.height, 1);
  EXPECT_EQ(coarse.count, 3U);
  for (std::uint32_t g = 0; g < coarse.count; ++g) {
    ASSERT_EQ(coarse.gates_of(g).size(), 2U);
    for (const LeafGroups::Gate& gate : coarse.gates_of(g)) {
      EXPECT_EQ(levels.height[gate.router], 1U);
      EXPECT_EQ(gate.share, 1);
    }
  }
}

TEST(Clos, HeedsRoots) {
  Progress quiet;
  const Network network = make_network("xgft:m=4x3,w=2x2");
  const LevelOrder levels = level_order(network);
  EngineRequest request;
  for (const RouterId r : network.routers()) {
    if (levels.height[r.value] == 2) request.guidance.roots.push_back(network.router_guid(r));
  }
  EXPECT_EQ(route(network, "clos", request, quiet).table(), clos(network).table());
  request.guidance.roots.resize(1);  // the others stand below then
  const Routing routing = route(network, "clos", request, quiet);
  EXPECT_NE(routing.table(), clos(network).table());
  EXPECT_TRUE(verify(network, routing, {}, quiet).complete());
  const LevelOrder below = levels_below(network, routers_with(network, request.guidance.roots));
  EXPECT_FALSE(find_down_up_turn(network, routing.table(), below.order.place).has_value());
}

TEST(Clos, RefusesWhatIsNoTree) {
  for (const char* spec : {"torus:4x4", "mesh:4x4", "dragonfly:a=4,h=2,p=2"})
    EXPECT_FALSE(refusal(find_engine("clos"), make_network(spec)).empty()) << spec;
}

}  // namespace
}  // namespace unknot
