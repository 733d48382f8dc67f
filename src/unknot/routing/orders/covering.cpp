// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/covering.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kVariants = 3;  // of each kind of start: the best goes on
constexpr std::uint64_t kFew = 100;     // uncovered pairs: a small network's search is never given up early
constexpr double kHopeless = 0.06;      // share of pairs that are uncovered when a search is given up early

}  // namespace

CoveringPortfolio::CoveringPortfolio(const Network& network, const std::vector<CoverDag>& dags,
                                     const std::vector<std::uint16_t>& level, std::uint64_t seed,
                                     std::uint32_t threads)
    : network_(network), dags_(dags), level_(level), seed_(seed), threads_(threads) {
  for (const CoverDag& dag : dags) {
    for (const std::uint32_t router : dag.order) {
      pairs_ += network.terminals_at(RouterId(router)).empty() ? 0 : 1;
    }
  }
}

/// Pairs that the greedy choice of OrderSearch leaves uncovered, without the search's memory.
std::uint64_t CoveringPortfolio::count_uncovered(const LaneOrders& orders, OrderSearch::Tie tie) const {
  std::vector<LaneOrders::Mask> mask(network_.router_count());
  std::vector<std::uint16_t> entry(network_.router_count());
  std::uint64_t uncovered = 0;
  for (const CoverDag& dag : dags_) {
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const RouterId router(dag.order[i]);
      const GreedyChoice choice =
          greedy_choice(dag, i, network_.out(router).first(), orders, tie, mask.data(), entry.data());
      mask[router.value] = choice.mask;
      entry[router.value] = dag.entry[choice.candidate];
      if (choice.mask == 0 && !network_.terminals_at(router).empty()) ++uncovered;
    }
  }
  return uncovered;
}

/// The best of each kind of start, the best of all first.
std::vector<std::unique_ptr<LaneOrders>> CoveringPortfolio::starts(std::uint32_t lanes,
                                                                   std::span<const StartOrders> kinds,
                                                                   OrderSearch::Tie tie,
                                                                   const LaneOrders* more,
                                                                   std::uint64_t variant) const {
  struct Start {
    std::uint32_t kind;
    std::function<void(LaneOrders&)> set;
    std::unique_ptr<LaneOrders> orders = {};
    std::uint64_t uncovered = 0;
  };
  std::vector<Start> all;
  std::uint32_t kind = 0;
  if (more != nullptr) {
    for (std::uint32_t dropped = 0; dropped < more->lanes(); ++dropped) {
      all.push_back({kind, [more, dropped](LaneOrders& orders) {
                       for (std::uint32_t lane = 0; lane < orders.lanes(); ++lane) {
                         orders.set_order(lane, more->order(lane < dropped ? lane : lane + 1));
                       }
                     }});
    }
  }
  for (const StartOrders start : kinds) {
    ++kind;
    if (!fits(start, network_)) continue;
    for (std::uint32_t i = 0; i < kVariants; ++i) {
      all.push_back({kind, [this, start, number = variant * kVariants + i](LaneOrders& orders) {
                       set_start_orders(network_, start, number, orders);
                     }});
    }
  }
  parallel_blocks(static_cast<std::uint32_t>(all.size()), 1, threads_,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
                    Start& start = all[begin];
                    start.orders = std::make_unique<LaneOrders>(network_, lanes);
                    start.set(*start.orders);
                    start.uncovered = count_uncovered(*start.orders, tie);
                  });
  std::stable_sort(all.begin(), all.end(),
                   [](const Start& a, const Start& b) { return a.uncovered < b.uncovered; });
  std::vector<std::unique_ptr<LaneOrders>> result;
  std::vector<bool> taken(kind + 1, false);
  for (Start& start : all) {
    if (taken[start.kind]) continue;
    taken[start.kind] = true;
    result.push_back(std::move(start.orders));
  }
  return result;
}

std::optional<Covering> CoveringPortfolio::find(std::uint32_t lanes, std::span<const StartOrders> kinds,
                                                OrderSearch::Tie tie, const LaneOrders* more,
                                                std::uint64_t most_looks, std::uint64_t variant,
                                                const Progress& progress) {
  std::vector<Covering> attempts;
  for (std::unique_ptr<LaneOrders>& orders : starts(lanes, kinds, tie, more, variant)) {
    attempts.push_back({std::move(orders), nullptr});
  }
  uncovered_ = pairs_;
  if (attempts.empty()) return std::nullopt;  // no start fits
  const auto rounds = static_cast<std::uint64_t>(std::bit_width(attempts.size()));
  for (std::uint64_t round = 0;; ++round) {
    const std::uint64_t share = most_looks / rounds / attempts.size();
    parallel_blocks(static_cast<std::uint32_t>(attempts.size()), 1, threads_,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
                      Covering& attempt = attempts[begin];
                      if (!attempt.search) {
                        attempt.search = std::make_unique<OrderSearch>(network_, dags_, level_,
                                                                       *attempt.orders, tie, seed_ + variant);
                      }
                      attempt.search->run(share, progress);
                    });
    std::stable_sort(attempts.begin(), attempts.end(), [](const Covering& a, const Covering& b) {
      return a.search->uncovered() < b.search->uncovered();
    });
    uncovered_ = attempts.front().search->uncovered();
    if (uncovered_ == 0) return std::move(attempts.front());
    const bool hopeless =
        uncovered_ > kFew && static_cast<double>(uncovered_) > kHopeless * static_cast<double>(pairs_);
    if (attempts.size() == 1 || hopeless) return std::nullopt;
    attempts.resize((attempts.size() + 1) / 2);
  }
}

}  // namespace unknot
