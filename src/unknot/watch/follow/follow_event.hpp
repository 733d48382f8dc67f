// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::watch {

/// What a dump says of the tables that are in force.
enum class FollowVerdict : std::uint8_t {
  proven,    ///< deadlock-free, and every pair that a path joins is delivered
  lost,      ///< deadlock-free, but pairs are lost
  deadlock,  ///< they can deadlock, or loop
  unknown,   ///< nobody has told tables
};

/// What was done about it.
enum class FollowAction : std::uint8_t {
  none,      ///< nothing had to be done, or nothing was asked for
  kept,      ///< no new tables are proven: those in force stay
  rerouted,  ///< few entries changed, proven, installed
  routed,    ///< made anew by the engine, proven, installed
  refused,   ///< the dump could not be read
};

std::string_view word(FollowVerdict verdict);
std::string_view word(FollowAction action);

/// One dump: a line of JSON.
struct FollowEvent {
  std::string time;  ///< UTC, "2026-03-01T04:05:06Z"
  std::string dump;
  FollowVerdict verdict = FollowVerdict::unknown;  ///< of what is in force after the action
  FollowAction action = FollowAction::none;
  bool again =
      false;  ///< what went wrong is not of the dump (a full disk): it is taken again at the next look
  /// Of the tables that the dump has, where others are installed: the subnet manager may not have taken
  /// those.
  std::optional<FollowVerdict> in_force = {};
  std::uint64_t pairs = 0;            ///< ordered pairs of hosts, at each address
  std::uint64_t broken_pairs = 0;     ///< that the change took from the tables before it
  std::uint64_t lost_pairs = 0;       ///< not delivered by what is in force
  std::uint64_t cut_pairs = 0;        ///< of these, such that no path joins
  std::uint64_t changed_cables = 0;   ///< gone, come, moved, with one direction lost or back
  std::uint64_t changed_routers = 0;  ///< gone and come
  std::uint64_t changed_hosts = 0;    ///< gone, come and moved
  std::uint32_t lanes = 0;
  std::uint64_t max_load = 0;  ///< pairs on the busiest channel
  bool management = false;     ///< the verdict covers what goes to and from routers
  std::optional<std::uint64_t> lost_multicast_pairs = {};  ///< or repeated; nothing: multicast is not covered
  std::string set;                    ///< installed set in force: "set-000007"; "" where none is installed
  std::uint64_t entries_changed = 0;  ///< where rerouted
  /// Where rerouted, whether no mixture of the old and the new tables can deadlock, as long as data goes: the
  /// subnet manager changes one switch after the other. Nothing where that is not looked at.
  std::optional<bool> together_deadlock_free = {};
  std::vector<std::string> hurts;  ///< as `unknot watch` says it
  std::string sentence;            ///< for people
  double seconds = 0;
};

/// The event as JSON on one line, without the newline.
std::string event_line(const FollowEvent& event);

}  // namespace unknot::watch
