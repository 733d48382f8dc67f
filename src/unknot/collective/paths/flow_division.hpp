// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

/// A flow from one node to others, in whole numbers: as many messages as there are ends.
struct ScatterShare {
  struct OnArc {
    ArcId arc;
    std::uint32_t amount = 0;
  };
  std::vector<OnArc> arcs;   ///< those that carry any
  std::vector<NodeId> ends;  ///< nodes that get a message each; no node twice
};

/// Divides the flow of many steps into flows of one step each that sum up to it. Of what an arc or the source
/// carries in all, every step gets an even share, rounded down or up: capacities and ports that hold for all
/// steps together hold for each. That such shares exist is the integer decomposition property of network
/// matrices [Baum and Trotter 1978; Hoffman's circulation theorem]. Halves the number of steps each time: as
/// many maximum flows on unit capacities as there are steps, most of them small. Calls `visit` for each step,
/// from 0. std::logic_error when it is no flow.
void divide_flow(const NodeGraph& graph, NodeId source, ScatterShare flow, std::uint32_t steps,
                 const std::function<void(std::uint32_t step, const ScatterShare& share)>& visit);

}  // namespace unknot
