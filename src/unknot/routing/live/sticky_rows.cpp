// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/sticky_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>

#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

using Word = LegalReach::Word;
constexpr std::uint32_t kWordBits = LegalReach::kWordBits;

/// Any bits of two numbers, all of them in each.
std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
  std::uint64_t x = (std::uint64_t{a} << 32 | b) * 0x9E3779B97F4A7C15U;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(x >> 32);
}

/// Rows after each other, or parts of them.
template <class Entry>
class RowMender {
 public:
  RowMender(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
            std::span<const float> strength, ToFill to_fill, std::vector<EntryChange>& changes)
      : network_(network),
        reach_(reach),
        plan_(plan),
        strength_(strength),
        to_fill_(to_fill),
        changes_(changes),
        has_(std::size_t{1} << 8 * sizeof(Entry)) {}

  /// Destinations of one word of a router's row. `row` is all of it.
  void mend(const LegalReach::Change& unit, Entry* row) {
    if (row != row_) begin_row(unit.router, row);
    const std::size_t words = set_.size();
    const bool together = std::popcount(unit.bits) >= kTogether;
    if (together) reach_.ports_towards_word(network_, router_, unit.word, sets_);
    for (Word left = unit.bits; left != 0; left &= left - 1) {
      const auto at = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t d = unit.word * kWordBits + at;
      if (together) {
        std::copy_n(sets_.begin() + static_cast<std::ptrdiff_t>(at * words), words, set_.begin());
      } else {
        reach_.ports_towards(network_, router_, d, set_);
      }
      mend(d);
    }
  }

 private:
  // From so many destinations of a word on all of them together take less time.
  static constexpr int kTogether = 6;
  static constexpr std::int32_t kOne = 1 << 13;  // terminals are counted in parts of it

  /// Places of the bits that are in all these words.
  template <class Visit>
  static void for_each_bit(std::span<const Word> words, const Visit& visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (Word left = words[w]; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(w * kWordBits) + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  static bool has_bit(std::span<const Word> words, std::uint32_t at) {
    return at / kWordBits < words.size() && (words[at / kWordBits] >> at % kWordBits & 1) != 0;
  }

  void begin_row(RouterId router, Entry* row) {
    router_ = router;
    row_ = row;
    const std::uint32_t ports = network_.network().out(router_).size();
    set_.resize(std::max(1U, (ports + kWordBits - 1) / kWordBits));
    sets_.resize(set_.size() * kWordBits);
    weight_of_.resize(set_.size() * kWordBits);
    weighed_.assign(set_.size(), 0);
    listed_.clear();
    find_to_fill();
  }

  void find_to_fill() {
    fill_.assign(set_.size(), to_fill_ == ToFill::none ? 0 : ~Word{0});
    if (to_fill_ != ToFill::unused) return;
    for (std::uint32_t t = 0; t < network_.network().terminal_count(); ++t) {
      if (has_bit(fill_, row_[t])) fill_[row_[t] / kWordBits] &= ~(Word{1} << row_[t] % kWordBits);
    }
  }

  void set(std::uint32_t terminal, Entry entry) {
    if (row_[terminal] == entry) return;
    changes_.push_back({router_, TerminalId(terminal), ForwardingTable::position_of(row_[terminal]),
                        ForwardingTable::position_of(entry)});
    row_[terminal] = entry;
  }

  void mend(std::uint32_t d) {
    const RouterId goal = reach_.destinations()[d];
    const IdRange<TerminalId> terminals = network_.network().terminals_at(goal);
    const bool here = goal == router_;
    const bool none = !here && std::all_of(set_.begin(), set_.end(), [](Word word) { return word == 0; });
    if (here || none) {
      const bool lives = here && network_.alive(goal);
      for (const TerminalId t : terminals)
        set(t.value, lives ? ForwardingTable::here<Entry> : ForwardingTable::none<Entry>);
      return;
    }
    if (set_ != listed_) list_ports();
    // What others have counted of entries that are no candidates lies there for good.
    for (const std::uint32_t port : ports_) has_[port] = 0;
    for (const TerminalId t : terminals) ++has_[row_[t.value]];
    std::uint32_t homeless = terminals.size();
    for (const std::uint32_t port : ports_) homeless -= has_[port];
    const bool fills = std::inner_product(set_.begin(), set_.end(), fill_.begin(), Word{0}, std::bit_or<>(),
                                          std::bit_and<>()) != 0;
    if (homeless == 0 && !fills) return;
    weigh(plan_.groups.of_router[goal.value]);
    find_lacks(mixed(router_.value, d), terminals.size());
    for (std::uint32_t t = terminals.first(); homeless > 0; ++t) {
      if (has_bit(set_, row_[t])) continue;
      --homeless;
      const std::size_t to = most_lacking();
      lacks_[to] -= kOne;
      ++has_[ports_[to]];
      set(t, static_cast<Entry>(ports_[to]));
    }
    if (fills) fill_empty(terminals);
  }

  // The first of them; whole vectors at a time.
  [[nodiscard]] std::size_t most_lacking() const {
    std::int32_t most = lacks_[0];
    for (const std::int32_t lacks : lacks_) most = std::max(most, lacks);
    return place_of(most);
  }
  [[nodiscard]] std::size_t least_lacking() const {
    std::int32_t least = lacks_[0];
    for (const std::int32_t lacks : lacks_) least = std::min(least, lacks);
    return place_of(least);
  }
  [[nodiscard]] std::size_t place_of(std::int32_t lacks) const {
    return static_cast<std::size_t>(std::find(lacks_.begin(), lacks_.end(), lacks) - lacks_.begin());
  }

  void list_ports() {
    listed_ = set_;
    ports_.clear();
    for_each_bit(set_, [&](std::uint32_t port) { ports_.push_back(port); });
    lacks_.resize(ports_.size());
    weights_.clear();
  }

  /// Terminals that each candidate should have and has not, with a part of one at random.
  void find_lacks(std::uint32_t hash, std::uint32_t terminals) {
    const float each = static_cast<float>(terminals) / weight_;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const std::uint32_t port = ports_[i];
      const float part = static_cast<float>((hash ^ port) * 0x9E3779B1U >> 8) * 0x1p-24F;
      lacks_[i] = static_cast<std::int32_t>((weights_[i] * each + part) * kOne) -
                  static_cast<std::int32_t>(has_[port]) * kOne;
    }
  }

  /// What the candidates should get of the traffic: the same for all destinations of a group.
  void weigh(std::uint32_t group) {
    if (group != group_) {
      group_ = group;
      std::fill(weighed_.begin(), weighed_.end(), 0);
    } else if (!weights_.empty()) {
      return;
    }
    weights_.resize(ports_.size());
    float sum = 0;
    std::uint32_t known = 0;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      weights_[i] = weight_of(ports_[i]);
      sum += weights_[i];
      known += weights_[i] > 0 ? 1 : 0;
    }
    // Channels that were dead when the weights were made have none.
    const float usual = known > 0 ? sum / static_cast<float>(known) : 1;
    for (float& weight : weights_) weight = weight > 0 ? weight : usual;
    weight_ = sum + usual * static_cast<float>(ports_.size() - known);
  }

  [[nodiscard]] float weight_of(std::uint32_t port) {
    if (group_ == LeafGroups::kNone) return 0;
    float& weight = weight_of_[port];
    Word& weighed = weighed_[port / kWordBits];
    if ((weighed >> port % kWordBits & 1) == 0) {
      weighed |= Word{1} << port % kWordBits;
      const ChannelId c = network_.network().out(router_)[port];
      const std::uint32_t to = network_.target(c).value;
      weight = plan_.weights.factor(c.value) * plan_.weights.paths(to)[group_] * strength_[to];
    }
    return weight;
  }

  /// Gives channels that may be filled and have nothing their whole terminals from those with most to spare.
  void fill_empty(IdRange<TerminalId> terminals) {
    for (std::size_t to = 0; to < ports_.size(); ++to) {
      if (has_[ports_[to]] > 0 || !has_bit(fill_, ports_[to])) continue;
      while (lacks_[to] >= kOne) {
        const std::size_t from = least_lacking();
        const std::uint32_t port = ports_[from];
        if (has_[port] == 0 || lacks_[from] + kOne > lacks_[to]) break;
        // Not always the first: what neighbouring destinations move must not lie together.
        std::uint32_t skip = mixed(router_.value + port, terminals.first()) % has_[port];
        for (const TerminalId t : terminals) {
          if (row_[t.value] != port || skip-- > 0) continue;
          set(t.value, static_cast<Entry>(ports_[to]));
          break;
        }
        --has_[port];
        ++has_[ports_[to]];
        lacks_[from] += kOne;
        lacks_[to] -= kOne;
      }
    }
  }

  const LiveNetwork& network_;
  const LegalReach& reach_;
  const ClosPlan& plan_;
  std::span<const float> strength_;
  ToFill to_fill_;
  std::vector<EntryChange>& changes_;
  RouterId router_;
  Entry* row_ = nullptr;
  std::vector<Word> set_;             // the candidates
  std::vector<Word> sets_;            // those of a word of destinations
  std::vector<Word> fill_;            // ports that may be filled
  std::vector<std::uint32_t> has_;    // by entry: terminals that have it; of candidates alone
  std::vector<Word> listed_;          // whose ports follow: neighbouring destinations have the same
  std::vector<std::uint32_t> ports_;  // the candidates
  std::vector<std::int32_t> lacks_;   // by place in ports_, in parts of kOne
  std::vector<float> weights_;        // by place in ports_, of the group; empty: not known
  float weight_ = 0;                  // all of them
  std::vector<float> weight_of_;      // by port, of the group
  std::vector<Word> weighed_;         // ports of which that is known
  std::uint32_t group_ = 0;
};

/// First units of so many shares with about as many destinations each, and the end.
std::vector<std::uint32_t> shares_of(std::span<const LegalReach::Change> units, std::uint32_t shares,
                                     bool whole_rows) {
  std::size_t total = 0;
  for (const LegalReach::Change& unit : units) total += static_cast<std::size_t>(std::popcount(unit.bits));
  std::vector<std::uint32_t> first;
  std::size_t before = 0;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    const bool may = i == 0 || !whole_rows || units[i].router != units[i - 1].router;
    if (may && before * shares >= total * first.size()) first.push_back(i);
    before += static_cast<std::size_t>(std::popcount(units[i].bits));
  }
  first.push_back(static_cast<std::uint32_t>(units.size()));
  return first;
}

}  // namespace

void mend_rows(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
               std::span<const float> strength, std::span<const LegalReach::Change> units, ToFill to_fill,
               std::uint32_t threads, ForwardingTable& table, std::vector<EntryChange>& changes) {
  constexpr std::uint32_t kShares = 4;  // of a thread: some destinations have more to mend than others
  constexpr std::uint32_t kAhead = 4;   // rows come from far away
  if (threads == 0) threads = hardware_threads();
  // What is unused is seen from all of a row.
  const std::vector<std::uint32_t> first =
      shares_of(units, threads == 1 ? 1 : kShares * threads, to_fill == ToFill::unused);
  const auto shares = static_cast<std::uint32_t>(first.size() - 1);
  std::vector<std::vector<EntryChange>> found(shares);
  table.with_entry_type([&]<class Entry>(Entry) {
    const auto row_of = [&](const LegalReach::Change& unit) {
      return table.entries<Entry>().data() + std::size_t{unit.router.value} * table.terminal_count();
    };
    parallel_blocks(shares, 1, threads, [&](std::uint32_t, std::uint32_t share, std::uint32_t) {
      RowMender<Entry> mender(network, reach, plan, strength, to_fill, found[share]);
      for (std::uint32_t i = first[share]; i < first[share + 1]; ++i) {
        if (i + kAhead < units.size()) {
          const LegalReach::Change& later = units[i + kAhead];
          const std::uint32_t d =
              later.word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(later.bits));
          const IdRange<TerminalId> terminals = network.network().terminals_at(reach.destinations()[d]);
          const Entry* const entries = row_of(later) + terminals.first();
          bring_near_to_write(entries);
          bring_near_to_write(entries + terminals.size() - 1);  // it may reach into another line
        }
        mender.mend(units[i], row_of(units[i]));
      }
    });
  });
  for (const std::vector<EntryChange>& some : found) changes.insert(changes.end(), some.begin(), some.end());
}

}  // namespace unknot
