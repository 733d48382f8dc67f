// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/adversary/adversary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "unknot/bounds/exchange.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

double largest(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

double load_of(const Network& network, ObliviousPaths paths, const std::vector<Flow>& flows) {
  Progress silent;
  const Exchange exchange = exchange_of(network, pattern_of_flows(flows), 1, 0);
  return oblivious_load(network, paths, exchange.between, 1, silent).max;
}

/// Largest load over all permutations, tried one by one.
template <class Load>
double brute_force(std::uint32_t terminals, const Load& load) {
  std::vector<std::uint32_t> to(terminals);
  std::iota(to.begin(), to.end(), 0U);
  double worst = 0;
  do {
    std::vector<Flow> flows;
    for (std::uint32_t t = 0; t < terminals; ++t) {
      if (to[t] != t) flows.push_back({TerminalId(t), TerminalId(to[t])});
    }
    worst = std::max(worst, load(flows));
  } while (std::next_permutation(to.begin(), to.end()));
  return worst;
}

Adversary find(const Network& network, const ChannelShares& shares, std::uint32_t threads = 0,
               std::uint64_t most_work = AdversaryOptions().most_work) {
  Progress silent;
  AdversaryOptions options;
  options.threads = threads;
  options.most_work = most_work;
  return find_adversary(network, shares, options, silent);
}

void expect_permutation(const Network& network, const Adversary& found) {
  std::set<TerminalId> sources;
  std::set<TerminalId> destinations;
  for (const Flow& flow : found.flows) {
    EXPECT_NE(flow.source, flow.destination);
    EXPECT_TRUE(sources.insert(flow.source).second);
    EXPECT_TRUE(destinations.insert(flow.destination).second);
  }
  EXPECT_LE(found.worst, found.flows.size());
  if (network.terminal_count() > 1) {
    EXPECT_GE(found.flows.size() + 1, network.terminal_count());
  }
}

TEST(Adversary, IsTheWorstOfAllPermutations) {
  Random random(1);
  int tried = 0;
  for (int i = 0; tried < 25; ++i) {
    const Network network = testing::random_fabric(random, true, 5, 3);
    if (network.terminal_count() < 3 || network.terminal_count() > 6) continue;
    ++tried;
    SCOPED_TRACE(i);
    for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
      const Adversary found = find(network, *oblivious_shares(network, paths, 1));
      EXPECT_TRUE(found.exact());
      EXPECT_NEAR(found.load,
                  brute_force(network.terminal_count(),
                              [&](const auto& flows) { return load_of(network, paths, flows); }),
                  1e-9);
      expect_permutation(network, found);
    }
    for (const Routing& routing : {testing::shortest_paths(network, i), testing::random_walks(network, i)}) {
      const Adversary found = find(network, *routing_shares(network, routing));
      EXPECT_TRUE(found.exact());
      EXPECT_EQ(found.load, brute_force(network.terminal_count(), [&](const auto& flows) {
                  return largest(flow_load(network, routing, flows).load);
                }));
      expect_permutation(network, found);
    }
  }
}

/// Evenly over the tables to several addresses: a pair takes a channel by any part of its packets.
TEST(Adversary, IsTheWorstOfAllPermutationsOverSeveralAddresses) {
  Random random(2);
  int tried = 0;
  for (int i = 0; tried < 25; ++i) {
    const Network network = testing::random_fabric(random, true, 5, 3);
    if (network.terminal_count() < 3 || network.terminal_count() > 6) continue;
    ++tried;
    SCOPED_TRACE(i);
    Routing routing = testing::shortest_paths(network, i);
    routing.further = {testing::random_walks(network, i), testing::random_walks(network, i + 1000)};
    const Adversary found = find(network, *routing_shares(network, routing));
    EXPECT_TRUE(found.exact());
    EXPECT_NEAR(found.load,
                brute_force(network.terminal_count(),
                            [&](const auto& flows) {
                              std::vector<double> load(network.channel_count(), 0);
                              for (const Flow& flow : flows) {
                                std::vector<ChannelId> all;
                                bool delivered =
                                    append_path(network, routing, flow.source, flow.destination, all);
                                for (const Routing& further : routing.further)
                                  delivered = delivered && append_path(network, further, flow.source,
                                                                       flow.destination, all);
                                if (!delivered) continue;
                                for (const ChannelId c : all) load[c.value] += 1.0 / 3;
                              }
                              return largest(load);
                            }),
                1e-9);
    EXPECT_NEAR(largest(flow_load(network, routing, found.flows).load), found.load, 1e-9);
    expect_permutation(network, found);
  }
}

TEST(Adversary, IsMeasuredAsFoundAndNoBetterThanAnyPatternOnEveryTopology) {
  constexpr auto npos = std::string::npos;
  std::uint32_t tried = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.terminal_count() > 150 || network.terminal_count() < 2) continue;
      SCOPED_TRACE(example);
      for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
        const Adversary found = find(network, *oblivious_shares(network, paths, 1), 1);
        ++tried;
        EXPECT_TRUE(found.exact());
        EXPECT_NEAR(load_of(network, paths, found.flows), found.load, 1e-9);
        expect_permutation(network, found);
        const std::vector<Flow> worst(found.flows.begin(),
                                      found.flows.begin() + static_cast<std::ptrdiff_t>(found.worst));
        EXPECT_NEAR(load_of(network, paths, worst), found.load, 1e-9);
        for (const Pattern& row : patterns()) {
          if (!row.one_to_one) continue;
          std::vector<Flow> flows;
          try {
            make_pattern(network, row.name).flows(1, 0, flows);
          } catch (const InputError&) {
            continue;  // worst-case, where none is known
          }
          const double load = load_of(network, paths, flows);
          EXPECT_LE(load, found.load + 1e-9) << row.name;
          if (row.name == "worst-case" && paths == ObliviousPaths::minimal &&
              example.find("terminals=") == npos) {
            EXPECT_NEAR(load, found.load, 1e-9);
          }
        }
      }
    }
  }
  EXPECT_GT(tried, 20U);
}

TEST(Adversary, OfTablesIsMeasuredAsFoundAndTheSameAtAnyNumberOfThreads) {
  Progress silent;
  for (const char* spec : {"torus:4x4,p=2", "slimfly:q=5,p=3", "kary-ntree:k=3,n=3"}) {
    const Network network = make_network(spec);
    for (const char* engine : {"minhop", "dfsssp", "updn"}) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      const Routing routing = route(network, engine, EngineRequest(), silent);
      const auto shares = routing_shares(network, routing);
      const Adversary found = find(network, *shares, 1);
      EXPECT_TRUE(found.exact());
      EXPECT_EQ(largest(flow_load(network, routing, found.flows).load), found.load);
      expect_permutation(network, found);
      const Adversary again = find(network, *shares, 3);
      EXPECT_EQ(again.flows, found.flows);
      EXPECT_EQ(again.channel, found.channel);
    }
  }
}

TEST(Adversary, LessWorkGivesBoundsOnBothSides) {
  const Network network = make_network("torus:4x5,p=2");
  const auto shares = oblivious_shares(network, ObliviousPaths::minimal, 1);
  const Adversary exact = find(network, *shares);
  const Adversary quick = find(network, *shares, 0, 1);
  EXPECT_TRUE(exact.exact());
  EXPECT_LT(quick.matched, exact.matched);
  EXPECT_LE(quick.load, exact.load);
  EXPECT_GE(quick.upper, exact.load);
  for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
    const Adversary full = find(network, *oblivious_shares(network, paths, 1));
    const Adversary part = find(network, *oblivious_shares(network, paths, 1, 3000));  // some ten channels
    EXPECT_GT(part.load, 0);
    EXPECT_LE(part.load, full.load + 1e-9);
    EXPECT_GE(part.upper, full.load - 1e-9);
  }
  const Routing routing = testing::shortest_paths(network, 1);
  const Adversary all = find(network, *routing_shares(network, routing));
  const Adversary some = find(network, *routing_shares(network, routing, 100));
  EXPECT_LE(some.load, all.load);
  EXPECT_GE(some.upper, all.load);
}

// Kathareios et al., SC'15, section 4: twice the terminals of a router on one cable of a Slim Fly, all
// terminals of a router on one of an OFT or MLFM; Valiant's routing stays at twice the largest uniform load.
TEST(Adversary, FindsThePublishedWorstCases) {
  struct Case {
    const char* topology;
    double minimal, valiant;
  };
  for (const Case& one : {Case{"slimfly:q=5,p=4", 8, 2.166667}, Case{"slimfly:q=7,p=5", 10, 1.979167},
                          Case{"mlfm:4", 4, 2.111111}, Case{"oft:4", 4, 2.083333}}) {
    SCOPED_TRACE(one.topology);
    const Network network = make_network(one.topology);
    const Adversary minimal = find(network, *oblivious_shares(network, ObliviousPaths::minimal, 0));
    EXPECT_EQ(minimal.load, one.minimal);
    EXPECT_TRUE(minimal.exact());
    const Adversary valiant = find(network, *oblivious_shares(network, ObliviousPaths::valiant, 0));
    EXPECT_NEAR(valiant.load, one.valiant, 1e-6);
    EXPECT_TRUE(valiant.exact());
  }
}

TEST(Adversary, NothingToLoadIsNoChannel) {
  for (const std::uint32_t terminals : {0U, 1U, 2U, 5U}) {
    const Network network = testing::single(terminals);
    const Adversary found = find(network, *oblivious_shares(network, ObliviousPaths::minimal, 1));
    EXPECT_EQ(found.load, 0);
    EXPECT_FALSE(found.channel.valid());
    expect_permutation(network, found);
  }
}

}  // namespace
}  // namespace unknot
