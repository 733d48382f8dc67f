// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "unknot/tables/forwarding_table.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/tables/multicast_tables.hpp"
#include "unknot/tables/service_levels.hpp"
#include "unknot/tables/source_routes.hpp"

namespace unknot {

/// How a router hands out its buffers, as far as deadlock freedom depends on it.
enum class FlowControl : std::uint8_t {
  credits,  ///< a packet moves on when there is room for it: no cycle of channels may be waited for
  /// Bubble flow control [Puente et al. 1999]: a packet enters a ring, or turns into one, only where room for
  /// a packet more is left, so that the packets of one directed ring never block each other. A cycle of
  /// channels within one directed ring is harmless.
  bubble,
};

/// What an engine has to say of its result: nothing that anybody but people reads.
struct EngineReport {
  /// No choice among the routes the engine may take has a smaller maximum load: a lower bound that the engine
  /// has proven. Nothing where it looks for none.
  std::optional<std::uint64_t> load_bound = {};
  /// Share of the routed pairs for which the engine had a single route to choose from. Nothing where it does
  /// not list routes.
  std::optional<double> single_route_share = {};
  /// One sentence: that it had to take detours, say. Often empty.
  std::string note = {};
};

/// A routing of one network: forwarding tables or source routes, the service level of each path, and the lane
/// each level travels on. A value, made by an engine or read from files, valid for the network it was made
/// from.
struct Routing {
  std::string engine;  ///< engine, or file, it came from
  /// Tables decide at each router, by destination; or sources choose the whole route of each pair (never
  /// null).
  std::variant<ForwardingTable, std::shared_ptr<const SourceRoutes>> paths;
  ServiceLevels service_levels;
  /// SL-to-VL tables; null: level l travels on lane l everywhere.
  std::shared_ptr<const LaneMap> lane_map;
  /// Lanes in use. Without a lane map service levels lie in [0, virtual_lanes); with one they may be any of
  /// the sixteen, and the map's lanes lie there.
  std::uint32_t virtual_lanes = 1;
  /// Lanes that carry data, as far as anybody says: what a file declares, or what the hardware has. A packet
  /// that would leave a router, or its own adapter, on another is dropped there. Engines keep within their
  /// budget and leave this alone.
  std::uint32_t data_lanes = kAnyLanes;
  static constexpr std::uint32_t kAnyLanes = 64;
  /// Lanes the engine needed before it spread paths over spare ones; equals virtual_lanes where it spreads
  /// nothing.
  std::uint32_t lanes_needed = 1;
  FlowControl flow_control = FlowControl::credits;
  EngineReport report = {};
  /// Where terminals have several addresses (LIDs, with LMC above 0): the tables that lead to the second
  /// lowest address of each, to the third and so on, with their levels; those above to the lowest. All are in
  /// force at once. A terminal with fewer addresses is led to by its lowest. The checker looks at all of
  /// them, loads of flows are split evenly over all (DeliveredPaths), everything else takes the lowest alone.
  std::vector<Routing> further = {};
  /// What multicast groups do, on the lanes of these tables; null: nobody says. The checker looks at it with
  /// all the rest; what changes or simulates tables goes without.
  std::shared_ptr<const MulticastTables> multicast = {};

  /// Null where tables decide.
  [[nodiscard]] const SourceRoutes* routes() const {
    const auto* shared = std::get_if<std::shared_ptr<const SourceRoutes>>(&paths);
    return shared == nullptr ? nullptr : shared->get();
  }
  /// To be asked where routes() is null alone.
  [[nodiscard]] const ForwardingTable& table() const { return std::get<ForwardingTable>(paths); }
  [[nodiscard]] ForwardingTable& table() { return std::get<ForwardingTable>(paths); }
};

/// At most `lanes` lanes carry data, for all addresses.
void limit_lanes(Routing& routing, std::uint32_t lanes);
/// InputError when the tables or routes have not the sizes of the network.
void require_fit(const Network& network, const Routing& routing);
/// InputError, "<what> needs forwarding tables ...", where the routing has source routes.
void require_tables(const Routing& routing, const char* what);

}  // namespace unknot
