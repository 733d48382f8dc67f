// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/bursty_source.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "unknot/simulate/sources/injection.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

/// Uniform traffic among four terminals, of some process.
struct Four {
  Network network = make_network("ring:4");
  Destinations to{network, make_pattern(network, "uniform"), 1};
  std::unique_ptr<Source> source(const char* spec, double load, std::uint32_t flits, std::uint64_t seed) {
    return make_traffic(make_injection(spec), to, 4, load, flits, seed);
  }
};

std::vector<std::uint64_t> first_packets(Source& source, std::uint32_t terminal, std::uint64_t until) {
  std::vector<std::uint64_t> created;
  NewPacket packet;
  while (source.next(terminal, 0, packet) && packet.created < until) created.push_back(packet.created);
  return created;
}

/// What theory says of the Markov chain of a process: probabilities of a packet in its two states, of being
/// in the first, and by how much a cycle forgets the state.
struct Theory {
  double high, low, in_burst, memory;
};
Theory theory(double burst, double peak, double low, double load, std::uint32_t flits) {
  const double share = load * (1 - low) / (peak - low * load);  // of time, so that the mean is the load
  const double gap = burst * (1 - share) / share;
  const double ends = 1 / burst * gap / (1 + gap);  // a gap of no length is none
  const double begins = 1 / (1 + gap);
  return {peak / flits, low * load / flits, share, 1 - ends - begins};
}
/// Variance of the packets of `cycles` cycles in a row.
double variance(const Theory& t, std::uint32_t cycles) {
  const double mean = t.in_burst * t.high + (1 - t.in_burst) * t.low;
  double sum = cycles * mean * (1 - mean);
  const double swing = t.in_burst * (1 - t.in_burst) * (t.high - t.low) * (t.high - t.low);
  for (std::uint32_t k = 1; k < cycles; ++k) sum += 2.0 * (cycles - k) * swing * std::pow(t.memory, k);
  return sum;
}

/// Independent runs, each from its first cycle on: the mean must be that of the load and the variance that of
/// the chain in its stationary state.
TEST(BurstySource, CountsHaveTheMeanAndTheDispersionOfTheChain) {
  Four four;
  struct Row {
    const char* spec;
    double burst, peak, low, load;
    std::uint32_t flits;
  };
  for (const Row& row : {Row{"on-off:burst=10", 10, 1, 0, 0.3, 1}, Row{"on-off:burst=4", 4, 1, 0, 0.9, 1},
                         Row{"on-off:burst=30,peak=0.5", 30, 0.5, 0, 0.2, 4},
                         Row{"markov:burst=12,peak=0.8,low=0.5", 12, 0.8, 0.5, 0.4, 2},
                         Row{"markov:burst=1,low=0.25", 1, 1, 0.25, 0.6, 1}}) {
    const Theory chain = theory(row.burst, row.peak, row.low, row.load, row.flits);
    for (const std::uint32_t cycles : {1U, 3U, 50U}) {
      constexpr std::uint32_t kRuns = 10'000;
      double sum = 0, squares = 0;
      for (std::uint32_t run = 0; run < kRuns; ++run) {
        const auto source = four.source(row.spec, row.load, row.flits, run);
        for (std::uint32_t t = 0; t < 4; ++t) {
          const auto count = static_cast<double>(first_packets(*source, t, cycles).size());
          sum += count;
          squares += count * count;
        }
      }
      constexpr double kSamples = 4.0 * kRuns;
      const double expected = variance(chain, cycles);
      const double mean = sum / kSamples;
      EXPECT_NEAR(mean, cycles * row.load / row.flits, 4.5 * std::sqrt(expected / kSamples)) << row.spec;
      EXPECT_NEAR((squares / kSamples - mean * mean) / expected, 1, 0.06) << row.spec << " " << cycles;
    }
  }
}

/// Lengths of runs of packets in successive cycles, which are the bursts where peaks are 1 and gaps never of
/// no length; the first and the last are left out.
std::vector<std::uint64_t> burst_lengths(Source& source, std::size_t count) {
  std::vector<std::uint64_t> lengths;
  NewPacket packet;
  std::uint64_t before = 0, length = 0;
  while (lengths.size() <= count && source.next(0, 0, packet)) {
    if (length > 0 && packet.created != before + 1) {
      lengths.push_back(length);
      length = 0;
    }
    ++length;
    before = packet.created;
  }
  lengths.erase(lengths.begin());
  return lengths;
}

/// Largest difference between how many lengths are at least r and what theory says, as a share.
template <class AtLeast>
double worst_difference(const std::vector<std::uint64_t>& lengths, const AtLeast& at_least) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const std::uint64_t length : lengths) ++counts[length];
  double worst = 0;
  std::size_t left = lengths.size();
  for (const auto& [length, count] : counts) {
    const double share = static_cast<double>(left) / static_cast<double>(lengths.size());
    worst = std::max(worst, std::abs(share - at_least(static_cast<double>(length))));
    left -= count;
  }
  return worst;
}

constexpr std::size_t kBursts = 40'000;
/// Of Kolmogorov's test: differences of chance are larger once in a hundred thousand times.
const double kChance = 2.5 / std::sqrt(static_cast<double>(kBursts));

TEST(BurstySource, BurstsOfAChainAreGeometric) {
  Four four;
  const auto source = four.source("on-off:burst=20", 0.1, 1, 3);
  const double gap = 20 * 0.9 / 0.1;
  const double ends = 1.0 / 20 * gap / (1 + gap);
  EXPECT_LT(
      worst_difference(burst_lengths(*source, kBursts), [&](double r) { return std::pow(1 - ends, r - 1); }),
      kChance);
}

TEST(BurstySource, BurstsAreParetoDistributed) {
  Four four;
  for (const double shape : {1.2, 1.5, 2.0}) {
    const auto source = four.source(fmt::format("pareto:shape={},burst=20", shape).c_str(), 0.05, 1, 3);
    const double least = 20 * (shape - 1) / shape;
    // Of y + u, y Pareto-distributed and u uniform below 1, rounded down.
    const auto primitive = [&](double y) {  // of the share above y
      return y <= least ? y : least + (least - std::pow(least, shape) * std::pow(y, 1 - shape)) / (shape - 1);
    };
    EXPECT_LT(worst_difference(burst_lengths(*source, kBursts),
                               [&](double r) { return primitive(r) - primitive(r - 1); }),
              kChance)
        << shape;
  }
}

/// In its stationary state each cycle has the load, whatever the tails; and sums over n cycles vary as n to
/// the power of 2 H, H = (3 - shape) / 2, and not as n. [Willinger et al. 1997]
TEST(BurstySource, ManyParetoSourcesAreSelfSimilar) {
  Four four;
  const char* const spec = "pareto:shape=1.4,burst=10";
  constexpr double kLoad = 0.4;
  constexpr std::uint32_t kRuns = 10'000;
  const std::vector<std::uint32_t> spans = {1, 64, 1024};
  std::vector<double> sums(spans.size()), squares(spans.size());
  double last = 0;  // packets of the last cycle
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    const auto source = four.source(spec, kLoad, 1, run);
    for (std::uint32_t t = 0; t < 4; ++t) {
      const std::vector<std::uint64_t> created = first_packets(*source, t, spans.back());
      for (std::size_t i = 0; i < spans.size(); ++i) {
        const auto count =
            static_cast<double>(std::lower_bound(created.begin(), created.end(), spans[i]) - created.begin());
        sums[i] += count;
        squares[i] += count * count;
      }
      last += !created.empty() && created.back() + 1 == spans.back() ? 1 : 0;
    }
  }
  constexpr double kSamples = 4.0 * kRuns;
  std::vector<double> variances(spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const double mean = sums[i] / kSamples;
    variances[i] = squares[i] / kSamples - mean * mean;
    EXPECT_NEAR(mean, spans[i] * kLoad, 4.5 * std::sqrt(variances[i] / kSamples)) << spans[i];
  }
  EXPECT_NEAR(last / kSamples, kLoad, 4.5 * std::sqrt(kLoad * (1 - kLoad) / kSamples));
  const double power = std::log(variances[2] / variances[1]) / std::log(1024.0 / 64);
  EXPECT_NEAR(power, 3 - 1.4, 0.1);
}

TEST(BurstySource, FullLoadHasNoGaps) {
  Four four;
  for (const char* const spec : {"on-off", "markov:low=0.9", "pareto"}) {
    const auto source = four.source(spec, 1, 1, 7);
    EXPECT_EQ(first_packets(*source, 2, 1000).size(), 1000U) << spec;
    const auto idle = four.source(spec, 0, 1, 7);
    EXPECT_EQ(first_packets(*idle, 2, 1000).size(), 0U) << spec;
    const auto tiny = four.source(spec, 1e-300, 1, 7);
    EXPECT_EQ(first_packets(*tiny, 2, 1'000'000).size(), 0U) << spec;
  }
}

TEST(Injection, WhatIsWrongIsSaid) {
  Four four;
  EXPECT_THAT([&] { (void)four.source("on-off:peak=0.5", 0.6, 1, 1); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("load 0.6 is above the 0.5 flits")));
  EXPECT_THROW((void)make_injection("onof"), InputError);
  EXPECT_THROW((void)make_injection("on-off:burst=0.5"), InputError);
  EXPECT_THROW((void)make_injection("pareto:shape=1"), InputError);
  EXPECT_THROW((void)make_injection("markov:low=1"), InputError);
}

}  // namespace
}  // namespace unknot::simulate
