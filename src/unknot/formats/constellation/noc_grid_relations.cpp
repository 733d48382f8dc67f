// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "unknot/formats/constellation/noc_relation.hpp"

namespace unknot {
namespace {

/// The nodes of a step on a grid, by coordinates.
struct GridStep {
  int next_x, next_y, node_x, node_y, to_x, to_y;
  GridStep(const NocChannel& next, const NocFlow& flow, int nx)
      : next_x(next.dst % nx),
        next_y(next.dst / nx),
        node_x(next.src % nx),
        node_y(next.src / nx),
        to_x(flow.egress % nx),
        to_y(flow.egress / nx) {}

  /// Along one coordinate, towards the egress and not beyond it.
  static bool towards(int node, int next, int to) { return node < next ? to >= next : to <= next; }
  [[nodiscard]] bool along_x() const { return towards(node_x, next_x, to_x) && next_y == node_y; }
  [[nodiscard]] bool along_y() const { return towards(node_y, next_y, to_y) && next_x == node_x; }
  [[nodiscard]] bool minimal() const {
    return (node_x == next_x || towards(node_x, next_x, to_x)) &&
           (node_y == next_y || towards(node_y, next_y, to_y));
  }
  [[nodiscard]] bool west_first() const { return to_x < node_x ? next_x == node_x - 1 : minimal(); }
  [[nodiscard]] bool north_last() const {
    if (to_y <= node_y) return minimal();
    return to_x != node_x ? minimal() && next_y != node_y + 1 : next_y == node_y + 1;
  }
};

/// The relations of the two rings that a torus is made of.
struct TorusRings {
  NocRelation x, y;
  int nx;

  TorusRings(std::string_view relation, const NocTopology& torus)
      : x(of(relation, torus.a)), y(of(relation, torus.b)), nx(torus.a) {}

  static NocRelation of(std::string_view relation, int n) {
    NocTopology ring;
    ring.nodes = n;
    return line_relation(relation, std::make_shared<const NocTopology>(std::move(ring)));
  }
  /// -1 stays -1.
  [[nodiscard]] static int part(int node, int coordinate) { return node == -1 ? -1 : coordinate; }
  [[nodiscard]] bool by_x(const NocChannel& src, const NocChannel& next, const NocFlow& flow,
                          int from) const {
    return x.rel(src.between(from, next.src % nx), next.between(next.src % nx, next.dst % nx),
                 {flow.ingress, flow.egress % nx, flow.vnet});
  }
  [[nodiscard]] bool by_y(const NocChannel& src, const NocChannel& next, const NocFlow& flow,
                          int from) const {
    return y.rel(src.between(from, next.src / nx), next.between(next.src / nx, next.dst / nx),
                 {flow.ingress, flow.egress / nx, flow.vnet});
  }
};

/// Of UnidirectionalTorus2DDatelineRouting: a turn counts as coming in.
bool one_way_torus(const TorusRings& rings, const NocChannel& src, const NocChannel& next,
                   const NocFlow& flow) {
  const int nx = rings.nx;
  const int src_x = src.src % nx;
  const int src_y = src.src / nx;
  const int next_x = next.dst % nx;
  const int next_y = next.dst / nx;
  if (src.src == -1 || (next_x != src_x && next_y != src_y)) return next.vc != 0;
  return src_x == next_x ? rings.by_y(src, next, flow, src_y) : rings.by_x(src, next, flow, src_x);
}

/// Of BidirectionalTorus2DDatelineRouting, which has the rings of one way for both.
bool two_way_torus(const TorusRings& rings, const NocChannel& src, const NocChannel& next,
                   const NocFlow& flow) {
  const int nx = rings.nx;
  if (src.src == -1) return next.vc != 0;
  if (next.src % nx == next.dst % nx) return rings.by_y(src, next, flow, src.src / nx);
  return next.src / nx == next.dst / nx && rings.by_x(src, next, flow, src.src % nx);
}

NocRelation torus_relation(std::string_view name, const NocRelation::Topology& topology) {
  NocRelation made;
  const auto one_way = std::make_shared<const TorusRings>("UnidirectionalTorus1DDatelineRouting", *topology);
  const int nx = topology->a;
  if (name == "UnidirectionalTorus2DDatelineRouting") {
    made.rel = [one_way](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return one_way_torus(*one_way, src, next, flow);
    };
    made.is_escape = [](const NocChannel& c, int) { return c.vc < 2; };
  } else if (name == "BidirectionalTorus2DDatelineRouting") {
    made.rel = [one_way](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      return two_way_torus(*one_way, src, next, flow);
    };
  } else if (name == "DimensionOrderedUnidirectionalTorus2DDatelineRouting") {
    made.rel = [one_way, nx](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      const GridStep step(next, flow, nx);
      const bool in_order =
          step.to_x != step.node_x ? step.next_y == step.node_y : step.next_x == step.node_x;
      return in_order && one_way_torus(*one_way, src, next, flow);
    };
  } else if (name == "DimensionOrderedBidirectionalTorus2DDatelineRouting") {
    const auto shortest =
        std::make_shared<const TorusRings>("BidirectionalTorus1DShortestRouting", *topology);
    made.rel = [one_way, shortest, nx](const NocChannel& src, const NocChannel& next, const NocFlow& flow) {
      const GridStep step(next, flow, nx);
      const bool in_order =
          step.to_x != step.node_x
              ? step.next_x != step.node_x &&
                    shortest->by_x(src, next, flow, TorusRings::part(src.src, src.src % nx))
              : step.next_y != step.node_y &&
                    shortest->by_y(src, next, flow, TorusRings::part(src.src, src.src / nx));
      return in_order && two_way_torus(*one_way, src, next, flow);
    };
  }
  return made;
}

}  // namespace

NocRelation grid_relation(std::string_view name, const NocRelation::Topology& topology, int first_dim) {
  if (!topology->is_grid()) return {};
  const int nx = topology->a;
  const auto by_step = [nx](auto rule) {
    NocRelation made;
    made.rel = [nx, rule](const NocChannel&, const NocChannel& next, const NocFlow& flow) {
      return rule(GridStep(next, flow, nx));
    };
    return made;
  };
  if (name == "Mesh2DDimensionOrderedRouting") {
    if (first_dim == 0)
      return by_step([](const GridStep& s) { return s.to_x != s.node_x ? s.along_x() : s.along_y(); });
    return by_step([](const GridStep& s) { return s.to_y != s.node_y ? s.along_y() : s.along_x(); });
  }
  if (name == "Mesh2DMinimalRouting") return by_step([](const GridStep& s) { return s.minimal(); });
  if (name == "Mesh2DWestFirstRouting") return by_step([](const GridStep& s) { return s.west_first(); });
  if (name == "Mesh2DNorthLastRouting") return by_step([](const GridStep& s) { return s.north_last(); });
  if (name == "Mesh2DEscapeRouting") return mesh_escape_relation(topology);
  return torus_relation(name, topology);
}

NocRelation mesh_escape_relation(const NocRelation::Topology& topology) {
  return escape_relation(grid_relation("Mesh2DDimensionOrderedRouting", topology, 0),
                         grid_relation("Mesh2DMinimalRouting", topology, 0), 1);
}

}  // namespace unknot
