// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// One shortest-path tree for each destination terminal, every path of it allowed by at least one lane.
/// Starts from trees that are (one for each destination router) and balances them without ever losing that:
/// trees are taken out one by one and rebuilt, nearest routers first; a router goes over to the candidate
/// whose path is least loaded where all that comes through it keeps a lane.
class MaskedTrees {
 public:
  using Mask = LaneOrders::Mask;

  /// `entries`: by destination (index in `dags`), then router: position of the channel among those out of the
  /// router; the trees to start from, copied for each terminal. The other arguments must outlive the object.
  /// Memory: 2 bytes for each terminal and router.
  MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders,
              const std::vector<std::uint16_t>& entries);

  /// Starts from a table of shortest paths, each of which a lane allows.
  MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders,
              const ForwardingTable& table);

  /// Takes out and rebuilds the tree of every terminal once, terminals in the given order. Throws
  /// Interrupted.
  void rebalance(const std::vector<std::uint32_t>& terminals, const Progress& progress);

  /// Polishes against collisions: two flows that start or end at one terminal never meet in a pattern that
  /// gives each terminal one partner, so they may share a channel for nothing. Every tree is taken out once;
  /// a router goes over to the candidate by which the flows that come through it meet fewest flows of other
  /// sources and destinations. Memory: 4 bytes for each router with terminals and channel. O(terminals *
  /// routers * candidates * hops * subtree). Throws Interrupted.
  void polish(const std::vector<std::uint32_t>& terminals, const Progress& progress);

  /// The same by annealing: at each router one random candidate is tried, and taken even where it meets more
  /// flows, by up to `temperature` or so.
  void anneal(const std::vector<std::uint32_t>& terminals, double temperature, Random& random,
              const Progress& progress);

  /// Spares the channels that hold flows back. In a matching of many terminals a flow gets a share of its
  /// busiest channel; the sum of these shares over all flows is what effective bisection bandwidth is. The
  /// busiest channel is taken as the 8-norm of the loads on the path, which has a derivative: what one flow
  /// more on a channel takes from the others, nothing where all of them have a busier one. Every tree is
  /// taken out once; a router goes over to the candidate by which the flows that come through it get most,
  /// less what they take from others. Throws Interrupted.
  void spare_bottlenecks(const std::vector<std::uint32_t>& terminals, const Progress& progress);

  /// By channel: number of (source, destination) terminal pairs whose path takes it.
  [[nodiscard]] const std::vector<std::uint64_t>& load() const { return load_; }

  /// Table, a lane for each path (of those its path allows, the one with the fewest so far), lane count.
  [[nodiscard]] Routing routing() const;

 private:
  MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders);
  void load_tree(std::uint32_t terminal);
  void take_out();
  void rebuild();
  void put_in(std::uint32_t terminal);
  static constexpr std::uint64_t kMoreThanAnyPath = std::uint64_t{1} << 48;  // in loads
  bool load_siblings(std::uint32_t terminal, std::uint64_t more);
  void count_flows(std::uint32_t change);
  [[nodiscard]] std::int64_t meetings(std::uint32_t from, std::uint32_t entry) const;
  void count_sources();
  void relieve(std::uint32_t position);
  void relieve_at_random(std::uint32_t position, double temperature, Random& random);
  void list_flows(std::uint32_t router);
  [[nodiscard]] Mask mask_by(std::uint32_t candidate) const;
  void power_tree();
  void count_pressure();
  [[nodiscard]] double price(std::uint32_t channel) const;
  void list_ways(std::uint32_t router);
  [[nodiscard]] double loss(double prices, double power) const;
  void spare(std::uint32_t position);
  template <class Relieve>
  void take_each_out(const std::vector<std::uint32_t>& terminals, const Progress& progress,
                     const Relieve& relieve_position);
  bool go_over(std::uint32_t router, std::uint16_t entry, Mask mask);
  [[nodiscard]] std::uint32_t channel_of(std::uint32_t router) const {
    return first_out_[router] + entry_[router];
  }

  const Network& network_;
  const std::vector<CoverDag>& dags_;
  const LaneOrders& orders_;
  std::uint32_t routers_;
  Mask all_;
  std::vector<std::uint32_t> first_out_, sources_, target_;  // by router, router, channel
  std::vector<std::uint32_t> destination_of_;                // by terminal: index in dags_
  std::vector<std::uint16_t> column_;                        // by terminal, router
  std::vector<std::uint64_t> load_;                          // by channel

  // The tree at hand, by router.
  const CoverDag* dag_ = nullptr;
  std::vector<std::uint16_t> entry_;
  std::vector<std::uint32_t> position_;
  std::vector<Mask> mask_;
  std::vector<std::uint32_t> below_;            // terminals in the subtree
  std::vector<std::uint32_t> child_, sibling_;  // first child, next one; kNone
  std::vector<std::uint64_t> distance_;
  struct Change {
    std::uint32_t router;
    std::uint16_t entry;  // before
    Mask mask;            // before
  };
  std::vector<Change> changes_;

  // Of polish().
  std::vector<std::uint32_t> source_row_;   // by router: row in source_load_
  std::vector<std::uint32_t> source_load_;  // by router with terminals, channel: trees in which it uses it
  std::vector<std::uint32_t> flows_;        // routers with terminals in the subtree at hand

  // Of spare_bottlenecks(). Loads are in mean loads.
  struct Way {
    std::uint32_t router;
    double power;  // of the loads from there to the router at hand
  };
  double unit_ = 0;                                  // one over the mean load
  std::vector<double> power_, pressure_;             // by channel: of its load; of those whom it holds back
  std::vector<double> behind_price_, behind_power_;  // by router: of its path in the tree at hand
  std::vector<Way> ways_;                            // routers in the subtree at hand
};

}  // namespace unknot
