// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot::slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHead = "dims = [4, 2]\nnodes = \"n[1-8]\"\ndirectory = \"t\"\n";

std::string cluster_refusal(const std::string& text) {
  return refusal([&] { (void)parse_cluster(text, "c.toml"); });
}

TEST(ClusterConfiguration, ExampleIsTaken) {
  const Cluster cluster = parse_cluster(example_cluster(), "folder/cluster.toml");
  EXPECT_EQ(cluster.machine.router_count(), 32U);
  EXPECT_EQ(cluster.machine.channel_count(), 160U);
  EXPECT_EQ(cluster.machine.terminal_name(TerminalId(31)), "node32");
  EXPECT_EQ(cluster.machine.coordinates()->value[31 * 4], 3U);
  EXPECT_TRUE(cluster.machine.coordinates()->wraps);
  EXPECT_TRUE(cluster.faults.routers.empty());
  EXPECT_EQ(cluster.directory, "folder/job-tables");
  EXPECT_EQ(cluster.log, "folder/unknot-slurm.log");
  EXPECT_EQ(cluster.engine, "angara-opt:time=2");
  EXPECT_EQ(cluster.transit, Transit::own);
  EXPECT_EQ(cluster.time_limit, 10);
  EXPECT_TRUE(cluster.notes.empty());
}

TEST(ClusterConfiguration, CoordinatesLeavePlacesWithoutNodes) {
  const Cluster cluster = parse_cluster(
      "dims = [2, 3]\ndirectory = \"/t\"\ntransit = \"any\"\n[coordinates]\nb = [1, 2]\na = [0, 0]\n",
      "c.toml");
  EXPECT_EQ(cluster.machine.terminal_name(TerminalId(0)), "a");
  EXPECT_EQ(cluster.machine.terminal_name(TerminalId(5)), "b");
  EXPECT_THAT(cluster.faults.routers, ElementsAre(RouterId(1), RouterId(2), RouterId(3), RouterId(4)));
  EXPECT_EQ(cluster.transit, Transit::any);
  EXPECT_EQ(cluster.directory, "/t");
}

TEST(ClusterConfiguration, FailuresAndWhatIsOddAboutThem) {
  const Cluster cluster = parse_cluster(
      std::string(kHead) + "failed_nodes = \"n[2,5]\"\nfailed_links = [[\"n1\", \"n2\"], [\"n3\", \"n4\"]]\n",
      "c.toml");
  EXPECT_THAT(cluster.faults.routers, ElementsAre(RouterId(1), RouterId(4)));
  EXPECT_EQ(cluster.faults.channels.size(), 4U);
  EXPECT_THAT(
      cluster.notes,
      ElementsAre(
          "c.toml:5: the failed link of n1 and n2 is at failed node n2, whose links count as failed anyway"));
}

TEST(ClusterConfiguration, EveryMistakeIsOneSentenceWithItsPlace) {
  const std::string head = kHead;
  const std::string no_nodes = "dims = [4, 2]\ndirectory = \"t\"\n";
  EXPECT_EQ(cluster_refusal(head), "");
  EXPECT_THAT(cluster_refusal(head + "transt = \"own\"\n"),
              HasSubstr("c.toml:4: unknown key 'transt'; did you mean 'transit'?"));
  EXPECT_THAT(cluster_refusal(head + "x"), HasSubstr("c.toml:4: "));
  EXPECT_THAT(cluster_refusal(head + "engine = \"angara-sssp\"\nengine = \"x\"\n"), HasSubstr("c.toml:5: "));
  EXPECT_EQ(cluster_refusal(head + "transit = \"all\"\n"),
            "c.toml:4: transit: transit is 'own' or 'any', not 'all'");
  EXPECT_EQ(cluster_refusal(head + "transit = 3\n"), "c.toml:4: 'transit' is not text");
  EXPECT_THAT(cluster_refusal(head + "engine = \"angara-sspp\"\n"),
              HasSubstr("c.toml:4: engine: unknown engine"));
  EXPECT_THAT(cluster_refusal(head + "engine = \"minhop\"\n"),
              HasSubstr("c.toml:4: engine: minhop makes no routes of an Angara torus"));
  EXPECT_THAT(cluster_refusal(head + "engine = \"angara-sssp:turns=some\"\n"),
              HasSubstr("c.toml:4: engine: "));
  EXPECT_EQ(cluster_refusal(head + "time_limit = 0\n"),
            "c.toml:4: 'time_limit' is not a number from 0.001 to 86400");
  EXPECT_EQ(cluster_refusal(head + "time_limit = nan\n"),
            "c.toml:4: 'time_limit' is not a number from 0.001 to 86400");
  EXPECT_EQ(cluster_refusal(head + "shared_nodes = 1\n"), "c.toml:4: 'shared_nodes' is not true or false");
  EXPECT_EQ(cluster_refusal(head + "threads = -1\n"),
            "c.toml:4: 'threads' is not a whole number from 0 to 1024");
  EXPECT_EQ(cluster_refusal("dims = [4, 2]\nnodes = \"n[1-8]\"\n"),
            "c.toml: 'directory' is missing: a folder");
  EXPECT_EQ(cluster_refusal("nodes = \"n[1-8]\"\n"),
            "c.toml: 'dims' is missing: the size of each dimension, as [4, 2, 2, 2]");
  EXPECT_EQ(cluster_refusal("dims = [4, 0]\n"),
            "c.toml:1: a size in 'dims' is not a whole number from 2 to 128");
  EXPECT_EQ(cluster_refusal("dims = [4, 1]\n"),
            "c.toml:1: a size in 'dims' is not a whole number from 2 to 128");
  EXPECT_EQ(cluster_refusal("dims = []\n"), "c.toml:1: 'dims' has 0 sizes, expected 1 to 6");
  EXPECT_EQ(cluster_refusal("dims = 4\n"), "c.toml:1: 'dims' is not a list");
  EXPECT_THAT(cluster_refusal("dims = [128, 128, 128]\n"), HasSubstr("more than 65536 places"));
  EXPECT_THAT(cluster_refusal(no_nodes), HasSubstr("c.toml:1: give 'nodes'"));
  EXPECT_THAT(cluster_refusal(head + "[coordinates]\nn1 = [0, 0]\n"), HasSubstr("one of them"));
  EXPECT_EQ(cluster_refusal("dims = [4, 2]\nnodes = \"n[1-7]\"\n"),
            "c.toml:2: 'nodes' names 7 nodes, and a torus of 4x2 has 8 places");
  EXPECT_EQ(cluster_refusal("dims = [4, 2]\nnodes = \"n[1-8\"\n"),
            "c.toml:2: nodes: host list 'n[1-8', character 2: '[' without ']'");
  EXPECT_EQ(cluster_refusal("dims = [2]\nnodes = \"a,a\"\n"), "c.toml:2: node a is named twice");
  EXPECT_EQ(cluster_refusal("dims = [2]\nnodes = \"a,../b\"\n"),
            "c.toml:2: '../b' cannot be the name of a node, nor of its file");
  EXPECT_EQ(cluster_refusal(no_nodes + "[coordinates]\na = [0, 0]\nb = [0, 0]\n"),
            "c.toml:5: nodes a and b have the same coordinates");
  EXPECT_EQ(cluster_refusal(no_nodes + "[coordinates]\na = [0, 2]\n"),
            "c.toml:4: coordinate 2 of a is not a whole number from 0 to 1");
  EXPECT_EQ(cluster_refusal(no_nodes + "[coordinates]\na = [0]\n"),
            "c.toml:4: the place of a has 1 coordinates, and the torus has 2 dimensions");
  EXPECT_EQ(cluster_refusal(no_nodes + "[coordinates]\n"), "c.toml:3: 'coordinates' names no node");
  EXPECT_EQ(cluster_refusal(head + "failed_nodes = \"n9\"\n"), "c.toml:4: no node is called 'n9'");
  EXPECT_EQ(cluster_refusal(head + "failed_links = [[\"n1\", \"n4\"]]\n"),
            "c.toml:4: no link joins n1 and n4");
  EXPECT_EQ(cluster_refusal(head + "failed_links = [\"n1\"]\n"),
            "c.toml:4: a link is given by the two nodes it joins, as [\"node01\", \"node02\"]");
  EXPECT_THAT(cluster_refusal("dims = [2]\n[$x]\n"), HasSubstr("c.toml:2: "));
  EXPECT_THAT(cluster_refusal("dims = [2]\n[\x02x]\n"), HasSubstr("c.toml:2: "));
  EXPECT_NE(cluster_refusal("\xff\xfe"), "");
}

}  // namespace
}  // namespace unknot::slurm
