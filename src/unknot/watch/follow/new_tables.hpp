// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/guidance.hpp"
#include "unknot/routing/reroute/clos_reroute.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/watch/follow/tables_in_force.hpp"

namespace unknot::watch {

/// How tables are made after a change.
struct NewTablesRequest {
  std::string engine = "unknot";    ///< "name" or "name:key=value,...", where old tables cannot be mended
  std::uint32_t virtual_lanes = 8;  ///< that the hardware has
  bool management = true;           ///< with rows to and from routers
  std::string management_hosts;     ///< as parse_nodes() takes it; "": none
  /// Lanes more than the data has that management may take, at most; nothing: all that are left.
  std::optional<std::uint32_t> management_lanes;
  /// What the administrator says of a fabric; empty: nothing. Mended tables keep what is in force, and heed
  /// of it which routers are closed to transit; tables made anew heed all of it. InputError as its readers
  /// do.
  std::function<Guidance(const Network&)> guidance;
  bool trees = false;  ///< with a multicast tree of all hosts
  /// What mended tables of engine clos are to be. Sticky ones are made anew where they load the busiest
  /// channel by more than kMostDrift beyond what tables made anew do.
  Upkeep upkeep = Upkeep::sticky;
  static constexpr double kMostDrift = 0.15;
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

struct NewTables {
  TablesInForce tables;
  bool mended = false;                ///< reroute() of the old ones; else the engine has made them
  std::uint64_t entries_changed = 0;  ///< where mended
  std::string trees_differ;           ///< what users of multicast must know of the tree; "" where nothing
  std::string why_anew;               ///< why the old ones could not be mended; "" where there were none
};

/// Tables for a fabric: the old ones with few entries changed where that can be, else anew by the engine.
/// `old` may be null. `clos` mends tables of engine clos, from one call to the next; null for other engines.
/// `own_now` is the fabric as its file has it. Nothing is proven here. RoutingFailure where the engine has no
/// tables for it either, or has some whose lanes OpenSM loads nowhere.
NewTables new_tables(const TablesInForce* old, const Network& own_now, const NewTablesRequest& request,
                     ClosReroute* clos, Progress& progress);

/// The first routers closed to transit that pairs of hosts pass through all the same, "leaf-1 (12 pairs)"; ""
/// where there are none.
std::string transit_in(const TablesInForce& tables, const NewTablesRequest& request);

/// The files of a set: fabric, lfts, guid2lid, lanes, trees where there are such. InputError where one cannot
/// be written.
void write_set(const TablesInForce& tables, const std::string& folder);
/// Reads them back. InputError as the readers do.
TablesInForce read_set(const std::string& folder, bool management);
/// Adds the file proof, the certificate of that. To be called where it has one.
void write_proof(const TablesInForce& tables, const Proof& proof, const std::string& folder);

}  // namespace unknot::watch
