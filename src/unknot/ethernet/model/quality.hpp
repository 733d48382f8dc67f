// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace unknot::ethernet {

inline constexpr unsigned kPriorities = 8;
inline constexpr unsigned kCodePoints = 64;

using PriorityMap = std::array<std::uint8_t, kPriorities>;
using CodePointMap = std::array<std::uint8_t, kCodePoints>;

inline constexpr PriorityMap kSamePriority = {0, 1, 2, 3, 4, 5, 6, 7};
/// Code points 0 to 7 are the traffic classes of their numbers, all others class 0.
inline constexpr CodePointMap kLowCodePoints = {0, 1, 2, 3, 4, 5, 6, 7};

/// What a port does with priorities. A packet that comes in by it gets its traffic class by the code point
/// (DSCP), and waits in the buffer of a priority group; one that leaves by it goes through a queue.
struct PortQuality {
  CodePointMap class_of_code_point = kLowCodePoints;
  PriorityMap group_of_class = kSamePriority;     ///< ingress; a group that fills up pauses its priority
  PriorityMap queue_of_class = kSamePriority;     ///< egress
  PriorityMap queue_of_priority = kSamePriority;  ///< which queue a pause of that priority stops
  std::uint8_t lossless = 0;                      ///< bit p: pauses of priority p are sent and heeded

  auto operator<=>(const PortQuality&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// What a tunnel end does with them: SONiC's tables for two top-of-rack switches that share their servers.
struct TunnelQuality {
  bool pipe = false;  ///< the inner code point stays as it is; else that of the outside is taken over
  bool maps_in =
      false;  ///< what comes out of the tunnel has maps of its own, of the inner code point in a pipe
  CodePointMap class_of_code_point = kLowCodePoints;
  bool groups_in = false;
  PriorityMap group_of_class = kSamePriority;
  bool queues_out = false;  ///< what enters the tunnel goes through queues by a map of its own
  PriorityMap queue_of_class = kSamePriority;
  bool code_points_out = false;  ///< and gets this code point outside
  PriorityMap code_point_of_class = {};
};

}  // namespace unknot::ethernet
