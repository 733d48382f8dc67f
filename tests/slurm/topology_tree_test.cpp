// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/topology_tree.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "refusal.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/slurm/topology/average_linkage.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/slurm/topology/tree_error.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::slurm {
namespace {

using ::testing::HasSubstr;

/// Every host once, every switch but the last below exactly one of a higher level.
void expect_is_tree(const TopologyTree& tree, std::uint32_t hosts) {
  std::vector<int> below(tree.switches.size(), 0);
  std::size_t found = 0;
  for (const TopologyTree::Switch& one : tree.switches) {
    found += one.hosts.size();
    EXPECT_EQ(one.level == 0, one.children.empty());
    for (const std::uint32_t child : one.children) {
      ++below[child];
      EXPECT_LT(tree.switches[child].level, one.level);
    }
  }
  EXPECT_EQ(found, hosts);
  EXPECT_EQ(below.back(), 0);
  for (std::size_t i = 0; i + 1 < below.size(); ++i) EXPECT_EQ(below[i], 1);
}

/// Root mean square of the distances about the means of their levels, host by host.
double plain_rms(const Network& network, const TopologyTree& tree) {
  std::map<std::string, std::vector<std::uint32_t>> way_up;  // switches above each host
  for (std::uint32_t leaf = 0; leaf < tree.switches.size(); ++leaf) {
    for (const std::string& host : tree.switches[leaf].hosts) {
      way_up[host] = {leaf};
      for (std::uint32_t i = leaf + 1; i < tree.switches.size(); ++i) {
        const auto& children = tree.switches[i].children;
        if (std::find(children.begin(), children.end(), way_up[host].back()) != children.end())
          way_up[host].push_back(i);
      }
    }
  }
  std::map<std::uint32_t, std::vector<double>> by_level;
  BreadthFirstSearch search(network);
  std::map<std::string, std::vector<RouterId>> at;  // routers of each host
  std::vector<std::string> hosts;                   // in the order of their first terminals
  for (const TerminalId t : network.terminals()) {
    const std::string name = network.terminal_name(t);
    const std::string host = name.substr(0, name.find(' '));
    if (at[host].empty()) hosts.push_back(host);
    at[host].push_back(network.router_of(t));
  }
  double pairs = 0;
  for (std::size_t a = 0; a < hosts.size(); ++a) {
    for (std::size_t b = a + 1; b < hosts.size(); ++b) {
      const auto& up = way_up.at(hosts[a]);
      const auto& other = way_up.at(hosts[b]);
      const auto meet = std::find_if(up.begin(), up.end(), [&](std::uint32_t s) {
        return std::find(other.begin(), other.end(), s) != other.end();
      });
      std::uint32_t least = UINT32_MAX;
      for (const RouterId from : at[hosts[a]]) {
        const auto distance = search.from(from);
        for (const RouterId to : at[hosts[b]]) least = std::min(least, distance[to.value]);
      }
      by_level[tree.switches[*meet].level].push_back(least);
      ++pairs;
    }
  }
  double squares = 0;
  for (const auto& [level, distances] : by_level) {
    double mean = 0;
    for (const double d : distances) mean += d / static_cast<double>(distances.size());
    for (const double d : distances) squares += (d - mean) * (d - mean);
  }
  return std::sqrt(squares / pairs);
}

// Random networks and every family of the catalogue that has terminals with names that Slurm takes.
TEST(TopologyTree, OfEveryTopologyIsATreeAndComesBack) {
  for (const Topology& topology : topologies()) {
    if (topology.examples.empty()) continue;
    const Network network = make_network(topology.examples.front());
    if (network.terminal_count() == 0 || network.terminal_count() > 600) continue;
    TopologyTree tree;
    try {
      tree = topology_tree(network);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("no path")) << topology.name;  // one-way multistage networks
      continue;
    }
    expect_is_tree(tree, network.terminal_count());
    const TreeError error = tree_error(network, tree);
    EXPECT_NEAR(error.rms, plain_rms(network, tree), 1e-9) << topology.name;
    EXPECT_LE(error.rms, error.rms_without_tree + 1e-9) << topology.name;
    const TopologyTree again = parse_topology_conf(topology_conf(tree, topology.name), "topology.conf");
    expect_is_tree(again, network.terminal_count());
    EXPECT_EQ(topology_conf(again, ""), topology_conf(tree, "")) << topology.name;
    EXPECT_DOUBLE_EQ(tree_error(network, again).rms, error.rms) << topology.name;
  }
}

/// Hosts with adapters anywhere: some share routers, some only with others that do.
TEST(TopologyTree, OfHostsWithSeveralAdaptersIsMeasuredByTheNearest) {
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    NetworkBuilder builder;
    const std::uint32_t routers = 2 + random.below(7), hosts = 2 + random.below(8);
    for (std::uint32_t r = 0; r < routers; ++r) builder.add_router();
    for (std::uint32_t r = 1; r < routers; ++r) builder.add_cable(RouterId(r), RouterId(random.below(r)));
    for (std::uint32_t h = 0; h < hosts; ++h) {
      for (std::uint32_t port = 0, ports = 1 + random.below(3); port < ports; ++port) {
        builder.add_terminal(RouterId(random.below(routers)));
        builder.labels().terminal_name.push_back("h" + std::to_string(h) + " port" + std::to_string(port));
      }
    }
    const Network network = std::move(builder).build();
    const TopologyTree tree = topology_tree(network);
    expect_is_tree(tree, hosts);
    EXPECT_NEAR(tree_error(network, tree).rms, plain_rms(network, tree), 1e-9) << i;
    // Below one switch of the lowest level all share a router with all.
    const TreeError error = tree_error(network, tree);
    EXPECT_EQ(error.levels.front().max, 0U) << i;
  }
}

TEST(TopologyTree, OfATreeIsExact) {
  for (const char* spec : {"xgft:m=3x4x5,w=2x2x2,terminals=60", "kary-ntree:k=3,n=3", "fattree3:8"}) {
    const Network network = make_network(spec);
    const TreeError error = tree_error(network, topology_tree(network));
    EXPECT_EQ(error.rms, 0) << spec;
    EXPECT_EQ(error.wrong_order, 0) << spec;
    EXPECT_GT(error.rms_without_tree, 0) << spec;
  }
}

TEST(TopologyTree, OfATorusIsNot) {
  const Network network = make_network("torus:8x8");
  const TreeError error = tree_error(network, topology_tree(network));
  EXPECT_GT(error.rms, 0.5);
  EXPECT_GT(error.wrong_order, 0);
  EXPECT_LT(error.wrong_order, 0.5);
  EXPECT_LT(error.rms, error.rms_without_tree);
}

TEST(TopologyTree, RefusesWhatSlurmCannotHave) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  builder.labels().terminal_name = {"one HCA-1", "two[2] HCA-1"};
  EXPECT_THROW(topology_tree(std::move(builder).build()), InputError);
}

/// Mean distances between clusters recomputed from all pairs, the nearest two joined first.
std::vector<double> plain_heights(const DistanceMatrix& distances) {
  std::vector<std::vector<std::uint32_t>> clusters;
  for (std::uint32_t i = 0; i < distances.count(); ++i) clusters.push_back({i});
  std::vector<double> heights;
  while (clusters.size() > 1) {
    double least = 1e9;
    std::size_t x = 0;
    std::size_t y = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (std::size_t j = i + 1; j < clusters.size(); ++j) {
        double sum = 0;
        for (const std::uint32_t a : clusters[i]) {
          for (const std::uint32_t b : clusters[j]) sum += distances.at(a, b);
        }
        const double mean = sum / static_cast<double>(clusters[i].size() * clusters[j].size());
        if (mean < least) std::tie(least, x, y) = std::tuple(mean, i, j);
      }
    }
    heights.push_back(least);
    clusters[x].insert(clusters[x].end(), clusters[y].begin(), clusters[y].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(y));
  }
  return heights;
}

TEST(AverageLinkage, IsThatOfTheDefinition) {
  Random random(4);
  for (int round = 0; round < 20; ++round) {
    DistanceMatrix distances(12);
    for (std::uint32_t a = 0; a < 12; ++a) {
      for (std::uint32_t b = 0; b < a; ++b)
        distances.set(a, b, static_cast<float>(random.unit()));  // no ties
    }
    std::vector<double> heights;
    for (const Joint& joint : average_linkage(distances)) heights.push_back(joint.height);
    std::sort(heights.begin(), heights.end());
    const std::vector<double> plain = plain_heights(distances);
    ASSERT_EQ(heights.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(heights[i], plain[i], 1e-5);
  }
}

std::string topology_tree_refusal(std::string_view text) {
  return refusal([&] { parse_topology_conf(text, "topology.conf"); });
}

TEST(TopologyConf, OfAnyoneIsRead) {
  const TopologyTree tree = parse_topology_conf(
      "# made by hand\nswitchname=top Switches=s[0-1]\n\nSwitchName=s1 nodes=n[3-4],x "
      "LinkSpeed=100\nSwitchName=s0 "
      "Nodes=n[1-2] # left\n",
      "topology.conf");
  expect_is_tree(tree, 5);
  EXPECT_EQ(tree.switches.back().name, "top");
  EXPECT_EQ(topology_conf(tree, ""),
            "SwitchName=s1 Nodes=n[3-4],x\nSwitchName=s0 Nodes=n[1-2]\nSwitchName=top Switches=s[1,0]\n");
}

TEST(TopologyConf, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(topology_tree_refusal(""), HasSubstr("topology.conf:1: expected at least one line"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a\n"), HasSubstr("topology.conf:1: expected either"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes=b Switches=c\n"), HasSubstr("expected either"));
  EXPECT_THAT(topology_tree_refusal("Nodes=b\n"), HasSubstr("expected SwitchName"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes=b Color=red\n"), HasSubstr("found 'Color'"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes\n"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes=b\nSwitchName=a Nodes=c\n"),
              HasSubstr("conf:2: switch a is there twice"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes=b[\n"), HasSubstr("conf:1: host list"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Switches=b\n"), HasSubstr("has no line"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Nodes=x\nSwitchName=b Nodes=y\n"),
              HasSubstr("expected one root"));
  EXPECT_THAT(topology_tree_refusal("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
              HasSubstr("circle"));
  EXPECT_THAT(
      topology_tree_refusal("SwitchName=r Nodes=x\nSwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
      HasSubstr("circle"));
  EXPECT_THAT(
      topology_tree_refusal("SwitchName=r Switches=a,b\nSwitchName=a Nodes=x\nSwitchName=b Switches=a\n"),
      HasSubstr("below another one already"));
}

}  // namespace
}  // namespace unknot::slurm
