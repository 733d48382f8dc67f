// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition/transition_check.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/verify/transition/mixture_walk.hpp"

namespace unknot {
namespace {

/// Space of one worker.
struct MixtureScratch {
  MixtureScratch(const Network& network, const DependencySlots& slots)
      : before(network), after(network), walk(network, slots) {}
  ColumnBlock before, after;
  MixtureWalk walk;
};

/// Follows all mixtures towards one destination after the other.
class MixtureOfTwo {
 public:
  MixtureOfTwo(const Network& network, const Routing& before, const Routing& after, MarkSet<LaneMask>& marks)
      : network_(network),
        before_(before),
        after_(after),
        lanes_before_(before),
        lanes_after_(after),
        marks_(marks),
        shared_rows_(before.service_levels.shared_by_router() && after.service_levels.shared_by_router()) {}

  void run(std::span<const DestinationPiece> pieces, MixtureScratch& scratch) const {
    scratch.before.load(before_.table(), pieces);
    scratch.after.load(after_.table(), pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
        const TerminalId destination(pieces[k].first + j);
        const std::uint16_t* old_entries = scratch.before.entries(k) + j;
        const std::uint16_t* new_entries = scratch.after.entries(k) + j;
        const std::size_t stride = pieces[k].count;
        scratch.walk.forget();
        scratch.walk.step(
            [&](std::uint32_t router) {
              return std::array<std::uint32_t, 2>{old_entries[router * stride], new_entries[router * stride]};
            },
            [&](RouterId r) { return sent(r, destination); }, marks_);
      }
    }
  }

 private:
  [[nodiscard]] LaneMask sent(RouterId r, TerminalId destination) const {
    LaneMask mask = 0;
    for (const TerminalId source : network_.terminals_at(r)) {
      if (source == destination) continue;
      for (const Routing* sends : {&before_, &after_}) {
        const std::uint8_t level = sends->service_levels.get(source, destination);
        mask |= lane_bit(lanes_before_, level, source) | lane_bit(lanes_after_, level, source);
      }
      if (shared_rows_) break;  // the router's terminals send alike
    }
    return mask;
  }

  const Network& network_;
  const Routing& before_;
  const Routing& after_;
  LaneFunction lanes_before_, lanes_after_;
  MarkSet<LaneMask>& marks_;
  bool shared_rows_;  // no two terminals of a router differ in their levels
};

}  // namespace

TransitionVerdict verify_transition(const Network& network, const Routing& before, const Routing& after,
                                    std::uint32_t threads, Progress& progress) {
  require_mixable(network, before);
  require_mixable(network, after);
  const DependencySlots slots(network);
  MarkSet<LaneMask> marks(slots.count());
  const MixtureOfTwo mixture(network, before, after, marks);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<std::unique_ptr<MixtureScratch>> scratch(threads);
  SharedProgress shared(progress, "following both tables", groups.count());
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!scratch[worker]) scratch[worker] = std::make_unique<MixtureScratch>(network, slots);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      mixture.run(groups.group(g), *scratch[worker]);
                      shared.step();
                    }
                  });
  const DependencyGraph graph = marked_dependencies(network, slots, marks);
  TransitionVerdict verdict;
  verdict.dependencies = graph.arc_count();
  verdict.cycle = marked_cycle(graph);
  verdict.deadlock_free = verdict.cycle.empty();
  return verdict;
}

}  // namespace unknot
