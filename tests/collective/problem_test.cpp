// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/problem.hpp"

#include <gmock/gmock.h>

#include <set>

#include "collective/schedules.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;

template <class Work>
void expect_refused(Work work, const std::string& words) {
  try {
    work();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

TEST(NodeGraph, DirectNetworksAndTerminalsOfTheirOwn) {
  const NodeGraph direct(make_network("torus:4x4"));
  EXPECT_EQ(direct.node_count(), 16U);
  EXPECT_EQ(direct.arc_count(), 64U);
  EXPECT_FALSE(direct.has_terminal_nodes());
  EXPECT_TRUE(direct.has_endpoint(NodeId(15)));
  const NodeGraph fat(make_network("torus:4x4,p=2"));
  EXPECT_EQ(fat.node_count(), 16U + 32U);
  EXPECT_EQ(fat.arc_count(), 64U + 64U);
  EXPECT_FALSE(fat.has_endpoint(NodeId(15)));
  EXPECT_TRUE(fat.is_leaf(NodeId(16)));
  EXPECT_EQ(fat.out_capacity(NodeId(16)), 1U);
  const NodeGraph chosen(make_network("torus:4x4"), {NodeModel::terminals, LinkClass::full_duplex, 3});
  EXPECT_EQ(chosen.node_count(), 32U);
  EXPECT_EQ(chosen.out_capacity(NodeId(31)), 3U);
}

TEST(NodeGraph, ParallelChannelsAddUpAndLinksAreShared) {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_channel(RouterId(0), RouterId(1));
  builder.add_channel(RouterId(1), RouterId(2));
  builder.add_channel(RouterId(2), RouterId(0));
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
    const NodeGraph graph(network, {NodeModel::automatic, links, 1});
    const ArcId there = graph.find(NodeId(0), NodeId(1));
    const ArcId back = graph.find(NodeId(1), NodeId(0));
    EXPECT_EQ(graph.arc_count(), 4U);
    EXPECT_EQ(graph.capacity(there), 3U);
    EXPECT_EQ(graph.capacity(back), 2U);
    EXPECT_EQ(graph.link(there), graph.link(back));
    EXPECT_EQ(graph.link_capacity(graph.link(there)), links == LinkClass::half_duplex ? 3U : 5U);
    EXPECT_FALSE(graph.find(NodeId(2), NodeId(1)).valid());
    const NodeGraph reversed = graph.reversed();
    EXPECT_EQ(reversed.capacity(reversed.find(NodeId(1), NodeId(0))), 3U);
    EXPECT_FALSE(reversed.find(NodeId(1), NodeId(2)).valid());
    EXPECT_EQ(reversed.link_capacity(reversed.link(reversed.find(NodeId(0), NodeId(1)))),
              links == LinkClass::half_duplex ? 3U : 5U);
  }
}

TEST(NodeGraph, NoPathLeadsThroughATerminal) {
  const NodeGraph graph(make_network("ring:4,p=2"));
  std::vector<std::uint32_t> hops;
  graph.distances_from(NodeId(4), hops);
  EXPECT_EQ(hops, (std::vector<std::uint32_t>{1, 2, 3, 2, 0, 2, 3, 3, 4, 4, 3, 3}));
  graph.distances_to(NodeId(4), hops);
  EXPECT_EQ(hops[8], 4U);
}

TEST(Problem, CollectivesHaveTheirMessages) {
  const auto graph = testing::graph_of("ring:5");
  for (const CollectiveRow& row : collectives()) {
    const Problem problem = make_collective(graph, row.name);
    const bool rooted =
        row.participation == Participation::one_to_all || row.participation == Participation::all_to_one;
    const bool permutation = row.participation == Participation::one_to_one;  // the middle one has none
    const bool scan = row.participation == Participation::to_all_after;
    EXPECT_EQ(problem.messages(), rooted || permutation ? 4U : scan ? 10U : 20U) << row.name;
    const std::uint32_t groups = permutation || scan || row.name == "AOG" ? 4 : rooted ? 1 : 5;
    EXPECT_EQ(problem.groups(), groups) << row.name;
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      EXPECT_EQ(problem.group_of(problem.owner[g]), g);
      for (const NodeId n : problem.partners(g)) EXPECT_EQ(problem.partner[problem.message_of(g, n)], n);
    }
    EXPECT_EQ(problem.message_of(0, problem.owner[0]), Problem::kNone);
    const Problem back = time_reversed(time_reversed(problem));
    EXPECT_EQ(back.owner, problem.owner) << row.name;
    EXPECT_EQ(back.partner, problem.partner) << row.name;
    EXPECT_EQ(back.delivery, problem.delivery) << row.name;
  }
}

TEST(Problem, GroupsHaveTheMessagesOfEachAlone) {
  Participants both;
  both.groups = {nodes({4, 1, 6}), nodes({7, 0}), nodes({3})};
  const auto graph = testing::graph_of("hypercube:3");
  for (const CollectiveRow& row : collectives()) {
    const Problem together = make_collective(graph, row.name, both);
    std::set<MessageEnds> expected;
    for (const std::vector<NodeId>& group : *both.groups) {
      if (group.size() < 2) continue;
      Participants alone;
      alone.nodes = group;
      const Problem one = make_collective(graph, row.name, alone);
      for (std::uint32_t g = 0; g < one.groups(); ++g) {
        for (const NodeId n : one.partners(g)) expected.insert({one.owner[g], n});
      }
    }
    std::set<MessageEnds> found;
    for (std::uint32_t g = 0; g < together.groups(); ++g) {
      for (const NodeId n : together.partners(g)) found.insert({together.owner[g], n});
    }
    EXPECT_EQ(found, expected) << row.name;
  }
}

TEST(Problem, RefusesWhatGroupsCannotBe) {
  const auto make = [](const Participants& who) { (void)testing::problem_on("ring:6", "AAB", who); };
  Participants who;
  who.groups = {nodes({0, 1}), nodes({2, 1})};
  expect_refused([&] { make(who); }, "AAB: node 1 is of groups 0 and 1");
  who.groups = {nodes({0, 1}), nodes({2, 6})};
  expect_refused([&] { make(who); }, "AAB: group 1: there is no node 6");
  who.groups = {nodes({0, 1}), {}};
  expect_refused([&] { make(who); }, "AAB: group 1 has no node");
  who.groups = {nodes({0}), nodes({1})};
  expect_refused([&] { make(who); }, "there is no message");
  who.groups.emplace();
  expect_refused([&] { make(who); }, "there is no message");
  who.groups = {nodes({0, 1})};
  who.root = NodeId(0);
  expect_refused([&] { make(who); }, "AAB: groups say who takes part, and roots are their first nodes");
}

TEST(Problem, RolesAreThoseOfTheMessages) {
  Participants who;
  who.transmitters = nodes({0, 1});
  who.receivers = nodes({1, 2});
  const std::vector<Role> expected = {Role::transmitter, Role::both, Role::receiver, Role::switch_only};
  EXPECT_EQ(testing::problem_on("ring:4", "MNS", who).roles(), expected);
  EXPECT_EQ(testing::problem_on("ring:4", "MNB", who).roles(), expected);
  Participants root;
  root.root = NodeId(2);
  const std::vector<Role> reduced = {Role::transmitter, Role::transmitter, Role::receiver, Role::transmitter};
  EXPECT_EQ(testing::problem_on("ring:4", "AOR", root).roles(), reduced);
}

TEST(Problem, RefusesWhatCannotBe) {
  const auto make = [](const char* name, const Participants& who, const char* spec = "ring:4") {
    (void)testing::problem_on(spec, name, who);
  };
  Participants who;
  who.root = NodeId(4);
  expect_refused([&] { make("OAS", who); }, "OAS: root 4 is no transmitter");
  expect_refused([&] { make("AOR", who); }, "AOR: root 4 is no receiver");
  expect_refused([&] { make("AAS", who); }, "AAS has no root");
  expect_refused([&] { make("OAX", {}); }, "unknown collective 'OAX'");
  who = {};
  who.transmitters = nodes({});
  expect_refused([&] { make("MNS", who); }, "there is no transmitter");
  who.transmitters = nodes({1, 9});
  expect_refused([&] { make("MNS", who); }, "there is no node 9; nodes are 0 to 3");
  who.transmitters = nodes({1});
  who.receivers = nodes({1});
  expect_refused([&] { make("MNB", who); }, "there is no message");
  who.receivers = nodes({5});
  expect_refused([&] { make("MNB", who, "ring:4,p=2"); }, "node 1 is a switch; terminals are nodes 4 to 11");
  ProblemRules rules;
  rules.send_ports = 0;
  expect_refused([&] { (void)make_collective(testing::graph_of("ring:4"), "AAS", {}, rules); },
                 "one port or more");
}

TEST(Problem, FaultsMakeANewNetworkAndCutOffReceivers) {
  const Network ring = make_network("uniring:3");
  Faults faults;
  faults.channels = {ChannelId(1)};
  const auto broken = std::make_shared<const NodeGraph>(with_faults(ring, faults));
  expect_refused([&] { (void)make_collective(broken, "AAS"); },
                 "node 2 cannot receive: no channel enters it");
  Participants from;
  from.transmitters = nodes({1});
  from.receivers = nodes({0});
  expect_refused([&] { (void)make_collective(broken, "MNS", from); },
                 "node 1 cannot send: no channel leaves it");
  Participants who;
  who.transmitters = nodes({2});
  who.receivers = nodes({0, 1});
  EXPECT_EQ(make_collective(broken, "MNS", who).messages(), 2U);
  Faults middle;  // 0 - 1 - 2 - 3 in two halves
  const Network line = make_network("mesh:4");
  for (const ChannelId c : line.channels()) {
    if (line.source(c).value + line.target(c).value == 3) middle.channels.push_back(c);
  }
  const auto halves = std::make_shared<const NodeGraph>(with_faults(line, middle));
  expect_refused([&] { (void)make_collective(halves, "OAB"); }, "no path leads from node 0 to node 2");
  expect_refused([&] { (void)make_collective(halves, "AOR"); }, "no path leads from node 2 to node 0");
}

TEST(Problem, ListsOfNodesAndMessages) {
  const auto graph = testing::graph_of("ring:8");
  EXPECT_EQ(parse_node_list(*graph, "0-2,7,1", "--x"), nodes({0, 1, 2, 7}));
  expect_refused([&] { (void)parse_node_list(*graph, "0-8", "--x"); },
                 "--x: there is no node 8; nodes are 0 to 7");
  expect_refused([&] { (void)parse_node_list(*graph, "3-1", "--x"); }, "the range 3-1 runs backwards");
  expect_refused([&] { (void)parse_node_list(*graph, "1,,2", "--x"); }, "expected a node number, found ',2'");
  expect_refused([&] { (void)parse_node_list(*graph, "1;2", "--x"); }, "expected ',' or '-', found ';2'");

  const std::vector<MessageEnds> list = parse_message_list(*graph, "# who\n0 1 2\n\n 7 0 # one\n", "f");
  EXPECT_EQ(list, (std::vector<MessageEnds>{
                      {NodeId(0), NodeId(1)}, {NodeId(0), NodeId(2)}, {NodeId(7), NodeId(0)}}));
  expect_refused([&] { (void)parse_message_list(*graph, "0 1\n2\n", "f"); },
                 "f:2: expected a node and those");
  expect_refused([&] { (void)parse_message_list(*graph, "0 1,2\n", "f"); }, "f:1: expected a blank");
  expect_refused([&] { (void)parse_message_list(*graph, "0 9\n", "f"); }, "f:1: there is no node 9");
}

}  // namespace
}  // namespace unknot
