// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::watch {

/// Files that together are the tables of a fabric.
struct TableFiles {
  std::string tables = {};
  std::string lanes = {};     ///< service level of each path; "": those of the tables' file, or all 0
  std::string lane_map = {};  ///< SL-to-VL tables; "": those of the tables' file, or level l on lane l
  std::string trees = {};     ///< multicast tables; "": nobody looks at multicast
  std::string groups = {};    ///< that tells the service levels of their groups; "": all 0
  [[nodiscard]] bool none() const { return tables.empty(); }
};

/// A routing with the rows to and from routers.
struct ManagedTables {
  ManagedNetwork managed;
  Routing routing;
};

/// A fabric and its tables. Values are shared, since they never change.
struct TablesInForce {
  Network own;      ///< the fabric as its file has it
  Network network;  ///< under the LIDs that the tables go by
  Routing data;
  std::shared_ptr<const ManagedTables> management;  ///< null where the tables have no rows to routers

  /// The routing that has all: with management where there is some. Multicast tables are in this one alone.
  [[nodiscard]] const Routing& all() const { return management ? management->routing : data; }
  [[nodiscard]] const Network& all_network() const {
    return management ? management->managed.network : network;
  }
};

/// Tables of a fabric, with their rows to routers where they have some and `management`, and multicast
/// tables. Throws InputError as the readers do, and for source routes.
TablesInForce read_tables_in_force(const Network& own, const TableFiles& files, bool management = true);

/// What the switches do on the fabric as it is now, until somebody changes their entries (carry_over()).
/// InputError where a GUID is there twice.
TablesInForce carried_over(const TablesInForce& tables, const Network& own_now);

/// What the checker says of tables in force.
struct Proof {
  Verdict data;                               ///< of pairs of hosts
  bool management = false;                    ///< the rest is about routers, too
  bool deadlock_free = false;                 ///< of all that is covered
  bool loop_free = false;                     ///< of all that is covered
  std::uint32_t lanes = 0;                    ///< in use by all that is covered
  std::optional<MulticastVerdict> multicast;  ///< nothing: not covered
  std::optional<Certificate> numbers;         ///< where asked for and deadlock-free
  DisconnectedPairs disconnected;             ///< pairs of hosts that no path joins
  LoadStatistics load;                        ///< pairs of hosts on each channel
  [[nodiscard]] std::uint64_t lost() const { return data.unroutable_pairs; }
  /// Every pair that a path joins is delivered, and every member of a group gets one copy of each packet.
  [[nodiscard]] bool whole() const {
    return data.unroutable_pairs == disconnected.count * data.addresses &&
           (!multicast || multicast->complete());
  }
  /// May be installed: no deadlock, no loop, and every pair that a path joins is delivered.
  [[nodiscard]] bool proven() const { return deadlock_free && loop_free && whole(); }
};

/// Checks data, and data with all else that the tables have rows for. O of verify().
Proof prove(const TablesInForce& tables, bool certificate, std::uint32_t threads, Progress& progress);

/// "deadlock-free on 2 lanes, every pair delivered", or what is not so.
std::string proof_text(const Proof& proof);

}  // namespace unknot::watch
