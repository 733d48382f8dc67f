// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/spread.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "unknot/support/parallel.hpp"

namespace unknot::place {
namespace {

constexpr std::uint64_t kMostSpreadEntries = 4'000'000;
constexpr std::uint64_t kMostSteps = 500'000'000;
/// Sources are walked in this many blocks, each with sums of its own: they do not depend on threads.
constexpr std::uint32_t kBlocks = 8;
constexpr std::uint32_t kFar = 0xFFFFFFFFU;

/// Loads of the demands of some sources.
class Walk {
 public:
  explicit Walk(const CommunicationMatrix& sent)
      : sent_(sent),
        load_(sent.entries.size(), 0),
        depth_(sent.ranks, kFar),
        ways_(sent.ranks, 0),
        flow_(sent.ranks, 0) {
    order_.reserve(sent.ranks);
  }

  /// Ranks reached. `whole`: set to false where a rank lies beyond.
  std::uint32_t lay(std::uint32_t source, std::uint32_t radius, bool& whole) {
    order_.clear();
    order_.push_back(source);
    depth_[source] = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t at = order_[i];
      for (std::uint64_t e = sent_.first[at]; e < sent_.first[at + 1]; ++e) {
        const std::uint32_t to = sent_.entries[e].column;
        if (depth_[to] == kFar) {
          if (depth_[at] == radius) {
            whole = false;
            continue;
          }
          depth_[to] = depth_[at] + 1;
          order_.push_back(to);
        }
        if (depth_[to] == depth_[at] + 1) ++ways_[to];
      }
      steps_ += sent_.first[at + 1] - sent_.first[at];
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t at = order_[i];
      double flow = i == 0 ? 0 : 1;
      for (std::uint64_t e = sent_.first[at]; e < sent_.first[at + 1]; ++e) {
        const std::uint32_t to = sent_.entries[e].column;
        if (depth_[to] != depth_[at] + 1) continue;
        load_[e] += flow_[to];
        flow += flow_[to];
      }
      // what each of the ways to it carries
      flow_[at] = i == 0 ? 0 : flow / ways_[at];
    }
    for (const std::uint32_t at : order_) {
      depth_[at] = kFar;
      ways_[at] = 0;
    }
    return static_cast<std::uint32_t>(order_.size() - 1);
  }
  [[nodiscard]] const std::vector<double>& load() const { return load_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  const CommunicationMatrix& sent_;
  std::vector<double> load_;          // by entry
  std::vector<std::uint32_t> depth_;  // by rank
  std::vector<std::uint32_t> ways_;   // by rank: entries that come from one step nearer
  std::vector<double> flow_;
  std::vector<std::uint32_t> order_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<Spread> find_spreads(const CommunicationMatrix& sent, std::uint32_t threads) {
  std::vector<Spread> spreads;
  if (sent.entries.size() > kMostSpreadEntries || sent.ranks < 3) return spreads;
  const std::uint32_t block = (sent.ranks + kBlocks - 1) / kBlocks;
  std::uint64_t steps = 0;
  bool whole = false;
  for (std::uint32_t radius = 2; !whole && steps < kMostSteps; radius += std::max(1U, radius / 4)) {
    Spread spread;
    spread.radius = radius;
    spread.reach.assign(sent.ranks, 0);
    std::vector<std::vector<double>> loads(kBlocks);
    std::array<std::uint64_t, kBlocks> walked{};
    std::array<bool, kBlocks> all{};
    parallel_blocks(sent.ranks, block, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      Walk walk(sent);
      bool reached = true;
      for (std::uint32_t source = begin; source < end; ++source)
        spread.reach[source] = walk.lay(source, radius, reached);
      loads[begin / block] = walk.load();
      walked[begin / block] = walk.steps();
      all[begin / block] = reached;
    });
    whole = true;
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      if (loads[b].empty()) continue;
      steps += walked[b];
      whole = whole && all[b];
      if (b == 0) continue;
      for (std::size_t e = 0; e < loads[0].size(); ++e) loads[0][e] += loads[b][e];
    }
    for (std::size_t e = 0; e < loads[0].size(); ++e) {
      spread.congestion =
          std::max(spread.congestion, loads[0][e] / static_cast<double>(sent.entries[e].bytes));
    }
    std::sort(spread.reach.begin(), spread.reach.end());
    spreads.push_back(std::move(spread));
  }
  return spreads;
}

}  // namespace unknot::place
