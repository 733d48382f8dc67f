// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "unknot/formats/constellation/noc_topology.hpp"

namespace unknot {

/// A virtual channel as relations see it (Constellation's ChannelRoutingInfo): `src` is -1 where packets come
/// in, and where a part of a composed topology is entered.
struct NocChannel {
  int src = -1, dst = 0;
  int vc = 0, n_vc = 1;

  /// With another number of lanes, as a relation sees that has some of them alone. InputError where there is
  /// no such channel: Constellation stops there, too.
  [[nodiscard]] NocChannel on_lane(int lane, int lanes) const;
  [[nodiscard]] NocChannel between(int from, int to) const { return {from, to, vc, n_vc}; }
};

/// Packets as relations see them: nodes of ingress and egress, and the virtual network.
struct NocFlow {
  int ingress = 0, egress = 0;
  int vnet = 0;
};

/// A relation of Constellation's catalogue (its RoutingRelations.scala) on one topology.
struct NocRelation {
  using Topology = std::shared_ptr<const NocTopology>;
  /// Whether a packet may go from a channel on to the next.
  std::function<bool(const NocChannel& src, const NocChannel& next, const NocFlow& flow)> rel;
  /// Whether a channel is one of those that must be free of deadlock by themselves.
  std::function<bool(const NocChannel& channel, int vnet)> is_escape = [](const NocChannel&, int) {
    return true;
  };
  bool by_ingress = false;  ///< looks at where packets came in
};

/// The relation that a record stands for, on a topology. InputError with file and line for one that
/// Constellation does not have, one for another topology, and ShortestPathGeneralizedDatelineRouting, whose
/// datelines depend on the order in which Scala's hash tables are gone through.
NocRelation make_noc_relation(ScalaEvaluator& scala, const ScalaValue& value,
                              const NocRelation::Topology& topology);

/// Null where the name is none of theirs. By topology: lines, rings, butterflies and trees; meshes and tori.
NocRelation line_relation(std::string_view name, const NocRelation::Topology& topology);
/// `first_dim`: of Mesh2DDimensionOrderedRouting, 0 or anything else for 1.
NocRelation grid_relation(std::string_view name, const NocRelation::Topology& topology, int first_dim);
NocRelation mesh_escape_relation(const NocRelation::Topology& topology);

/// Of relations within each other.
NocRelation escape_relation(NocRelation escape, NocRelation normal, int escape_lanes);
NocRelation terminal_relation(NocRelation base, const NocRelation::Topology& topology);
NocRelation hierarchical_relation(NocRelation base, std::vector<NocRelation> children,
                                  const NocRelation::Topology& topology);
NocRelation nonblocking_relation(NocRelation base, int subnets, int dedicated);
NocRelation blocking_relation(NocRelation base, int dedicated);

/// One shortest path for each pair of nodes, on any lane.
NocRelation shortest_path_relation(const NocRelation::Topology& topology);
NocRelation id_order_relation(const NocRelation::Topology& topology);
/// One shortest path for each pair, on the lane of the first layer that holds it. InputError where dividing
/// the paths among layers takes too long.
NocRelation layered_relation(const NocRelation::Topology& topology);

}  // namespace unknot
