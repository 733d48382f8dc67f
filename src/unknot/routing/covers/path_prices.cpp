// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/path_prices.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kPricingRounds = 5;
constexpr double kWorthARound = 0.999;  // of the busiest load before
constexpr float kMostChange = 2;        // of a factor in a round
constexpr float kMostFactor = 16;       // so that those of long paths can be multiplied
constexpr double kPart = 1024;  // loads are counted in parts of a pair, which add up the same in any order

/// One worker's: the loads of the destinations it has seen.
class FlowSum {
 public:
  FlowSum(const Network& network, const PortWords& ports)
      : network_(network),
        ports_(ports),
        weight_(network.router_count()),
        flow_(network.router_count()),
        load_(network.channel_count(), 0) {}

  void add(const DestinationBlock& block, std::uint32_t d, RouterId root, const PathSets::Word* allowed,
           const std::vector<float>& factor) {
    weight_[root.value] = 1;
    flow_[root.value] = 0;
    const auto terminals = static_cast<double>(network_.terminals_at(root).size());
    const std::vector<std::uint32_t>& order = block.order[d];
    for (const std::uint32_t r : order) {
      const std::uint32_t first = network_.out(RouterId(r)).first();
      double sum = 0;
      ports_.for_each(allowed, r, [&](std::uint32_t position) {
        sum += factor[first + position] * weight_[network_.targets()[first + position].value];
      });
      weight_[r] = sum;
      flow_[r] = static_cast<double>(network_.terminals_at(RouterId(r)).size()) * terminals;
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t r = order[i];
      const std::uint32_t first = network_.out(RouterId(r)).first();
      const double share = flow_[r] / weight_[r];
      ports_.for_each(allowed, r, [&](std::uint32_t position) {
        const std::uint32_t c = first + position;
        const std::uint32_t to = network_.targets()[c].value;
        const double part = share * factor[c] * weight_[to];
        flow_[to] += part;
        load_[c] += static_cast<std::int64_t>(part * kPart);
      });
    }
  }
  [[nodiscard]] const std::vector<std::int64_t>& load() const { return load_; }

 private:
  const Network& network_;
  const PortWords& ports_;
  std::vector<double> weight_, flow_;  // by router: of all its paths; of all that comes to it
  std::vector<std::int64_t> load_;     // by channel
};

}  // namespace

PathPrices::PathPrices(const Network& network, const PathSets& sets, const SafeTrees& safe,
                       std::uint32_t threads)
    : factor_(network.channel_count(), 1) {
  if (threads == 0) threads = hardware_threads();
  std::vector<float> best;
  std::int64_t least = 0;  // load of the busiest channel, by the best factors
  for (std::uint32_t round = 0; round < kPricingRounds; ++round) {
    std::vector<DestinationBlock> blocks(threads);
    std::vector<FlowSum> sums(threads, FlowSum(network, sets.ports()));
    parallel_blocks(sets.blocks(), 1, threads, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
      DestinationBlock& block = blocks[worker];
      sets.load(b, block);
      for (std::uint32_t d = 0; d < block.count; ++d) {
        const std::uint32_t destination = block.first + d;
        sums[worker].add(block, d, sets.destinations()[destination], safe.allowed(destination), factor_);
      }
    });
    std::vector<std::int64_t> load(network.channel_count(), 0);
    for (const FlowSum& sum : sums) {
      for (std::size_t c = 0; c < load.size(); ++c) load[c] += sum.load()[c];
    }
    const std::int64_t busiest = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
    // Where another round gains little it is not worth its time, and where paths are few it does harm.
    const bool gains = round == 0 || static_cast<double>(busiest) < kWorthARound * static_cast<double>(least);
    if (round == 0 || busiest < least) {
      least = busiest;
      best = factor_;
    }
    if (!gains || round + 1 == kPricingRounds) break;
    const double mean = static_cast<double>(std::accumulate(load.begin(), load.end(), std::int64_t{0})) /
                        static_cast<double>(std::max<std::size_t>(1, load.size()));
    for (std::size_t c = 0; c < load.size(); ++c) {
      const auto wanted = static_cast<float>(mean / std::max(1.0, static_cast<double>(load[c])));
      factor_[c] = std::clamp(factor_[c] * std::clamp(wanted, 1 / kMostChange, kMostChange), 1 / kMostFactor,
                              kMostFactor);
    }
  }
  factor_ = std::move(best);
}

}  // namespace unknot
