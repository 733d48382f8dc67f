// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/simulate/plan/adaptive_plan.hpp"
#include "unknot/simulate/plan/address_choice.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/plan/place_table.hpp"
#include "unknot/simulate/plan/ports.hpp"
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
  /// Whole paths are weighed, by the fullest queue on them, at whatever router (UGAL-G), not first outputs
  /// (UGAL-L). [Kim, Dally, Scott, Abts 2008]
  bool global = false;
  /// A packet that goes minimally is weighed again, as at its source, at each of so many routers after it
  /// that have terminals: what the first outputs do not show is seen where it is, and a detour from there is
  /// taken at most once. 1: PAR. [Jiang, Kim, Dally, ISCA 2009]
  std::uint32_t progressive = 0;
};

struct MessagePlan;

/// How packets choose their ways: a network's ports and what is needed to route on them. Immutable, shared by
/// all runs.
struct RoutePlan {
  enum class Kind : std::uint8_t {
    tables,    ///< forwarding tables
    source,    ///< source routes
    adaptive,  ///< an adaptive routing: any of the outputs that it lets a packet take
    minimal,   ///< any shortest path, chosen hop by hop with equal shares
    valiant,   ///< by way of a random intermediate router (INR)
    ugal,      ///< minimal or indirect, by the queues
  };
  enum class Lanes : std::uint8_t {
    any,     ///< any lane that is free, as BookSim2 does: no proof covers it
    level,   ///< by service level
    scheme,  ///< by place on the path
  };
  static constexpr std::uint32_t kNoRoute = PlaceTable::kNone;

  Network network;
  /// Where `network` has each terminal of this one several times, a terminal for each address
  /// (addressed_network()): the hosts, among which traffic is. Null: it has each once.
  std::shared_ptr<const Network> hosts = {};
  AddressChoice address = AddressChoice::random;
  [[nodiscard]] const Network& senders() const { return hosts ? *hosts : network; }
  Ports ports;
  Kind kind = Kind::tables;
  Lanes lanes = Lanes::any;
  std::uint32_t lanes_needed = 1;  ///< that the routing distinguishes

  // Kind::tables. Most routers send all that goes to the terminals of one router the same way: a small table
  // says where, and is near when the large one is not.
  PlaceTable to_endpoint;  ///< [router][endpoint]; none: see `table`
  /// [router][column]; none: no route. Columns of destinations that no router tells apart but by where they
  /// are attached are one.
  PlaceTable table;
  /// Where a terminal is.
  struct Goal {
    std::uint32_t home = 0;  ///< router
    std::uint32_t endpoint =
        0;                     ///< column of `to_endpoint`: the router's position among those with terminals
    std::uint32_t column = 0;  ///< of `table`
    std::uint32_t eject = 0;   ///< position of its output at its router
  };
  /// Kind::tables: the router's output to the goal; kNoRoute for none.
  [[nodiscard]] std::uint32_t next_output(std::uint32_t router, const Goal& goal) const {
    const std::uint32_t shared = to_endpoint.at(router, goal.endpoint);
    if (shared == PlaceTable::kNone) [[unlikely]]
      return table.at(router, goal.column);
    const auto at_home = static_cast<std::uint32_t>(0U - std::uint32_t{goal.home == router});
    return shared ^ ((shared ^ goal.eject) & at_home);
  }
  std::vector<Goal> goals;  ///< by terminal
  Routing routing;          ///< service levels, lane map, source routes

  /// Whether packets from one terminal to another arrive in the order in which they were sent: they take one
  /// path. On several lanes they may overtake each other already where they enter, which they do on any.
  [[nodiscard]] bool keeps_order(std::uint32_t vcs) const {
    return vcs == 1 && (kind == Kind::tables || kind == Kind::source);
  }

  std::shared_ptr<const AdaptivePlan> adaptive;  ///< Kind::adaptive

  // Minimal, Valiant, UGAL.
  std::shared_ptr<const MinimalPaths> minimal;
  std::vector<std::uint32_t> endpoints;    ///< routers with terminals
  std::vector<std::uint32_t> endpoint_of;  ///< by router: position in `endpoints`
  PlaceTable only_output;  ///< [router][endpoint]: the output to it where shortest paths have only one
  /// With Ugal::progressive the lanes of the scheme are those from that number on. A hop to a router where
  /// the packet is weighed again has a lane before them, by its number from the source; what follows is a
  /// path from there.
  LaneSteps steps;
  Ugal ugal;
  /// Kind::minimal: by way of a random router on a shortest path (ROMM).
  bool within = false;

  // Kind::tables.
  GroupTraffic multicast;  ///< beside packets for one terminal; see plan_groups()

  /// Packets are messages of a protocol: plan_messages(). Null: they are not.
  std::shared_ptr<const MessagePlan> messages = {};

  // Bubble flow control: ring of each output and input, kNoRing for none.
  static constexpr std::uint32_t kNoRing = 0xFFFFFFFFU;
  bool bubble = false;
  std::vector<std::uint32_t> ring_of_output, ring_of_input;
};

/// Plan for tables or source routes, those that will be deployed. Lanes by service level, or any lane.
/// InputError where they do not fit the network. O(routers * terminals).
RoutePlan plan_routing(const Network& network, const Routing& routing, bool any_lane);

/// Plan for forwarding tables whose entries and levels will change while packets travel, on `lanes` lanes by
/// service level. A packet for which a router has no entry is lost (Ports::sinks), at its destination's own
/// router as well: what the tables say counts, no more. InputError as plan_routing(), and for source routes
/// and SL-to-VL tables. O(routers * terminals).
RoutePlan plan_changing(const Network& network, const Routing& routing, std::uint32_t lanes);
/// Sets an entry of such a plan: a position among the router's channels, or a mark of ForwardingTable. O(1).
void set_entry(RoutePlan& plan, RouterId router, TerminalId destination, std::uint32_t entry);

/// Plan for an adaptive routing, on the lanes that it tells apart; `committed`: a packet that waits keeps to
/// the port that it has chosen. InputError where they do not fit. Time as AdaptivePlan.
RoutePlan plan_adaptive(const Network& network, const AdaptiveRouting& routing, bool committed);

/// What a plan over many paths is made for.
struct AdaptiveChoice {
  RoutePlan::Kind kind = RoutePlan::Kind::minimal;  ///< minimal, valiant or ugal
  std::string lane_scheme = "hop";                  ///< spec of the catalogue, or "any"
  Ugal ugal = {};
  bool within = false;  ///< minimal: RoutePlan::within
};
/// InputError where a pair of terminals has no path, or the scheme does not exist.
RoutePlan plan_paths(const Network& network, const AdaptiveChoice& choice, std::uint32_t threads = 0);

}  // namespace unknot::simulate
