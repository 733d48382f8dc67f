// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/angara/node_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace unknot::angara_paper {
namespace {

const std::vector<std::string> kRouter = {"router=input-queued",
                                          "switching=virtual-cut-through",
                                          "vcs=1",
                                          "speedup=4",
                                          "vc_buffer=16",
                                          "flit_bytes=256",
                                          "packet_flits=1",
                                          "link_latency=2"};

/// By engine, over the random orders.
std::vector<double> sums_of(const OrderTimes& times) {
  std::vector<double> sum(times.front().size(), 0);
  for (std::size_t order = 1; order < times.size(); ++order) {
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += times[order][e];
  }
  return sum;
}

}  // namespace

OrderedExchanges simulate_orders(std::span<const std::uint32_t> orders, std::span<const char* const> engines,
                                 const std::function<std::string(std::size_t exchange)>& traffic,
                                 const ExperimentRequest& request, Progress& progress) {
  std::vector<SimulatedPoint> points;
  for (std::size_t c = orders.size(); c-- > 0;) {
    for (std::uint32_t order = 0; order <= orders[c]; ++order) {
      for (const char* const engine : engines) {
        points.push_back({.network = kDesmos,
                          .engine = engine,
                          .choice = {},
                          .traffic = traffic(c),
                          .load = 0,
                          .order = order,
                          .preset = "booksim",
                          .assignments = kRouter,
                          .seed = request.seed});
      }
    }
  }
  const std::vector<PointResult> results = simulate_points(points, request, progress);
  OrderedExchanges found;
  found.times.resize(orders.size());
  auto next = results.begin();
  for (std::size_t c = orders.size(); c-- > 0;) {
    found.times[c].assign(orders[c] + std::size_t{1}, std::vector<double>(engines.size()));
    for (std::vector<double>& row : found.times[c]) {
      for (double& time : row) {
        found.complete = found.complete && next->complete;
        time = (next++)->completion;
      }
    }
  }
  return found;
}

OrderGains gains_of(const OrderTimes& times, std::size_t engine, std::size_t beside) {
  const auto gain = [&](const std::vector<double>& row) { return 100 * (row[beside] / row[engine] - 1); };
  OrderGains gains;
  gains.in_order = gains.least = gains.most = gain(times[0]);
  for (const std::vector<double>& row : times) {
    gains.least = std::min(gains.least, gain(row));
    gains.most = std::max(gains.most, gain(row));
  }
  gains.mean = times.size() > 1 ? gain(sums_of(times)) : gains.in_order;
  return gains;
}

void add_order_lines(ReproducedTable& table, const std::string& name, const OrderTimes& times) {
  const std::size_t random = times.size() - 1;
  std::vector<std::string> in_order = {name, "in order"};
  std::vector<std::string> mean = {name, fmt::format("mean of {}", random)};
  for (const double time : times[0]) in_order.push_back(fmt::format("{:.2f}", time / 1000));
  for (const double sum : sums_of(times)) {
    mean.push_back(fmt::format("{:.2f}", sum / 1000 / static_cast<double>(random)));
  }
  table.lines.push_back(std::move(in_order));
  table.lines.push_back(std::move(mean));
}

}  // namespace unknot::angara_paper
