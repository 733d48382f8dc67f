// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/path_prices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "unknot/routing/covers/level_scale.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kPricingRounds = 5;
constexpr double kWorthARound = 0.999;  // of the busiest load before
constexpr double kEven = 1.025;         // times the mean: dealing whole terminals adds more than that
constexpr double kFallsFast = 0.8;      // of what the busiest load is above the mean
constexpr double kFirstStep = 1.5;
constexpr double kFastStep = 2;
constexpr float kMostChange = 2;   // of a factor in a round
constexpr float kMostFactor = 16;  // so that those of long paths can be multiplied
constexpr double kPart = 1024;     // loads are counted in parts of a pair, which add up the same in any order

constexpr std::uint32_t kBits = PathSets::kWordBits;

/// One worker's: the loads of the blocks of destinations it has seen.
class FlowSum {
 public:
  FlowSum(const Network& network, const PathSets& sets)
      : network_(network),
        sets_(sets),
        weight_(std::size_t{network.router_count()} * kBits),
        flow_(weight_.size()),
        scale_(sets.levels()),
        load_(network.channel_count(), 0) {}

  void add(std::uint32_t block, const PathSets::Word* allowed, const std::vector<float>& factor) {
    begin(block);
    for (std::uint32_t hops = 1; hops < sets_.levels(); ++hops) {
      const PathSets::Word* const here = sets_.at(block, hops);
      for (const RouterId r : network_.routers()) weigh(r, hops, here[r.value], allowed, factor);
      scale_.end(hops);
    }
    for (std::uint32_t hops = sets_.levels(); hops-- > 1;) {
      const PathSets::Word* const here = sets_.at(block, hops);
      for (const RouterId r : network_.routers()) send(r, hops, here[r.value], allowed, factor);
    }
  }
  [[nodiscard]] const std::vector<std::int64_t>& load() const { return load_; }

 private:
  template <class Visit>
  static void for_each(PathSets::Word word, const Visit& visit) {
    for (; word != 0; word &= word - 1) visit(static_cast<std::uint32_t>(std::countr_zero(word)));
  }

  void begin(std::uint32_t block) {
    std::array<float, kBits> terminals{};
    const std::uint32_t first = block * kBits;
    for (std::uint32_t d = 0; d < kBits && first + d < sets_.destinations().size(); ++d) {
      const RouterId root = sets_.destinations()[first + d];
      terminals[d] = static_cast<float>(network_.terminals_at(root).size());
      weight_[std::size_t{root.value} * kBits + d] = 1;
    }
    for (const RouterId r : network_.routers()) {
      const auto here = static_cast<float>(network_.terminals_at(r).size());
      float* const flow = flow_.data() + std::size_t{r.value} * kBits;
      for (std::uint32_t d = 0; d < kBits; ++d) flow[d] = here * terminals[d];
    }
  }

  void weigh(RouterId r, std::uint32_t hops, PathSets::Word here, const PathSets::Word* allowed,
             const std::vector<float>& factor) {
    if (here == 0) return;
    sums_.fill(0);
    for (const ChannelId c : network_.out(r)) {
      const float* const behind = weight_.data() + std::size_t{network_.target(c).value} * kBits;
      for_each(allowed[c.value] & here, [&](std::uint32_t d) { sums_[d] += factor[c.value] * behind[d]; });
    }
    float* const weight = weight_.data() + std::size_t{r.value} * kBits;
    for_each(here, [&](std::uint32_t d) { weight[d] = scale_.scaled(hops, d, sums_[d]); });
  }

  void send(RouterId r, std::uint32_t hops, PathSets::Word here, const PathSets::Word* allowed,
            const std::vector<float>& factor) {
    if (here == 0) return;
    const float* const flow = flow_.data() + std::size_t{r.value} * kBits;
    const float* const weight = weight_.data() + std::size_t{r.value} * kBits;
    for_each(here, [&](std::uint32_t d) { sums_[d] = flow[d] * scale_.by(hops, d) / weight[d]; });
    for (const ChannelId c : network_.out(r)) {
      const PathSets::Word word = allowed[c.value] & here;
      if (word == 0) continue;
      const std::size_t to = std::size_t{network_.target(c).value} * kBits;
      float sent = 0;
      for_each(word, [&](std::uint32_t d) {
        const float part = sums_[d] * factor[c.value] * weight_[to + d];
        flow_[to + d] += part;
        sent += part;
      });
      load_[c.value] += static_cast<std::int64_t>(static_cast<double>(sent) * kPart);
    }
  }

  const Network& network_;
  const PathSets& sets_;
  std::vector<float> weight_, flow_;  // by router and destination: of all its paths; of all that comes to it
  LevelScale scale_;
  std::array<float, kBits> sums_{};  // by destination
  std::vector<std::int64_t> load_;   // by channel
};

}  // namespace

PathPrices::PathPrices(const Network& network, const PathSets& sets, const SafeTrees& safe,
                       std::uint32_t threads)
    : factor_(network.channel_count(), 1) {
  if (threads == 0) threads = hardware_threads();
  std::vector<float> best;
  std::int64_t least = 0;  // load of the busiest channel, by the best factors
  double excess_before = 0;
  for (std::uint32_t round = 0; round < kPricingRounds; ++round) {
    std::vector<FlowSum> sums(threads, FlowSum(network, sets));
    parallel_blocks(sets.blocks(), 1, threads, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
      sums[worker].add(b, safe.allowed(b), factor_);
    });
    std::vector<std::int64_t> load(network.channel_count(), 0);
    for (const FlowSum& sum : sums) {
      for (std::size_t c = 0; c < load.size(); ++c) load[c] += sum.load()[c];
    }
    const std::int64_t busiest = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
    const double mean = static_cast<double>(std::accumulate(load.begin(), load.end(), std::int64_t{0})) /
                        static_cast<double>(std::max<std::size_t>(1, load.size()));
    const double excess = static_cast<double>(busiest) - mean;
    // Where another round gains little it is not worth its time, and where paths are few it does harm.
    const bool gains = round == 0 || static_cast<double>(busiest) < kWorthARound * static_cast<double>(least);
    // Where loads follow the factors well, twice the step is still short of too far, and where another gain
    // like the last is enough, it need not be looked at.
    const bool fast = round > 0 && excess < kFallsFast * excess_before;
    const bool last = fast && excess * excess < (kEven - 1) * mean * excess_before;
    const double step = round == 0 ? kFirstStep : fast ? kFastStep : 1;
    excess_before = excess;
    if (round == 0 || busiest < least) {
      least = busiest;
      best = factor_;
    }
    if (!gains || static_cast<double>(busiest) < kEven * mean || round + 1 == kPricingRounds) break;
    for (std::size_t c = 0; c < load.size(); ++c) {
      const auto wanted =
          static_cast<float>(std::pow(mean / std::max(1.0, static_cast<double>(load[c])), step));
      factor_[c] = std::clamp(factor_[c] * std::clamp(wanted, 1 / kMostChange, kMostChange), 1 / kMostFactor,
                              kMostFactor);
    }
    if (last) return;
  }
  factor_ = std::move(best);
}

}  // namespace unknot
