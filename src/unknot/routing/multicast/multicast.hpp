// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/multicast_tables.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A group that wants a tree.
struct MulticastWish {
  std::uint16_t lid = MulticastGroup::kFirstLid;
  std::optional<std::uint8_t> level;  ///< nothing: the lowest that has a tree
  std::vector<TerminalId> members;    ///< in order
};

/// The group of all hosts, as OpenSM's first: that of IPoIB's broadcasts. O(terminals).
MulticastWish all_hosts(const Network& network);

struct MulticastRequest {
  std::vector<MulticastWish> groups;  ///< by ascending LID
  /// Lanes that may be in use in all.
  std::uint32_t lanes = 8;
  /// Trees over which the groups are dealt out, for balance.
  std::uint32_t trees = 1;
};

/// Members of a group that its tree does not join to the rest.
struct MulticastGap {
  std::uint16_t lid = 0;
  std::vector<TerminalId> members;
};

struct MulticastResult {
  MulticastTables tables;
  std::uint32_t lanes_more = 0;  ///< than the routing had
  std::vector<MulticastGap> left_out;
  std::vector<RouterId> roots;  ///< of the trees, in the order they were found
};

/// Trees for multicast groups on the lanes of a routing: free of deadlock together where the routing is.
///
/// A copy waits at each router for all other channels of its tree, so a tree adds the dependencies of all
/// paths in it. It is grown from its root, nearest routers first, along cables whose dependencies, both ways,
/// agree with an order in which those of the lane lead on; where that ends short of a member, along cables
/// that close no cycle with what has grown (kept acyclic as arcs are added). From routers in the middle
/// first, on the lowest lane that has a tree, else on one that nothing else uses. Each group gets the part of
/// a tree that joins its members: any group does, whoever comes or goes, without a new proof. A group that
/// the common tree leaves a member out of gets one of its own, where it has one that joins all.
///
/// InputError where lanes are not service levels (SL-to-VL tables), or routes are the sources'. O(routers *
/// terminals + dependencies log channels), and for each root that is tried O(dependencies + channels).
MulticastResult multicast_trees(const Network& network, const Routing& routing,
                                const MulticastRequest& request, Progress& progress);

}  // namespace unknot
