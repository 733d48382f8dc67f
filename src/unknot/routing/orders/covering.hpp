// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/orders/order_search.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Lane orders under which every pair has a shortest path on one lane, with the search that found them (which
/// may go on, to widen them).
struct Covering {
  std::unique_ptr<LaneOrders> orders;
  std::unique_ptr<OrderSearch> search;
};

/// Finds coverings by a portfolio: searches from several kinds of start orders, and from a covering with one
/// more lane less the lane that is missed least. None is best everywhere, and none has to be picked by hand.
class CoveringPortfolio {
 public:
  /// The arguments must outlive the object. `level` as cover_dags() gives it.
  CoveringPortfolio(const Network& network, const std::vector<CoverDag>& dags,
                    const std::vector<std::uint16_t>& level, std::uint64_t seed, std::uint32_t threads);

  /// Successive halving (Karnin, Koren, Somekh 2013): all attempts get an equal share of a round's work, the
  /// half that leaves most uncovered is given up, until one remains. `kinds`: of start orders, those that fit
  /// the network are tried. `more`: a covering with lanes + 1 lanes, or null. `most_looks`: work in
  /// candidates looked at, over all attempts; `variant` picks other starts. The result does not depend on the
  /// number of threads. Nothing when none succeeds; uncovered() then tells how near the best came. Throws
  /// Interrupted.
  std::optional<Covering> find(std::uint32_t lanes, std::span<const StartOrders> kinds, OrderSearch::Tie tie,
                               const LaneOrders* more, std::uint64_t most_looks, std::uint64_t variant,
                               const Progress& progress);

  /// Pairs left uncovered by the best attempt of the latest find().
  [[nodiscard]] std::uint64_t uncovered() const { return uncovered_; }
  /// (router with terminals, other destination router) pairs that there are.
  [[nodiscard]] std::uint64_t pairs() const { return pairs_; }

 private:
  [[nodiscard]] std::uint64_t count_uncovered(const LaneOrders& orders, OrderSearch::Tie tie) const;
  std::vector<std::unique_ptr<LaneOrders>> starts(std::uint32_t lanes, std::span<const StartOrders> kinds,
                                                  OrderSearch::Tie tie, const LaneOrders* more,
                                                  std::uint64_t variant) const;

  const Network& network_;
  const std::vector<CoverDag>& dags_;
  const std::vector<std::uint16_t>& level_;
  std::uint64_t seed_;
  std::uint32_t threads_;
  std::uint64_t uncovered_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace unknot
