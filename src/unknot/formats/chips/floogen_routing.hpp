// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// What FlooGen makes of `route_algo` in its YAML.
struct FloogenRouting {
  enum class Algorithm : std::uint8_t { xy, yx, id, source };

  Algorithm algorithm = Algorithm::xy;
  Routing routing;
  std::vector<bool> asks;     ///< by terminal: a manager, which sends requests
  std::vector<bool> answers;  ///< by terminal: a subordinate, which sends responses
  /// Requests and responses have links of their own, and never wait for each other in the network. Those of a
  /// narrow-wide network share its wide links: write data are requests, read data responses.
  bool own_links = false;

  /// Whether any message goes from one to the other: a request or a response.
  [[nodiscard]] bool speak(TerminalId from, TerminalId to) const {
    return requests(from, to) || responses(from, to);
  }
  [[nodiscard]] bool requests(TerminalId from, TerminalId to) const {
    return asks[from.value] && answers[to.value];
  }
  [[nodiscard]] bool responses(TerminalId from, TerminalId to) const { return requests(to, from); }
};

std::string_view name_of(FloogenRouting::Algorithm algorithm);

/// XY and YX: tables as FlooNoC's routers compute them from coordinates (hw/floo_route_select.sv), which lead
/// where they lead. ID: tables to subordinates, each router's the first hop of the shortest path that FlooGen
/// takes; SRC: such a path for each pair that speaks, none for others. Of several shortest paths that is the
/// one that bidirectional_shortest_path() of networkx 3.6 finds, by the order of nodes and edges. Names must
/// be those of the network; what it has no link for is a port that leads nowhere, or no route. InputError
/// with file and line for other algorithms (those that send requests and responses by different ones, too),
/// coordinates that FlooGen has none of, and more than 2,048 routers and endpoints where paths are looked
/// for.
FloogenRouting read_floogen_routing(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
