// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <string>

#include "refusal.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/slurm/topology/tree_error.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::slurm {
namespace {

using ::testing::HasSubstr;

std::string topology_yaml_refusal(std::string_view text) {
  return refusal([&] { parse_topology_yaml(text, "topology.yaml"); });
}

/// A topology of the name `t` with these switches.
std::string with_switches(const std::string& text) {
  return "- topology: t\n  tree:\n    switches:\n" + text;
}

TEST(TopologyYaml, HoldsTheSameTree) {
  const TopologyTree tree = topology_tree(make_network("xgft:m=2x2,w=2x1,terminals=4"));
  EXPECT_EQ(
      topology_yaml(tree, "two\nlines"),
      "# two\n# lines\n- topology: unknot\n  cluster_default: true\n  tree:\n    switches:\n"
      "      - switch: \"level2-0\"\n        children: \"level1-[0-1]\"\n"
      "      - switch: \"level1-1\"\n        children: \"S-[1,3]\"\n"
      "      - switch: \"level1-0\"\n        children: \"S-[0,2]\"\n"
      "      - switch: \"S-3\"\n        nodes: \"H-3\"\n      - switch: \"S-2\"\n        nodes: \"H-2\"\n"
      "      - switch: \"S-1\"\n        nodes: \"H-1\"\n      - switch: \"S-0\"\n        nodes: \"H-0\"\n");
}

TEST(TopologyYaml, EveryTreeOfTheCatalogueComesBack) {
  std::size_t trees = 0;
  for (const Topology& topology : topologies()) {
    if (topology.examples.empty()) continue;
    TopologyTree tree;
    try {
      tree = topology_tree(make_network(topology.examples.front()));
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("no path")) << topology.name;  // one-way multistage networks
      continue;
    }
    ++trees;
    // the levels of a file go from the root down
    const std::string yaml = topology_yaml(tree, topology.name);
    const TopologyTree again = parse_topology(yaml, "topology.yaml");
    ASSERT_EQ(again.switches.size(), tree.switches.size()) << topology.name;
    const Network network = make_network(topology.examples.front());
    EXPECT_DOUBLE_EQ(tree_error(network, again).rms, tree_error(network, tree).rms) << topology.name;
    const TopologyTree conf = parse_topology(topology_conf(tree, topology.name), "topology.conf");
    EXPECT_EQ(topology_conf(conf, ""), topology_conf(tree, "")) << topology.name;
    std::vector<std::string> names, expected;
    for (const auto& one : again.switches) names.push_back(one.name);
    for (const auto& one : tree.switches) expected.push_back(one.name);
    EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(expected)) << topology.name;
  }
  EXPECT_GE(trees, 20);
}

TEST(TopologyYaml, OfAnyoneIsRead) {
  const TopologyTree tree = parse_topology(
      "---\n- topology: flat\n  flat: true\n- topology: b\n  block:\n    block_sizes: [4]\n"
      "- topology: other\n  tree: {switches: [{switch: z, nodes: n9}]}\n"
      "- topology: t\n  cluster_default: true\n  tree:\n    switches:\n"
      "    - {switch: top, children: 's[0-1]'}\n    - switch: s0\n      nodes: n[1-2]\n    - switch: s1\n    "
      "  nodes: n3,x\n",
      "topology.yaml");
  EXPECT_EQ(topology_conf(tree, ""),
            "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n3,x\nSwitchName=top Switches=s[0-1]\n");
}

TEST(TopologyYaml, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(topology_yaml_refusal("topology: x\n"),
              HasSubstr("topology.yaml:1: expected a list of topologies"));
  EXPECT_THAT(topology_yaml_refusal("- 7\n"), HasSubstr("expected a topology"));
  EXPECT_THAT(topology_yaml_refusal("- topology: x\n  flat: true\n"), HasSubstr("no topology has a 'tree'"));
  EXPECT_THAT(topology_yaml_refusal("- topology: x\n  tree: 7\n"),
              HasSubstr("topology.yaml:2: expected a list 'switches'"));
  EXPECT_THAT(topology_yaml_refusal("- topology: x\n  tree: {switches: []}\n"),
              HasSubstr("expected a list 'switches'"));
  const std::string one = "tree: {switches: [{switch: a, nodes: n}]}\n";
  EXPECT_THAT(topology_yaml_refusal("- topology: x\n  " + one + "- topology: y\n  " + one),
              HasSubstr("2 topologies have a tree"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - a\n")),
              HasSubstr("topology.yaml:4: expected a switch"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - nodes: a\n")),
              HasSubstr("expected the switch's name"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - switch: a\n      node: b\n")),
              HasSubstr("topology.yaml:5: a switch has no 'node'; did you mean 'nodes'?"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - switch: a\n      nodes: [b]\n")),
              HasSubstr("expected a text for 'nodes'"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - switch: a\n      nodes: b[\n")),
              HasSubstr("topology.yaml:5: host list"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - switch: a\n")),
              HasSubstr("topology.yaml:4: expected either"));
  EXPECT_THAT(
      topology_yaml_refusal(with_switches("    - {switch: a, nodes: b}\n    - {switch: a, nodes: c}\n")),
      HasSubstr("topology.yaml:5: switch a is there twice"));
  EXPECT_THAT(topology_yaml_refusal(with_switches("    - {switch: a, children: a}\n")), HasSubstr("circle"));
}

}  // namespace
}  // namespace unknot::slurm
