// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// A change of a plan, of entries or of levels: `at` is a router or a row.
struct PlanChange {
  TerminalId destination;
  std::uint32_t step, at, after;
};

/// All changes of one kind, so that those of a destination follow each other, step by step.
class PlanChanges {
 public:
  static PlanChanges of_entries(std::span<const TransitionStep> steps) {
    std::vector<PlanChange> changes;
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      for (const EntryChange& change : steps[k].entries)
        changes.push_back({change.destination, k, change.router.value, change.after});
    }
    return PlanChanges(std::move(changes));
  }
  static PlanChanges of_levels(std::span<const TransitionStep> steps) {
    std::vector<PlanChange> changes;
    for (std::uint32_t k = 0; k < steps.size(); ++k) {
      for (const LevelChange& change : steps[k].levels)
        changes.push_back({change.destination, k, change.row, change.after});
    }
    return PlanChanges(std::move(changes));
  }

  [[nodiscard]] std::span<const PlanChange> of(TerminalId destination) const {
    const auto less = [](const auto& a, const auto& b) { return a.destination < b.destination; };
    const auto [first, last] =
        std::equal_range(changes_.begin(), changes_.end(), PlanChange{destination, 0, 0, 0}, less);
    return {first, last};
  }
  [[nodiscard]] std::span<const PlanChange> all() const { return changes_; }

  /// Makes the changes of step k, which come first in `changes`, and takes them off. False: there are none.
  template <class Value>
  static bool take(std::span<const PlanChange>& changes, std::uint32_t k, std::vector<Value>& values) {
    bool any = false;
    for (; !changes.empty() && changes.front().step == k; changes = changes.subspan(1)) {
      values.at(changes.front().at) = static_cast<Value>(changes.front().after);
      any = true;
    }
    return any;
  }

 private:
  explicit PlanChanges(std::vector<PlanChange> changes) : changes_(std::move(changes)) {
    // Stable: of two changes of one entry in a step the last counts, as when they are made.
    std::stable_sort(changes_.begin(), changes_.end(), [](const PlanChange& a, const PlanChange& b) {
      return std::tuple(a.destination, a.step) < std::tuple(b.destination, b.step);
    });
  }

  std::vector<PlanChange> changes_;
};

}  // namespace unknot
