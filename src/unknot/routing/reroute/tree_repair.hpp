// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/layers/lane_dependencies.hpp"
#include "unknot/routing/trees/cut_tree.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// How far the repair of one tree may go.
struct RepairLimits {
  std::uint32_t lanes = 1;  ///< lanes that paths may take
  /// False: shortest paths only, and an entry changes only where it must. True: a router that fits no lane
  /// that way may take a longer path, and change its entry for it.
  bool detours = false;
};

struct NewEntry {
  RouterId router;
  std::uint32_t entry;  ///< position among the router's channels
};
struct NewLevel {
  std::uint32_t row;  ///< of the service levels (by_router where the routing has none yet)
  std::uint8_t level;
};

/// A cut tree grown together again.
struct RepairedTree {
  bool fits = true;                   ///< every path has a lane
  std::vector<NewEntry> entries;      ///< those that differ
  std::vector<NewLevel> levels;       ///< those that differ
  std::uint32_t forced = 0;           ///< entries that had to change, whatever the lanes
  std::uint32_t unfit_routers = 0;    ///< where it does not fit
  TerminalId example_source;          ///< one of them
  std::vector<RouterId> unreachable;  ///< routers that no path joins to the destination any more
};

/// Grows the routers of a cut tree back onto what is left of the tree, nearest first.
///
/// An entry stays where the path through it is as short as a path can be now, or not longer than it was; so
/// with shortest paths before, the entries that change are exactly those that must. Of several channels that
/// serve, one whose dependencies the router's lane already has comes first, then the one that fewest
/// destinations take. Each terminal router's path gets a lane in turn: its old one, the others in use, then
/// spare ones; what a lane accepts is added to it at once. Scratch space that is used again.
class TreeRepair {
 public:
  /// `routing` holds the old tables, carried over to `network`; it must not change while this lives.
  TreeRepair(const Network& network, const Routing& routing, LaneDependencies& dependencies);

  /// Additions to the dependencies are undone where the result does not fit.
  RepairedTree repair(const CutTree& tree, const RepairLimits& limits);
  /// Counts the entries of a result as taken, for the balance of later ones.
  void commit(const RepairedTree& repaired, TerminalId destination);

 private:
  enum class State : std::uint8_t { outside, waiting, free, resolved };
  struct Candidate {
    std::uint32_t position, hops, taken;
    ChannelId channel;
  };

  void start(const CutTree& tree);
  std::uint32_t outside_hops(std::uint32_t router);
  std::uint32_t hops_from(std::uint32_t router);
  void measure_shortest(const CutTree& tree);
  [[nodiscard]] std::uint32_t shortest_by_entry(std::uint32_t router) const;
  void schedule(std::uint32_t index, std::uint32_t hops);
  void grow(const CutTree& tree, RepairedTree& result);
  void visit(const CutTree& tree, std::uint32_t index, RepairedTree& result);
  void mark_unfit(RouterId router, RepairedTree& result);
  Candidate candidate(std::uint32_t router, std::uint32_t position);
  void list_candidates(const CutTree::Router& at);
  bool strange(const Candidate& one);
  template <class Try>
  bool best_first(const Try& will_do);
  bool take(const CutTree::Router& at, const Candidate& through, bool additions);
  std::uint8_t lane_as_it_is(std::uint8_t lane);
  std::uint8_t lane_with_additions(std::uint8_t old);
  void settle(const CutTree::Router& at, const Candidate& through, RepairedTree& result);
  void trace(ChannelId first);
  [[nodiscard]] ChannelId next_channel(std::uint32_t router) const;
  [[nodiscard]] bool cut(std::uint32_t router) const;
  std::vector<std::uint32_t>& use_of(std::uint32_t router);

  const Network* network_;
  const Routing* routing_;
  LaneDependencies* dependencies_;
  RepairLimits limits_;
  TerminalId destination_;
  std::uint32_t home_ = 0;
  std::uint32_t level_ = 0;     // hops of the routers that are being visited
  std::uint32_t resolved_ = 0;  // cut routers that have a path again

  // By router, where stamp_ is current.
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> stamp_, hops_, index_, position_;
  std::vector<State> state_;
  std::vector<std::uint32_t> first_row_;  // by router: service levels of its first terminal; and one more
  // By index into the cut tree.
  std::vector<std::uint32_t> nearest_outside_, shortest_, bound_;
  std::vector<std::uint8_t> forced_;
  std::vector<std::vector<std::uint32_t>> buckets_;  // by hops: indices to visit
  std::vector<Candidate> candidates_;
  std::vector<ChannelId> path_;
  std::vector<std::uint32_t> chain_, rows_;
  std::vector<std::uint8_t> chosen_levels_;
  std::vector<std::vector<std::uint32_t>> use_;  // by router: destinations by position; empty until asked for
};

}  // namespace unknot
