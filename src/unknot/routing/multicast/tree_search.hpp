// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/multicast/grown_tree.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A tree, and the lane that has room for it.
struct FoundTree {
  GrownTree tree;
  std::uint8_t level = 0;
  std::uint32_t missing = 0;  ///< routers that it should join and does not
};

/// Looks for trees that close no cycle with the routes of tables, and with the trees that were found before,
/// on the lanes of the tables or on one more.
class TreeSearch {
 public:
  /// `lanes`: that may be in use in all.
  TreeSearch(const Network& network, const Routing& routing, std::uint32_t lanes);

  /// Of the routers that are `wanted`, from roots in this order: the first tree that joins all, or one that
  /// leaves out the fewest. On `level`, or on the lowest lane where one is found: the first lane is searched
  /// best, and one that nothing else uses is the last to be taken.
  FoundTree find(std::optional<std::uint8_t> level, std::span<const RouterId> wanted,
                 std::span<const RouterId> roots, Progress& progress);
  /// The tree counts for those that come after it.
  void add(const FoundTree& found);

 private:
  struct Search;  // of one tree
  void along_sequences(Search& search, std::uint32_t lane);
  void without_cycles(Search& search, std::uint32_t lane, std::uint64_t work);
  void add_lane(std::uint32_t lane);

  const Network& network_;
  std::uint32_t in_use_;  // lanes of the tables
  std::uint32_t lanes_;
  DependencySlots slots_;
  std::vector<std::uint16_t> uses_;      // lanes of each dependency, by slot
  std::vector<std::uint32_t> trees_on_;  // by channel
  std::optional<ArcSpace> space_;
  std::optional<AcyclicArcs> arcs_;
};

}  // namespace unknot
