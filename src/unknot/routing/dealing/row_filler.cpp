// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/row_filler.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/routing/dealing/row_of_deals.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;
constexpr std::uint32_t kWordBits = LegalReach::kWordBits;
constexpr std::uint32_t kRowsAtOnce = 4;

/// The number nearest to share * count that has no divisor in common with it: its multiples come to every
/// place.
std::uint32_t stride_for(std::uint32_t count, double share) {
  const auto wanted = static_cast<std::uint32_t>(share * count);
  for (std::uint32_t away = 0; away < count; ++away) {
    if (std::gcd(wanted + away, count) == 1) return wanted + away;
    if (wanted > away && std::gcd(wanted - away, count) == 1) return wanted - away;
  }
  return 1;
}

std::vector<Destination> destinations_of(const RowPlan& plan) {
  // Where a destination's stretches begin must not follow from where those of its neighbours do.
  constexpr double kRouters = 0.4142;
  constexpr double kDestinations = 0.1716;
  constexpr std::uint32_t kGolden = 0x9E3779B9U;
  std::vector<Destination> all;
  std::vector<std::uint32_t> strides;  // by count; 0 where not known yet
  for (const RouterId r : plan.reach.destinations()) {
    const IdRange<TerminalId> here = plan.network.terminals_at(r);
    Destination d;
    d.router = r.value;
    d.first = here.first();
    d.count = here.size();
    d.group = plan.groups.of_router[r.value];
    const auto index = static_cast<std::uint32_t>(all.size());
    if (strides.size() <= d.count) strides.resize(d.count + std::size_t{1}, 0);
    if (strides[d.count] == 0) strides[d.count] = stride_for(d.count, kRouters);
    d.stride = strides[d.count];
    d.turn = static_cast<std::uint32_t>(std::uint64_t{index} * stride_for(d.count, kDestinations) % d.count);
    d.shift = Deal::shift_for(d.count);
    d.dither = index * kGolden;
    all.push_back(d);
  }
  return all;
}

/// One worker's: everything about the router whose row it fills.
template <class Entry>
class RowFiller {
 public:
  RowFiller(const RowPlan& plan, std::span<const Destination> destinations)
      : plan_(plan), destinations_(destinations) {
    for (const Destination& d : destinations) most_ = std::max(most_, d.count);
    places_.resize(deal_scratch(most_, sizeof(Entry)) / sizeof(Entry));
  }

  void fill(RouterId router, Entry* row) {
    const std::uint32_t ports = plan_.network.out(router).size();
    set_words_ = std::max(1U, (ports + kWordBits - 1) / kWordBits);
    find_candidates(router);
    find_weights(router);
    RowOfDeals deals;
    deals.destinations = destinations_;
    deals.terminals = plan_.network.terminal_count();
    deals.router = router.value;
    deals.sibling = plan_.groups.sibling[router.value];
    deals.level = plan_.groups.level[router.value];
    deals.hash = router.value * 0x85EBCA6BU;
    deals.words = set_words_;
    deals.ports = sets_.data();
    deals.weights = weights_.data();
    if constexpr (sizeof(Entry) == 1) {
      if (set_words_ == 1 && can_deal_wide()) {
        deal_row_wide(deals, most_, places_.data(), row);
        return;
      }
    }
    deal_row(deals, most_, places_.data(), row);
  }

 private:
  void find_candidates(RouterId router) {
    const std::uint32_t words = plan_.reach.words();
    rows_.assign(std::size_t{set_words_} * kWordBits * words, 0);
    std::uint32_t port = 0;
    for (const ChannelId c : plan_.network.out(router))
      plan_.reach.candidates(plan_.network, c, rows_.data() + std::size_t{port++} * words);
    sets_.resize(std::size_t{words} * kWordBits * set_words_);
    std::array<Word, kWordBits> block;
    for (std::uint32_t s = 0; s < set_words_; ++s) {
      for (std::uint32_t w = 0; w < words; ++w) {
        for (std::uint32_t p = 0; p < kWordBits; ++p)
          block[p] = rows_[(std::size_t{s} * kWordBits + p) * words + w];
        transpose(block);
        for (std::uint32_t d = 0; d < kWordBits; ++d)
          sets_[(std::size_t{w} * kWordBits + d) * set_words_ + s] = block[d];
      }
    }
  }

  /// By group and port, so that the ports of one direction sum up to about kMostWeight.
  void find_weights(RouterId router) {
    const std::size_t stride = std::size_t{set_words_} * kWordBits;
    const std::uint32_t groups = plan_.groups.count;
    const IdRange<ChannelId> out = plan_.network.out(router);
    shares_.assign(groups * stride, 0);
    up_sum_.assign(groups, 0);
    down_sum_.assign(groups, 0);
    for (std::uint32_t p = 0; p < out.size(); ++p) {
      const ChannelId c = out[p];
      const std::uint32_t to = plan_.network.target(c).value;
      const float factor = plan_.weights.factor(c.value);
      const float* paths = plan_.weights.paths(to);
      if (plan_.weights.up(c.value)) {
        for (std::uint32_t g = 0; g < groups; ++g) {
          const float share = factor * paths[g];
          shares_[g * stride + p] = share;
          up_sum_[g] += share;
        }
      } else {
        for (std::uint32_t g = 0; g < groups; ++g) {
          if (!plan_.weights.above(to, g)) continue;
          const float share = factor * paths[g];
          shares_[g * stride + p] = share;
          down_sum_[g] += share;
        }
      }
    }
    // Each weighs one more than its share, and shares may be rounded up.
    const auto room =
        static_cast<float>(Deal::kMostWeight - std::min<std::size_t>(2 * stride, Deal::kMostWeight / 2));
    weights_.assign(groups * stride, 1);
    for (std::uint32_t g = 0; g < groups; ++g) {
      up_sum_[g] = up_sum_[g] > 0 ? room / up_sum_[g] : 0;
      down_sum_[g] = down_sum_[g] > 0 ? room / down_sum_[g] : 0;
      for (std::uint32_t p = 0; p < out.size(); ++p) {
        const float scale = plan_.weights.up(out[p].value) ? up_sum_[g] : down_sum_[g];
        weights_[g * stride + p] = 1 + static_cast<std::uint32_t>(shares_[g * stride + p] * scale);
      }
    }
  }

  const RowPlan& plan_;
  std::span<const Destination> destinations_;
  std::uint32_t most_ = 0;  // terminals of a destination
  std::uint32_t set_words_ = 1;
  std::vector<Word> rows_;                // by port: set of destinations
  std::vector<Word> sets_;                // by destination: set of ports
  std::vector<float> shares_;             // by group and port
  std::vector<float> up_sum_, down_sum_;  // by group
  std::vector<std::uint32_t> weights_;    // by group and port
  std::vector<Entry> places_;
};

}  // namespace

void fill_rows(const RowPlan& plan, std::uint32_t threads, ForwardingTable& table, Progress& progress) {
  const std::vector<Destination> destinations = destinations_of(plan);
  if (threads == 0) threads = hardware_threads();
  const std::uint32_t routers = plan.network.router_count();
  SharedProgress shared(progress, "rows", (routers + kRowsAtOnce - 1) / kRowsAtOnce);
  table.with_entry_type([&]<class Entry>(Entry) {
    Entry* const entries = table.entries<Entry>().data();
    std::vector<std::unique_ptr<RowFiller<Entry>>> fillers(threads);
    parallel_blocks(routers, kRowsAtOnce, threads,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      if (!fillers[worker])
                        fillers[worker] = std::make_unique<RowFiller<Entry>>(plan, destinations);
                      for (RouterId r(begin); r.value < end; ++r.value)
                        fillers[worker]->fill(r, entries + std::size_t{r.value} * table.terminal_count());
                      shared.step();
                    });
  });
}

}  // namespace unknot
