// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/ids.hpp"

namespace unknot {

using NodeId = Id<struct NodeTag>;  ///< A node of a collective: a router, or a terminal of its own.
using ArcId = Id<struct ArcTag>;    ///< All channels from one node to one other.

/// What the nodes of a collective are.
enum class NodeModel : std::uint8_t {
  automatic,  ///< routers where each carries exactly one terminal, else terminals
  routers,    ///< direct: a router and its terminal are one node, which sends on all channels of the router
  terminals,  ///< routers 0..R-1 switch only; terminal t is node R+t, with a cable to its router
};

/// Whether both directions of a cable may be used in one step.
enum class LinkClass : std::uint8_t { full_duplex, half_duplex };

/// What a capacity of 1 is.
enum class CapacityUnit : std::uint8_t {
  cables,  ///< a cable
  rates,   ///< the largest rate that all rates are multiples of: see NodeGraph::unit_megabits()
  /// The same of capacities that the network states. A link that states none has its rate, or where that is
  /// not known 1 Gb/s; a terminal alone on its router then what all the router's channels have together.
  stated,
  automatic,  ///< as stated where any is, else as rates where the rate of every link is known, else as cables
};

struct NodeGraphOptions {
  NodeModel model = NodeModel::automatic;
  LinkClass links = LinkClass::full_duplex;
  /// Messages a step on the cable of a terminal, each way; 0: as much as its router's channels together where
  /// it is the only one there, else 1.
  std::uint32_t terminal_capacity = 1;
  /// Where capacities are rates or stated `terminal_capacity` has no say.
  CapacityUnit unit = CapacityUnit::cables;
};

/// The directed graph that schedules are made on: nodes, and arcs with the number of messages each carries in
/// one step. Parallel channels are one arc, their capacities add up. A one-way channel is an arc without
/// its opposite. Immutable.
///
/// Arcs are numbered by tail, then by head. The two arcs between a pair of nodes are one link: under half
/// duplex, a cable carries one message a step in one of its two directions, so a link carries less than its
/// arcs together. Memory O(nodes + arcs); accessors O(1) unless stated.
class NodeGraph {
 public:
  /// InputError for more terminals than there are numbers for, where capacities are rates for links whose
  /// rate is not known, and where the capacities of a node add up to more than 32 bits of units.
  explicit NodeGraph(const Network& network, const NodeGraphOptions& options = {});

  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  [[nodiscard]] std::uint32_t router_count() const { return routers_; }
  [[nodiscard]] std::uint32_t arc_count() const { return static_cast<std::uint32_t>(tail_.size()); }
  [[nodiscard]] std::uint32_t link_count() const { return static_cast<std::uint32_t>(link_capacity_.size()); }
  [[nodiscard]] IdRange<NodeId> nodes() const { return {0, node_count()}; }
  [[nodiscard]] IdRange<ArcId> arcs() const { return {0, arc_count()}; }
  [[nodiscard]] LinkClass link_class() const { return links_; }
  /// What capacities are: never automatic.
  [[nodiscard]] CapacityUnit unit() const { return unit_; }
  /// Links without a stated capacity or known rate, which count as 1 Gb/s where unit() is stated.
  [[nodiscard]] std::uint32_t assumed_links() const { return assumed_links_; }
  /// Megabits a second of one unit of capacity, of data; 0 where a unit is a cable.
  [[nodiscard]] std::uint32_t unit_megabits() const { return unit_megabits_; }
  /// True where terminals are nodes of their own.
  [[nodiscard]] bool has_terminal_nodes() const { return node_count() > routers_; }

  [[nodiscard]] IdRange<ArcId> out(NodeId n) const { return {first_[n.value], first_[n.value + 1]}; }
  [[nodiscard]] std::span<const ArcId> in(NodeId n) const {
    return {in_.data() + in_first_[n.value], in_.data() + in_first_[n.value + 1]};
  }
  [[nodiscard]] NodeId tail(ArcId a) const { return tail_[a.value]; }
  [[nodiscard]] NodeId head(ArcId a) const { return head_[a.value]; }
  /// Messages a step.
  [[nodiscard]] std::uint32_t capacity(ArcId a) const { return capacity_[a.value]; }
  [[nodiscard]] std::uint32_t link(ArcId a) const { return link_[a.value]; }
  /// Messages a step in both directions together.
  [[nodiscard]] std::uint32_t link_capacity(std::uint32_t link) const { return link_capacity_[link]; }
  /// Arc between two nodes; invalid where there is none. O(log degree).
  [[nodiscard]] ArcId find(NodeId from, NodeId to) const;
  /// The first arc whose opposite is not there, or carries another number; invalid where the graph is the
  /// same with all arcs turned around. O(arcs log degree).
  [[nodiscard]] ArcId first_uneven() const;
  /// Messages a step on all arcs that leave, or enter, a node.
  [[nodiscard]] std::uint32_t out_capacity(NodeId n) const;
  [[nodiscard]] std::uint32_t in_capacity(NodeId n) const;

  /// A terminal that is a node of its own: paths start and end there, none leads through.
  [[nodiscard]] bool is_leaf(NodeId n) const { return n.value >= routers_; }
  /// A node with a terminal: what takes part in a collective unless told otherwise.
  [[nodiscard]] bool has_endpoint(NodeId n) const { return endpoint_[n.value] != 0; }

  /// Hops from `source` to each node along paths that lead through no leaf; kUnreached where there is none.
  /// O(nodes + arcs).
  static constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;
  void distances_from(NodeId source, std::vector<std::uint32_t>& hops) const;
  /// Hops from each node to `target`.
  void distances_to(NodeId target, std::vector<std::uint32_t>& hops) const;

  /// The same nodes, and arcs with other capacities, one for each arc; without those of none.
  /// InputError where those of a node add up to more than 32 bits.
  [[nodiscard]] NodeGraph with_capacities(std::span<const std::uint32_t> capacities) const;
  /// Every arc turned around, nodes and capacities the same.
  [[nodiscard]] NodeGraph reversed() const;

 private:
  struct Arc {
    NodeId tail, head;
    std::uint32_t capacity = 0;
    std::uint32_t shared = 0;  // of the capacity: halves of cables, whose other half is in the opposite arc
  };
  NodeGraph() = default;
  [[nodiscard]] NodeGraph without_arcs() const;
  void build(std::uint32_t nodes, std::vector<Arc> arcs);
  void take_unit(std::vector<Arc>& arcs);
  static void require_countable(std::uint32_t nodes, const std::vector<Arc>& arcs);
  template <class Arcs, class Far>
  void search(NodeId start, std::vector<std::uint32_t>& hops, Arcs arcs_at, Far far) const;

  std::uint32_t routers_ = 0;
  CapacityUnit unit_ = CapacityUnit::cables;
  std::uint32_t assumed_links_ = 0;
  std::uint32_t unit_megabits_ = 0;
  LinkClass links_ = LinkClass::full_duplex;
  std::vector<std::uint32_t> first_{0}, in_first_{0};  // by node
  std::vector<NodeId> tail_, head_;                    // by arc
  std::vector<std::uint32_t> capacity_, shared_, link_;
  std::vector<ArcId> in_;
  std::vector<std::uint32_t> link_capacity_;
  std::vector<std::uint8_t> endpoint_;  // by node
};

}  // namespace unknot
