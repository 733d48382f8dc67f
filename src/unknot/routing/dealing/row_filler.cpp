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

/// By destination of the reach; those of dead routers have no numbers, and nobody deals to them.
std::vector<Destination> destinations_of(const RowPlan& plan) {
  // Where a destination's stretches begin must not follow from where those of its neighbours do.
  constexpr double kRouters = 0.4142;
  constexpr double kDestinations = 0.1716;
  constexpr std::uint32_t kGolden = 0x9E3779B9U;
  std::vector<Destination> all;
  all.reserve(plan.reach.destinations().size());
  std::vector<std::uint32_t> strides;  // by count; 0 where not known yet
  std::uint32_t index = 0;             // among those that live
  for (const RouterId r : plan.reach.destinations()) {
    const IdRange<TerminalId> here = plan.network.network().terminals_at(r);
    Destination d;
    d.router = r.value;
    d.first = here.first();
    d.count = here.size();
    if (plan.network.alive(r)) d.group = plan.groups.of_router[r.value];
    if (strides.size() <= d.count) strides.resize(d.count + std::size_t{1}, 0);
    if (strides[d.count] == 0) strides[d.count] = stride_for(d.count, kRouters);
    d.stride = strides[d.count];
    d.turn = static_cast<std::uint32_t>(std::uint64_t{index} * stride_for(d.count, kDestinations) % d.count);
    d.shift = Deal::shift_for(d.count);
    d.dither = index * kGolden;
    all.push_back(d);
    index += plan.network.alive(r) ? 1 : 0;
  }
  return all;
}

/// Of the GUID, which a router keeps when others die; its number it does not.
std::uint32_t hash_of(std::uint64_t guid) {
  return static_cast<std::uint32_t>(guid) * 0x85EBCA6BU +
         static_cast<std::uint32_t>(guid >> 32) * 0xC2B2AE35U;
}

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
    set_words_ = CandidateSets::set_words(plan_.network, router);
    if (plan_.sets == nullptr) sets_.resize(std::size_t{plan_.reach.words()} * kWordBits * set_words_);
    Word* const sets = plan_.sets == nullptr ? sets_.data() : plan_.sets->row(router);
    find_candidates(router, sets);
    find_weights(router, every_group_);
    deal(router, destinations_, sets, row);
  }

  /// These destinations alone, ascending, at their places in `row`; what lies behind each is lost. Their
  /// candidates are those of the plan.
  void fill_some(RouterId router, std::span<const std::uint32_t> chosen, Entry* row) {
    set_words_ = CandidateSets::set_words(plan_.network, router);
    const Word* const sets = plan_.sets->row(router);
    groups_.clear();
    chosen_group_.assign(every_group_.size(), 0);
    for (const std::uint32_t d : chosen) {
      const std::uint32_t group = destinations_[d].group;
      if (chosen_group_[group] != 0) continue;
      chosen_group_[group] = 1;
      groups_.push_back(group);
    }
    find_weights(router, groups_);
    // Those of a group follow each other, mostly.
    for (std::size_t begin = 0; begin < chosen.size();) {
      std::size_t end = begin + 1;
      while (end < chosen.size() && chosen[end] == chosen[end - 1] + 1) ++end;
      const std::uint32_t first = chosen[begin];
      deal(router, destinations_.subspan(first, end - begin), sets + std::size_t{first} * set_words_, row);
      begin = end;
    }
  }

 private:
  void deal(RouterId router, std::span<const Destination> destinations, const Word* sets, Entry* row) {
    RowOfDeals deals;
    deals.destinations = destinations;
    deals.terminals = plan_.network.network().terminal_count();
    // Its own destination leads nowhere either where it is dead.
    deals.router = plan_.network.alive(router) ? router.value : RouterId::kNone;
    deals.sibling = plan_.groups.sibling[router.value];
    deals.level = plan_.groups.level[router.value];
    deals.hash = hash_of(plan_.network.network().router_guid(router));
    deals.words = set_words_;
    deals.ports = sets;
    deals.weights = weights_.data();
    if constexpr (sizeof(Entry) == 1) {
      if (set_words_ == 1 && can_deal_wide()) {
        deal_row_wide(deals, most_, places_.data(), row);
        return;
      }
    }
    deal_row(deals, most_, places_.data(), row);
  }

  void find_candidates(RouterId router, Word* sets) {
    const std::uint32_t words = plan_.reach.words();
    rows_.assign(std::size_t{set_words_} * kWordBits * words, 0);
    for (const ChannelId c : plan_.network.out(router)) {
      plan_.reach.candidates(plan_.network.network(), c,
                             rows_.data() + std::size_t{plan_.network.position(c)} * words);
    }
    std::array<Word, kWordBits> block;
    for (std::uint32_t s = 0; s < set_words_; ++s) {
      for (std::uint32_t w = 0; w < words; ++w) {
        for (std::uint32_t p = 0; p < kWordBits; ++p)
          block[p] = rows_[(std::size_t{s} * kWordBits + p) * words + w];
        transpose(block);
        for (std::uint32_t d = 0; d < kWordBits; ++d)
          sets[(std::size_t{w} * kWordBits + d) * set_words_ + s] = block[d];
      }
    }
  }

  /// By group and port, so that the ports of one direction sum up to about kMostWeight.
  void find_weights(RouterId router, std::span<const std::uint32_t> groups) {
    const std::size_t stride = std::size_t{set_words_} * kWordBits;
    const std::span<const ChannelId> out = plan_.network.out(router);
    shares_.resize(plan_.groups.count * stride);
    weights_.resize(plan_.groups.count * stride);
    up_sum_.resize(plan_.groups.count);
    down_sum_.resize(plan_.groups.count);
    for (const std::uint32_t g : groups) {
      std::fill_n(shares_.begin() + static_cast<std::ptrdiff_t>(g * stride), stride, 0.0F);
      up_sum_[g] = down_sum_[g] = 0;
    }
    for (const ChannelId c : out) {
      const std::uint32_t p = plan_.network.position(c);
      const std::uint32_t to = plan_.network.target(c).value;
      const float factor = plan_.weights.factor(c.value);
      const float* paths = plan_.weights.paths(to);
      if (plan_.weights.up(c.value)) {
        for (const std::uint32_t g : groups) {
          const float share = factor * paths[g];
          shares_[g * stride + p] = share;
          up_sum_[g] += share;
        }
      } else {
        for (const std::uint32_t g : groups) {
          if (!plan_.weights.above(to, g)) continue;
          const float share = factor * paths[g];
          shares_[g * stride + p] = share;
          down_sum_[g] += share;
        }
      }
    }
    // Each weighs one more than its share, and shares may be rounded up.
    const auto room =
        static_cast<float>(Deal::kMostWeight - std::min<std::size_t>(2 * out.size(), Deal::kMostWeight / 2));
    for (const std::uint32_t g : groups) {
      const float up_scale = up_sum_[g] > 0 ? room / up_sum_[g] : 0;
      const float down_scale = down_sum_[g] > 0 ? room / down_sum_[g] : 0;
      for (const ChannelId c : out) {
        const std::size_t at = g * stride + plan_.network.position(c);
        weights_[at] =
            1 + static_cast<std::uint32_t>(shares_[at] * (plan_.weights.up(c.value) ? up_scale : down_scale));
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
  std::vector<std::uint32_t> every_group_, groups_;
  std::vector<std::uint8_t> chosen_group_;
};

/// Bits of the entries that differ, of kWordBits at most.
template <class Entry>
Word differing(const Entry* a, const Entry* b, std::uint32_t count) {
  if constexpr (sizeof(Entry) == 1) {
    if (can_deal_wide()) return differing_wide(a, b, count);
  }
  Word bits = 0;
  for (std::uint32_t i = 0; i < count; ++i) bits |= Word{a[i] != b[i]} << i;
  return bits;
}

/// Puts some entries of `fresh` into the row of the router, and tells what they change.
template <class Entry>
void replace(const Entry* fresh, std::uint32_t first, std::uint32_t count, RouterId router, Entry* row,
             std::vector<EntryChange>& changes) {
  for (std::uint32_t begin = first; begin < first + count; begin += kWordBits) {
    const std::uint32_t some = std::min(kWordBits, first + count - begin);
    for (Word left = differing(row + begin, fresh + begin, some); left != 0; left &= left - 1) {
      const std::uint32_t t = begin + static_cast<std::uint32_t>(std::countr_zero(left));
      changes.push_back({router, TerminalId(t), ForwardingTable::position_of(row[t]),
                         ForwardingTable::position_of(fresh[t])});
      row[t] = fresh[t];
    }
  }
}

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

void refill(const RowPlan& plan, std::span<const RowPart> parts, std::uint32_t threads,
            ForwardingTable& table, std::vector<EntryChange>& changes) {
  constexpr std::uint32_t kPartsAtOnce = 16;
  const std::vector<Destination> destinations = destinations_of(plan);
  if (threads == 0) threads = hardware_threads();
  const auto count = static_cast<std::uint32_t>(parts.size());
  // Each block of parts keeps its own, so that their order is that of the parts; a single thread needs none.
  std::vector<std::vector<EntryChange>> found(threads == 1 ? 0 : (count + kPartsAtOnce - 1) / kPartsAtOnce);
  table.with_entry_type([&]<class Entry>(Entry) {
    Entry* const entries = table.entries<Entry>().data();
    const auto row_of = [&](const RowPart& part) {
      return entries + std::size_t{part.router.value} * table.terminal_count();
    };
    // What is in force comes from far away, and may come while the row before is being dealt.
    const auto call = [&](const RowPart& part) {
      const Word* sets = plan.sets->row(part.router);
      const std::uint32_t words = CandidateSets::set_words(plan.network, part.router);
      for (const std::uint32_t d : part.destinations) {
        __builtin_prefetch(row_of(part) + destinations[d].first, 1);
        if (d % 8 == 0) __builtin_prefetch(sets + std::size_t{d} * words);
      }
    };
    std::vector<std::unique_ptr<RowFiller<Entry>>> fillers(threads);
    std::vector<std::vector<Entry>> rows(threads);
    const auto work = [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
      if (!fillers[worker]) {
        fillers[worker] = std::make_unique<RowFiller<Entry>>(plan, destinations);
        rows[worker].resize(table.terminal_count());
      }
      std::vector<EntryChange>& told = threads == 1 ? changes : found[begin / kPartsAtOnce];
      call(parts[begin]);
      for (std::uint32_t i = begin; i < end; ++i) {
        if (i + 1 < end) call(parts[i + 1]);
        Entry* const fresh = rows[worker].data();
        fillers[worker]->fill_some(parts[i].router, parts[i].destinations, fresh);
        for (const std::uint32_t d : parts[i].destinations) {
          replace(fresh, destinations[d].first, destinations[d].count, parts[i].router, row_of(parts[i]),
                  told);
        }
      }
    };
    parallel_blocks(count, kPartsAtOnce, threads, work);
  });
  for (const std::vector<EntryChange>& some : found) changes.insert(changes.end(), some.begin(), some.end());
}

}  // namespace unknot
