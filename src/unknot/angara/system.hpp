// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unknot/angara/route_choices.hpp"
#include "unknot/angara/route_code.hpp"
#include "unknot/angara/routing_graph.hpp"
#include "unknot/angara/torus.hpp"
#include "unknot/angara/turns.hpp"
#include "unknot/routing/model/engine.hpp"

namespace unknot::angara {

/// What the engines of this folder start from: the torus of a network, the turns taken beyond the direction
/// order, and the routing graph over both.
struct System {
  System(const Network& network, Augmentation augmentation)
      : torus(network), turns(torus, augmentation), graph(torus, turns) {}
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  Torus torus;
  Turns turns;
  RoutingGraph graph;
};

/// A route for each ordered pair of terminals, source-major. A code without steps stands for no route.
using RouteTable = std::vector<RouteCode>;

/// Number of routes over each slot.
std::vector<std::uint32_t> slot_loads(const Torus& torus, const RouteTable& table);

/// The table as source routes under bubble flow control, with a note where connected pairs have none.
/// O(channels of all routes), parallel over sources.
Routing to_routing(const System& system, const RouteTable& table, std::string engine, std::uint32_t threads);

/// The same for a table that was chosen among `choices`, with the share of pairs that had no choice.
Routing to_routing(const System& system, const RouteChoices& choices, const RouteTable& table,
                   std::string engine, std::uint32_t threads);

/// The catalogue row of an engine of this folder: the parameter `turns` before its own, what it promises and
/// needs, and `run` on the system of the network.
Engine torus_engine(std::string name, std::string summary, std::vector<Parameter> parameters,
                    std::function<Routing(const System&, const EngineRequest&, Progress&)> run);

}  // namespace unknot::angara
