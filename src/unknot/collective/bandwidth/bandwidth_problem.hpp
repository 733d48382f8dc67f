// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// A collective whose messages are as large as one likes, so that what counts is how many shares of data pass
/// each link in the time, and not in which step: nodes that all get the same shares, each of one owner. An
/// all-gather is every node's share to every node, a broadcast the root's; reduce-scatter and reduce are
/// these with time running backwards on the reversed graph, `backward`.
///
/// Time is counted in shares over capacity: the time in which one unit of capacity carries one share. Nodes
/// that take no part pass on what goes through, as switches do; terminals that take no part do not.
struct BandwidthProblem {
  std::shared_ptr<const NodeGraph> graph;  ///< of the forward problem: reversed where `backward`
  bool backward = false;
  std::vector<std::uint32_t> shares;  ///< by node: of the data that it owns
  std::vector<NodeId> members;        ///< who has to have all of it at the end; ascending
  std::uint64_t all_shares = 0;

  [[nodiscard]] bool is_member(NodeId n) const { return member_[n.value] != 0; }

  std::vector<std::uint8_t> member_;  ///< by node
};

/// InputError where messages are personalised, receivers differ by owner, paths, ports or routes are limited,
/// or links are half-duplex. O(messages).
BandwidthProblem make_bandwidth_problem(const Problem& problem);

}  // namespace unknot
