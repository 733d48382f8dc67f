// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/watch/follow/dump_folder.hpp"
#include "unknot/watch/follow/follow_event.hpp"
#include "unknot/watch/follow/follow_state.hpp"
#include "unknot/watch/follow/new_tables.hpp"
#include "unknot/watch/follow/set_folder.hpp"
#include "unknot/watch/follow/tables_in_force.hpp"

namespace unknot::watch {

struct FollowOptions {
  std::string state;    ///< folder that keeps where it stands; "": nothing is kept
  std::string install;  ///< folder in which proven tables are installed; "": dumps are only watched
  std::optional<Network> old_fabric;  ///< as the first dump is compared with; and its tables
  TableFiles old_tables;              ///< none, unless there is an old fabric
  NewTablesRequest request;
  double load_rise = 0.1;  ///< as in WatchOptions
};

/// A dump whose files have been read.
struct ReadDump {
  Dump dump;
  Network fabric;
  std::optional<TablesInForce> tables;
  double seconds = 0;  ///< that reading took
};

/// Takes one dump after the other: compares it with the one before, proves the tables in force on it and,
/// where that is asked for, makes new ones, proves the files that hold them, and installs these. Nothing is
/// ever installed whose files the checker has not proven, and a process that is killed at any moment and
/// started again with the same folders goes on: with the set that is installed, and the dump before.
class Follower {
 public:
  /// Reads what the folders keep. Throws InputError where they cannot be read, or are not as they were left.
  Follower(FollowOptions options, Progress& progress);

  /// Whether a dump of that name and stamp has been taken, or refused.
  [[nodiscard]] bool knows(const Dump& dump) const;
  /// Forgets dumps that are no longer there.
  void forget_all_but(const std::map<std::string, std::uint64_t>& there);

  /// Reads a dump in full. InputError as the readers do.
  [[nodiscard]] ReadDump read(const Dump& dump) const;
  /// One dump. `newest`: no later one waits; new tables are made for the newest alone. Throws Interrupted,
  /// and nothing has been installed.
  FollowEvent take(const ReadDump& read, bool newest);
  /// A dump that cannot be read.
  FollowEvent refuse(const Dump& dump, const std::string& sentence);
  /// The event has been told: keeps that.
  void keep(const Dump& dump, const FollowEvent& event, double now);

  /// Number of the installed set for which the command after installation is still to be run; 0: none.
  [[nodiscard]] std::uint64_t untold() const;
  /// It has been run for the installed set.
  void tell();
  /// What is wrong with the installed set, until another is installed; "" where nothing is.
  [[nodiscard]] const std::string& damage() const { return damage_; }
  /// Path of the installed set; "" where there is none.
  [[nodiscard]] std::string set() const;

  [[nodiscard]] const FollowState& state() const { return state_.state(); }
  [[nodiscard]] std::uint64_t set_number() const { return target_ ? target_->number() : 0; }

 private:
  void read_good();
  void compare(const ReadDump& read, FollowEvent& event) const;
  void install(const ReadDump& read, FollowEvent& event);
  bool try_install(const TablesInForce* base, const Network& fabric, FollowEvent& event);
  [[nodiscard]] bool fits(const Network& fabric) const;

  FollowOptions options_;
  Progress& progress_;
  StateFolder state_;
  std::optional<SetFolder> target_;
  std::optional<Network> last_;        // the fabric of the dump before
  std::optional<TablesInForce> good_;  // the tables in force, on the fabric they were made for
  std::optional<Dump> told_by_;        // the dump that told them
  std::optional<ClosReroute> clos_;    // engine clos: goes on from the tables installed last
  bool treeless_ = false;    // the set that was installed last has no multicast tree, since there is none
  bool new_fabric_ = false;  // last_ is not kept yet
  std::string damage_;       // what is wrong with the installed set
};

}  // namespace unknot::watch
