// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/sticky_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>

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

/// One router's rows after each other.
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

  void mend(const RowPart& part, Entry* row) {
    router_ = part.router;
    row_ = row;
    const std::uint32_t ports = network_.network().out(router_).size();
    set_.resize(std::max(1U, (ports + kWordBits - 1) / kWordBits));
    weight_.resize(set_.size() * kWordBits);
    weighed_.assign(set_.size(), 0);
    find_to_fill();
    const std::size_t words = set_.size();
    std::uint32_t known = ~0U;  // word of destinations whose candidates are at hand
    for (std::size_t i = 0; i < part.destinations.size(); ++i) {
      const std::uint32_t d = part.destinations[i];
      const std::uint32_t word = d / kWordBits;
      const std::size_t later = i + kFewInAWord - 1;
      if (word != known && later < part.destinations.size() && part.destinations[later] / kWordBits == word) {
        known = word;
        sets_.resize(words * kWordBits);
        reach_.ports_towards_word(network_, router_, word, sets_);
      }
      if (word == known) {
        std::copy_n(sets_.begin() + static_cast<std::ptrdiff_t>(d % kWordBits * words), words, set_.begin());
      } else {
        reach_.ports_towards(network_, router_, d, set_);
      }
      mend(d);
    }
  }

 private:
  // From so many destinations of a word on all of them together take less time.
  static constexpr std::size_t kFewInAWord = 6;
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
    ports_.clear();
    for_each_bit(set_, [&](std::uint32_t port) {
      ports_.push_back(port);
      has_[port] = 0;  // what others have counted of entries that are no candidates lies there for good
    });
    for (const TerminalId t : terminals) ++has_[row_[t.value]];
    std::uint32_t homeless = terminals.size();
    for (const std::uint32_t port : ports_) homeless -= has_[port];
    const bool fills = std::inner_product(set_.begin(), set_.end(), fill_.begin(), Word{0}, std::bit_or<>(),
                                          std::bit_and<>()) != 0;
    if (homeless == 0 && !fills) return;
    find_lacks(plan_.groups.of_router[goal.value], mixed(router_.value, d), terminals.size());
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

  /// Terminals that each candidate should have and has not, with a part of one at random.
  void find_lacks(std::uint32_t group, std::uint32_t hash, std::uint32_t terminals) {
    weigh(group);
    float sum = 0;
    std::uint32_t known = 0;
    for (const std::uint32_t port : ports_) {
      sum += weight_[port];
      known += weight_[port] > 0 ? 1 : 0;
    }
    // Channels that were dead when the weights were made have none.
    const auto count = static_cast<std::uint32_t>(ports_.size());
    const float usual = known > 0 ? sum / static_cast<float>(known) : 1;
    const float each = static_cast<float>(terminals) / (sum + usual * static_cast<float>(count - known));
    lacks_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t port = ports_[i];
      const float weight = weight_[port] > 0 ? weight_[port] : usual;
      const float part = static_cast<float>((hash ^ port) * 0x9E3779B1U >> 8) * 0x1p-24F;
      lacks_[i] = static_cast<std::int32_t>((weight * each + part) * kOne) -
                  static_cast<std::int32_t>(has_[port]) * kOne;
    }
  }

  /// What the candidates should get of the traffic: the same for all destinations of a group.
  void weigh(std::uint32_t group) {
    if (group != weighed_group_) std::fill(weighed_.begin(), weighed_.end(), 0);
    weighed_group_ = group;
    for (std::size_t w = 0; w < set_.size(); ++w) {
      const Word fresh = set_[w] & ~weighed_[w];
      weighed_[w] |= fresh;
      for_each_bit({&fresh, 1}, [&](std::uint32_t bit) {
        const auto port = static_cast<std::uint32_t>(w * kWordBits) + bit;
        const ChannelId c = network_.network().out(router_)[port];
        const std::uint32_t to = network_.target(c).value;
        weight_[port] = group == LeafGroups::kNone
                            ? 0
                            : plan_.weights.factor(c.value) * plan_.weights.paths(to)[group] * strength_[to];
      });
    }
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
  std::vector<std::uint32_t> ports_;  // the candidates
  std::vector<std::int32_t> lacks_;   // by place in ports_, in parts of kOne
  std::vector<float> weight_;         // by port, of the group; 0: not known
  std::vector<Word> weighed_;         // ports whose weight is that of the group
  std::uint32_t weighed_group_ = 0;
};

}  // namespace

void mend_rows(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
               std::span<const float> strength, std::span<const RowPart> parts, ToFill to_fill,
               std::uint32_t threads, ForwardingTable& table, std::vector<EntryChange>& changes) {
  constexpr std::uint32_t kShares = 4;  // of a thread: some rows have more to mend than others
  constexpr std::size_t kAhead = 4;     // rows come from far away
  if (threads == 0) threads = hardware_threads();
  const auto count = static_cast<std::uint32_t>(parts.size());
  const std::uint32_t together = threads == 1 ? std::max(1U, count) : count / (kShares * threads) + 1;
  std::vector<std::vector<EntryChange>> found((count + together - 1) / together);
  table.with_entry_type([&]<class Entry>(Entry) {
    const auto row_of = [&](const RowPart& part) {
      return table.entries<Entry>().data() + std::size_t{part.router.value} * table.terminal_count();
    };
    parallel_blocks(count, together, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      RowMender<Entry> mender(network, reach, plan, strength, to_fill, found[begin / together]);
      for (std::size_t i = begin; i < end; ++i) {
        if (i + kAhead < end) {
          const RowPart& later = parts[i + kAhead];
          const IdRange<TerminalId> terminals =
              network.network().terminals_at(reach.destinations()[later.destinations.front()]);
          __builtin_prefetch(row_of(later) + terminals.first(), 1);
          __builtin_prefetch(row_of(later) + terminals.first() + terminals.size() - 1,
                             1);  // maybe another line
        }
        mender.mend(parts[i], row_of(parts[i]));
      }
    });
  });
  for (const std::vector<EntryChange>& some : found) changes.insert(changes.end(), some.begin(), some.end());
}

}  // namespace unknot
