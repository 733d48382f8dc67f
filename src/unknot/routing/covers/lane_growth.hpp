// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/covers/order_place.hpp"
#include "unknot/routing/covers/path_sample.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// Lanes that serve all pairs of routers by shortest paths, found one after the other: each is an order of
/// the channels in which as many as possible of the pairs that no lane before it serves have a path whose
/// channels come in order.
///
/// What an order serves is found for all destinations at once: channels are looked at from the last to the
/// first, and those that a channel leads to come after it, so that one union of sets for each channel says
/// everything. The same from the first to the last says whose packets come to a channel. Both together say
/// for each turn how many of the pairs left would be served with it, and channels move to where the turns
/// around them serve most; that, a few times, is a lane. Early lanes and early rounds look at a sample of the
/// destinations: what they miss is served later.
class LaneGrowth {
 public:
  using Word = PathSets::Word;

  /// All cables must go both ways. The arguments must outlive the object. Memory: twice that of the sets.
  LaneGrowth(const Network& network, const PathSets& sets, std::uint64_t seed, std::uint32_t threads);

  /// Pairs of routers with terminals that no lane serves yet.
  [[nodiscard]] std::uint64_t left() const { return left_count_; }
  /// Only these pairs are left: by source among the destinations, a row of words() each.
  void leave(std::vector<Word> pairs);

  /// Channels of one more lane, first to last; the pairs it serves are left no more. Each round moves
  /// channels by what the one before has left. O(turns * words) word operations a round.
  std::vector<std::uint32_t> next(std::uint32_t rounds);

 private:
  class TurnScale;
  struct Served {
    std::uint64_t pairs = 0;
    bool all = true;
  };
  void take(const PathSample& sample);
  std::vector<std::uint32_t> best_start();
  void begin_at_destinations(std::uint32_t line, std::vector<Word>& rows) const;
  template <class Found>
  void reach_back(const std::vector<std::uint32_t>& order, std::uint32_t line, std::vector<Word>& reached,
                  const Found& found) const;
  void find_behind(const std::vector<std::uint32_t>& order);
  void find_ahead(const std::vector<std::uint32_t>& order);
  [[nodiscard]] Served served() const;
  void serve(const std::vector<std::uint32_t>& order);
  void turn_left();
  void weigh_turns();
  void move_channels();
  [[nodiscard]] std::uint32_t place_for(std::uint32_t channel, OrderNeighbours& around) const;
  [[nodiscard]] std::vector<std::uint32_t> order_by_place() const;
  void take_places(const std::vector<std::uint32_t>& order);

  const Network& network_;
  const PathSets& sets_;
  std::uint64_t seed_;
  std::uint32_t threads_;
  PathSample some_, all_;
  const PathSample* sample_;                 // in use
  std::uint32_t words_;                      // of it
  std::uint32_t lanes_ = 0;                  // found so far
  std::uint64_t left_count_ = 0;             // pairs
  std::vector<Word> left_;                   // by source: destinations
  std::vector<Word> left_towards_;           // by destination: sources of the sample
  std::vector<Word> reached_;                // by router: destinations of the sample it has a path to
  BulkVector<Word> behind_, ahead_;          // by channel: destinations of paths that go on by it; sources
  std::vector<std::uint32_t> first_turn_;    // by channel
  std::vector<std::uint32_t> first_before_;  // by channel: in the other form
  BulkVector<std::uint32_t> weight_;         // by turn: pairs left that it serves or would serve
  // The same by channel and those that lead to its source, side by side: a channel looks at all before it.
  BulkVector<std::uint32_t> weight_before_;
  std::vector<std::uint32_t> place_;  // by channel: grows along the order, with gaps
  std::vector<std::uint32_t> to_;     // by channel: where it moves
};

}  // namespace unknot
