// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/ring_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

std::vector<std::uint32_t> sizes_of(const NodeGraph& graph) {
  const auto product = find_ring_product(graph);
  if (!product) return {};
  std::vector<std::uint32_t> sizes = product->sizes;
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// The same network, its routers in another order.
Network shuffled(const Network& network, std::uint64_t seed) {
  std::vector<std::uint32_t> place(network.router_count());
  std::iota(place.begin(), place.end(), 0U);
  Random random(seed, 0);
  random.shuffle(place);
  NetworkBuilder builder;
  std::vector<RouterId> routers;
  for (std::uint32_t r = 0; r < network.router_count(); ++r) routers.push_back(builder.add_router());
  for (const RouterId r : routers) builder.add_terminal(r);
  for (const ChannelId c : network.channels()) {
    if (c < network.reverse(c))
      builder.add_cable(routers[place[network.source(c).value]], routers[place[network.target(c).value]]);
  }
  return std::move(builder).build();
}

TEST(RingProduct, FindsTheRingsOfAnyNumbering) {
  using Sizes = std::vector<std::uint32_t>;
  for (const auto& [spec, sizes] : std::vector<std::pair<const char*, Sizes>>{{"torus:3x3", {3, 3}},
                                                                              {"torus:4x4", {4, 4}},
                                                                              {"torus:5x4x3", {3, 4, 5}},
                                                                              {"torus:6x2", {2, 6}},
                                                                              {"torus:2x2x6", {4, 6}},
                                                                              {"torus:4x7x4", {4, 4, 7}},
                                                                              {"hypercube:1", {2}},
                                                                              {"hypercube:5", {2, 4, 4}},
                                                                              {"ring:9", {9}},
                                                                              {"hyperx:3x3", {3, 3}}}) {
    const Network network = make_network(spec);
    EXPECT_EQ(sizes_of(NodeGraph(network)), sizes) << spec;
    for (const std::uint64_t seed : {1, 2, 3})
      EXPECT_EQ(sizes_of(NodeGraph(shuffled(network, seed))), sizes) << spec;
  }
}

TEST(RingProduct, FindsNoneWhereThereIsNone) {
  for (const char* const spec :
       {"mesh:4x4", "petersen", "levi", "spidergon:8", "midimew:13", "kring:8", "hyperx:4x4", "torus:4x4,p=2",
        "btree:8", "uniring:6", "kautz:b=2,n=3", "jellyfish:routers=16,degree=4", "slimfly:q=5", "mesh:6"})
    EXPECT_TRUE(sizes_of(NodeGraph(make_network(spec))).empty()) << spec;
  const Network torus = make_network("torus:6x6");
  for (const char* const faults : {"cable-count=1,seed=1", "channels=0", "cable-count=3,seed=2"}) {
    const Network broken = with_faults(torus, parse_faults(torus, faults));
    EXPECT_TRUE(sizes_of(NodeGraph(broken)).empty()) << faults;
  }
}

/// The bound, on tori of every kind of halves: even, odd, equal, dividing each other or not; and no
/// message is sent twice, by the rules restated on the network itself.
TEST(RingExchange, ReachesTheBound) {
  Progress silent;
  for (const char* const spec :
       {"torus:4x4", "torus:6x6", "torus:8x8", "torus:12x12", "torus:8x4", "torus:4x8", "torus:6x4",
        "torus:10x6", "torus:12x8", "torus:6x2", "torus:4x4x4", "torus:6x6x2", "torus:2x4x6", "torus:4x6x4",
        "hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6"}) {
    const Network network = make_network(spec);
    const Problem problem = testing::problem_on(spec, "AAS");
    if (fewer_cases() && problem.messages() > 2000) continue;
    const std::uint32_t bound = lower_bound(problem).steps;
    const Solution found = solve(problem, "ring-exchange", {.lower_bound = bound}, silent);
    EXPECT_EQ(found.steps, bound) << spec;
    EXPECT_EQ(found.conflicts, 0U) << spec;
    if (problem.messages() < 10'000) {
      EXPECT_TRUE(testing::ReferenceChecker(network, problem).valid(found.schedule)) << spec;
    }
  }
}

/// Paths are shortest ones, whatever lengths are allowed; a step less leaves messages out, one more is empty.
TEST(RingExchange, MakesJustSoManySteps) {
  Progress silent;
  ProblemRules rules;
  rules.extra_hops = 0;
  const Problem problem = make_collective(testing::graph_of("torus:6x4"), "AAG", {}, rules);
  const Solution most = solve(problem, "ring-exchange", {.steps = 17}, silent);
  EXPECT_EQ(most.steps, 17U);
  EXPECT_GT(most.conflicts, 0U);
  const Solution all = solve(problem, "ring-exchange", {.steps = 19}, silent);
  EXPECT_EQ(all.conflicts, 0U);
  EXPECT_EQ(all.schedule.step_begin(18), all.schedule.step_end(18));
}

TEST(RingExchange, SaysWhatItRefuses) {
  const auto why = [](const Problem& problem) { return refusal(find_solver("ring-exchange"), problem); };
  EXPECT_EQ(why(testing::problem_on("torus:4x4", "AAB")), "it is no scatter from all nodes to all others");
  EXPECT_EQ(why(testing::problem_on("torus:4x4", "OAS")), "it is no scatter from all nodes to all others");
  EXPECT_EQ(why(testing::problem_on("mesh:4x4", "AAS")), "the network is no torus and no hypercube");
  EXPECT_EQ(why(testing::problem_on("ring:8", "AAS")), "the network is a single ring");
  EXPECT_EQ(why(testing::problem_on("torus:4x5", "AAS")), "a ring has an odd number of nodes");
  const auto graph = testing::graph_of("torus:4x4", {.links = LinkClass::half_duplex});
  EXPECT_EQ(why(make_collective(graph, "AAS")), "links are half-duplex");
  ProblemRules rules;
  rules.send_ports = 3;
  EXPECT_EQ(why(make_collective(testing::graph_of("torus:4x4"), "AAS", {}, rules)),
            "nodes have fewer ports than channels");
  EXPECT_EQ(why(testing::problem_on("torus:4x6", "AAS")), "");
}

/// Cuts between the ends of a short arc bound what goes round the longest rings, in any order of dimensions.
TEST(RingExchange, IsBoundByTheLongestRings) {
  for (const char* const spec : {"torus:12x8", "torus:8x12", "torus:4x4x10", "torus:10x4x4", "torus:2x4x6"}) {
    const Problem problem = testing::problem_on(spec, "AAS");
    if (fewer_cases() && problem.messages() > 5000) continue;
    EXPECT_EQ(lower_bound(problem).steps, RingExchange::least_steps(*find_ring_product(*problem.graph)))
        << spec;
  }
}

}  // namespace
}  // namespace unknot
