// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"

namespace unknot {

/// Which destination routers each router reaches by paths that go up, then down, and in how many hops: one
/// bit a destination, 64 to a word, so that what a router reaches is the union of what its neighbours do.
///
/// Whichever rule says where a router goes down and where up, each time by the fewest hops: no packet that
/// came down is ever sent up, whatever each router chooses among its candidates; and every pair joined by a
/// path that goes up, then down, has one.
class LegalReach {
 public:
  using Word = std::uint64_t;
  static constexpr std::uint32_t kWordBits = 64;

  enum class Rule : std::uint8_t {
    /// A router goes down wherever some way down leads to the destination: in a tree, where ways down are the
    /// shortest.
    down_first,
    /// Routers decide from the top: one that a router above may go down to goes down; any other takes the
    /// shorter way, down of equals. As UpDownTree does, but the candidates of all terminals of a destination
    /// router are found at once, and count for what may come down.
    shorter,
  };

  /// Without an order, every channel leads down: all shortest paths.
  LegalReach(const Network& network, std::uint32_t threads);
  /// Destinations are the routers with terminals, in order of id. O(channels * words * hops) word operations,
  /// of which those of empty rows are skipped. `threads` 0: all.
  LegalReach(const Network& network, const UpDownOrder& order, Rule rule, std::uint32_t threads);

  [[nodiscard]] std::span<const RouterId> destinations() const { return destinations_; }
  /// Words in a set of destinations.
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// (source, destination) pairs of terminals that the rule leaves without a path.
  [[nodiscard]] std::uint64_t missing_pairs() const { return missing_; }

  /// Destinations to which `out` is a candidate of its source: words() words.
  void candidates(const Network& network, ChannelId out, Word* set) const;

 private:
  [[nodiscard]] std::size_t row(std::uint32_t hops, std::uint32_t router) const {
    return (std::size_t{hops} * routers_ + router) * words_;
  }
  void list_destinations(const Network& network);
  void find_down(const Network& network, std::uint32_t threads);
  void find_up(const Network& network, std::uint32_t threads);
  void decide_from_the_top(const Network& network, const UpDownOrder& order, std::uint32_t threads);
  void add_level();
  /// One level of hops more, where `up` over channels that lead up, else down. False when it is empty.
  bool grow(const Network& network, bool up, std::uint32_t hops, std::uint32_t threads);
  void count_missing(const Network& network);

  std::uint32_t routers_;
  std::uint32_t words_ = 0;
  std::uint32_t levels_ = 0;
  std::vector<RouterId> destinations_;
  std::vector<std::uint8_t> up_;   // by channel
  std::vector<Word> at_;           // by hops and router: destinations that many hops away
  std::vector<std::uint8_t> any_;  // by hops and router: not empty
  std::vector<Word> below_;        // by router: destinations it goes down to
  std::vector<Word> reached_;      // by router: at any number of hops
  std::uint64_t missing_ = 0;
};

}  // namespace unknot
