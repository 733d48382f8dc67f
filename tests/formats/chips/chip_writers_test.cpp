// SPDX-License-Identifier: Apache-2.0
// What writers for generators refuse; what they write is read in tests/chips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/table_samples.hpp"
#include "refusal.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;

/// Shortest ways on a line of three routers with two terminals each.
struct Line {
  Network network = make_network("mesh:3,p=2");
  Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
};

TEST(ChipWriters, NamesOfFilesAreNamesOfTheLanguage) {
  const Line line;
  const test::ScratchFolder folder;
  const auto said = [&](const char* format, const char* name) {
    return refusal([&] { write_tables(line.network, line.routing, format, folder.file(name)); });
  };
  for (const char* name : {"3x3.py", "a-b.py", "class.py", "mesh", "mesh.txt", ".py"})
    EXPECT_THAT(said("garnet", name), HasSubstr("expected a name such as My_Mesh.py")) << name;
  for (const char* name : {"mesh.scala", "A_B.scala", "3.scala", "Mesh"})
    EXPECT_THAT(said("constellation", name), HasSubstr("expected a name such as MyMesh.scala")) << name;
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("")));
  EXPECT_EQ(said("garnet", "My_Mesh3.py"), "");
  EXPECT_EQ(said("constellation", "MyMesh3.scala"), "");
}

TEST(ChipWriters, WhatTheyCannotHoldGetsOneSentence) {
  const test::ScratchFolder folder;
  const auto said = [&](const Network& network, const Routing& routing) {
    std::vector<std::string> sentences;
    for (const auto& kind : {std::pair("garnet", "A.py"), std::pair("constellation", "A.scala")})
      sentences.push_back(
          refusal([&] { write_tables(network, routing, kind.first, folder.file(kind.second)); }));
    return sentences;
  };
  using testing::ElementsAre;
  const Line line;
  Routing changed = line.routing;
  changed.flow_control = FlowControl::bubble;
  EXPECT_THAT(said(line.network, changed),
              ElementsAre(HasSubstr("no bubble flow control"), HasSubstr("no bubble flow control")));
  changed = line.routing;
  changed.further.push_back(line.routing);
  EXPECT_THAT(said(line.network, changed), ElementsAre(HasSubstr("have several"), HasSubstr("have several")));
  changed = line.routing;
  changed.table().set(RouterId(0), TerminalId(4), ForwardingTable::kNone);
  EXPECT_THAT(said(line.network, changed),
              ElementsAre(HasSubstr("by different links"), HasSubstr("has no link to take")));
  changed.table().set(RouterId(0), TerminalId(5), ForwardingTable::kNone);
  EXPECT_THAT(said(line.network, changed),
              ElementsAre(HasSubstr("has no link to take"), HasSubstr("has no link to take")));
  NetworkBuilder builder;
  builder.add_routers(2);
  for (int i = 0; i < 2; ++i) builder.add_cable(RouterId(0), RouterId(1));
  for (std::uint32_t r = 0; r < 2; ++r) builder.add_terminal(RouterId(r));
  const Network twice = std::move(builder).build();
  const Routing any = test::some_routing(twice, ServiceLevels::Rows::none, 1, 1);
  EXPECT_THAT(said(twice, any),
              ElementsAre(R"(Garnet cannot hold the parallel cables between "S-0" and "S-1")",
                          R"(Constellation cannot hold the parallel cables between "S-0" and "S-1")"));
}

}  // namespace
}  // namespace unknot
