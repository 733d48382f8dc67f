// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/seeking_routers.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "unknot/network/distances_to.hpp"
#include "unknot/routing/layers/slot_hops.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/tables/column_block.hpp"

namespace unknot {
namespace {

bool has_hosts(const Network& network, RouterId r) {
  return network.terminals_at(r).size() > 1;
}

/// Which dependencies data makes, whatever the lane: a bit a slot, so that those of large networks stay in
/// the cache.
class TurnBits {
 public:
  /// `uses`: the lanes of each dependency, a bit each, by slot. O(slots).
  explicit TurnBits(std::span<const std::uint16_t> uses) : bits_(uses.size() / 32 + 1, 0) {
    for (std::size_t slot = 0; slot < uses.size(); ++slot)
      bits_[slot / 32] |= (uses[slot] != 0 ? 1U : 0U) << slot % 32;
  }
  void add(std::uint64_t slot) { bits_[slot / 32] |= 1U << slot % 32; }
  [[nodiscard]] std::uint8_t get(std::uint64_t slot) const { return get(bits_.data(), slot); }
  /// For hot loops: the same of data().
  static std::uint8_t get(const std::uint32_t* bits, std::uint64_t slot) {
    return static_cast<std::uint8_t>(bits[slot / 32] >> slot % 32 & 1U);
  }
  [[nodiscard]] const std::uint32_t* data() const { return bits_.data(); }

 private:
  std::vector<std::uint32_t> bits_;
};

/// Follows the entries of one group of destinations after the other, nearest routers first.
class Follow {
 public:
  Follow(const Network& network, const ForwardingTable& table, const SlotHops& hops,
         const InNeighbours& neighbours, const TurnBits& turns)
      : network_(network),
        table_(table),
        hops_(hops),
        turns_(turns),
        distances_(neighbours),
        columns_(network) {}

  void run(std::span<const DestinationPiece> pieces, std::span<std::vector<RouterId>> seeking) {
    columns_.load(table_, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      if (!has_hosts(network_, pieces[k].router)) continue;
      entries_ = columns_.entries(k);
      count_ = pieces[k].count;
      follow(pieces[k]);
      list(pieces[k], seeking);
    }
  }

 private:
  static constexpr std::uint8_t kNo = 0, kYes = 1, kUnknown = 2;
  static constexpr std::size_t kAhead = 4;  // routers

  /// Most tables send every packet one hop nearer, so that where a router's entry leads is known before it.
  /// Routers with hosts are followed where an entry leads there alone.
  void follow(const DestinationPiece& piece) {
    reaches_.assign(std::size_t{network_.router_count()} * count_, kUnknown);
    std::fill_n(reaches_.begin() + std::ptrdiff_t{piece.router.value} * count_, count_, kYes);
    distances_.run(piece.router);
    nearest_.clear();
    for (const std::uint32_t r : distances_.order()) {
      if (!has_hosts(network_, RouterId(r))) nearest_.push_back(r);
    }
    bool known = true;
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      if (i + kAhead < nearest_.size()) call_row(nearest_[i + kAhead]);
      known &= follow_row(nearest_[i]);
    }
    if (known) return;
    for (const std::uint32_t r : nearest_) {
      for (std::uint32_t j = 0; j < count_; ++j) {
        if (reaches_[std::size_t{r} * count_ + j] == kUnknown) follow_chain(r, j);
      }
    }
  }

  /// Brings near what follow_row() reads of a router.
  void call_row(std::uint32_t router) const {
    const std::uint16_t* entries = entries_ + std::size_t{router} * count_;
    bring_near(entries, entries + count_);
    const std::span<const SlotHops::Hop> out = hops_.out(router);
    bring_near(out.data(), out.data() + out.size());
  }

  /// False where something of the row depends on routers that nobody has followed yet. Pointers are local:
  /// stores to bytes may alias anything reached by `this`.
  bool follow_row(std::uint32_t router) {
    const std::span<const SlotHops::Hop> out = hops_.out(router);
    const std::uint64_t first_slot = hops_.first_slot(router);
    const std::uint32_t count = count_;
    const std::uint16_t* entries = entries_;
    const std::uint32_t* turns = turns_.data();
    std::uint8_t* reaches = reaches_.data();
    const std::size_t at = std::size_t{router} * count;
    bool known = true;
    for (std::uint32_t j = 0; j < count; ++j) {
      if (entries[at + j] >= out.size()) {
        reaches[at + j] = kNo;
        continue;
      }
      const SlotHops::Hop hop = out[entries[at + j]];
      const std::size_t next = std::size_t{hop.target} * count + j;
      const std::uint8_t turn = TurnBits::get(turns, first_slot + hop.slot + entries[next]);
      const std::uint8_t then = reaches[next];
      known &= then != kUnknown;
      reaches[at + j] = then == kUnknown ? kUnknown : static_cast<std::uint8_t>(then & turn);
    }
    return known;
  }

  void follow_chain(std::uint32_t router, std::uint32_t j) {
    chain_.clear();
    std::uint32_t at = router;
    const auto index = [&](std::uint32_t r) { return std::size_t{r} * count_ + j; };
    while (reaches_[index(at)] == kUnknown) {
      reaches_[index(at)] = kNo;  // a loop comes back to it
      const std::span<const SlotHops::Hop> out = hops_.out(at);
      if (entries_[index(at)] >= out.size()) break;
      chain_.push_back(at);
      at = out[entries_[index(at)]].target;
    }
    for (std::size_t i = chain_.size(); i-- > 0; at = chain_[i]) {
      const SlotHops::Hop hop = hops_.out(chain_[i])[entries_[index(chain_[i])]];
      const std::uint64_t slot = hops_.first_slot(chain_[i]) + hop.slot + entries_[index(at)];
      if (reaches_[index(at)] == kYes && turns_.get(slot) != 0) reaches_[index(chain_[i])] = kYes;
    }
  }

  void list(const DestinationPiece& piece, std::span<std::vector<RouterId>> seeking) const {
    for (const RouterId r : network_.routers()) {
      if (has_hosts(network_, r)) continue;
      const std::uint8_t* row = reaches_.data() + std::size_t{r.value} * count_;
      if (std::all_of(row, row + count_, [](std::uint8_t reaches) { return reaches == kYes; })) continue;
      for (std::uint32_t j = 0; j < count_; ++j) {
        if (row[j] != kYes) seeking[piece.first + j].push_back(r);
      }
    }
  }

  const Network& network_;
  const ForwardingTable& table_;
  const SlotHops& hops_;
  const TurnBits& turns_;
  DistancesTo distances_;
  ColumnBlock columns_;
  const std::uint16_t* entries_ = nullptr;  // of the piece, as columns_ has them
  std::uint32_t count_ = 0;
  std::vector<std::uint8_t> reaches_;  // as entries
  std::vector<std::uint32_t> nearest_, chain_;
};

}  // namespace

std::vector<std::vector<RouterId>> seeking_routers(const ManagedNetwork& managed,
                                                   const ForwardingTable& table, const DependencySlots& slots,
                                                   std::span<const std::uint16_t> uses,
                                                   std::uint32_t threads) {
  const Network& network = managed.network;
  std::vector<std::vector<RouterId>> seeking(network.terminal_count());
  const SlotHops hops(network, slots);
  const InNeighbours neighbours(network);
  TurnBits turns(uses);
  // Where a path ends nothing has to follow.
  for (const ChannelId c : network.channels()) turns.add(slots.end_slot(c.value));
  const DestinationGroups groups(network, 128);
  if (threads == 0) threads = hardware_threads();
  std::vector<std::unique_ptr<Follow>> follows(threads);
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    auto& follow = follows[worker];
                    if (!follow) follow = std::make_unique<Follow>(network, table, hops, neighbours, turns);
                    for (std::uint32_t g = begin; g < end; ++g) follow->run(groups.group(g), seeking);
                  });
  return seeking;
}

}  // namespace unknot
