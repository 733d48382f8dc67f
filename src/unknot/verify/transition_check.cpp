// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/transition_check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/dependency_slots.hpp"
#include "unknot/deadlock/mark_set.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/column_block.hpp"

namespace unknot {
namespace {

using Mask = std::uint16_t;
constexpr std::uint32_t kLanes = 16;

void check(const Network& network, const Routing& routing) {
  require_tables(routing, "checking a transition");
  require_fit(network, routing);
  if (routing.lane_map != nullptr) throw InputError("a transition of SL-to-VL tables cannot be checked");
  if (routing.service_levels.highest() >= kLanes) throw InputError("a service level is above 15");
}

/// Space of one worker.
struct Scratch {
  explicit Scratch(const Network& network)
      : before(network), after(network), masks(network.router_count()), waits(network.router_count()) {}
  ColumnBlock before, after;
  std::vector<Mask> masks;          // by router: lanes of packets that leave it
  std::vector<std::uint8_t> waits;  // by router: in the queue
  std::vector<std::uint32_t> queue;
};

/// Follows all mixtures towards one destination after the other.
class MixedWalk {
 public:
  MixedWalk(const Network& network, const Routing& before, const Routing& after, const DependencySlots& slots,
            MarkSet<Mask>& marks)
      : network_(network),
        before_(before),
        after_(after),
        slots_(slots),
        marks_(marks),
        shared_rows_(before.service_levels.rows() != ServiceLevels::Rows::by_terminal &&
                     after.service_levels.rows() != ServiceLevels::Rows::by_terminal) {}

  void run(std::span<const DestinationPiece> pieces, Scratch& scratch) const {
    scratch.before.load(before_.table, pieces);
    scratch.after.load(after_.table, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
        walk(TerminalId(pieces[k].first + j), scratch.before.entries(k) + j, scratch.after.entries(k) + j,
             pieces[k].count, scratch);
      }
    }
  }

 private:
  void walk(TerminalId destination, const std::uint16_t* old_entries, const std::uint16_t* new_entries,
            std::uint32_t stride, Scratch& scratch) const {
    scratch.queue.clear();
    for (const RouterId r : network_.routers()) {
      Mask mask = 0;
      for (const TerminalId source : network_.terminals_at(r)) {
        if (source == destination) continue;
        mask |= bit(before_.service_levels.get(source, destination));
        mask |= bit(after_.service_levels.get(source, destination));
        if (shared_rows_) break;  // the router's terminals send alike
      }
      scratch.masks[r.value] = mask;
      scratch.waits[r.value] = mask != 0 ? 1 : 0;
      if (mask != 0) scratch.queue.push_back(r.value);
    }
    const auto entries = [&](std::uint32_t router) {
      const std::size_t at = std::size_t{router} * stride;
      return std::array<std::uint32_t, 2>{old_entries[at], new_entries[at]};
    };
    // Lanes only ever grow, so this ends; routers come again when theirs have grown.
    for (std::size_t head = 0; head < scratch.queue.size(); ++head) {
      const std::uint32_t at = scratch.queue[head];
      scratch.waits[at] = 0;
      const Mask mask = scratch.masks[at];
      const IdRange<ChannelId> out = network_.out(RouterId(at));
      for (const std::uint32_t entry : entries(at)) {
        if (entry >= out.size()) continue;
        const ChannelId channel = out[entry];
        const std::uint32_t to = network_.target(channel).value;
        // Entries that name no channel are the out-degree: the slot of packets that end there.
        for (const std::uint32_t next : entries(to)) marks_.add(slots_.slot(channel.value, next), mask);
        if ((scratch.masks[to] | mask) == scratch.masks[to]) continue;
        scratch.masks[to] |= mask;
        if (scratch.waits[to] == 0) scratch.queue.push_back(to);
        scratch.waits[to] = 1;
      }
    }
  }

  static Mask bit(std::uint8_t level) {
    return level == ServiceLevels::kMissing ? Mask{0} : static_cast<Mask>(1U << level);
  }

  const Network& network_;
  const Routing& before_;
  const Routing& after_;
  const DependencySlots& slots_;
  MarkSet<Mask>& marks_;
  bool shared_rows_;  // no two terminals of a router differ in their levels
};

DependencyGraph make_graph(const Network& network, const DependencySlots& slots, const MarkSet<Mask>& marks) {
  const std::uint32_t channels = network.channel_count();
  const auto for_each = [&](const auto& visit) {
    std::uint32_t channel = 0;
    marks.for_each([&](std::uint64_t slot, Mask mask) {
      while (slots.first(channel + 1) <= slot) ++channel;
      const IdRange<ChannelId> out = network.out(network.target(ChannelId(channel)));
      const auto position = static_cast<std::uint32_t>(slot - slots.first(channel));
      const ChannelId next = position < out.size() ? out[position] : ChannelId();
      for (std::uint32_t left = mask; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(left)), channel, next);
    });
  };
  std::uint32_t lanes = 1;
  for_each([&](std::uint32_t lane, std::uint32_t, ChannelId) { lanes = std::max(lanes, lane + 1); });
  std::vector<std::uint8_t> used(std::size_t{channels} * lanes, 0);
  for_each([&](std::uint32_t lane, std::uint32_t channel, ChannelId) {
    used[std::size_t{lane} * channels + channel] = 1;
  });
  return {channels, lanes, std::move(used), [&](const auto& arc) {
            for_each([&](std::uint32_t lane, std::uint32_t channel, ChannelId next) {
              if (next.valid()) arc(lane * channels + channel, lane * channels + next.value);
            });
          }};
}

}  // namespace

TransitionVerdict verify_transition(const Network& network, const Routing& before, const Routing& after,
                                    std::uint32_t threads, Progress& progress) {
  check(network, before);
  check(network, after);
  const DependencySlots slots(network);
  MarkSet<Mask> marks(slots.count());
  const MixedWalk walk(network, before, after, slots, marks);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<std::unique_ptr<Scratch>> scratch(threads);
  SharedProgress shared(progress, "following both tables", groups.count());
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!scratch[worker]) scratch[worker] = std::make_unique<Scratch>(network);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      walk.run(groups.group(g), *scratch[worker]);
                      shared.step();
                    }
                  });
  const DependencyGraph graph = make_graph(network, slots, marks);
  TransitionVerdict verdict;
  verdict.dependencies = graph.arc_count();
  verdict.deadlock_free = topological_numbers(graph).acyclic;
  if (!verdict.deadlock_free) {
    for (const DependencyGraph::Vertex v : shortest_cycle(graph)) {
      verdict.cycle.push_back({ChannelId(graph.channel_of(v)), static_cast<std::uint8_t>(graph.lane_of(v))});
    }
  }
  return verdict;
}

}  // namespace unknot
