// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/thesis_file.hpp"

#include <gmock/gmock.h>

#include "collective/schedules.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;

constexpr const char* kSmall =
    "# nodes, and most links\n"
    "4 3   # of each\n"
    "\n"
    "0 T 1 1 2\n"
    "2 N 3\n"
    "1 B 0 2\n"
    "3 R 0\n";

TEST(ThesisFile, ReadsNodesRolesAndNeighbours) {
  const ThesisInput input = parse_thesis_input(kSmall, "f");
  EXPECT_EQ(input.roles,
            (std::vector<Role>{Role::transmitter, Role::both, Role::switch_only, Role::receiver}));
  EXPECT_EQ(input.with_role(Role::transmitter), nodes({0, 1}));
  EXPECT_EQ(input.with_role(Role::receiver), nodes({1, 3}));
  EXPECT_EQ(input.network.router_count(), 4U);
  EXPECT_EQ(input.network.channel_count(), 7U);
  EXPECT_EQ(input.network.terminal_count(), 3U);
  const NodeGraph graph(input.network, {NodeModel::routers, LinkClass::half_duplex, 1});
  EXPECT_EQ(graph.capacity(graph.find(NodeId(0), NodeId(1))), 2U);
  EXPECT_EQ(graph.link_capacity(graph.link(graph.find(NodeId(1), NodeId(0)))), 2U);  // a cable and a channel
  EXPECT_FALSE(graph.find(NodeId(2), NodeId(0)).valid());
  EXPECT_TRUE(looks_like_thesis_input(kSmall));
  for (const char* other : {"", "# x\n", "4 3\n", "0 1\n1 2\n", "4 3 2\n0 T\n", "{\"format\": 1}"})
    EXPECT_FALSE(looks_like_thesis_input(other)) << other;
}

TEST(ThesisFile, WhatIsWrittenReadsBackTheSame) {
  Participants who;
  who.transmitters = nodes({0, 1, 2});
  who.receivers = nodes({2, 3});
  for (const char* spec : {"mesh:3x3", "uniring:5", "torus:2x3", "kautz:b=2,n=2,oriented=1"}) {
    const Problem problem = testing::problem_on(spec, "MNS", who);
    const std::string text = thesis_input(problem);
    const ThesisInput input = parse_thesis_input(text, "again");
    EXPECT_EQ(input.roles, problem.roles());
    Participants same;
    same.transmitters = input.with_role(Role::transmitter);
    same.receivers = input.with_role(Role::receiver);
    const auto graph = std::make_shared<const NodeGraph>(
        input.network, NodeGraphOptions{NodeModel::routers, LinkClass::full_duplex, 1});
    EXPECT_EQ(thesis_input(make_collective(graph, "MNS", same)), text) << spec;
  }
  // terminals of their own become nodes with one neighbour
  const ThesisInput fat = parse_thesis_input(thesis_input(testing::problem_on("ring:3,p=2", "AAS")), "fat");
  EXPECT_EQ(fat.network.router_count(), 9U);
  EXPECT_EQ(fat.with_role(Role::both).size(), 6U);
}

TEST(ThesisFile, SaysWhereItIsMalformed) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& one : {
           Case{"", "f: the file is empty"},
           Case{"# only\n", "f: the file is empty"},
           Case{"x 4\n", "f:1: expected the number of nodes"},
           Case{"0 4\n", "f:1: expected the number of nodes"},
           Case{"2\n", "f:1: expected the largest number of links"},
           Case{"2 1 1\n", "f:1: expected nothing after the two numbers, found '1'"},
           Case{"2 1\n0 T 1\n", "f:2: node 1 is missing"},
           Case{"2 1\n0 T 1\n2 R 0\n", "f:3: expected a node, 0 to 1, found '2 R 0'"},
           Case{"2 1\n0 T 1\n0 R 1\n", "f:3: node 0 comes a second time"},
           Case{"2 1\n0 X 1\n", "f:2: expected what node 0 does, T, R, B or N, found 'X 1'"},
           Case{"2 1\n0 1\n", "f:2: expected what node 0 does"},
           Case{"2 1\n0 T 0\n", "f:2: node 0 is its own neighbour"},
           Case{"2 1\n0 T 1 1\n", "f:2: node 0 has more than 1 neighbours"},
           Case{"2 1\n0 T 2\n", "f:2: expected a neighbour of node 0, 0 to 1, found '2'"},
           Case{"2 1\n0 R 1\n1 R 0\n", "f: there is no transmitter"},
           Case{"2 1\n0 T 1\n1 N 0\n", "f: there is no receiver"},
       }) {
    try {
      (void)parse_thesis_input(one.text, "f");
      ADD_FAILURE() << one.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(one.message)) << one.text;
    }
  }
}

TEST(ThesisFile, DamagedTextsAreRefusedOrMakeANetwork) {
  std::uint32_t read = 0, refused = 0;
  testing::for_damaged_texts(kSmall, "0123TRBN #\n ", [&](const std::string& text) {
    try {
      const ThesisInput input = parse_thesis_input(text, "f");
      ++read;
      EXPECT_EQ(input.roles.size(), input.network.router_count());
      EXPECT_FALSE(input.with_role(Role::transmitter).empty());
      EXPECT_FALSE(input.with_role(Role::receiver).empty());
    } catch (const InputError&) {
      ++refused;
    }
  });
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace unknot
