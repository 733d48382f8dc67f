// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/row_filler.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/routing/dealing/port_weights.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;
constexpr std::uint32_t kWordBits = LegalReach::kWordBits;
constexpr std::uint32_t kRowsAtOnce = 4;

/// One worker's: everything about the router whose row it fills.
template <class Entry>
class RowFiller {
 public:
  RowFiller(const RowPlan& plan, std::span<const Destination> destinations)
      : plan_(plan), destinations_(destinations) {
    for (const Destination& d : destinations) most_ = std::max(most_, d.count);
    places_.resize(deal_scratch(most_, sizeof(Entry)) / sizeof(Entry));
    every_group_.resize(plan.groups.count);
    std::iota(every_group_.begin(), every_group_.end(), 0U);
  }

  void fill(RouterId router, Entry* row) {
    RowOfDeals deals = deals_of(plan_, router);
    sets_.resize(std::size_t{plan_.reach.words()} * kWordBits * deals.words);
    find_candidates(router, deals.words, sets_.data());
    if (plan_.sets != nullptr) keep_candidates(deals.words, plan_.sets->row(router));
    weights_.find(plan_.network, plan_.weights, router, deals.words * kWordBits, every_group_);
    deals.destinations = destinations_;
    deals.ports = sets_.data();
    deals.weights = weights_.all();
    if constexpr (sizeof(Entry) == 1) {
      if (deals.words == 1 && can_deal_wide()) {
        deal_row_wide(deals, most_, places_.data(), row);
        return;
      }
    }
    deal_row(deals, most_, places_.data(), row);
  }

 private:
  void find_candidates(RouterId router, std::uint32_t set_words, Word* sets) {
    const std::uint32_t words = plan_.reach.words();
    rows_.assign(std::size_t{set_words} * kWordBits * words, 0);
    for (const ChannelId c : plan_.network.out(router)) {
      plan_.reach.candidates(plan_.network.network(), c,
                             rows_.data() + std::size_t{plan_.network.position(c)} * words);
    }
    std::array<Word, kWordBits> block;
    for (std::uint32_t s = 0; s < set_words; ++s) {
      for (std::uint32_t w = 0; w < words; ++w) {
        for (std::uint32_t p = 0; p < kWordBits; ++p)
          block[p] = rows_[(std::size_t{s} * kWordBits + p) * words + w];
        transpose(block);
        for (std::uint32_t d = 0; d < kWordBits; ++d)
          sets[(std::size_t{w} * kWordBits + d) * set_words + s] = block[d];
      }
    }
  }

  void keep_candidates(std::uint32_t words, Word* row) {
    const std::span<const std::uint32_t> places = plan_.sets->places();
    for (std::size_t d = 0; d < places.size(); ++d)
      std::copy_n(sets_.data() + d * words, words, row + std::size_t{places[d]} * words);
  }

  const RowPlan& plan_;
  std::span<const Destination> destinations_;
  std::uint32_t most_ = 0;  // terminals of a destination
  std::vector<Word> rows_;  // by port: set of destinations
  std::vector<Word> sets_;  // by destination: set of ports
  PortWeights weights_;
  std::vector<Entry> places_;
  std::vector<std::uint32_t> every_group_;
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
