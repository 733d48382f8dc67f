// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/refill.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>

#include "unknot/routing/dealing/changed_deals.hpp"
#include "unknot/routing/dealing/port_weights.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;
constexpr std::uint32_t kSetBits = LegalReach::kWordBits;
constexpr std::uint32_t kPartsAtOnce = 16;

/// Destinations that live, by group, in order of their places in CandidateSets.
using Members = std::vector<GroupOfDeals>;

/// One worker's: finds what of a part must be dealt anew, and then deals it. What is in force comes from far
/// away, and may come while another part is in hand.
template <class Entry>
class Refiller {
 public:
  /// A part in hand; two of them take turns.
  struct Hand {
    RouterId router;
    std::vector<std::uint32_t> chosen;  // destinations, ascending
    PortWeights weights;                // of the groups of those
  };

  Refiller(const RowPlan& plan, std::span<const Destination> destinations, const Members& members,
           Entry* table, std::uint32_t terminals)
      : plan_(plan), destinations_(destinations), members_(members), table_(table), terminals_(terminals) {
    for (const Destination& d : destinations) most_ = std::max(most_, d.count);
    places_.resize(deal_scratch(most_, sizeof(Entry)) / sizeof(Entry));
    fresh_.resize(most_ + std::size_t{Deal::kOverrun});
    wanted_.resize(members.size());
  }

  [[nodiscard]] Hand& hand(std::uint32_t i) { return hands_[i % 2]; }

  void call(const RowPart& part) const {
    const Word* sets = plan_.sets->row(part.router);
    const std::uint32_t words = CandidateSets::set_words(plan_.network, part.router);
    for (const std::uint32_t d : part.destinations)
      bring_near(sets + std::size_t{plan_.sets->places()[d]} * words);
    for (const std::uint32_t g : part.weighed) {
      const std::size_t end = std::size_t{plan_.sets->first_place(g + 1)} * words;
      for (std::size_t i = std::size_t{plan_.sets->first_place(g)} * words; i < end; i += 8)
        bring_near(sets + i);
    }
  }

  void choose(const RowPart& part, Hand& hand) {
    hand.router = part.router;
    hand.chosen = part.destinations;
    std::fill(wanted_.begin(), wanted_.end(), 0);
    for (const std::uint32_t g : part.weighed) wanted_[g] = 1;
    groups_ = part.weighed;
    for (const std::uint32_t d : part.destinations) {
      std::uint8_t& wanted = wanted_[destinations_[d].group];
      if (wanted == 0) groups_.push_back(destinations_[d].group);
      wanted = 1;
    }
    const std::uint32_t ports = CandidateSets::set_words(plan_.network, part.router) * kSetBits;
    hand.weights.find(plan_.network, plan_.weights, part.router, ports, groups_);
    if (!part.weighed.empty()) compare(part, ports, hand);
    for (const std::uint32_t d : hand.chosen) {
      const Entry* const first = row_of(part.router) + destinations_[d].first;
      bring_near_to_write(first);
      bring_near_to_write(first + destinations_[d].count - 1);  // it may reach into another line
    }
  }

  /// Appends what changes.
  void deal(const Hand& hand, std::vector<EntryChange>& changes) {
    RowOfDeals deals = deals_of(plan_, hand.router);
    deals.destinations = destinations_;
    deals.ports = plan_.sets->row(hand.router);
    deals.weights = hand.weights.all();
    Entry* const row = row_of(hand.router);
    if constexpr (sizeof(Entry) == 1) {
      if (deals.words == 1 && most_ <= kSetBits && can_deal_wide()) {
        fresh_.resize(std::max(fresh_.size(), hand.chosen.size() * kSetBits));
        differing_.resize(hand.chosen.size());
        redeal_wide(deals, hand.chosen, plan_.sets->places(), row, fresh_.data(), differing_.data());
        for (std::size_t i = 0; i < hand.chosen.size(); ++i) {
          put(differing_[i], fresh_.data() + i * kSetBits, destinations_[hand.chosen[i]].first, hand.router,
              row, changes);
        }
        return;
      }
    }
    for (const std::uint32_t index : hand.chosen) {
      const Destination& d = destinations_[index];
      deal_destination(deals, d, deals.ports + std::size_t{plan_.sets->places()[index]} * deals.words,
                       places_.data(), fresh_.data());
      for (std::uint32_t begin = 0; begin < d.count; begin += kSetBits) {
        Word differing = 0;
        for (std::uint32_t i = 0; i < std::min(kSetBits, d.count - begin); ++i)
          differing |= Word{fresh_[begin + i] != row[d.first + begin + i]} << i;
        put(differing, fresh_.data() + begin, d.first + begin, hand.router, row, changes);
      }
    }
  }

 private:
  [[nodiscard]] Entry* row_of(RouterId router) const {
    return table_ + std::size_t{router.value} * terminals_;
  }

  /// Adds to the chosen those whose deals are others by the weights as they are now.
  void compare(const RowPart& part, std::uint32_t ports, Hand& hand) {
    weights_before_.find(plan_.network, *plan_.weights_before, part.router, ports, part.weighed);
    const RowOfDeals row = deals_of(plan_, part.router);
    chosen_.assign(plan_.reach.words(), 0);
    for (const std::uint32_t d : part.destinations) chosen_[d / kSetBits] |= Word{1} << d % kSetBits;
    for (const std::uint32_t group : part.weighed) {
      const GroupOfDeals& members = members_[group];
      const WeighedTwice deals{
          .group = members,
          .hash = row.hash,
          .words = row.words,
          .ports = plan_.sets->row(part.router) + std::size_t{plan_.sets->first_place(group)} * row.words,
          .before = weights_before_.all() + std::size_t{group} * ports,
          .after = hand.weights.all() + std::size_t{group} * ports,
      };
      for (std::uint32_t first = 0; first < members.destinations.size(); first += kDealsAtOnce) {
        for (std::uint32_t bits = changed_deals(deals, first); bits != 0; bits &= bits - 1) {
          const std::uint32_t d =
              members.destinations[first + static_cast<std::uint32_t>(std::countr_zero(bits))];
          chosen_[d / kSetBits] |= Word{1} << d % kSetBits;
        }
      }
    }
    hand.chosen.clear();
    for (std::uint32_t w = 0; w < chosen_.size(); ++w) {
      for (Word left = chosen_[w]; left != 0; left &= left - 1)
        hand.chosen.push_back(w * kSetBits + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }

  /// Puts entries that differ into the row at `first`, and tells of them.
  static void put(Word differing, const Entry* fresh, std::uint32_t first, RouterId router, Entry* row,
                  std::vector<EntryChange>& changes) {
    for (Word left = differing; left != 0; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      Entry& entry = row[first + i];
      changes.push_back({router, TerminalId(first + i), ForwardingTable::position_of(entry),
                         ForwardingTable::position_of(fresh[i])});
      entry = fresh[i];
    }
  }

  const RowPlan& plan_;
  std::span<const Destination> destinations_;
  const Members& members_;
  Entry* table_;
  std::size_t terminals_;
  std::uint32_t most_ = 0;  // terminals of a destination
  std::array<Hand, 2> hands_;
  PortWeights weights_before_;
  std::vector<std::uint8_t> wanted_;   // by group
  std::vector<std::uint32_t> groups_;  // those
  std::vector<Word> chosen_;           // set of destinations
  std::vector<Entry> places_, fresh_;
  std::vector<Word> differing_;  // by chosen destination
};

}  // namespace

void refill(const RowPlan& plan, std::span<const RowPart> parts, std::uint32_t threads,
            ForwardingTable& table, std::vector<EntryChange>& changes) {
  const std::vector<Destination> destinations = destinations_of(plan);
  Members members(plan.groups.count);
  for (std::uint32_t d = 0; d < destinations.size(); ++d) {
    if (plan.network.alive(RouterId(destinations[d].router)))
      members[destinations[d].group].add(d, destinations[d]);
  }
  if (threads == 0) threads = hardware_threads();
  const auto count = static_cast<std::uint32_t>(parts.size());
  // Each block of parts keeps its own, so that their order is that of the parts; a single thread needs none.
  std::vector<std::vector<EntryChange>> found(threads == 1 ? 0 : (count + kPartsAtOnce - 1) / kPartsAtOnce);
  table.with_entry_type([&]<class Entry>(Entry) {
    std::vector<std::unique_ptr<Refiller<Entry>>> refillers(threads);
    const auto work = [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
      if (!refillers[worker]) {
        refillers[worker] = std::make_unique<Refiller<Entry>>(
            plan, destinations, members, table.entries<Entry>().data(), table.terminal_count());
      }
      Refiller<Entry>& refiller = *refillers[worker];
      std::vector<EntryChange>& told = threads == 1 ? changes : found[begin / kPartsAtOnce];
      refiller.call(parts[begin]);
      for (std::uint32_t i = begin; i < end; ++i) {
        if (i + 1 < end) refiller.call(parts[i + 1]);
        refiller.choose(parts[i], refiller.hand(i));
        if (i > begin) refiller.deal(refiller.hand(i - 1), told);
      }
      refiller.deal(refiller.hand(end - 1), told);
    };
    parallel_blocks(count, kPartsAtOnce, threads, work);
  });
  for (const std::vector<EntryChange>& some : found) changes.insert(changes.end(), some.begin(), some.end());
}

}  // namespace unknot
