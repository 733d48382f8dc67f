// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/managed_network.hpp"
#include "unknot/routing/layers/lane_sequence.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Routes of the switches without hosts: from each of them to a destination, and where the destination is one
/// of them, from all others to it. Entries that data takes stay; those that no packet of a host meets are
/// free.
///
/// A tree grows backwards from what stays, nearest first, along dependencies that follow the lanes'
/// sequences, so that trees know nothing of each other: any number may grow at once. Where the nearest way
/// leads into a blind alley, the tree is grown again along one lane from its last channel to its first, which
/// joins all that the lane's sequence can join. What is then left out has to change a sequence.
///
/// Where seeking_routers() has said who needs a way to a host, nobody else is looked at: the entries of all
/// others stay, on the first lane.
class SwitchTrees {
 public:
  /// Destinations whose columns are worked on together: a table lies router by router, and a column by itself
  /// would cost a line of the cache for each entry.
  static constexpr std::uint32_t kColumns = 64;

  /// What one thread works with.
  struct Scratch {
    std::uint32_t search = 0;
    std::uint32_t first = 0;              // destination of the first column
    std::vector<std::uint32_t> position;  // by column and router: as ForwardingTable::get()
    std::vector<std::uint8_t> level;      // of the router's terminals; kUnchanged where they keep theirs
    // By router; those without a current stamp have no way yet.
    std::vector<std::uint32_t> stamp, hops;
    std::vector<std::uint16_t> lanes;       // on which the whole way can be gone, as lanes_of() has them
    std::vector<std::uint8_t> lanes_known;  // 0: on the way of data, nobody has asked yet
    std::vector<ChannelId> entry;
    std::vector<std::uint32_t> asks;                  // by router, as stamp: it may seek a way
    std::vector<bool> stays;                          // data goes there
    std::vector<bool> open;                           // a better way of the same length may come yet
    std::vector<std::vector<std::uint32_t>> buckets;  // by hops: routers, or channels that lead there
    std::vector<std::uint32_t> chain, way, grown;
    std::span<const RouterId> may_seek;
    std::vector<RouterId> seekers;        // of those, still without a way
    std::vector<std::uint32_t> channels;  // that leave them
  };

  /// `routing` is of the network with management, with rows of levels for own ports, or, for ways on the
  /// first lane, without any levels; `uses` are the lanes of the dependencies of data, by slot, and
  /// `sequences` those of the lanes. `seeking`: by terminal, as seeking_routers() has them; empty where
  /// nobody has asked.
  SwitchTrees(const ManagedNetwork& managed, Routing& routing, const DependencySlots& slots,
              std::span<const std::uint16_t> uses, std::vector<LaneSequence> sequences,
              std::span<const std::vector<RouterId>> seeking);
  [[nodiscard]] Scratch scratch() const;

  /// Writes the columns and the levels of destinations [begin, end), kColumns at most, whatever was grown
  /// there before; without[d] becomes the routers that have found no way to d. Their own ports' levels (for a
  /// destination without hosts, all their levels) are ServiceLevels::kMissing. O(channels * lanes) for each,
  /// and less where few routers have no way yet.
  void grow(std::uint32_t begin, std::uint32_t end, Scratch& scratch,
            std::span<std::vector<RouterId>> without);

 private:
  static constexpr std::uint8_t kUnchanged = 0xFE;  // no level, and not kMissing
  enum class Turns : std::uint8_t { of_data, in_sequence };
  [[nodiscard]] bool has_hosts(RouterId r) const { return has_hosts_[r.value] != 0; }
  /// No row of data leads to the destination.
  [[nodiscard]] bool from_all(TerminalId destination) const {
    return !has_hosts(managed_->network.router_of(destination));
  }
  /// Those that may seek a way: all, or those without hosts, or some of them.
  [[nodiscard]] std::span<const RouterId> may_seek(TerminalId destination) const {
    if (from_all(destination)) return all_;
    return seeking_.empty() ? std::span<const RouterId>(bare_) : seeking_[destination.value];
  }
  [[nodiscard]] static bool seeks(RouterId r, const Scratch& s) {
    return s.stamp[r.value] != s.search && s.asks[r.value] == s.search;
  }
  void begin(TerminalId destination, Scratch& s) const;
  void keep_way(RouterId start, TerminalId destination, Scratch& s) const;
  void keep_entries(TerminalId destination, Scratch& s) const;
  std::uint16_t lanes_of(RouterId r, RouterId home, Scratch& s) const;
  std::uint16_t lanes_through(ChannelId c, RouterId home, Turns turns, Scratch& s) const;
  /// Lists those that seek a way. Fewer than one in kFew of all channels leave them: true, and the channels
  /// are listed too, so that nothing else need be looked at.
  bool find_seekers(TerminalId destination, Scratch& s) const;
  [[nodiscard]] static std::uint32_t still_seeking(const Scratch& s);
  /// By how many lanes and how late in their sequence: what makes a channel the better one of two.
  [[nodiscard]] std::pair<int, std::uint32_t> worth(std::uint16_t lanes, ChannelId c) const;
  void grow_nearest(RouterId home, Turns turns, Scratch& s) const;
  void reach_nearest(RouterId home, Turns turns, Scratch& s) const;
  void grow_in_sequence(TerminalId destination, std::uint32_t lane, Scratch& s) const;
  void forget_grown(Scratch& s) const;
  void load(std::uint32_t begin, std::uint32_t end, Scratch& s) const;
  void store(std::uint32_t end, const Scratch& s);
  std::vector<RouterId> grow_column(TerminalId destination, Scratch& s) const;
  std::vector<RouterId> write(TerminalId destination, Scratch& s) const;
  [[nodiscard]] ChannelId next(RouterId r, TerminalId destination, const Scratch& s) const;

  const ManagedNetwork* managed_;
  Routing* routing_;
  const DependencySlots* slots_;
  std::span<const std::uint16_t> uses_;
  std::vector<LaneSequence> sequences_;
  std::span<const std::vector<RouterId>> seeking_;
  std::uint16_t all_lanes_;
  std::vector<std::uint32_t> place_;     // by channel, then lane: in the lane's sequence
  std::vector<std::uint8_t> has_hosts_;  // by router
  std::vector<RouterId> all_, bare_, with_hosts_;
};

}  // namespace unknot
