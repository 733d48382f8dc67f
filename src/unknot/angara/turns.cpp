// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/turns.hpp"

#include <algorithm>

namespace unknot::angara {
namespace {

/// The channel dependency graph of the direction order with the turns taken so far, by slots.
class Dependencies {
 public:
  Dependencies(const Torus& torus, const std::vector<std::uint16_t>& turns)
      : torus_(torus), turns_(turns), stamp_(torus.slot_count(), 0) {}

  /// Calls visit(slot) for each channel that `slot` may wait for, until it returns true.
  template <class Visit>
  bool any_next(std::uint32_t slot, const Visit& visit) const {
    const std::uint32_t at = torus_.next(slot);
    const Direction from = torus_.direction(slot);
    for (std::uint32_t to = 0; to < torus_.directions(); ++to) {
      if (to < from && (turns_[slot] >> to & 1U) == 0) continue;
      const std::uint32_t next = torus_.slot(at, static_cast<Direction>(to));
      if (torus_.next(next) != Torus::kNone && visit(next)) return true;
    }
    return false;
  }
  /// The same for the channels that may wait for `slot`.
  template <class Visit>
  void for_each_previous(std::uint32_t slot, const Visit& visit) const {
    const std::uint32_t at = slot / torus_.directions();
    const Direction to = torus_.direction(slot);
    for (std::uint32_t from = 0; from < torus_.directions(); ++from) {
      const std::uint32_t previous = torus_.entering(at, static_cast<Direction>(from));
      if (previous == Torus::kNone) continue;
      if (to >= from || (turns_[previous] >> to & 1U) != 0) visit(previous);
    }
  }

  bool reaches(std::uint32_t from, std::uint32_t goal) {
    if (from == goal) return true;
    ++round_;
    queue_.assign(1, from);
    stamp_[from] = round_;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const bool found = any_next(queue_[i], [&](std::uint32_t next) {
        if (next == goal) return true;
        if (stamp_[next] != round_) {
          stamp_[next] = round_;
          queue_.push_back(next);
        }
        return false;
      });
      if (found) return true;
    }
    return false;
  }

 private:
  const Torus& torus_;
  const std::vector<std::uint16_t>& turns_;
  std::vector<std::uint32_t> stamp_;
  std::vector<std::uint32_t> queue_;
  std::uint32_t round_ = 0;
};

/// B(c) of the paper: directions, c's own included, on the channels that c reaches.
class DirectionSets {
 public:
  DirectionSets(const Torus& torus, const Dependencies& dependencies)
      : dependencies_(dependencies), set_(torus.slot_count(), 0) {
    for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
      if (torus.next(slot) != Torus::kNone)
        spread(slot, static_cast<std::uint16_t>(1U << torus.direction(slot)));
    }
  }
  [[nodiscard]] std::uint16_t of(std::uint32_t slot) const { return set_[slot]; }

  /// `slot`, and all that reaches it, reaches `directions` too. Sets only grow, so whoever has them all has
  /// passed them on.
  void spread(std::uint32_t slot, std::uint16_t directions) {
    if ((set_[slot] | directions) == set_[slot]) return;
    set_[slot] |= directions;
    stack_.assign(1, slot);
    while (!stack_.empty()) {
      const std::uint32_t at = stack_.back();
      stack_.pop_back();
      dependencies_.for_each_previous(at, [&](std::uint32_t previous) {
        if ((set_[previous] | directions) == set_[previous]) return;
        set_[previous] |= directions;
        stack_.push_back(previous);
      });
    }
  }

 private:
  const Dependencies& dependencies_;
  std::vector<std::uint16_t> set_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

Turns::Turns(const Torus& torus, Augmentation augmentation) : turns_(torus.slot_count(), 0) {
  if (augmentation == Augmentation::none) return;
  Dependencies dependencies(torus, turns_);
  DirectionSets sets(torus, dependencies);
  for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
    if (torus.next(slot) == Torus::kNone) continue;
    const Direction from = torus.direction(slot);
    // A first step is positive and comes before positive ones, a last step follows negative ones.
    const std::uint32_t first = torus.positive(from) ? 0 : torus.dimensions();
    for (std::uint32_t to = first; to < from; ++to) {
      const std::uint32_t next = torus.slot(torus.next(slot), static_cast<Direction>(to));
      if (torus.next(next) == Torus::kNone) continue;
      if ((sets.of(next) >> from & 1U) != 0 &&
          (augmentation != Augmentation::exact || dependencies.reaches(next, slot)))
        continue;
      turns_[slot] |= static_cast<std::uint16_t>(1U << to);
      ++count_;
      sets.spread(slot, sets.of(next));
    }
  }
}

}  // namespace unknot::angara
