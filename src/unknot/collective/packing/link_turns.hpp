// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Which way each half-duplex link carries in each step of a broadcast, said beforehand, so that receivers do
/// not take each other's links: then every one is alone with those that lead to it, as under full duplex.
/// A link's steps are divided evenly between its two ends, and where an end would get less than it lacks,
/// from others along a row of links: a flow, found whenever there is one. A link's turns lie evenly over the
/// steps.
class LinkTurns {
 public:
  /// Of a broadcast, which is held. O(arcs) for each of few sweeps, and for each unit that the sweeps have
  /// left in the wrong place.
  LinkTurns(const Problem& problem, std::uint32_t steps);

  /// False: over links that touch them some nodes cannot get in so many steps what they lack, whatever the
  /// turns.
  [[nodiscard]] bool enough() const { return enough_; }
  /// Where the turns of each link begin.
  void draw(Random& random);
  /// What an arc may carry in a step; both arcs of a link together no more than the link.
  [[nodiscard]] std::uint32_t units(ArcId a, std::uint32_t step) const;
  /// Messages that an arc may carry over all steps.
  [[nodiscard]] std::uint64_t turns(ArcId a) const { return turns_[a.value]; }

 private:
  void divide();
  void even_out();
  bool fill_up(NodeId n);
  /// Takes turns from the opposite of an arc.
  void move(ArcId to, std::uint64_t units);
  [[nodiscard]] std::uint64_t movable(ArcId to) const;

  const Problem* problem_;
  const NodeGraph* graph_;
  std::uint32_t steps_;
  bool enough_ = true;
  std::vector<ArcId> opposite_;       // by arc; invalid where there is none
  std::vector<std::uint64_t> turns_;  // by arc
  std::vector<std::int64_t> spare_;   // by node: turns of what leads to it beyond the messages it lacks
  std::vector<std::uint32_t> begin_;  // by link
  std::vector<ArcId> found_by_;       // by node, of one search
  std::vector<std::uint32_t> seen_;   // by node
  std::vector<NodeId> queue_;
  std::uint32_t search_ = 0;
};

}  // namespace unknot
