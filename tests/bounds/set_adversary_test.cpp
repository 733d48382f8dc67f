// SPDX-License-Identifier: Apache-2.0
// Worst permutations of sets of paths and of groups, and what UGAL loads at most: against all permutations,
// all ways and all choices of small networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "unknot/bounds/adversary/adversary.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/group_spread.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

double largest(const std::vector<double>& load) {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

RouterDemand demand_of(const Network& network, const std::vector<Flow>& flows) {
  return exchange_of(network, pattern_of_flows(flows), 1, 0).between;
}

/// Largest load over all permutations, tried one by one.
template <class Load>
double worst_of_all(const Network& network, const Load& load) {
  std::vector<std::uint32_t> to(network.terminal_count());
  std::iota(to.begin(), to.end(), 0U);
  double worst = 0;
  do {
    std::vector<Flow> flows;
    for (std::uint32_t t = 0; t < to.size(); ++t) {
      if (to[t] != t) flows.push_back({TerminalId(t), TerminalId(to[t])});
    }
    worst = std::max(worst, largest(load(flows)));
  } while (std::next_permutation(to.begin(), to.end()));
  return worst;
}

/// Calls test(network) for random small fabrics whose terminals reach each other.
template <class Test>
void for_small_fabrics(std::uint64_t seed, int count, const Test& test) {
  Random random(seed);
  for (int i = 0; count > 0; ++i) {
    const Network network = testing::random_fabric(random, true, 5, 3);
    if (network.terminal_count() < 3 || network.terminal_count() > 6) continue;
    SCOPED_TRACE(i);
    if (test(network)) --count;
  }
}

bool connected(const Network& network) {
  Progress silent;
  return oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network), 1, silent)
             .lost_pairs == 0;
}

TEST(SetAdversary, IsTheWorstOfAllPermutationsOverTheShortestPaths) {
  Progress silent;
  for_small_fabrics(3, 25, [&](const Network& network) {
    if (!connected(network)) return false;
    for (const char* const set : {"shortest:1", "shortest:3", "shortest:8", "minimal"}) {
      SCOPED_TRACE(set);
      const auto shares =
          even_shares(network, make_path_lists(network, RouterDemand::uniform(network), set, silent));
      const Adversary found = find_adversary(network, *shares, {}, silent);
      EXPECT_TRUE(found.exact());
      const auto load = [&](const std::vector<Flow>& flows) {
        return even_load(network, make_path_lists(network, demand_of(network, flows), set, silent));
      };
      EXPECT_NEAR(found.load, worst_of_all(network, load), 1e-9);
      EXPECT_NEAR(found.load, largest(load(found.flows)), 1e-9);
      EXPECT_NEAR(found.load, largest(shared_load(network, *shares, demand_of(network, found.flows), 2)),
                  1e-9);
    }
    return true;
  });
}

TEST(SetAdversary, SharesAddUpToTheLoadsKnownInClosedForm) {
  Progress silent;
  std::uint32_t tried = 0;
  for (const Topology& family : topologies()) {
    for (const std::string& example : family.examples) {
      const Network network = make_network(example);
      if (network.terminal_count() > 100 || network.terminal_count() < 2 || !connected(network)) continue;
      SCOPED_TRACE(example);
      ++tried;
      const RouterDemand uniform = RouterDemand::uniform(network);
      const std::vector<double> lists = shared_load(
          network, *even_shares(network, make_path_lists(network, uniform, "minimal", silent)), uniform, 2);
      const ObliviousLoad minimal = oblivious_load(network, ObliviousPaths::minimal, uniform, 1, silent);
      for (std::size_t c = 0; c < lists.size(); ++c) EXPECT_NEAR(lists[c], minimal.load[c], 1e-9) << c;
      if (EndpointRouters(network).count() < 3) continue;
      const std::vector<double> shares =
          shared_load(network, *oblivious_shares(network, ObliviousPaths::valiant, 1), uniform, 1);
      const ObliviousLoad valiant = oblivious_load(network, ObliviousPaths::valiant, uniform, 1, silent);
      // UGAL may do what both do
      const std::vector<double> ugal = shared_load(network, *ugal_shares(network, 1, 1), uniform, 1);
      for (std::size_t c = 0; c < shares.size(); ++c) {
        EXPECT_NEAR(shares[c], valiant.load[c], 1e-9) << c;
        EXPECT_GE(ugal[c] + 1e-9, std::max(minimal.load[c], valiant.load[c])) << c;
      }
    }
  }
  EXPECT_GT(tried, 50U);
}

/// All ways of a packet, each with its chance: by recursion, and nothing kept.
void follow(const Network& network, const AdaptivePlane& plane, RouterId at, TerminalId to, double chance,
            std::vector<double>& load) {
  const std::uint16_t entry = plane.entry(at, to);
  if (entry == AdaptivePlane::kHere) return;
  const Choice& choice = plane.choices(at)[entry];
  const auto group =
      choice.kind == ChoiceKind::fixed ? std::span(&choice.fixed, 1) : plane.group(at, choice.group);
  for (const std::uint16_t position : group) {
    const ChannelId c = network.out(at)[position];
    const double part = chance / static_cast<double>(group.size());
    load[c.value] += part;
    follow(network, plane, network.target(c), to, part, load);
  }
}

TEST(SetAdversary, IsTheWorstOfAllPermutationsOverGroupsAtRandom) {
  Progress silent;
  for_small_fabrics(4, 25, [&](const Network& network) {
    if (!connected(network)) return false;
    const AdaptiveRouting groups = shortest_groups(network, nullptr, 1, silent);
    const Adversary found = find_adversary(network, *group_shares(network, groups, silent), {}, silent);
    EXPECT_TRUE(found.exact());
    const auto load = [&](const std::vector<Flow>& flows) {
      std::vector<double> all(network.channel_count(), 0);
      for (const Flow& flow : flows)
        follow(network, groups.planes.front(), network.router_of(flow.source), flow.destination, 1, all);
      return all;
    };
    EXPECT_NEAR(found.load, worst_of_all(network, load), 1e-9);
    const GroupLoad measured = group_load(network, groups, found.flows, silent);
    EXPECT_EQ(measured.delivered.lost_flows, 0U);
    EXPECT_NEAR(measured.delivered.total, static_cast<double>(found.flows.size()), 1e-12);
    const std::vector<double> same = load(found.flows);
    for (std::size_t c = 0; c < same.size(); ++c) EXPECT_NEAR(measured.load[c], same[c], 1e-12);
    return true;
  });
}

TEST(SetAdversary, PacketsThatMayBeLostAreRefused) {
  Progress silent;
  const Network network = make_network("torus:3x3");
  AdaptiveRouting groups = shortest_groups(network, nullptr, 1, silent);
  AdaptivePlane& plane = groups.planes.front();
  plane.set(RouterId(1), TerminalId(4), AdaptivePlane::kNone);  // one of two ways from router 0
  EXPECT_THROW((void)group_shares(network, groups, silent), InputError);
  const std::vector<Flow> flows = {{TerminalId(0), TerminalId(4)}, {TerminalId(2), TerminalId(8)}};
  const GroupLoad load = group_load(network, groups, flows, silent);
  EXPECT_EQ(load.delivered.lost_flows, 1U);
  EXPECT_EQ(load.delivered.total, 1);
  EXPECT_EQ(load.delivered.peak_ejection, 1);
  EXPECT_DOUBLE_EQ(std::accumulate(load.load.begin(), load.load.end(), 0.0), 1);  // the one that arrives
}

/// What a packet may do at most to a channel that goes minimally, or by one router drawn, whichever is worse,
/// and by whichever shortest paths: from all paths listed.
class WorstChoice {
 public:
  explicit WorstChoice(const Network& network) : endpoints_(network), index_(network.router_count(), 0) {
    Progress silent;
    lists_ = make_path_lists(network, RouterDemand::uniform(network), "minimal", silent);
    for (std::uint32_t i = 0; i < endpoints_.count(); ++i) index_[endpoints_[i].value] = i;
  }

  [[nodiscard]] const EndpointRouters& endpoints() const { return endpoints_; }

  /// What follows is about this channel.
  void look_at(ChannelId c) {
    times_.assign(std::size_t{endpoints_.count()} * endpoints_.count(), 0);
    for (std::size_t i = 0; i < lists_.pairs().size(); ++i) {
      std::ptrdiff_t& most =
          times(index_[lists_.pairs()[i].source.value], index_[lists_.pairs()[i].destination.value]);
      for (std::size_t p = lists_.first_path(i); p < lists_.first_path(i + 1); ++p)
        most = std::max(most, std::count(lists_.path(p).begin(), lists_.path(p).end(), c));
    }
  }
  /// The mean over all draws of `indirect` routers.
  [[nodiscard]] double mean(std::uint32_t from, std::uint32_t to, std::uint32_t indirect) {
    Sum sum;
    draw(from, to, indirect, times(from, to), sum);
    return sum.of / sum.draws;
  }

 private:
  struct Sum {
    double of = 0, draws = 0;
  };
  std::ptrdiff_t& times(std::uint32_t from, std::uint32_t to) {
    return times_[std::size_t{from} * endpoints_.count() + to];
  }
  void draw(std::uint32_t from, std::uint32_t to, std::uint32_t left, std::ptrdiff_t most, Sum& sum) {
    if (left == 0) {
      sum.of += static_cast<double>(most);
      ++sum.draws;
      return;
    }
    for (std::uint32_t via = 0; via < endpoints_.count(); ++via) {
      if (via != from && via != to)
        draw(from, to, left - 1, std::max(most, times(from, via) + times(via, to)), sum);
    }
  }

  EndpointRouters endpoints_;
  std::vector<std::uint32_t> index_;  // by router, among those with terminals
  PathLists lists_;
  std::vector<std::ptrdiff_t> times_;  // that a shortest path takes the channel at most
};

void expect_ugal_does_no_more(const Network& network, bool both_ways) {
  WorstChoice worst(network);
  const std::uint32_t count = worst.endpoints().count();
  for (const std::uint32_t indirect : {1U, 2U}) {
    const auto shares = ugal_shares(network, indirect, 1);
    for (const ChannelId c : network.channels()) {
      worst.look_at(c);
      std::vector<TransportEdge> edges;
      shares->pairs(c, edges);
      std::map<std::pair<std::uint32_t, std::uint32_t>, double> share;
      for (const TransportEdge& edge : edges) {
        EXPECT_TRUE(share.emplace(std::pair(edge.source, edge.destination), edge.weight).second);
      }
      for (std::uint32_t s = 0; s < count; ++s) {
        for (std::uint32_t d = 0; d < count; ++d) {
          if (s == d) continue;
          const auto found = share.find({s, d});
          const double most = found == share.end() ? 0 : found->second;
          const double exact = worst.mean(s, d, indirect);
          EXPECT_LE(exact, most + 1e-9);
          // and is no looser than it need be, where one router is drawn and no way passes a channel twice
          if (indirect == 1 && both_ways) {
            EXPECT_NEAR(exact, most, 1e-9);
          }
        }
      }
    }
  }
}

TEST(SetAdversary, UgalDoesNoMoreWhateverItChooses) {
  for (const char* const spec :
       {"torus:3x4", "slimfly:q=3,p=1", "hyperx:3x3", "hypercube:3", "dragonfly:a=2,h=1,p=1",
        "jellyfish:routers=9,degree=3,p=1,seed=4", "mesh:2x4", "ring:5"}) {
    SCOPED_TRACE(spec);
    expect_ugal_does_no_more(make_network(spec), true);
  }
  for_small_fabrics(5, 20, [&](const Network& network) {
    if (!connected(network) || EndpointRouters(network).count() < 3) return false;
    expect_ugal_does_no_more(network, false);
    return true;
  });
  // One-way: a packet may pass a channel on its way to the intermediate, and again from there.
  expect_ugal_does_no_more(make_network("kautz:b=2,n=2,oriented=1"), false);
}

TEST(SetAdversary, NoPermutationGivesUgalMoreThanIsSaid) {
  Progress silent;
  for (const char* const spec : {"torus:2x3", "ring:5", "hyperx:2x3", "mesh:5"}) {
    const Network network = make_network(spec);
    SCOPED_TRACE(spec);
    const auto shares = ugal_shares(network, 2, 1);
    const Adversary found = find_adversary(network, *shares, {}, silent);
    const auto load = [&](const std::vector<Flow>& flows) {
      return shared_load(network, *shares, demand_of(network, flows), 1);
    };
    EXPECT_TRUE(found.exact());
    EXPECT_NEAR(found.upper, worst_of_all(network, load), 1e-9);
    // cheap bounds alone, and channels that are not looked at
    AdversaryOptions quick;
    quick.most_work = 1;
    EXPECT_GE(find_adversary(network, *shares, quick, silent).upper, found.upper - 1e-9);
    EXPECT_GE(find_adversary(network, *ugal_shares(network, 2, 1, 1), {}, silent).upper, found.upper - 1e-9);
  }
}

TEST(SetAdversary, IsTheSameAtAnyNumberOfThreads) {
  Progress silent;
  const Network network = make_network("jellyfish:routers=30,degree=5,p=2");
  const std::vector<double> load =
      shared_load(network, *ugal_shares(network, 4, 1), RouterDemand::uniform(network), 1);
  EXPECT_EQ(shared_load(network, *ugal_shares(network, 4, 3), RouterDemand::uniform(network), 3), load);
}

}  // namespace
}  // namespace unknot
