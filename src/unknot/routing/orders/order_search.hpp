// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/greedy_choice.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Seeks orders of the lanes' channels under which every router reaches every destination router by a
/// shortest path that stays on one lane.
///
/// For each destination a tree is chosen greedily, nearest routers first: each router takes the candidate
/// whose path the most lanes allow. A pair (router with terminals, destination) whose path no lane allows is
/// uncovered. Local search: take an uncovered pair and the place where its path loses its last lane, move one
/// of the two channels there past the other on one lane, choose anew the trees that this touches. Moves that
/// uncover less are kept, others now and then; every refusal makes the pair weigh more (breakout, Morris
/// 1993), so that the search does not stick.
class OrderSearch {
 public:
  using Mask = LaneOrders::Mask;

  using Tie = GreedyTie;

  /// `dags` and `level` as cover_dags() gives them; both, and `orders`, must outlive the search. Memory: 22
  /// bytes for each router and destination router.
  OrderSearch(const Network& network, const std::vector<CoverDag>& dags,
              const std::vector<std::uint16_t>& level, LaneOrders& orders, Tie tie, std::uint64_t seed);

  /// Searches until nothing is uncovered or `most_looks` candidates more have been looked at. Returns the
  /// number of uncovered pairs. Throws Interrupted.
  std::uint64_t run(std::uint64_t most_looks, const Progress& progress);

  /// Once all is covered: seeks orders that leave more choice, with the same moves. A candidate whose path no
  /// lane allows is blocked; moves that block fewer candidates are kept, none may uncover a pair. Takes
  /// `most_looks` candidates. Returns how many are blocked in the end.
  std::uint64_t widen(std::uint64_t most_looks, const Progress& progress);

  [[nodiscard]] std::uint64_t uncovered() const { return uncovered_.size(); }
  /// Candidates looked at so far: the measure of work.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  /// By destination (index in `dags`), then by router: position of the chosen channel among those out of the
  /// router, and the lanes its path may take.
  [[nodiscard]] const std::uint16_t* entries(std::uint32_t destination) const {
    return entry_.data() + std::size_t{destination} * routers_;
  }
  [[nodiscard]] const Mask* masks(std::uint32_t destination) const {
    return mask_.data() + std::size_t{destination} * routers_;
  }

 private:
  /// A router at which a destination's tree is to be chosen anew.
  struct Affected {
    std::uint32_t destination, router;
  };
  /// What the rows held before the move at hand.
  struct Before {
    std::uint32_t pair;
    Mask mask;
    std::uint16_t entry, blocked;
  };
  struct Change {
    double uncovered = 0;      // weight of the pairs
    std::int64_t blocked = 0;  // candidates
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  bool choose(std::uint32_t destination, std::uint32_t position);
  [[nodiscard]] std::uint32_t blocked_at(const CoverDag& dag, std::uint32_t position, const Mask* mask,
                                         const std::uint16_t* entry) const;
  void try_cover();
  void try_unblock();
  Change try_move(std::uint32_t destination, std::uint32_t channel, bool widening);
  void settle(bool accept);
  void list_affected(std::uint32_t lane, bool widening);
  void spread(const Affected& affected, Change& change);
  void cover(std::uint32_t pair);
  void uncover(std::uint32_t pair);

  const Network& network_;
  const std::vector<CoverDag>& dags_;
  const std::vector<std::uint16_t>& level_;  // by destination, router
  LaneOrders& orders_;
  Tie tie_;
  Random random_;
  std::uint32_t routers_, destinations_;
  Mask all_;
  std::uint64_t looks_ = 0;
  std::vector<std::uint32_t> source_, target_, entry_of_;  // by channel
  std::vector<std::uint32_t> incoming_first_, incoming_;   // by router: sources of the channels into it
  std::vector<std::uint8_t> has_terminals_;                // by router
  std::vector<std::uint32_t> position_;                    // by destination, router
  std::vector<Mask> mask_;                                 // by destination, router
  std::vector<std::uint16_t> entry_;                       // by destination, router
  // The same by router, destination: a turn's destinations are found along a row.
  std::vector<std::uint16_t> entry_across_, level_across_;
  std::vector<Mask> mask_across_;
  std::vector<float> weight_;             // by destination, router
  std::vector<std::uint32_t> uncovered_;  // pairs: destination * routers + router
  std::vector<std::uint32_t> place_;      // by pair: index in uncovered_, or kNone
  // While widening, by destination, router: blocked candidates.
  bool count_blocked_ = false;
  std::vector<std::uint16_t> blocked_;
  // Of the move at hand.
  LaneOrders::Move move_{};
  std::vector<LaneOrders::Flip> flips_;
  std::vector<Affected> affected_;
  std::vector<std::uint16_t> marked_;  // by destination
  std::vector<Before> log_;
  std::vector<std::uint32_t> front_, next_front_;  // routers of one distance
  std::uint64_t stamp_ = 0;
  std::vector<std::uint64_t> stamp_of_;  // by router
};

}  // namespace unknot
