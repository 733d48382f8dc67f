// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kCountedAnew = 8;  // times in a pass

// The eighth power and its root by what IEEE 754 rounds alike everywhere.
double eighth_power(double x) {
  const double squared = x * x;
  return squared * squared * (squared * squared);
}
double over_eighth_root(double x) {
  return 1 / std::sqrt(std::sqrt(std::sqrt(x)));
}

}  // namespace

void MaskedTrees::power_tree() {
  for (const std::uint32_t router : dag_->order) {
    const std::uint32_t channel = channel_of(router);
    power_[channel] = eighth_power(static_cast<double>(load_[channel]) * unit_);
  }
}

/// What one flow more on a channel takes from all others, without the seventh power of the channel's load.
void MaskedTrees::count_pressure() {
  pressure_.assign(load_.size(), 0);
  for (std::uint32_t t = 0; t < network_.terminal_count(); ++t) {
    load_tree(t);
    for (const std::uint32_t router : dag_->order) {
      const std::uint32_t channel = channel_of(router);
      const std::uint32_t next = target_[channel];
      behind_power_[router] = power_[channel] + (next == dag_->root ? 0 : behind_power_[next]);
    }
    for (std::uint32_t i = dag_->positions(); i-- > 0;) {
      const std::uint32_t router = dag_->order[i];
      double sum = sources_[router] * over_eighth_root(behind_power_[router]) / behind_power_[router];
      if (below_[router] == 0) continue;
      for (std::uint32_t x = child_[router]; x != kNone; x = sibling_[x]) sum += behind_price_[x];
      behind_price_[router] = sum;
      pressure_[channel_of(router)] += sum;
    }
  }
}

/// One flow more adds `unit_` to a load, the load in mean loads is `unit_` times itself.
double MaskedTrees::price(std::uint32_t channel) const {
  return pressure_[channel] * power_[channel] /
         static_cast<double>(std::max<std::uint64_t>(load_[channel], 1));
}

/// Makes `ways_` the sources whose paths come through the router, each with the powers of the loads on its
/// way.
void MaskedTrees::list_ways(std::uint32_t router) {
  ways_.clear();
  ways_.push_back({router, 0});
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const Way at = ways_[i];
    for (std::uint32_t x = child_[at.router]; x != kNone; x = sibling_[x]) {
      if (below_[x] > 0) ways_.push_back({x, at.power + power_[channel_of(x)]});
    }
  }
}

/// What the flows of `ways_` take from others, less what they get themselves.
double MaskedTrees::loss(double prices, double power) const {
  double sum = 0;
  for (const Way& way : ways_) {
    if (sources_[way.router] > 0)
      sum += sources_[way.router] * (prices - over_eighth_root(way.power + power));
  }
  return sum;
}

void MaskedTrees::spare(std::uint32_t position) {
  const std::uint32_t router = dag_->order[position];
  const std::uint32_t begin = dag_->first[position];
  const std::uint32_t end = dag_->first[position + 1];
  const auto prices_by = [&](std::uint32_t entry) {
    const std::uint32_t channel = first_out_[router] + entry;
    const std::uint32_t next = target_[channel];
    return price(channel) + (next == dag_->root ? 0 : behind_price_[next]);
  };
  const auto power_by = [&](std::uint32_t entry) {
    const std::uint32_t channel = first_out_[router] + entry;
    const std::uint32_t next = target_[channel];
    return power_[channel] + (next == dag_->root ? 0 : behind_power_[next]);
  };
  if (end - begin > 1 && below_[router] > 0) {
    list_ways(router);
    double least = loss(prices_by(entry_[router]), power_by(entry_[router]));
    std::uint32_t best = kNone;
    for (std::uint32_t c = begin; c < end; ++c) {
      if (dag_->entry[c] == entry_[router] || mask_by(c) == 0) continue;
      const double lost = loss(prices_by(dag_->entry[c]), power_by(dag_->entry[c]));
      if (lost >= least) continue;
      least = lost;
      best = c;
    }
    if (best != kNone) go_over(router, dag_->entry[best], mask_by(best));
  }
  behind_price_[router] = prices_by(entry_[router]);
  behind_power_[router] = power_by(entry_[router]);
}

void MaskedTrees::spare_bottlenecks(const std::vector<std::uint32_t>& terminals, const Progress& progress) {
  source_load_.clear();  // polish() counts anew
  std::uint64_t sum = 0;
  for (const std::uint64_t load : load_) sum += load;
  if (sum == 0) return;
  unit_ = static_cast<double>(load_.size()) / static_cast<double>(sum);
  behind_price_.assign(routers_, 0);
  behind_power_.assign(routers_, 0);
  power_.clear();
  for (const std::uint64_t load : load_) power_.push_back(eighth_power(static_cast<double>(load) * unit_));
  const std::size_t part = (terminals.size() + kCountedAnew - 1) / kCountedAnew;
  for (std::size_t i = 0; i < terminals.size(); ++i) {
    if (i % part == 0) count_pressure();
    if (progress.interrupted()) throw Interrupted();
    load_tree(terminals[i]);
    take_out();
    power_tree();
    for (std::uint32_t position = 0; position < dag_->positions(); ++position) spare(position);
    put_in(terminals[i]);
    power_tree();
  }
}

}  // namespace unknot
