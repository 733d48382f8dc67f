// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "unknot/reproduce/simulated_campaign.hpp"

// What exchanges on the Desmos cluster take under several engines, nodes in order and in random orders.
namespace unknot::angara_paper {

inline constexpr const char* kDesmos = "torus:4x2x2x2";

/// Times of one exchange: [order][engine], order 0 being that of the terminals.
using OrderTimes = std::vector<std::vector<double>>;

struct OrderedExchanges {
  std::vector<OrderTimes> times;  ///< by exchange
  bool complete = true;           ///< every one of them ended
};

/// Simulates exchanges 0 .. orders.size() - 1, the last one first, each in orders[i] random orders besides
/// that of the terminals and under each engine, through an input-queued router with one lane and bubble flow
/// control. Neither links nor buffers of the adapter are in the paper: times are in units of a packet.
OrderedExchanges simulate_orders(std::span<const std::uint32_t> orders, std::span<const char* const> engines,
                                 const std::function<std::string(std::size_t exchange)>& traffic,
                                 const ExperimentRequest& request, Progress& progress);

/// Percent of time; the mean is that of the times over the random orders.
struct OrderGains {
  double in_order = 0, mean = 0, least = 0, most = 0;
};
/// Of one engine beside another.
OrderGains gains_of(const OrderTimes& times, std::size_t engine, std::size_t beside);

/// Two lines of a table, thousands of packet times: in order, and the mean of the random orders.
void add_order_lines(ReproducedTable& table, const std::string& name, const OrderTimes& times);

}  // namespace unknot::angara_paper
