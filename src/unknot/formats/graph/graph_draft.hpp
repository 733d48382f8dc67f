// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What the text formats of graphs say: nodes and edges, with those attributes that mean something to a
/// network, as they are written. assemble() checks them and makes a Network. Strings are views into the text
/// that was read, or into `texts`; one without data was not given.
struct GraphDraft {
  enum NodeField : std::uint8_t { kind, name, label, guid, node_guid, lid, level, ports, node_fields };
  enum EdgeField : std::uint8_t {
    source_port,
    target_port,
    port,
    rate,
    latency,
    latency_back,  ///< of an undirected edge, from its target; where it is not given, `latency`
    capacity,
    capacity_back,  ///< as latency_back; 0: not stated
    edge_fields
  };
  // Types of their own: there may be as many of one kind as of the other.
  struct NodeValues : std::array<std::string_view, node_fields> {};
  struct EdgeValues : std::array<std::string_view, edge_fields> {};

  struct Node {
    std::string_view id;
    NodeValues values;
    std::uint32_t line = 0;
  };
  struct Edge {
    std::uint32_t source = 0;  ///< index into `nodes`
    std::uint32_t target = 0;
    bool directed = false;
    std::uint32_t line = 0;
    EdgeValues values;
  };

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::deque<std::string> texts;

  /// "guid" as NodeField::guid; node_fields for a name that means nothing here.
  static NodeField node_field(std::string_view name);
  static EdgeField edge_field(std::string_view name);
};

/// The network of a draft. Where a node is of kind "router", "terminal" or "service", a node of another kind,
/// or of none, is a router too, and attributes mean what write_graphml() says of them; a `port` of an edge
/// between a router and a terminal is the router's. Otherwise the graph is of somebody else's making: each
/// node is a router with one terminal, and nothing counts but names ("name", else "label", else the id),
/// latencies and capacities. An undirected edge is a cable. Directed edges both ways between the same ports,
/// or of the same two routers where no ports are given, are cables too; what is left are one-way links.
/// Routers in the order of their nodes, terminals by router. LIDs are kept when every router and terminal has
/// one. Throws InputError, with file and line, for what is malformed, a router connected to itself, a
/// terminal or service node without exactly one cable to a router, a guid or lid used twice, an attribute
/// that only some nodes have, a port used twice, and a graph in several parts. O(n log n) time for n edges.
Network assemble(const GraphDraft& draft, const std::string& file);

}  // namespace unknot
