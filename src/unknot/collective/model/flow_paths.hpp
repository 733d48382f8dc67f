// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// Turns flows of one step into the paths of its transfers. A flow has this many messages on each arc; it
/// begins at nodes that more leaves than enters, and ends at those that more enters than leaves. One object
/// serves many flows on a graph, which must outlive it.
class FlowPaths {
 public:
  /// Gets a path; it is valid during the call.
  using Visit = std::function<void(std::span<const NodeId> path)>;

  explicit FlowPaths(const NodeGraph& graph);

  /// Takes circles out, also those of two opposite arcs, so that paths come to no node twice and flows that
  /// meet on a half-duplex link cancel. `flow` is by arc. O(nodes + arcs + length of all circles).
  void cancel_circles(std::span<std::uint32_t> flow);
  /// Splits a flow without circles into paths, and leaves it zero. `starts` are nodes to begin at, those
  /// where nothing begins included; the flow must begin nowhere else. Paths that can end at a node do.
  /// O(length of all paths + arcs of the nodes that they touch).
  void split(std::span<std::uint32_t> flow, std::span<const NodeId> starts, const Visit& visit);

 private:
  [[nodiscard]] std::int64_t balance(std::span<const std::uint32_t> flow, NodeId n) const;
  const NodeGraph& graph_;
  std::vector<std::uint32_t> at_;       // by node: arc looked at next
  std::vector<std::uint32_t> place_;    // by node: on the walk, from 1; 0: not
  std::vector<std::int64_t> ends_;      // by node: paths that still end here; kUnknown: not counted yet
  std::vector<NodeId> touched_, path_;  // path_: the nodes of the walk
  std::vector<ArcId> walk_;
};

}  // namespace unknot
