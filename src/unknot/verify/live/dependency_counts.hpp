// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// A channel dependency graph that is kept while packets come and go: how many reasons there are for each
/// arc, and an order of its vertices in which every arc goes up, the proof that there is no cycle.
///
/// A vertex is a channel on a lane, lane * channels + channel; packets stay on their lane. An arc that is new
/// and agrees with the order costs nothing, another one a search among the vertices between its ends, which
/// then change places (Pearce and Kelly 2006). An arc that would close a cycle waits outside of the order
/// until that cycle is gone. Taking arcs away costs nothing: the order stays one. Shares no code with the
/// orders of engines (lanes/).
///
/// Memory: 4 bytes for each pair of channels that follow each other, and lane.
class DependencyCounts {
 public:
  /// No arc. The network must outlive this. O(pairs of channels * lanes).
  explicit DependencyCounts(const Network& network, std::uint32_t lanes = 1);

  /// One more reason, or one less, that packets which hold `channel` wait for the channel at that position
  /// among those that leave its target.
  void add(std::uint32_t channel, std::uint32_t position, std::uint32_t lane = 0) {
    const std::size_t at = index(channel, position, lane);
    if ((++counts_[at] & kCount) == 1) changed(at, 1);
  }
  /// There must be one.
  void remove(std::uint32_t channel, std::uint32_t position, std::uint32_t lane = 0) {
    const std::size_t at = index(channel, position, lane);
    if ((--counts_[at] & kCount) == 0) changed(at, -1);
  }

  /// Its count will be looked at soon.
  void expect(std::uint32_t channel, std::uint32_t position, std::uint32_t lane = 0) const {
    bring_near(&counts_[index(channel, position, lane)]);
  }
  /// No arc any more. O(pairs of channels * lanes).
  void clear();

  /// Puts what has changed into order. O(1) for each arc that agrees with it; where very many have changed or
  /// wait, O(all) once.
  void settle();
  /// As of the last settle().
  [[nodiscard]] bool acyclic() const { return acyclic_; }
  /// Arcs that have a reason.
  [[nodiscard]] std::uint64_t arc_count() const { return static_cast<std::uint64_t>(arcs_); }
  /// By vertex: every arc goes from a smaller to a larger number, where acyclic().
  [[nodiscard]] const std::vector<std::uint32_t>& places() const { return place_; }
  /// All numbers go up along the arcs, looked at one by one: for tests. O(arcs).
  [[nodiscard]] bool places_hold() const;

 private:
  // Of a count: the arc agrees with the order, it has changed since it was settled, it waits.
  static constexpr std::uint32_t kPlaced = 1U << 31U, kNoted = 1U << 30U, kWaits = 1U << 29U;
  static constexpr std::uint32_t kCount = kWaits - 1;

  [[nodiscard]] std::size_t index(std::uint32_t channel, std::uint32_t position, std::uint32_t lane) const {
    return std::size_t{slots_per_lane_} * lane + first_[channel] + position;
  }
  void changed(std::size_t at, std::int64_t arcs) {
    arcs_ += arcs;
    if ((counts_[at] & kNoted) != 0) return;
    counts_[at] |= kNoted;
    noted_.push_back(at);
  }
  struct Arc {
    std::uint32_t from, to;
  };
  [[nodiscard]] Arc arc(std::size_t at) const;
  template <class Visit>
  void for_each_after(std::uint32_t vertex, const Visit& visit) const;
  template <class Visit>
  void for_each_before(std::uint32_t vertex, const Visit& visit) const;
  bool place(Arc wanted);
  void swap_places();
  void order_anew();

  const Network* network_;
  std::uint64_t slots_per_lane_;
  std::vector<std::uint32_t> first_;                // by channel, and one more: its slots
  BulkVector<std::uint32_t> counts_;                // by lane and slot
  std::vector<std::size_t> noted_;                  // slots that may have changed
  std::vector<std::size_t> waiting_;                // slots of arcs outside of the order
  std::vector<std::uint32_t> place_;                // by vertex
  std::vector<std::uint32_t> seen_;                 // by vertex: number of the last search that came there
  std::vector<std::uint32_t> low_, high_, places_;  // of a search
  std::uint32_t search_ = 0;
  std::int64_t arcs_ = 0;
  bool acyclic_ = true;
};

}  // namespace unknot
