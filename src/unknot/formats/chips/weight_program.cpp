// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/weight_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/error.hpp"
#include "unknot/support/solve/linear_program.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostProgramRows = 20000;
constexpr double kSlack = 1e-6;
constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

/// The destination and the routers with wanted links, each behind all that these lead to.
std::vector<std::uint32_t> order_of(const Network& network, const WantedWays::Destination& to) {
  std::vector<std::uint32_t> waiting(network.router_count(), 0);
  std::vector<std::vector<std::uint32_t>> senders(network.router_count());
  for (const RouterId r : network.routers()) {
    for (const std::uint16_t position : to.positions[r.value]) {
      ++waiting[r.value];
      senders[network.target(network.out(r)[position]).value].push_back(r.value);
    }
  }
  std::vector<std::uint32_t> order{to.router.value};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t sender : senders[order[i]])
      if (--waiting[sender] == 0) order.push_back(sender);
  }
  const auto stuck =
      std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t left) { return left > 0; });
  if (stuck == waiting.end()) return order;
  throw InputError(
      fmt::format("packets from router \"{}\" to router \"{}\" can go in a circle, which no weights "
                  "of links allow",
                  shown(network.router_name(RouterId(static_cast<std::uint32_t>(stuck - waiting.begin())))),
                  shown(network.router_name(to.router))));
}

/// Whole numbers in proportion to the values; nothing where a small factor does not make them whole.
std::vector<std::uint32_t> whole_numbers(const std::vector<double>& values) {
  std::vector<std::uint32_t> whole(values.size());
  for (int factor = 1; factor <= 60; ++factor) {
    bool good = true;
    for (std::size_t i = 0; good && i < values.size(); ++i) {
      const double scaled = values[i] * factor;
      const double rounded = std::round(scaled);
      good = std::abs(scaled - rounded) < kSlack * factor && rounded >= 1 && rounded < 1e6;
      if (good) whole[i] = static_cast<std::uint32_t>(rounded);
    }
    if (good) return whole;
  }
  return {};
}

}  // namespace

WeightProgram::WeightProgram(const Network& network, const WantedWays& wanted)
    : network_(network), wanted_(wanted) {
  order_.reserve(wanted.destinations.size());
  for (const WantedWays::Destination& to : wanted.destinations) order_.push_back(order_of(network, to));
  find_preferences();
}

std::uint32_t WeightProgram::channel(RouterId r, std::uint16_t position) const {
  return network_.out(r)[position].value;
}

void WeightProgram::find_preferences() {
  std::vector<std::uint32_t> hops(network_.router_count(), 0);
  for (std::size_t d = 0; d < order_.size(); ++d) {
    const WantedWays::Destination& to = wanted_.destinations[d];
    std::fill(hops.begin(), hops.end(), kNowhere - 1);
    hops[to.router.value] = 0;
    for (const std::uint32_t r : order_[d]) {
      if (r == to.router.value) continue;
      hops[r] = 1 + hops[network_.target(ChannelId(channel(RouterId(r), to.positions[r].front()))).value];
    }
    for (const std::uint32_t r : order_[d]) {
      if (r == to.router.value) continue;
      const std::uint32_t taken = channel(RouterId(r), to.positions[r].front());
      for (const ChannelId other : network_.out(RouterId(r))) {
        if (hops[network_.target(other).value] + 1 != hops[r] || other.value == taken) continue;
        before_[{taken, other.value}] = true;
      }
    }
  }
  for (auto& [pair, only] : before_) only = !before_.contains({pair.second, pair.first});
}

void WeightProgram::require(const std::map<std::uint32_t, int>& sum, double lower, double upper,
                            const std::vector<double>& weight, Broken& broken) {
  double value = 0;
  Row row;
  for (const auto& [c, coefficient] : sum) {
    if (coefficient == 0) continue;
    row.emplace_back(c, coefficient);
    value += coefficient * weight[c];
  }
  if (value >= lower - kSlack && value <= upper + kSlack) return;
  broken.any = true;
  const auto [at, fresh] = rows_.try_emplace(std::move(row), Bounds{lower, upper});
  Bounds& bounds = at->second;
  if (!fresh && lower <= bounds.lower && upper >= bounds.upper) return;
  bounds = {std::max(lower, bounds.lower), std::min(upper, bounds.upper)};
  broken.fresh = true;
}

WeightProgram::Broken WeightProgram::look(Others others, const std::vector<double>& weight) {
  Broken broken;
  std::vector<std::map<std::uint32_t, int>> way(network_.router_count());  // how often it takes each channel
  for (std::size_t d = 0; d < order_.size(); ++d) {
    const WantedWays::Destination& to = wanted_.destinations[d];
    for (const std::uint32_t r : order_[d]) {
      way[r].clear();
      if (r == to.router.value) continue;
      const std::uint32_t first = channel(RouterId(r), to.positions[r].front());
      way[r] = way[network_.target(ChannelId(first)).value];
      ++way[r][first];
    }
    for (const std::uint32_t r : order_[d]) {
      if (r == to.router.value) continue;
      const std::vector<std::uint16_t>& taken = to.positions[r];
      const std::uint32_t first = channel(RouterId(r), taken.front());
      for (std::uint16_t position = 0; position < network_.out(RouterId(r)).size(); ++position) {
        const std::uint32_t c = channel(RouterId(r), position);
        if (c == first) continue;
        const RouterId next = network_.target(ChannelId(c));
        if (next != to.router && to.positions[next.value].empty()) continue;  // nobody says how it goes on
        std::map<std::uint32_t, int> detour = way[next.value];
        ++detour[c];
        for (const auto& [other, times] : way[r]) detour[other] -= times;
        if (std::binary_search(taken.begin(), taken.end(), position)) {
          require(detour, 0, 0, weight, broken);
          require({{c, 1}, {first, -1}}, 0, 0, weight, broken);
          continue;
        }
        const auto pair = before_.find({first, c});
        const bool behind = others == Others::begin_so && pair != before_.end() && pair->second;
        const bool equal = behind || others == Others::not_less;
        require(detour, equal ? 0 : 1, LinearProgram::kInfinity, weight, broken);
        if (behind) require({{c, 1}, {first, -1}}, 1, LinearProgram::kInfinity, weight, broken);
      }
    }
  }
  return broken;
}

std::optional<std::vector<double>> WeightProgram::minimise() const {
  LinearProgram program;
  std::vector<std::vector<LinearProgram::Entry>> columns(network_.channel_count());
  for (const auto& [row, bounds] : rows_) {
    double ones = 0;  // columns are weights above 1
    for (const auto& [c, coefficient] : row) ones += coefficient;
    const auto shifted = [&](double bound) {
      return std::abs(bound) == LinearProgram::kInfinity ? bound : bound - ones;
    };
    const std::uint32_t number = program.add_row(shifted(bounds.lower), shifted(bounds.upper));
    for (const auto& [c, coefficient] : row) columns[c].push_back({number, static_cast<double>(coefficient)});
  }
  for (const std::vector<LinearProgram::Entry>& column : columns) program.add_column(1, column);
  LinearProgram::Solution solution = program.solve();
  if (!solution.optimal) return std::nullopt;
  for (double& value : solution.x) value += 1;
  return std::move(solution.x);
}

WeightProgram::Outcome WeightProgram::solve(Others others, std::vector<std::uint32_t>& weights) {
  rows_.clear();
  std::vector<double> weight(network_.channel_count(), 1);
  for (;;) {
    const Broken broken = look(others, weight);
    if (!broken.any) break;
    if (!broken.fresh || rows_.size() > kMostProgramRows) return Outcome::too_large;
    std::optional<std::vector<double>> next = minimise();
    if (!next) return Outcome::impossible;
    weight = std::move(*next);
  }
  if (others == Others::not_less) return Outcome::found;
  weights = whole_numbers(weight);
  return weights.empty() ? Outcome::too_large : Outcome::found;
}

}  // namespace unknot
