// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/path_weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace unknot {
namespace {

constexpr std::size_t kVector = 8;

/// The number, or 0: without a branch, whole vectors at a time.
inline float where(bool condition, float number) {
  const std::uint32_t mask = condition ? ~std::uint32_t{0} : 0;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) & mask);
}

/// Sum of weights over the groups to which `to` is one hop nearer; kVector partial sums, so that the order of
/// the additions is the same whatever the compiler makes of it.
inline void add_paths(const std::int32_t* __restrict hops_here, const std::int32_t* __restrict hops_there,
                      const float* __restrict paths_there, float factor, std::size_t width,
                      float* __restrict paths) {
  for (std::size_t g = 0; g < width; ++g)
    paths[g] += where(hops_there[g] + 1 == hops_here[g], factor * paths_there[g]);
}

inline float move_traffic(const std::int32_t* __restrict hops_here, const std::int32_t* __restrict hops_there,
                          const float* __restrict paths_there, const float* __restrict per_path, float factor,
                          std::size_t width, float* __restrict traffic) {
  float sums[kVector] = {};
  for (std::size_t g = 0; g < width; g += kVector) {
    for (std::size_t i = 0; i < kVector; ++i) {
      const std::size_t at = g + i;
      const float moved = where(hops_there[at] + 1 == hops_here[at], per_path[at] * factor * paths_there[at]);
      traffic[at] += moved;
      sums[i] += moved;
    }
  }
  float all = 0;
  for (const float sum : sums) all += sum;
  return all;
}

/// The nearest number with few bits: what is left of a weight when the network changes a little somewhere
/// else is the same.
template <std::uint32_t kBits>
inline float rounded_weight(float weight) {
  constexpr std::uint32_t kLeftOut = 23 - kBits;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(weight) + (1U << (kLeftOut - 1));
  return std::bit_cast<float>(bits & ~((1U << kLeftOut) - 1));
}

}  // namespace

PathWeights::PathWeights(const LiveNetwork& network, const UpDownOrder& order, const LeafGroups& groups,
                         std::uint32_t rounds)
    : order_(order), groups_(groups), width_((groups.count + kVector - 1) / kVector * kVector) {
  const std::size_t cells = row(network.router_count());
  up_ = order.channels_up(network.network());
  factor_.assign(network.channel_count(), 1);
  load_.resize(network.channel_count());
  paths_.resize(cells);
  traffic_.resize(cells);
  inner_.resize(network.router_count());
  for (const RouterId r : network.routers()) inner_[r.value] = groups.of_router[r.value] != LeafGroups::kNone;
  for (const LeafGroups::Gate& gate : groups.gates) inner_[gate.router] = 0;
  above_some_.assign(network.router_count(), 0);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.out(r)) {
      if (up_[c.value] != 0) above_some_[network.target(c).value] = 1;
    }
  }
  find_hops(network);
  find_ways(network);
  for (std::size_t i = order.top_down.size(); i-- > 0;) {
    if (inner_[order.top_down[i]] == 0) outer_bottom_up_.push_back(order.top_down[i]);
  }
  for (std::uint32_t round = 0; round < rounds; ++round) {
    sum_paths(true, outer_bottom_up_);
    spread_traffic();
    correct();
  }
  if (rounds > 0) settle_factors(network);
  std::vector<std::uint32_t> all;
  for (std::size_t i = order.top_down.size(); i-- > 0;) {
    const std::uint32_t r = order.top_down[i];
    if (inner_[r] == 0 || above_some_[r] != 0) all.push_back(r);
  }
  sum_paths(false, all);
}

void PathWeights::find_hops(const LiveNetwork& network) {
  hops_down_.assign(row(network.router_count()), kFar);
  for (const RouterId r : network.routers()) {
    if (groups_.of_router[r.value] != LeafGroups::kNone)
      hops_down_[row(r.value) + groups_.of_router[r.value]] = 0;
  }
  const auto nearest = [&](std::uint32_t router, bool up, const std::vector<Hops>& from, Hops* to) {
    for (const ChannelId c : network.out(RouterId(router))) {
      if ((up_[c.value] != 0) != up) continue;
      const Hops* next = from.data() + row(network.target(c).value);
      for (std::size_t g = 0; g < width_; ++g) to[g] = std::min(to[g], next[g] + 1);
    }
  };
  for (std::size_t i = order_.top_down.size(); i-- > 0;) {
    const std::uint32_t r = order_.top_down[i];
    if (inner_[r] == 0) nearest(r, false, hops_down_, hops_down_.data() + row(r));
  }
  hops_ = hops_down_;
  hops_up_.assign(hops_.size(), kBelow);
  std::vector<Hops> best(width_);
  for (const std::uint32_t r : order_.top_down) {
    if (inner_[r] != 0 && above_some_[r] == 0) continue;  // nobody sends by way of it
    std::fill(best.begin(), best.end(), kFar);
    nearest(r, true, hops_, best.data());
    for (std::size_t g = 0; g < width_; ++g) {
      if (hops_[row(r) + g] != kFar || best[g] >= kFar) continue;
      hops_[row(r) + g] = hops_up_[row(r) + g] = best[g];
    }
  }
}

void PathWeights::find_ways(const LiveNetwork& network) {
  first_up_.assign(1, 0);
  first_down_.assign(1, 0);
  ways_up_.reserve(network.live_channel_count() / 2);
  ways_down_.reserve(network.live_channel_count() / 2);
  std::vector<std::uint32_t> groups_below;
  std::vector<std::uint32_t> first_below{0};  // by router, and one more
  for (const RouterId r : network.routers()) {
    for (std::uint32_t g = 0; g < groups_.count; ++g) {
      if (inner_[r.value] == 0 && hops_down_[row(r.value) + g] != kFar) groups_below.push_back(g);
    }
    first_below.push_back(static_cast<std::uint32_t>(groups_below.size()));
  }
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.out(r)) {
      const std::uint32_t to = network.target(c).value;
      bool any = up_[c.value] != 0;
      if (any) {
        ways_up_.push_back({c.value, to});
      } else if (inner_[to] == 0 && inner_[r.value] == 0) {
        for (std::uint32_t i = first_below[to]; i < first_below[to + 1]; ++i) {
          const std::uint32_t g = groups_below[i];
          if (hops_down_[row(to) + g] + 1 != hops_down_[row(r.value) + g]) continue;
          ways_down_.push_back({c.value, to, g});
          any = true;
        }
      }
      if (!any || inner_[r.value] != 0) continue;
      corrected_.push_back(c);
      const std::uint32_t routers = network.router_count();
      unit_.push_back(up_[c.value] != 0 ? groups_.part[r.value] : routers + groups_.part[to]);
    }
    first_up_.push_back(static_cast<std::uint32_t>(ways_up_.size()));
    first_down_.push_back(static_cast<std::uint32_t>(ways_down_.size()));
  }
}

/// `traffic`: ways that end at a gate count for what the gate reaches of its group, as traffic sees them;
/// else for 1, since a router that chooses looks only at gates that do reach the destination, and sums are
/// rounded.
void PathWeights::sum_paths(bool traffic, std::span<const std::uint32_t> bottom_up) {
  std::fill(paths_.begin(), paths_.end(), 0.0F);
  for (std::uint32_t g = 0; g < groups_.count; ++g) {
    for (const LeafGroups::Gate& gate : groups_.gates_of(g))
      paths_[row(gate.router) + g] = traffic ? gate.share : 1;
  }
  for (std::uint32_t r = 0; r < inner_.size(); ++r) {
    if (inner_[r] != 0) paths_[row(r) + groups_.of_router[r]] = 1;
  }
  for (const std::uint32_t r : bottom_up) {
    for (std::uint32_t i = first_down_[r]; i < first_down_[r + 1]; ++i) {
      const DownWay& way = ways_down_[i];
      paths_[row(r) + way.group] += factor_[way.channel] * paths_[row(way.to) + way.group];
    }
    if (!traffic) round_paths(r);
  }
  for (std::size_t k = bottom_up.size(); k-- > 0;) {
    const std::uint32_t r = bottom_up[k];
    for (std::uint32_t i = first_up_[r]; i < first_up_[r + 1]; ++i) {
      const Way& way = ways_up_[i];
      add_paths(hops_up_.data() + row(r), hops_.data() + row(way.to), paths_.data() + row(way.to),
                factor_[way.channel], width_, paths_.data() + row(r));
    }
    if (!traffic) round_paths(r);
  }
}

void PathWeights::round_paths(std::uint32_t router) {
  float* paths = paths_.data() + row(router);
  for (std::size_t g = 0; g < width_; ++g) paths[g] = rounded_weight<kPathBits>(paths[g]);
}

/// The traffic of all groups to all others, over their gates and on by weight.
void PathWeights::spread_traffic() {
  std::fill(traffic_.begin(), traffic_.end(), 0.0F);
  std::fill(load_.begin(), load_.end(), 0.0F);
  std::vector<Hops> nearest(width_);
  std::vector<float> sum(width_);
  for (std::uint32_t from = 0; from < groups_.count; ++from) {
    const auto gates = groups_.gates_of(from);
    std::fill(nearest.begin(), nearest.end(), kFar);
    for (const LeafGroups::Gate& gate : gates) {
      const Hops* hops = hops_.data() + row(gate.router);
      for (std::size_t g = 0; g < width_; ++g) nearest[g] = std::min(nearest[g], hops[g]);
    }
    nearest[from] = -1;  // stays inside
    std::fill(sum.begin(), sum.end(), 0.0F);
    for (const LeafGroups::Gate& gate : gates) {
      const Hops* hops = hops_.data() + row(gate.router);
      const float* paths = paths_.data() + row(gate.router);
      for (std::size_t g = 0; g < width_; ++g) sum[g] += hops[g] == nearest[g] ? gate.share * paths[g] : 0;
    }
    for (std::size_t g = 0; g < groups_.count; ++g)
      sum[g] = sum[g] > 0 ? groups_.terminals[from] * groups_.terminals[g] / sum[g] : 0;
    for (const LeafGroups::Gate& gate : gates) {
      const Hops* hops = hops_.data() + row(gate.router);
      const float* paths = paths_.data() + row(gate.router);
      float* traffic = traffic_.data() + row(gate.router);
      for (std::size_t g = 0; g < width_; ++g)
        traffic[g] += hops[g] == nearest[g] ? sum[g] * gate.share * paths[g] : 0;
    }
  }
  std::vector<float> per_path(width_);
  for (const std::uint32_t r : outer_bottom_up_) {
    if (first_up_[r] == first_up_[r + 1]) continue;
    const float* paths = paths_.data() + row(r);
    const float* traffic = traffic_.data() + row(r);
    for (std::size_t g = 0; g < width_; ++g) per_path[g] = paths[g] > 0 ? traffic[g] / paths[g] : 0;
    for (std::uint32_t i = first_up_[r]; i < first_up_[r + 1]; ++i) {
      const Way& way = ways_up_[i];
      load_[way.channel] =
          move_traffic(hops_up_.data() + row(r), hops_.data() + row(way.to), paths_.data() + row(way.to),
                       per_path.data(), factor_[way.channel], width_, traffic_.data() + row(way.to));
    }
  }
  for (std::size_t k = outer_bottom_up_.size(); k-- > 0;) {
    const std::uint32_t r = outer_bottom_up_[k];
    for (std::uint32_t i = first_down_[r]; i < first_down_[r + 1]; ++i) {
      const DownWay& way = ways_down_[i];
      const float paths = paths_[row(r) + way.group];
      if (paths <= 0) continue;
      const float moved =
          traffic_[row(r) + way.group] / paths * factor_[way.channel] * paths_[row(way.to) + way.group];
      load_[way.channel] += moved;
      traffic_[row(way.to) + way.group] += moved;
    }
  }
}

/// Only how the factors of one part and direction compare with each other says anything. What scales them all
/// is taken out before they are rounded, since every change of the network changes it a little: one of them,
/// that anything may choose as long as it stays the same when others die, becomes 1.
void PathWeights::settle_factors(const LiveNetwork& network) {
  struct Unit {
    std::uint64_t rank = ~std::uint64_t{0};
    double factor = 1;
  };
  const Network& whole = network.network();
  std::vector<Unit> units(2 * inner_.size());
  for (std::size_t i = 0; i < corrected_.size(); ++i) {
    const ChannelId c = corrected_[i];
    const std::uint64_t from = whole.router_guid(whole.source(c)) * 0x9E3779B97F4A7C15U;
    const std::uint64_t to = whole.router_guid(whole.target(c)) * 0xBF58476D1CE4E5B9U;
    std::uint64_t rank = (from ^ to >> 7) + whole.source_port(c);
    rank = (rank ^ rank >> 30) * 0x94D049BB133111EBU;
    rank ^= rank >> 31;
    Unit& unit = units[unit_[i]];
    if (rank < unit.rank) unit = {rank, factor_[c.value]};
  }
  for (std::size_t i = 0; i < corrected_.size(); ++i) {
    float& factor = factor_[corrected_[i].value];
    factor = rounded_weight<kFactorBits>(static_cast<float>(factor / units[unit_[i]].factor));
  }
}

void PathWeights::correct() {
  constexpr float kMostAtOnce = 4;
  // Parts with room do not need even loads, and must leave their choice to those that do.
  constexpr double kSpare = 0.8;
  struct Mean {
    double load = 0;
    double channels = 0;
    double target = 0;
    bool spare = false;  // loads below the target may stay
  };
  std::vector<Mean> means(2 * inner_.size());
  for (std::size_t i = 0; i < corrected_.size(); ++i) {
    const float load = load_[corrected_[i].value];
    Mean& mean = means[unit_[i]];
    mean.load += load;
    mean.channels += load > 0 ? 1 : 0;
  }
  double busiest = 0;
  for (const Mean& mean : means) busiest = std::max(busiest, mean.load / std::max(1.0, mean.channels));
  for (Mean& mean : means) {
    mean.target = mean.load / std::max(1.0, mean.channels);
    mean.spare = mean.target < kSpare * busiest;
    if (mean.spare) mean.target = kSpare * busiest;
  }
  for (std::size_t i = 0; i < corrected_.size(); ++i) {
    const float load = load_[corrected_[i].value];
    const Mean& mean = means[unit_[i]];
    if (load <= 0 || (mean.spare && load <= mean.target)) continue;
    const float step = std::sqrt(static_cast<float>(mean.target) / load);
    factor_[corrected_[i].value] *= std::clamp(step, 1 / kMostAtOnce, kMostAtOnce);
  }
}

}  // namespace unknot
