// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/simulate/ports.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::simulate {

/// How UGAL weighs a minimal path against indirect ones. [Kathareios et al., SC'15, section 3.3]
struct Ugal {
  std::uint32_t indirect = 4;  ///< n_I: indirect paths that are looked at for each packet; at least 1
  /// Penalty of an indirect path: c, or c_SF where `by_length`, which counts the lengths of both paths too.
  double penalty = 2;
  bool by_length = false;
  /// T: with this share of the first output's buffer or less in use a packet goes minimally. 0: no threshold.
  double threshold = 0;
};

/// How packets choose their ways: a network's ports and what is needed to route on them. Immutable, shared by
/// all runs.
struct RoutePlan {
  enum class Kind : std::uint8_t {
    tables,   ///< forwarding tables
    source,   ///< source routes
    minimal,  ///< any shortest path, chosen hop by hop with equal shares
    valiant,  ///< by way of a random intermediate router (INR)
    ugal,     ///< minimal or indirect, by the local queues (UGAL-L)
  };
  enum class Lanes : std::uint8_t {
    any,     ///< any lane that is free, as BookSim2 does: no proof covers it
    level,   ///< by service level
    scheme,  ///< by place on the path
  };
  static constexpr std::uint32_t kNoRoute = 0xFFFF;

  Network network;
  Ports ports;
  Kind kind = Kind::tables;
  Lanes lanes = Lanes::any;
  std::uint32_t lanes_needed = 1;  ///< that the routing distinguishes

  // Kind::tables. Columns of destinations that no router tells apart but by where they are attached are one.
  // Positions of outputs, one byte each where there are few, else two.
  std::vector<std::uint8_t> narrow_table;  ///< [router * columns + column]; 0xFF: no route
  std::vector<std::uint16_t> table;        ///< the same; kNoRoute
  [[nodiscard]] std::uint32_t output_at(std::uint32_t router, std::uint32_t at) const {
    const std::size_t entry = std::size_t{router} * columns + at;
    if (table.empty()) return narrow_table[entry] == 0xFF ? kNoRoute : narrow_table[entry];
    return table[entry];
  }
  /// Brings the router's row near where that is short.
  void prefetch_row(std::uint32_t router) const {
    constexpr std::uint32_t kShort = 1024;
    if (columns > kShort || !table.empty()) return;
    const std::uint8_t* const row = narrow_table.data() + std::size_t{router} * columns;
    for (std::uint32_t i = 0; i < columns; i += 64) __builtin_prefetch(row + i);
  }
  std::uint32_t columns = 0;
  /// Where a terminal is.
  struct Goal {
    std::uint32_t home = 0;    ///< router
    std::uint32_t column = 0;  ///< of the table
    std::uint32_t eject = 0;   ///< position of its output at its router
  };
  std::vector<Goal> goals;  ///< by terminal
  Routing routing;          ///< service levels, lane map, source routes

  // Minimal, Valiant, UGAL.
  std::shared_ptr<const MinimalPaths> minimal;
  std::vector<std::uint32_t> endpoints;    ///< routers with terminals
  std::vector<std::uint32_t> endpoint_of;  ///< by router: position in `endpoints`
  /// Output to an endpoint where there is only one on shortest paths, else kSeveral.
  [[nodiscard]] std::uint32_t only_output(std::uint32_t router, std::uint32_t endpoint) const {
    const std::size_t entry = std::size_t{router} * endpoints.size() + endpoint;
    if (only.empty()) return narrow_only[entry] == 0xFF ? kSeveral : narrow_only[entry];
    return only[entry];
  }
  std::vector<std::uint8_t> narrow_only;  ///< [router * endpoints + endpoint], where outputs are few
  std::vector<std::uint16_t> only;        ///< the same where they are more
  static constexpr std::uint16_t kSeveral = 0xFFFF;
  LaneSteps steps;
  Ugal ugal;

  // Bubble flow control: ring of each output and input, kNoRing for none.
  static constexpr std::uint32_t kNoRing = 0xFFFFFFFFU;
  bool bubble = false;
  std::vector<std::uint32_t> ring_of_output, ring_of_input;
};

/// Plan for tables or source routes, those that will be deployed. Lanes by service level, or any lane.
/// InputError where they do not fit the network. O(routers * terminals).
RoutePlan plan_routing(const Network& network, const Routing& routing, bool any_lane);

/// What a plan over many paths is made for.
struct AdaptiveChoice {
  RoutePlan::Kind kind = RoutePlan::Kind::minimal;  ///< minimal, valiant or ugal
  std::string lane_scheme = "hop";                  ///< spec of the catalogue, or "any"
  Ugal ugal;
};
/// InputError where a pair of terminals has no path, or the scheme does not exist.
RoutePlan plan_paths(const Network& network, const AdaptiveChoice& choice, std::uint32_t threads = 0);

}  // namespace unknot::simulate
