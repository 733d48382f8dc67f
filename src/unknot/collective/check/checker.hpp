// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

/// What can be wrong with a schedule.
enum class ViolationKind : std::uint8_t {
  unknown_node,      ///< the network has no such node, or the origin has no message
  no_channel,        ///< two nodes of a path without a channel between them
  no_path,           ///< a path of one node, or one that comes to a node twice
  through_terminal,  ///< a path leads through a terminal
  detour,            ///< longer than the problem allows
  off_route,         ///< not the path that the routing has for its two ends
  wrong_sender,      ///< a scatter that is not sent by its origin, or by a node that never gets the message
  not_informed,      ///< sent in a step by who gets the message in the same step, later, or never
  not_a_receiver,    ///< delivered to a node that is not to get it
  duplicate,         ///< delivered once more
  /// More transfers on an arc, or both ways on half-duplex cables, than it carries; on routes, on a line.
  channel_conflict,
  send_ports,     ///< a node sends more than its ports allow
  receive_ports,  ///< a node receives more
  missing,        ///< never delivered
};
inline constexpr std::size_t kViolationKinds = 14;
/// "channel_conflict": stable, for reports.
const char* name_of(ViolationKind kind);

/// Violations of one step.
struct StepFinding {
  std::uint32_t step = 0;  ///< from 0; the number of steps for what is missing after the last
  std::uint64_t count = 0;
  ViolationKind kind = ViolationKind::missing;  ///< of the first
  std::string first;                            ///< one sentence; steps in it count from 1
};

struct ScheduleVerdict {
  std::uint32_t steps = 0;
  std::uint64_t transfers = 0;
  std::uint64_t hops = 0;                              ///< channels taken, over all transfers
  std::array<std::uint64_t, kViolationKinds> count{};  ///< by kind
  std::vector<StepFinding> findings;                   ///< steps with violations, ascending

  [[nodiscard]] bool valid() const { return findings.empty(); }
  [[nodiscard]] std::uint64_t violations() const;
  [[nodiscard]] std::uint64_t of(ViolationKind kind) const { return count[static_cast<std::size_t>(kind)]; }
};

/// Checks a schedule by replaying it, step by step; knows nothing of how it was made. A transfer along a path
/// that is none delivers nothing; all other violations are counted without consequences for later steps.
/// Reductions are checked as broadcasts on the reversed network in reversed time. O(nodes + arcs + messages +
/// length of all paths * log degree).
ScheduleVerdict check_schedule(const Problem& problem, const Schedule& schedule);

}  // namespace unknot
