// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// One step of a broadcast as a flow: each node that has the message sends as often as its ports allow, each
/// arc carries its capacity, and one unit ends at each node that gets the message. Which sets of nodes can
/// get it together is a gammoid [Perfect 1968]: a set that cannot grow is a largest one, and taking nodes in
/// any order of priority, each if it can be had beside those before, gives the best set for that order. Paths
/// may be of any length. Opposite flows on a link cancel, so half-duplex links need no more care.
///
/// A node more is one augmenting path, found breadth-first from the receiver: O(arcs), and far less as long
/// as senders are near. What a failed search came to is cut off from all that can still send, and is not
/// looked at again.
class StepFlow {
 public:
  /// Of a broadcast, which must outlive this.
  explicit StepFlow(const Problem& problem);

  /// No sender, no flow.
  void clear();
  /// A node that has the message before this step.
  void add_sender(NodeId n);
  /// True when the node can get the message beside all that got it before; the flow then has a unit more. It
  /// must not be a sender, nor have it already.
  bool inform(NodeId n);
  /// A failed search came to this node: it cannot be had any more, nor can what leads only to it.
  [[nodiscard]] bool is_cut_off(NodeId n) const { return cut_off_[n.value] != 0; }
  /// Units that senders could still send by their ports and channels.
  [[nodiscard]] std::uint64_t spare() const { return spare_sum_; }
  /// Messages on an arc.
  [[nodiscard]] std::uint32_t flow(ArcId a) const {
    const std::uint32_t capacity = graph_.capacity(a);
    return left_[a.value] < capacity ? capacity - left_[a.value] : 0;
  }
  /// What has been done since the last clear(), to come back to.
  struct State {
    std::vector<std::uint32_t> left, spare;
    std::vector<std::uint8_t> cut_off;
    std::uint64_t spare_sum = 0;
  };
  void save(State& state) const;
  void restore(const State& state);
  /// Arcs looked at since the beginning: a measure of time.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  // An arc from a node of which more can be sent, or an opposite for an arc that has none.
  struct Entering {
    std::uint32_t tail, half;  // half: its number in left_, by which capacity and flow both ways are kept
  };
  const NodeGraph& graph_;
  std::vector<std::uint32_t> limit_;           // by node: most it sends
  std::vector<std::uint32_t> first_;           // by node: its entries in entering_
  std::vector<Entering> entering_;             //
  std::vector<std::uint32_t> tail_, head_;     // by half
  std::vector<std::uint32_t> opposite_;        // by half
  std::vector<std::uint32_t> capacity_;        // by half
  std::vector<std::uint32_t> left_;            // by half: what more can go along it
  std::vector<std::uint32_t> spare_;           // by node: units it can still send
  std::vector<std::uint8_t> cut_off_;          // by node
  std::vector<std::uint32_t> seen_, towards_;  // by node: search that came to it, and the half it goes along
  std::vector<std::uint32_t> queue_;
  std::uint32_t search_ = 0;
  std::uint64_t spare_sum_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace unknot
