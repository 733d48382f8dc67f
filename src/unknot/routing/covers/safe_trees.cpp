// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/safe_trees.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

using PathWord = PathSets::Word;

constexpr std::uint32_t kBits = PathSets::kWordBits;
constexpr std::uint32_t kAhead = 16;  // channels whose words are on their way

/// One worker's: the trees of one block of destinations after the other.
template <class Mask>
class TreeChoice {
 public:
  TreeChoice(const Network& network, const PathSets& sets, const LaneTurns& turns)
      : network_(network), sets_(sets), turns_(turns), mask_(std::size_t{network.router_count()} * kBits) {}

  /// `entry` by router and destination of the block, `allowed` by channel.
  void build(std::uint32_t block, std::uint16_t* entry, PathWord* allowed, std::vector<Unserved>& unserved) {
    begin(block, allowed);
    for (std::uint32_t hops = 1; hops < sets_.levels(); ++hops) {
      const PathWord* const words = sets_.at(block, hops);
      for (const RouterId r : network_.routers()) {
        const PathWord here = words[r.value];
        if (here == 0) continue;
        choose_ports(block, r, here, entry, allowed);
        keep_ports(block, r, here, entry, allowed, unserved);
      }
    }
  }

 private:
  /// All shortest paths: those without lanes are taken away later, level by level.
  void begin(std::uint32_t block, PathWord* allowed) const {
    for (const ChannelId c : network_.channels()) {
      if (c.value + kAhead < network_.channel_count()) bring_near(sets_.towards(c.value + kAhead) + block);
      allowed[c.value] = sets_.towards(c.value)[block];
    }
  }

  /// Calls visit(destination, lanes that allow the path by `c`) for each destination of the word, and returns
  /// those for which there are such lanes.
  template <class Visit>
  PathWord for_each(std::uint32_t block, ChannelId c, PathWord word, const std::uint16_t* entry,
                    const Visit& visit) const {
    const RouterId to = network_.target(c);
    const Mask* const turns = turns_.template of<Mask>(c.value);
    const Mask* const behind = mask_.data() + std::size_t{to.value} * kBits;
    const std::uint16_t* const next = entry + std::size_t{to.value} * kBits;
    PathWord some = sets_.own_bit(block, to) & word;
    if (some != 0) visit(static_cast<std::uint32_t>(std::countr_zero(some)), static_cast<Mask>(turns_.all()));
    for (PathWord left = word & ~some; left != 0; left &= left - 1) {
      const auto d = static_cast<std::uint32_t>(std::countr_zero(left));
      const auto mask = static_cast<Mask>(behind[d] & turns[next[d]]);
      some |= PathWord{mask != 0} << d;
      visit(d, mask);
    }
    return some;
  }

  void choose_ports(std::uint32_t block, RouterId r, PathWord here, std::uint16_t* entry, PathWord* allowed) {
    Mask* const most = mask_.data() + std::size_t{r.value} * kBits;
    std::uint16_t* const taken = entry + std::size_t{r.value} * kBits;
    worth_.fill(0);
    for (const ChannelId c : network_.out(r)) {
      const PathWord word = allowed[c.value] & here;
      if (word == 0) continue;
      const auto position = static_cast<std::uint16_t>(c.value - network_.out(r).first());
      allowed[c.value] ^= word ^ for_each(block, c, word, entry, [&](std::uint32_t d, Mask mask) {
                            const std::uint64_t worth =
                                std::uint64_t{LaneCount::of(mask) + 1} << 32 |
                                turns_.place(c.value, mask == 0 ? 0 : std::countr_zero(mask));
                            if (worth <= worth_[d]) return;
                            worth_[d] = worth;
                            most[d] = mask;
                            taken[d] = position;
                          });
    }
  }

  /// The entries stay, even where no lane allows them.
  void keep_ports(std::uint32_t block, RouterId r, PathWord here, const std::uint16_t* entry,
                  PathWord* allowed, std::vector<Unserved>& unserved) const {
    for (PathWord left = here; left != 0; left &= left - 1) {
      const auto d = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::size_t at = std::size_t{r.value} * kBits + d;
      if (mask_[at] != 0) continue;
      allowed[network_.out(r).first() + entry[at]] |= PathWord{1} << d;
      if (!network_.terminals_at(r).empty()) unserved.push_back({block * kBits + d, r.value});
    }
  }

  const Network& network_;
  const PathSets& sets_;
  const LaneTurns& turns_;
  std::vector<Mask> mask_;                    // by router and destination of the block
  std::array<std::uint64_t, kBits> worth_{};  // scratch, by destination
};

}  // namespace

SafeTrees::SafeTrees(const Network& network, const PathSets& sets, const LaneTurns& turns,
                     std::uint32_t threads)
    : network_(network) {
  if (threads == 0) threads = hardware_threads();
  entries_.resize(std::size_t{sets.blocks()} * network.router_count() * kBits);
  allowed_.resize(std::size_t{sets.blocks()} * network.channel_count());
  std::vector<std::vector<Unserved>> unserved(sets.blocks());
  turns.with_mask_type([&]<class Mask>(Mask) {
    std::vector<TreeChoice<Mask>> choices(threads, TreeChoice<Mask>(network, sets, turns));
    parallel_blocks(sets.blocks(), 1, threads, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
      Word* const allowed = allowed_.data() + std::size_t{b} * network.channel_count();
      choices[worker].build(b, entries_.data() + std::size_t{b} * network.router_count() * kBits, allowed,
                            unserved[b]);
    });
  });
  for (const std::vector<Unserved>& some : unserved)
    unserved_.insert(unserved_.end(), some.begin(), some.end());
}

void SafeTrees::set_entry(const Unserved& pair, std::uint32_t position) {
  entries_[at(pair.destination, pair.router)] = static_cast<std::uint16_t>(position);
  const std::size_t block = pair.destination / kBits;
  allowed_[block * network_.channel_count() + network_.out(RouterId(pair.router)).first() + position] |=
      Word{1} << pair.destination % kBits;
}

}  // namespace unknot
