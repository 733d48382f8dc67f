// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/node_layout.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "drawing/cases.hpp"
#include "unknot/drawing/arc_curves.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"

namespace unknot::drawing {
namespace {

struct Laid {
  explicit Laid(const std::string& spec)
      : network(make_network(spec)), graph(network), layout(layout_nodes(network, graph)) {}
  Network network;
  NodeGraph graph;
  NodeLayout layout;
  [[nodiscard]] Point at(std::uint32_t node) const { return layout.places[node].at; }
};

TEST(NodeLayout, PlacesAreApartAndArcsLeadFromNodeToNode) {
  std::vector<std::string> specs = testing::drawn_topologies();
  for (const Topology& family : topologies())
    specs.insert(specs.end(), family.examples.begin(), family.examples.end());
  std::uint32_t drawn = 0;
  for (const std::string& spec : specs) {
    const Network network = make_network(spec);
    const NodeGraph graph(network);
    if (graph.node_count() > 120) continue;
    ++drawn;
    const NodeLayout layout = layout_nodes(network, graph);
    ASSERT_GE(layout.places.size(), graph.node_count()) << spec;
    for (std::uint32_t i = 0; i < layout.places.size(); ++i) {
      const Place& place = layout.places[i];
      if (i < graph.node_count()) {
        EXPECT_EQ(place.node, NodeId(i)) << spec;
      }
      EXPECT_GE(std::min(place.at.x, place.at.y), -1e-9) << spec;
      EXPECT_LE(place.at.x, layout.size.x + 1e-9) << spec;
      EXPECT_LE(place.at.y, layout.size.y + 1e-9) << spec;
      for (std::uint32_t j = 0; j < i; ++j)
        EXPECT_GE(length(place.at - layout.places[j].at), 0.5) << spec << ' ' << i << ' ' << j;
    }
    for (const ArcId a : graph.arcs()) {
      EXPECT_EQ(layout.places[layout.tail_place[a.value]].node, graph.tail(a)) << spec;
      EXPECT_EQ(layout.places[layout.head_place[a.value]].node, graph.head(a)) << spec;
    }
  }
  EXPECT_GT(drawn, 70U);
}

TEST(NodeLayout, SwitchesStandAboveTheRoutersWithTerminals) {
  // as read from a fabric, which says no levels: three leaves, two spines, every other number
  NetworkBuilder builder;
  std::vector<RouterId> routers;
  for (int i = 0; i < 5; ++i) routers.push_back(builder.add_router());
  for (const int leaf : {0, 2, 4}) {
    builder.add_terminal(routers[leaf]);
    for (const int spine : {1, 3}) builder.add_cable(routers[leaf], routers[spine]);
  }
  const Network network = std::move(builder).build();
  const auto places = layer_places(network);
  ASSERT_TRUE(places);
  EXPECT_DOUBLE_EQ((*places)[0].y, (*places)[2].y);
  EXPECT_DOUBLE_EQ((*places)[0].y, (*places)[4].y);
  EXPECT_DOUBLE_EQ((*places)[1].y, (*places)[3].y);
  EXPECT_LT((*places)[1].y, (*places)[0].y);  // y leads down
}

TEST(NodeLayout, GridsStandInRowsAndColumns) {
  const Laid mesh("mesh:3x4");  // numbered along the last dimension
  EXPECT_DOUBLE_EQ(mesh.at(0).y, mesh.at(3).y);
  EXPECT_DOUBLE_EQ(mesh.at(0).x, mesh.at(8).x);
  EXPECT_LT(mesh.at(0).x, mesh.at(1).x);
  EXPECT_LT(mesh.at(0).y, mesh.at(4).y);
  const Laid line("mesh:1x6");
  EXPECT_DOUBLE_EQ(line.layout.size.y, 0);
  const Network broken =
      with_faults(make_network("mesh:3x4"), parse_faults(make_network("mesh:3x4"), "cable-count=1,seed=2"));
  const NodeLayout same = layout_nodes(broken, NodeGraph(broken));
  EXPECT_DOUBLE_EQ(same.places[11].at.x, mesh.at(11).x);
}

TEST(NodeLayout, RingsStandInACircle) {
  for (const char* spec : {"ring:7", "uniring:7", "spidergon:8", "hyperx:5"}) {
    const Laid ring(spec);
    const Point centre = 0.5 * ring.layout.size;
    const double side = length(ring.at(0) - ring.at(1));
    for (std::uint32_t n = 0; n < ring.network.router_count(); ++n) {
      const std::uint32_t next = (n + 1) % ring.network.router_count();
      EXPECT_NEAR(length(ring.at(n) - ring.at(next)), side, 1e-9) << spec << centre.x;
    }
  }
}

TEST(NodeLayout, TreesStandInLayersAndStagesFromLeftToRight) {
  const Laid tree("fulltree:7");
  EXPECT_DOUBLE_EQ(tree.at(0).y, 0);
  EXPECT_DOUBLE_EQ(tree.at(1).y, tree.at(2).y);
  EXPECT_DOUBLE_EQ(tree.at(3).y, tree.at(6).y);
  EXPECT_NEAR(tree.at(1).x, (tree.at(3).x + tree.at(4).x) / 2, 1e-9);
  const Laid fat("kary-ntree:k=2,n=3");
  for (const ChannelId c : fat.network.channels()) {
    const RouterId a = fat.network.source(c);
    const RouterId b = fat.network.target(c);
    const auto levels = fat.network.levels();
    EXPECT_EQ(levels[a.value] > levels[b.value], fat.at(a.value).y < fat.at(b.value).y);
  }
  const Laid stages("omega:8");
  EXPECT_EQ(stages.layout.places.size(),
            stages.graph.node_count() + 16U);  // leaf routers and terminals twice
  for (const ArcId a : stages.graph.arcs()) {
    EXPECT_LT(stages.layout.places[stages.layout.tail_place[a.value]].at.x,
              stages.layout.places[stages.layout.head_place[a.value]].at.x);
  }
}

TEST(ArcCurves, AreClearOfOtherNodesAndShowBothDirections) {
  for (const char* spec : {"hypercube:3", "hypercube:4", "mesh:4x4", "torus:4x4", "torus:8x8", "hyperx:4x3",
                           "spidergon:16", "fattree:8", "omega:8", "torus:4x4,p=2", "petersen"}) {
    const Laid one(spec);
    const Scale scale;
    const std::vector<Curve> curves = arc_curves(one.graph, one.layout, scale);
    ASSERT_EQ(curves.size(), one.graph.arc_count());
    for (const ArcId a : one.graph.arcs()) {
      const std::uint32_t tail = one.layout.tail_place[a.value];
      const std::uint32_t head = one.layout.head_place[a.value];
      EXPECT_NEAR(length(curves[a.value].p[0] - scale.unit * one.layout.places[tail].at), scale.radius, 0.01)
          << spec;
      EXPECT_NEAR(length(curves[a.value].p[3] - scale.unit * one.layout.places[head].at), scale.radius, 0.01)
          << spec;
      for (std::uint32_t i = 0; i < one.layout.places.size(); ++i) {
        if (i == tail || i == head) continue;
        for (double t = 0; t <= 1; t += 1.0 / 64)
          EXPECT_GT(length(curves[a.value].at(t) - scale.unit * one.layout.places[i].at), scale.radius)
              << spec << ' ' << one.graph.tail(a).value << ' ' << one.graph.head(a).value;
      }
      const ArcId back = one.graph.find(one.graph.head(a), one.graph.tail(a));
      if (back.valid() && one.layout.tail_place[back.value] == head) {
        const double apart = length(curves[a.value].at(0.5) - curves[back.value].at(0.5));
        EXPECT_NEAR(apart, 2 * scale.lane, 0.5) << spec;
      }
    }
  }
}

}  // namespace
}  // namespace unknot::drawing
