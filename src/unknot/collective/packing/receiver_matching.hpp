// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/broadcast_lanes.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/packing/link_turns.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Schedules of broadcasts by matchings, step by step. A lane to a receiver serves nobody else, so in each
/// step every receiver is alone: its lanes are matched to messages that it lacks and that their tails had
/// before. First come messages that most nodes at the ends of its own lanes lack, then the rarest: what is
/// known all around is of no use to anybody else and can wait. No matching has a larger weight in that order
/// [Edmonds 1971, on transversal matroids]. Ports of senders and half-duplex cables couple receivers: those
/// that lack most choose first. What channels and ports are left over carries messages on shortest free paths
/// from further away.
class ReceiverMatching {
 public:
  /// `problem` is a broadcast. Both are held.
  ReceiverMatching(const Problem& problem, const BroadcastLanes& lanes);

  /// From now on these messages are sent in their former steps along their former paths, where their senders
  /// have them by then; the paths must be intact, and fit beside each other or the later ones give way. What
  /// comes out otherwise is matched like all else. O(length of paths * log degree).
  void keep(const FormerTransfers& former, std::span<const std::uint32_t> messages);

  /// From now on half-duplex links carry by turns what is matched, and either way only what is left over.
  /// They are held, and made for as many steps as are tried.
  void take_turns(const LinkTurns& turns) { turns_ = &turns; }

  /// One try of just this many steps. Returns how many deliveries are left out. O(steps * receivers *
  /// owners).
  std::uint32_t run(std::uint32_t steps, Random& random);

  /// Of the last run.
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }

 private:
  using Word = std::uint64_t;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  struct Slot {
    std::uint32_t lane, group;
  };
  struct Arrival {
    std::uint32_t group;
    NodeId node;
  };

  [[nodiscard]] Word* row(std::vector<Word>& bits, NodeId n) const {
    return bits.data() + std::size_t{n.value} * words_;
  }
  [[nodiscard]] const Word* row(const std::vector<Word>& bits, NodeId n) const {
    return bits.data() + std::size_t{n.value} * words_;
  }
  [[nodiscard]] static bool test(const Word* bits, std::uint32_t i) {
    return (bits[i / 64] >> (i % 64) & 1U) != 0;
  }
  /// A transfer to be kept.
  struct Kept {
    std::uint32_t step, group;
    std::uint32_t first, last;  // its arcs
  };
  void begin_run();
  void send_kept(std::uint32_t step);
  [[nodiscard]] bool can_send(const Kept& kept) const;
  void begin_step(std::uint32_t step, Random& random);
  void end_turns(std::uint32_t step);
  void match(NodeId receiver, Random& random);
  void count_needs(NodeId receiver);
  [[nodiscard]] Word needed_by(std::uint32_t need, std::uint32_t word) const;
  [[nodiscard]] std::uint32_t degree(NodeId n) const {
    return heads_first_[n.value + 1] - heads_first_[n.value];
  }
  bool place(std::uint32_t group);
  /// Messages that a node lacks and that no kept transfer will bring.
  [[nodiscard]] Word wanted(NodeId n, std::uint32_t word) const {
    return row(lacks_, n)[word] & ~(due_.empty() ? Word{0} : row(due_, n)[word]);
  }
  void fill(NodeId receiver);
  bool fill_once(NodeId receiver);
  void send(std::uint32_t group, std::span<const ArcId> path);
  [[nodiscard]] bool free(ArcId a) const { return arc_left_[a.value] > 0 && link_left_[graph_->link(a)] > 0; }
  [[nodiscard]] bool near_enough(NodeId from, NodeId to, std::uint32_t hops) const;

  const Problem* problem_;
  const NodeGraph* graph_;
  const BroadcastLanes* lanes_;
  const LinkTurns* turns_ = nullptr;
  std::uint32_t words_;
  std::vector<Word> has_, lacks_;              // by node: groups
  std::vector<Word> first_has_, first_lacks_;  // before the first step
  std::vector<Kept> kept_;                     // by step
  std::vector<ArcId> kept_arcs_;               //
  std::vector<Word> first_due_, due_;          // by node: groups that a kept transfer will bring; or empty
  std::size_t next_kept_ = 0;
  std::vector<NodeId> receivers_;
  std::vector<std::uint32_t> lacking_;                   // by node: messages
  std::vector<std::uint32_t> left_;                      // by group: nodes that lack it
  std::vector<std::uint32_t> arc_left_, link_left_;      // what this step still carries
  std::vector<std::uint32_t> send_left_, receive_left_;  // by node
  std::vector<std::uint32_t> distance_;                  // by pair of nodes, where paths are limited
  std::vector<std::uint32_t> order_;                     // groups, the most urgent first
  std::vector<std::uint32_t> rank_;                      // by group: its place there
  std::vector<std::uint64_t> key_;
  std::vector<std::uint32_t> heads_first_;  // by node, and one more
  std::vector<NodeId> heads_;               // where its lanes lead
  std::vector<Word> needs_;                 // by binary digit, then word
  std::uint32_t digits_ = 0;
  std::vector<std::uint32_t> candidates_;  // ranks
  std::vector<Slot> slots_;
  std::vector<Word> offered_;
  std::vector<std::uint8_t> tried_;  // by slot
  std::vector<Arrival> arrivals_;
  std::vector<std::uint32_t> stamp_, hops_;  // by node, of a search
  std::vector<ArcId> next_;
  std::vector<NodeId> queue_;
  std::uint32_t search_ = 0;
  std::vector<NodeId> path_nodes_;
  std::vector<ArcId> path_;
  Schedule schedule_;
};

}  // namespace unknot
