// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/known/rank_schedule.hpp"

namespace unknot {

/// Who exchanges with whom: by step, the peer of each rank, and its own number where it has none. The peer's
/// peer is the rank itself. Steps are in the order of a reduce-scatter; an all-gather goes through them
/// backwards.
using Pairing = std::vector<std::vector<std::uint32_t>>;

/// What can be made of a pairing by which everyone reaches everyone. Where there are more ranks than paired
/// ones the others, each the neighbour of one that is paired, hand it what they have in a round before, and
/// get the result in a round after [Thakur, Rabenseifner, Gropp 2005, section 4].
///
/// A block goes to who has not got it, so that nothing arrives twice where the number of ranks is no power of
/// two; sums go the same ways backwards. O(blocks of all messages * steps).
class Butterfly {
 public:
  /// `paired` ranks, as many as the pairing has, of which.ranks; at most half as many others.
  /// std::logic_error where somebody is not reached.
  Butterfly(const KnownCase& which, Pairing pairing);

  /// The schedule for the collective: what is reduced or gathered goes block by block. All collectives; a
  /// broadcast is scattered and gathered [Barnett et al. 1994], an all-to-all passes blocks on towards where
  /// they belong.
  [[nodiscard]] RankSchedule in_blocks() const;
  /// An all-reduce in which whole vectors are exchanged (a power of two of paired ranks), or a broadcast in
  /// which the whole message is passed on, the last step of the pairing first.
  [[nodiscard]] RankSchedule whole() const;

 private:
  struct Move {
    std::uint32_t from, to;            // paired ranks
    std::vector<std::uint32_t> items;  // by number of the paired rank that has them first
  };
  using Moves = std::vector<std::vector<Move>>;  // by step of the pairing

  [[nodiscard]] std::uint32_t paired() const { return static_cast<std::uint32_t>(pairing_.front().size()); }
  [[nodiscard]] std::uint32_t steps() const { return static_cast<std::uint32_t>(pairing_.size()); }
  [[nodiscard]] std::uint32_t others() const { return which_.ranks - paired(); }
  /// Rank of a paired one, and of the other whose work it does.
  [[nodiscard]] std::uint32_t rank(std::uint32_t v) const;
  [[nodiscard]] std::uint32_t other(std::uint32_t v) const { return rank_at(2 * v + 1); }
  [[nodiscard]] std::uint32_t rank_at(std::uint32_t place) const {
    return (place + which_.root) % which_.ranks;
  }
  [[nodiscard]] std::vector<std::uint32_t> ranks_of(std::uint32_t v) const;
  /// How everyone gets what `holds` does not say it has: [rank * paired + item].
  [[nodiscard]] Moves spread(std::vector<std::uint8_t> holds) const;
  [[nodiscard]] std::vector<std::uint32_t> blocks_of(const std::vector<std::uint32_t>& items) const;
  void hand_over(RankDraft& draft, const std::vector<std::uint32_t>& blocks) const;
  void reduce(RankDraft& draft) const;
  void gather(RankDraft& draft, const Moves& moves) const;
  void hand_back(RankDraft& draft) const;
  void scatter_and_gather(RankDraft& draft) const;
  void pass_on(RankDraft& draft) const;

  KnownCase which_;
  Pairing pairing_;
  Moves moves_;  // from each having its own
};

/// Rank v exchanges with v xor paired/2, paired/4, ..., 1: distances are halved on the way in, doubled on the
/// way out. `near_first`: the other way round, so that neighbours have most to exchange. `paired` is a power
/// of two.
Pairing xor_pairing(std::uint32_t paired, bool near_first = false);
/// Even ranks exchange with the rank rho(s) on, odd ones with that rho(s) back, around, where rho(s) is the
/// sum of (-2)^i for i = 0..s: 1, -1, 3, -5, 11, ... In several dimensions the steps take turns, and a
/// dimension that is done is left out. `extent`: sizes, all even; the last runs fastest. [De Sensi et al.,
/// Swing, NSDI 2024, section 3]
Pairing swing_pairing(const std::vector<std::uint32_t>& extent);

}  // namespace unknot
