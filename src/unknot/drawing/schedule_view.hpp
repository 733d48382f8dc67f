// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot::drawing {

/// What drawings say besides the schedule itself.
struct Caption {
  std::string fabric;                        ///< spec or file name; empty: not said
  std::optional<std::uint32_t> lower_bound;  ///< of steps
};

inline constexpr std::uint32_t kMostNodes = 256;
inline constexpr std::uint32_t kMostHops = 200'000;

/// InputError for more than kMostNodes: to be asked before a schedule is sought that is to be drawn.
void require_drawable(std::uint32_t nodes);

/// What both drawings ask of a schedule. It need not be valid: channels that do not exist are hops without an
/// arc. Problem and schedule must outlive it.
class ScheduleView {
 public:
  /// InputError for schedules that are too large to be drawn, kMostNodes nodes and kMostHops channels over
  /// all transfers, and for nodes that the graph does not have. O(arcs * steps + hops * log degree).
  ScheduleView(const Problem& problem, const Schedule& schedule);

  /// Number of the colour of a transfer (line_class()): by origin where there are several, else by its place
  /// in the step.
  [[nodiscard]] std::uint32_t colour(std::uint32_t transfer) const { return colour_[transfer]; }
  [[nodiscard]] bool coloured_by_origin() const { return origins_.size() > 1; }
  /// Those of the schedule, ascending; the n-th has colour n.
  [[nodiscard]] const std::vector<NodeId>& origins() const { return origins_; }
  /// Messages on an arc in a step.
  [[nodiscard]] std::uint32_t messages(std::uint32_t step, ArcId a) const {
    return messages_[std::size_t{step} * problem_->graph->arc_count() + a.value];
  }
  /// Of what all arcs carry together, by step. Under half duplex of what both directions together carry.
  [[nodiscard]] std::uint64_t busy(std::uint32_t step) const { return busy_[step]; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  /// "AAS on hypercube:3, 4 steps (lower bound 4)".
  [[nodiscard]] std::string title(const Caption& caption) const;
  /// "step 1: message of 0 to 3, along 0 1 3" or "step 2: message of 0, passed on by 1 to 3, along 1 3".
  [[nodiscard]] std::string describe(std::uint32_t step, std::uint32_t transfer) const;

 private:
  const Problem* problem_;
  const Schedule* schedule_;
  std::vector<NodeId> origins_;
  std::vector<std::uint32_t> colour_;    // by transfer
  std::vector<std::uint32_t> messages_;  // by step and arc
  std::vector<std::uint64_t> busy_;      // by step
  std::uint64_t capacity_ = 0;
};

/// "8 of 24 channels, 33 %".
std::string busy_text(std::uint64_t busy, std::uint64_t capacity);

}  // namespace unknot::drawing
