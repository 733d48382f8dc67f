// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/dependency_walk.hpp"

#include <algorithm>
#include <atomic>
#include <memory>

#include "unknot/network/distances_to.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLanes = 16;

/// Pushes the lanes of all packets down the trees, group by group of destinations.
class Walk {
 public:
  Walk(const Network& network, const Routing& routing, const DependencySlots& slots,
       const InNeighbours& neighbours, std::vector<std::uint16_t>& used)
      : network_(network),
        routing_(routing),
        slots_(slots),
        used_(used),
        distances_(neighbours),
        columns_(network),
        tree_(network) {}

  void run(std::span<const DestinationPiece> pieces) {
    columns_.load(routing_.table(), pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) walk_piece(pieces[k], columns_.entries(k));
  }

 private:
  void walk_piece(const DestinationPiece& piece, const std::uint16_t* entries) {
    fill_masks(piece);
    distances_.run(piece.router);
    if (nearest_last(piece, entries)) return;
    fill_masks(piece);
    for (std::uint32_t j = 0; j < piece.count; ++j) {
      tree_.build(routing_.table(), TerminalId(piece.first + j), entries + j, piece.count);
      if (!tree_.loops().empty()) throw RoutingFailure("the tables send packets in a loop: nothing to keep");
      for (const std::uint32_t router : tree_.order()) push(router, j, piece.count, entries);
    }
  }

  void fill_masks(const DestinationPiece& piece) {
    masks_.assign(std::size_t{network_.router_count()} * piece.count, 0);
    const ServiceLevels& levels = routing_.service_levels;
    for (const RouterId r : network_.routers()) {
      std::uint16_t* to = masks_.data() + std::size_t{r.value} * piece.count;
      if (levels.empty()) {
        std::fill_n(to, network_.terminals_at(r).empty() ? 0 : piece.count, std::uint16_t{1});
        continue;
      }
      std::uint32_t last_row = 0xFFFFFFFFU;
      for (const TerminalId source : network_.terminals_at(r)) {
        const std::uint32_t row = levels.row_of(source);
        if (row == last_row) continue;
        last_row = row;
        const std::uint8_t* from = levels.row(row).data() + piece.first;
        for (std::uint32_t j = 0; j < piece.count; ++j) {
          if (from[j] < kLanes) to[j] |= static_cast<std::uint16_t>(1U << from[j]);
        }
      }
    }
  }

  /// Most tables send every packet one hop nearer: then routers by distance are in the order of the trees.
  /// False at the first entry that does not; what was marked by then is in use all the same.
  bool nearest_last(const DestinationPiece& piece, const std::uint16_t* entries) {
    const auto distance = distances_.distance();
    const auto order = distances_.order();
    const std::uint32_t count = piece.count;
    for (std::size_t i = order.size(); i-- > 1;) {
      const RouterId router(order[i]);
      const IdRange<ChannelId> out = network_.out(router);
      const std::size_t at = std::size_t{router.value} * count;
      for (std::uint32_t j = 0; j < count; ++j) {
        const std::uint32_t position = entries[at + j];
        if (masks_[at + j] == 0 || position >= out.size()) continue;
        const ChannelId channel = out[position];
        if (distance[network_.target(channel).value] + 1 != distance[router.value]) return false;
        push_along(channel, masks_[at + j], j, count, entries);
      }
    }
    return order.size() == network_.router_count();
  }

  void push(std::uint32_t router, std::uint32_t j, std::uint32_t count, const std::uint16_t* entries) {
    const IdRange<ChannelId> out = network_.out(RouterId(router));
    const std::size_t at = std::size_t{router} * count + j;
    if (masks_[at] != 0 && entries[at] < out.size()) {
      push_along(out[entries[at]], masks_[at], j, count, entries);
    }
  }

  void push_along(ChannelId channel, std::uint16_t mask, std::uint32_t j, std::uint32_t count,
                  const std::uint16_t* entries) {
    const std::size_t next = std::size_t{network_.target(channel).value} * count + j;
    masks_[next] |= mask;
    // An entry that names no channel is the out-degree, and so marks the slot of paths that end.
    // Reads first: most bits are set early and never change again.
    const std::atomic_ref<std::uint16_t> used(used_[slots_.slot(channel.value, entries[next])]);
    if ((used.load(std::memory_order_relaxed) & mask) != mask) used.fetch_or(mask, std::memory_order_relaxed);
  }

  const Network& network_;
  const Routing& routing_;
  const DependencySlots& slots_;
  std::vector<std::uint16_t>& used_;
  DistancesTo distances_;
  ColumnBlock columns_;
  ForwardingTree tree_;
  std::vector<std::uint16_t> masks_;  // as columns: lanes of the packets that leave the router
};

}  // namespace

std::vector<std::uint16_t> dependency_lanes(const Network& network, const Routing& routing,
                                            const DependencySlots& slots, std::uint32_t threads) {
  std::vector<std::uint16_t> lanes(slots.count(), 0);
  const InNeighbours neighbours(network);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::unique_ptr<Walk>> walks(threads);
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!walks[worker])
                      walks[worker] = std::make_unique<Walk>(network, routing, slots, neighbours, lanes);
                    for (std::uint32_t g = begin; g < end; ++g) walks[worker]->run(groups.group(g));
                  });
  return lanes;
}

}  // namespace unknot
