// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What nodes that take no part can do beyond passing on.
struct SwitchPowers {
  bool copy = false;  ///< send what came to several (multicast)
  bool sum = false;   ///< send the sum of what came from several (reduction in the network)

  [[nodiscard]] bool any() const { return copy || sum; }
  [[nodiscard]] bool both() const { return copy && sum; }
  bool operator==(const SwitchPowers&) const = default;
};

/// A collective whose messages are as large as one likes, so that what counts is how many shares of data pass
/// each link in the time, and not in which step: nodes that all get the same shares, each of one owner. An
/// all-gather is every node's share to every node, a broadcast the root's; reduce-scatter and reduce are
/// these with time running backwards on the reversed graph, `backward`. In an all-reduce every node has a
/// part in as many shares as there are nodes, and gets the sums; each sum may come together at any node.
///
/// Time is counted in shares over capacity: the time in which one unit of capacity carries one share. Nodes
/// that take no part pass on what goes through, as switches do, and do with it what `powers` says; terminals
/// that take no part do not.
struct BandwidthProblem {
  std::string collective;                  ///< name of a row of combined_collectives()
  std::shared_ptr<const NodeGraph> graph;  ///< of the forward problem: reversed where `backward`
  bool backward = false;
  bool all_reduce = false;
  std::vector<std::uint32_t>
      shares;                   ///< by node: of the data that it owns; of an all-reduce 1 of who takes part
  std::vector<NodeId> members;  ///< who has to have all of it at the end; ascending
  std::uint64_t all_shares = 0;
  std::uint32_t size = 1;  ///< shares are so many times as large as the unit that they are counted in
  Participants who;        ///< as files say it
  SwitchPowers powers;     ///< of the collective itself, not in reversed time

  /// Whether trees may branch at nodes that take no part on the way from their roots, in this problem's time.
  [[nodiscard]] bool branch_outward() const { return backward ? powers.sum : powers.copy; }
  /// And on the way to them, of an all-reduce.
  [[nodiscard]] bool branch_inward() const { return all_reduce && powers.sum; }

  [[nodiscard]] bool is_member(NodeId n) const { return member_[n.value] != 0; }

  std::vector<std::uint8_t> member_;  ///< by node
};

/// InputError where ports, path lengths or routes are limited, or links are half-duplex.
void require_no_limits(const NodeGraph& graph, const ProblemRules& rules);

/// Sets what of it the collective has a use for: an all-gather none for sums, a reduce-scatter none for
/// copies. InputError where that is nothing, with what would be. Where all nodes take part, or are terminals,
/// there are no switches, and nothing is set.
void set_powers(const SwitchPowers& powers, BandwidthProblem& problem);

/// `collective` is any name of combined_collectives(). InputError where messages are personalised or listed
/// one by one, receivers differ by owner, paths, ports or routes are limited, or links are half-duplex.
/// O(nodes log nodes).
BandwidthProblem make_bandwidth_problem(std::shared_ptr<const NodeGraph> graph, std::string_view collective,
                                        const Participants& participants = {},
                                        const ProblemRules& rules = {});

inline constexpr std::uint32_t kMostShareSize = 1'000'000;
/// The same with shares of another size, at most kMostShareSize: each counts as so many.
BandwidthProblem with_size(BandwidthProblem problem, std::uint32_t size);

/// One problem for each group of two nodes or more, where there are groups, on one graph; else the one. Roots
/// are the first nodes of groups. `sizes`: of the shares of each group; empty: 1. InputError also as
/// require_groups(), where no group has two nodes, and for another number of sizes than there are groups.
std::vector<BandwidthProblem> make_bandwidth_groups(const std::shared_ptr<const NodeGraph>& graph,
                                                    std::string_view collective,
                                                    const Participants& participants,
                                                    const ProblemRules& rules = {},
                                                    std::span<const std::uint32_t> sizes = {});

}  // namespace unknot
