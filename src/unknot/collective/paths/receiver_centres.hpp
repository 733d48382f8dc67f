// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Spreads nodes over a network: receivers that are far from each other and from those that have a message
/// already, so that all nodes have one near. Each is the farthest from all before [Gonzalez 1985]; then each
/// goes to the middle of the nodes it is nearest to, by least sum of squared hops, and these are shared out
/// anew, as in k-means [Lloyd 1982]. On a ring this cuts it into equal parts. Where channels are one-way,
/// each goes where it lowers the sum of squared hops most.
class ReceiverCentres {
 public:
  /// Of a broadcast, which must outlive this.
  explicit ReceiverCentres(const Problem& problem);

  /// As many receivers as the informed can send to, or as there are; `informed` are one node or more. By
  /// cells: each who has the message first gets as many as it sends among the nodes that it is nearest to,
  /// else they are the farthest of all. O(arcs * diameter), and some hundred times the arcs for the middles.
  std::span<const NodeId> choose(std::span<const NodeId> informed, bool by_cells, Random& random);
  /// Arcs looked at since the beginning.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  void share_out(std::span<const NodeId> informed, Random& random);
  void lower(NodeId centre);
  void choose_by_cells(std::span<const NodeId> informed, Random& random);
  void choose_farthest(std::uint32_t count);
  std::uint64_t gain_of(NodeId start);
  NodeId climb(NodeId at, std::uint64_t& gain);
  void choose_by_gain(std::uint32_t count, Random& random);
  bool settle(NodeId& centre, Random& random);
  std::uint64_t squares_from(NodeId start, std::uint32_t cell, std::uint64_t enough);

  const Problem& problem_;
  const NodeGraph& graph_;
  std::vector<std::uint8_t> receiver_;  // by node
  std::vector<std::uint32_t> hops_;     // by node, from the nearest
  std::vector<std::uint32_t> cell_;     // by node: place of the nearest: the informed, then the chosen
  std::vector<std::uint32_t> size_;     // by cell
  std::vector<std::uint32_t> seen_, far_;
  std::vector<NodeId> chosen_, queue_, receivers_;
  std::vector<std::uint32_t> first_, next_;  // by cell: its members
  std::vector<NodeId> members_;
  std::vector<std::vector<NodeId>> waiting_;  // by hops
  bool one_way_ = false;                      // some channel is
  std::uint32_t search_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace unknot
