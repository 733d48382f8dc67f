// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/plan_check.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/verify/transition/mixture_walk.hpp"
#include "unknot/verify/transition/plan_changes.hpp"

namespace unknot {
namespace {

using Marks = MarkSet<LaneMask>;

/// Space of one worker.
struct PlanScratch {
  PlanScratch(const Network& network, const DependencySlots& slots)
      : columns(network),
        walk(network, slots),
        old_entries(network.router_count()),
        new_entries(network.router_count()) {}
  ColumnBlock columns;
  MixtureWalk walk;
  std::vector<std::uint32_t> old_entries, new_entries;  // by router
  std::vector<std::uint8_t> old_levels, new_levels;     // by row
};

/// Plays the plan for one destination after the other.
class PlanWalk {
 public:
  PlanWalk(const Network& network, const Routing& before, std::span<const TransitionStep> steps,
           const DependencySlots& slots)
      : network_(network),
        before_(before),
        lanes_(before),
        steps_(steps),
        entries_(PlanChanges::of_entries(steps)),
        levels_(PlanChanges::of_levels(steps)),
        always_(slots.count(), Marks::kDenseBytes / (steps.size() + 1)) {
    for (std::size_t k = 0; k < steps.size(); ++k)
      marks_.push_back(std::make_unique<Marks>(slots.count(), Marks::kDenseBytes / (steps.size() + 1)));
  }

  void run(std::span<const DestinationPiece> pieces, PlanScratch& scratch) {
    scratch.columns.load(before_.table(), pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
        const TerminalId destination(pieces[k].first + j);
        const std::uint16_t* column = scratch.columns.entries(k) + j;
        scratch.walk.forget();
        if (entries_.of(destination).empty() && levels_.of(destination).empty()) {
          stay(destination, column, pieces[k].count, scratch.walk);
          continue;
        }
        for (std::uint32_t r = 0; r < network_.router_count(); ++r)
          scratch.old_entries[r] = column[std::size_t{r} * pieces[k].count];
        walk(destination, scratch);
      }
    }
  }

  /// What packets to destinations that the plan leaves alone depend on, at all times.
  [[nodiscard]] const Marks& always() const { return always_; }
  /// What the others depend on during a step, packets of earlier ones included.
  [[nodiscard]] const Marks& during(std::size_t step) const { return *marks_[step]; }

 private:
  /// A destination that the plan leaves alone, as most: the same at all times.
  void stay(TerminalId destination, const std::uint16_t* column, std::size_t stride, MixtureWalk& walk) {
    const ServiceLevels& levels = before_.service_levels;
    walk.step(
        [&](std::uint32_t router) {
          return std::array<std::uint32_t, 2>{column[router * stride], column[router * stride]};
        },
        [&](RouterId r) {
          LaneMask mask = 0;
          for (const TerminalId source : network_.terminals_at(r)) {
            if (source == destination) continue;
            mask |= lane_bit(lanes_, levels.get(source, destination), source);
            if (levels.shared_by_router()) break;  // they send alike
          }
          return mask;
        },
        always_);
  }

  void walk(TerminalId destination, PlanScratch& scratch) {
    std::span<const PlanChange> entries = entries_.of(destination);
    std::span<const PlanChange> levels = levels_.of(destination);
    const ServiceLevels& before = before_.service_levels;
    scratch.old_levels.assign(std::max(1U, before.row_count()), 0);
    for (std::uint32_t row = 0; row < before.row_count(); ++row)
      scratch.old_levels[row] = before.row(row)[destination.value];
    scratch.new_entries = scratch.old_entries;
    scratch.new_levels = scratch.old_levels;
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
      const bool entries_change = PlanChanges::take(entries, k, scratch.new_entries);
      const bool levels_change = PlanChanges::take(levels, k, scratch.new_levels);
      if (steps_[k].wait) scratch.walk.forget();
      // Without a change packets go where those of the step before could go.
      if (!entries_change && !levels_change && !steps_[k].wait && k > 0) continue;
      step(destination, scratch, *marks_[k]);
      scratch.old_entries = scratch.new_entries;
      scratch.old_levels = scratch.new_levels;
    }
  }

  void step(TerminalId destination, PlanScratch& scratch, Marks& marks) const {
    scratch.walk.step(
        [&](std::uint32_t router) {
          return std::array<std::uint32_t, 2>{scratch.old_entries[router], scratch.new_entries[router]};
        },
        [&](RouterId r) {
          LaneMask mask = 0;
          for (const TerminalId source : network_.terminals_at(r)) {
            if (source == destination) continue;
            const std::uint32_t row =
                before_.service_levels.empty() ? 0 : before_.service_levels.row_of(source);
            mask |= lane_bit(lanes_, scratch.old_levels[row], source);
            mask |= lane_bit(lanes_, scratch.new_levels[row], source);
          }
          return mask;
        },
        marks);
  }

  const Network& network_;
  const Routing& before_;
  LaneFunction lanes_;
  std::span<const TransitionStep> steps_;
  PlanChanges entries_, levels_;
  Marks always_;
  std::vector<std::unique_ptr<Marks>> marks_;  // by step
};

void add_marks(const Marks& from, Marks& to) {
  from.for_each([&](std::uint64_t slot, LaneMask mask) { to.add(slot, mask); });
}

/// Judges the steps from `begin` to before `end`, none of which waits but for the first.
void judge_window(const Network& network, const DependencySlots& slots, const PlanWalk& walk,
                  std::size_t begin, std::size_t end, std::vector<StepVerdict>& verdicts) {
  {
    // Dependencies only come to the others, so that mostly one look at all of them is enough.
    Marks all(slots.count());
    add_marks(walk.always(), all);
    for (std::size_t k = begin; k < end; ++k) add_marks(walk.during(k), all);
    if (marked_cycle(marked_dependencies(network, slots, all)).empty()) return;
  }
  Marks so_far(slots.count());
  add_marks(walk.always(), so_far);
  for (std::size_t k = begin; k < end; ++k) {
    add_marks(walk.during(k), so_far);
    verdicts[k].cycle = marked_cycle(marked_dependencies(network, slots, so_far));
  }
}

}  // namespace

std::size_t PlanVerdict::first_unsafe() const {
  const auto at =
      std::find_if(steps.begin(), steps.end(), [](const StepVerdict& one) { return !one.deadlock_free(); });
  return static_cast<std::size_t>(at - steps.begin());
}

PlanVerdict verify_plan(const Network& network, const Routing& before, std::span<const TransitionStep> steps,
                        std::uint32_t threads, Progress& progress) {
  require_mixable(network, before);
  PlanVerdict verdict;
  verdict.steps.resize(steps.size());
  if (steps.empty()) return verdict;
  const DependencySlots slots(network);
  PlanWalk walk(network, before, steps, slots);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<std::unique_ptr<PlanScratch>> scratch(threads);
  SharedProgress shared(progress, "following the steps", groups.count());
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!scratch[worker]) scratch[worker] = std::make_unique<PlanScratch>(network, slots);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      walk.run(groups.group(g), *scratch[worker]);
                      shared.step();
                    }
                  });
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin + 1;
    while (end < steps.size() && !steps[end].wait) ++end;
    judge_window(network, slots, walk, begin, end, verdict.steps);
    begin = end;
  }
  return verdict;
}

}  // namespace unknot
