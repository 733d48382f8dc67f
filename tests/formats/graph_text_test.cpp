// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/graph/graph_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Two routers on different levels, a cable, a terminal, a service node; a name that needs care.
Network small(bool one_way) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), 2, RouterId(1), 1, link_rate_from("4xHDR"));
  if (one_way) builder.add_channel(RouterId(1), 3, RouterId(0), 3);
  builder.add_terminal(RouterId(0), 1);
  builder.labels().router_name = {"leaf \"<1>\" & \\", "sp\xFFine"};
  builder.labels().service_nodes = {{RouterId(1), 2, 0xA, 0xB, 9, 0, "agg"}};
  builder.set_levels({0, 1});
  builder.set_description("small");
  return std::move(builder).build();
}

TEST(Dot, ListsDevicesAndCables) {
  EXPECT_EQ(write_dot(small(false)),
            "graph \"small\" {\n"
            "  r0 [kind=router, shape=box, label=\"leaf \\\"<1>\\\" & \\\\\", level=0];\n"
            "  r1 [kind=router, shape=box, label=\"sp?ine\", level=1];\n"
            "  { rank=same; r0; }\n"
            "  { rank=same; r1; }\n"
            "  t0 [kind=terminal, shape=circle, label=\"H-0\"];\n"
            "  s0 [kind=service, shape=diamond, label=\"agg\", guid=\"0x000000000000000b\", "
            "node_guid=\"0x000000000000000a\", lid=9];\n"
            "  r0 -- r1 [taillabel=\"2\", headlabel=\"1\", label=\"4xHDR\"];\n"
            "  r0 -- t0 [taillabel=\"1\"];\n"
            "  r1 -- s0 [taillabel=\"2\"];\n"
            "}\n");
}

TEST(Dot, HasArcsWhereALinkIsOneWay) {
  const std::string text = write_dot(small(true));
  EXPECT_THAT(text, HasSubstr("digraph"));
  EXPECT_THAT(text, HasSubstr("r0 -> r1 [taillabel=\"2\", headlabel=\"1\""));
  EXPECT_THAT(text, HasSubstr("r1 -> r0 [taillabel=\"1\", headlabel=\"2\""));
  EXPECT_THAT(text, HasSubstr("r1 -> r0 [taillabel=\"3\", headlabel=\"3\"]"));
  EXPECT_THAT(text, HasSubstr("r0 -> t0 [taillabel=\"1\", dir=none]"));
}

TEST(Graphml, HasTypedKeysAndEscapesNames) {
  const std::string text = write_graphml(small(true));
  EXPECT_THAT(
      text, HasSubstr("<key id=\"source_port\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>"));
  EXPECT_THAT(text, HasSubstr("<data key=\"name\">leaf &quot;&lt;1&gt;&quot; &amp; \\</data>"));
  EXPECT_THAT(text, HasSubstr("<data key=\"name\">sp?ine</data>"));
  EXPECT_THAT(text, HasSubstr("<edge source=\"r0\" target=\"r1\"><data key=\"source_port\">2</data><data "
                              "key=\"target_port\">1</data><data key=\"rate\">4xHDR</data></edge>"));
  EXPECT_THAT(
      text,
      HasSubstr("<edge source=\"r1\" target=\"r0\" directed=\"true\"><data key=\"source_port\">3</data>"));
  EXPECT_THAT(text,
              HasSubstr("<node id=\"s0\"><data key=\"kind\">service</data><data key=\"name\">agg</data><data "
                        "key=\"guid\">0x000000000000000b</data><data key=\"lid\">9</data>"
                        "<data key=\"node_guid\">0x000000000000000a</data></node>"));
}

TEST(Anynet, ListsEachCableAtBothRouters) {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(2), RouterId(1));
  builder.add_cable(RouterId(0), RouterId(2));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(2));
  builder.add_terminal(RouterId(0));
  EXPECT_EQ(write_anynet(std::move(builder).build()),
            "router 0 node 0 node 1 router 2\n"
            "router 1 router 2\n"
            "router 2 node 2 router 0 router 1\n");
}

TEST(Anynet, RefusesWhatItWouldLose) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(0), RouterId(1));
  const Network parallel = std::move(builder).build();
  EXPECT_THAT([&] { write_anynet(parallel); },
              ThrowsMessage<InputError>(
                  "an anynet file cannot hold the parallel cables between \"S-0\" and \"S-1\""));
  EXPECT_THAT([&] { write_anynet(small(true)); },
              ThrowsMessage<InputError>(HasSubstr("an anynet file cannot hold one-way links such as")));
}

TEST(WriteFabric, KnowsTheFormatsItWrites) {
  const std::string path = testing::TempDir() + "unknot-write-fabric.dot";
  write_fabric(small(false), "dot", path);
  EXPECT_EQ(read_file(path), write_dot(small(false)));
  EXPECT_THAT([&] { write_fabric(small(false), "ibism", path); },
              ThrowsMessage<InputError>(HasSubstr("'ibsim'")));
  EXPECT_THAT([&] { write_fabric(small(false), "subnet-list", path); },
              ThrowsMessage<InputError>(Not(HasSubstr("there are: subnet-list"))));
  EXPECT_EQ(read_file(path), write_dot(small(false)));
}

}  // namespace
}  // namespace unknot
