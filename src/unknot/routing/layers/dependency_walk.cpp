// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/dependency_walk.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>

#include "unknot/network/distances_to.hpp"
#include "unknot/routing/layers/slot_hops.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"

namespace unknot {
namespace {

/// Lanes by slot, to which several threads add.
class LanesOfSlots {
 public:
  using Mask = std::uint16_t;
  explicit LanesOfSlots(std::uint64_t slots) : lanes_(slots, 0) {}
  [[nodiscard]] Mask* data() { return lanes_.data(); }
  static void add(Mask* data, std::uint64_t slot, Mask mask) {
    // Reads first: most bits are set early and never change again.
    const std::atomic_ref<Mask> lanes(data[slot]);
    if ((lanes.load(std::memory_order_relaxed) & mask) != mask)
      lanes.fetch_or(mask, std::memory_order_relaxed);
  }
  std::vector<std::uint16_t> lanes(std::uint64_t /*slots*/) && { return std::move(lanes_); }

 private:
  std::vector<Mask> lanes_;
};

/// The same where there is one lane: a bit a slot, so that those of large networks stay in the cache.
class OneLaneOfSlots {
 public:
  using Mask = std::uint8_t;
  explicit OneLaneOfSlots(std::uint64_t slots) : bits_(slots / 32 + 1, 0) {}
  [[nodiscard]] std::uint32_t* data() { return bits_.data(); }
  static void add(std::uint32_t* data, std::uint64_t slot, Mask /*mask*/) {
    const std::atomic_ref<std::uint32_t> bits(data[slot / 32]);
    const std::uint32_t bit = 1U << slot % 32;
    if ((bits.load(std::memory_order_relaxed) & bit) == 0) bits.fetch_or(bit, std::memory_order_relaxed);
  }
  std::vector<std::uint16_t> lanes(std::uint64_t slots) && {
    std::vector<std::uint16_t> all(slots);
    for (std::uint64_t slot = 0; slot < slots; ++slot) all[slot] = bits_[slot / 32] >> slot % 32 & 1U;
    return all;
  }

 private:
  std::vector<std::uint32_t> bits_;
};

/// Pushes the lanes of all packets down the trees, group by group of destinations.
template <class Used>
class Walk {
 public:
  using Mask = typename Used::Mask;
  Walk(const Network& network, const Routing& routing, const SlotHops& hops, const InNeighbours& neighbours,
       Used& used)
      : network_(network),
        routing_(routing),
        hops_(hops),
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
      Mask* to = masks_.data() + std::size_t{r.value} * piece.count;
      if (levels.empty()) {
        std::fill_n(to, network_.terminals_at(r).empty() ? 0 : piece.count, Mask{1});
        continue;
      }
      std::uint32_t last_row = 0xFFFFFFFFU;
      for (const TerminalId source : network_.terminals_at(r)) {
        const std::uint32_t row = levels.row_of(source);
        if (row == last_row) continue;
        last_row = row;
        const std::uint8_t* from = levels.row(row).data() + piece.first;
        for (std::uint32_t j = 0; j < piece.count; ++j) {
          if (from[j] < std::numeric_limits<Mask>::digits) to[j] |= static_cast<Mask>(1U << from[j]);
        }
      }
    }
  }

  /// Most tables send every packet one hop nearer: then routers by distance are in the order of the trees.
  /// False at the first entry that does not; what was marked by then is in use all the same.
  bool nearest_last(const DestinationPiece& piece, const std::uint16_t* entries) {
    constexpr std::size_t kAhead = 4;  // routers
    const auto order = distances_.order();
    for (std::size_t i = order.size(); i-- > 1;) {
      if (i > kAhead) call_row(order[i - kAhead], piece.count, entries);
      if (!push_row(order[i], piece.count, entries)) return false;
    }
    return order.size() == network_.router_count();
  }

  /// Brings near what push_row() reads of a router.
  void call_row(std::uint32_t router, std::uint32_t count, const std::uint16_t* entries) const {
    const std::size_t at = std::size_t{router} * count;
    bring_near(entries + at, entries + at + count);
    bring_near(masks_.data() + at, masks_.data() + at + count);
    const std::span<const SlotHops::Hop> out = hops_.out(router);
    bring_near(out.data(), out.data() + out.size());
  }

  /// One router of nearest_last(). Pointers are local: stores to masks may alias anything reached by `this`.
  bool push_row(std::uint32_t router, std::uint32_t count, const std::uint16_t* entries) {
    const std::span<const SlotHops::Hop> out = hops_.out(router);
    const std::uint64_t first_slot = hops_.first_slot(router);
    const std::uint32_t* distance = distances_.distance().data();
    const std::uint32_t nearer = distance[router] - 1;
    const std::size_t at = std::size_t{router} * count;
    Mask* masks = masks_.data();
    auto* used = used_.data();
    for (std::uint32_t j = 0; j < count; ++j) {
      const Mask mask = masks[at + j];
      const std::uint32_t position = entries[at + j];
      if (mask == 0 || position >= out.size()) continue;
      const SlotHops::Hop hop = out[position];
      if (distance[hop.target] != nearer) return false;
      const std::size_t next = std::size_t{hop.target} * count + j;
      masks[next] |= mask;
      // An entry that names no channel is the out-degree, and so marks the slot of paths that end.
      Used::add(used, first_slot + hop.slot + entries[next], mask);
    }
    return true;
  }

  void push(std::uint32_t router, std::uint32_t j, std::uint32_t count, const std::uint16_t* entries) {
    const std::span<const SlotHops::Hop> out = hops_.out(router);
    const std::size_t at = std::size_t{router} * count + j;
    if (masks_[at] == 0 || entries[at] >= out.size()) return;
    const SlotHops::Hop hop = out[entries[at]];
    const std::size_t next = std::size_t{hop.target} * count + j;
    masks_[next] |= masks_[at];
    Used::add(used_.data(), hops_.first_slot(router) + hop.slot + entries[next], masks_[at]);
  }

  const Network& network_;
  const Routing& routing_;
  const SlotHops& hops_;
  Used& used_;
  DistancesTo distances_;
  ColumnBlock columns_;
  ForwardingTree tree_;
  std::vector<Mask> masks_;  // as columns: lanes of the packets that leave the router
};

template <class Used>
std::vector<std::uint16_t> lanes_of_walk(const Network& network, const Routing& routing,
                                         const DependencySlots& slots, std::uint32_t threads) {
  Used used(slots.count());
  const SlotHops hops(network, slots);
  const InNeighbours neighbours(network);
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::unique_ptr<Walk<Used>>> walks(threads);
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    auto& walk = walks[worker];
                    if (!walk) walk = std::make_unique<Walk<Used>>(network, routing, hops, neighbours, used);
                    for (std::uint32_t g = begin; g < end; ++g) walk->run(groups.group(g));
                  });
  return std::move(used).lanes(slots.count());
}

}  // namespace

std::vector<std::uint16_t> dependency_lanes(const Network& network, const Routing& routing,
                                            const DependencySlots& slots, std::uint32_t threads) {
  // Asked of the levels: routings under way have some that nothing declares yet.
  const bool one_lane = routing.service_levels.highest() == 0;
  return one_lane ? lanes_of_walk<OneLaneOfSlots>(network, routing, slots, threads)
                  : lanes_of_walk<LanesOfSlots>(network, routing, slots, threads);
}

}  // namespace unknot
