// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/sticky_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

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
            std::span<const float> strength, bool back, std::vector<EntryChange>& changes)
      : network_(network), reach_(reach), plan_(plan), strength_(strength), back_(back), changes_(changes) {}

  void mend(const RowPart& part, Entry* row) {
    router_ = part.router;
    row_ = row;
    const std::uint32_t ports = network_.network().out(router_).size();
    set_.resize(std::max(1U, (ports + kWordBits - 1) / kWordBits));
    has_.resize(ports);
    weighed_set_.clear();
    for (const std::uint32_t d : part.destinations) mend(d);
  }

 private:
  static std::uint32_t bit_of(Word word) { return static_cast<std::uint32_t>(std::countr_zero(word)); }

  /// A candidate, and how many terminals it should get and has.
  struct Share {
    std::uint32_t port;
    float weight;  ///< of 1 for all
    float wanted;
    float has;
    float part;  ///< of a terminal, at random
    [[nodiscard]] float lacks() const { return wanted + part - has; }
  };

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
    if (!here || !network_.alive(goal)) reach_.ports_towards(network_, router_, d, set_);
    const bool none = !here && std::all_of(set_.begin(), set_.end(), [](Word word) { return word == 0; });
    if (here || none) {
      const bool lives = here && network_.alive(goal);
      for (const TerminalId t : terminals)
        set(t.value, lives ? ForwardingTable::here<Entry> : ForwardingTable::none<Entry>);
      return;
    }
    homeless_.clear();
    for (std::size_t w = 0; w < set_.size(); ++w) {
      for (Word left = set_[w]; left != 0; left &= left - 1) has_[w * kWordBits + bit_of(left)] = 0;
    }
    for (const TerminalId t : terminals) {
      const std::uint32_t port = ForwardingTable::position_of(row_[t.value]);
      if (port < has_.size() && (set_[port / kWordBits] >> port % kWordBits & 1) != 0) {
        ++has_[port];
      } else {
        homeless_.push_back(t.value);
      }
    }
    if (homeless_.empty() && !back_) return;
    find_shares(goal, d, terminals.size());
    for (const std::uint32_t t : homeless_) {
      Share& to = *std::max_element(shares_.begin(), shares_.end(), lacks_less);
      ++to.has;
      set(t, static_cast<Entry>(to.port));
    }
    if (back_) fill_empty(terminals);
  }

  void find_shares(RouterId goal, std::uint32_t d, std::uint32_t terminals) {
    const std::uint32_t group = plan_.groups.of_router[goal.value];
    if (group != weighed_group_ || set_ != weighed_set_) weigh(group);
    const std::uint32_t hash = mixed(router_.value, d);
    for (Share& share : shares_) {
      share.wanted = share.weight * static_cast<float>(terminals);
      share.has = static_cast<float>(has_[share.port]);
      share.part = static_cast<float>((hash ^ share.port) * 0x9E3779B1U >> 8) * 0x1p-24F;
    }
  }

  /// The candidates and their parts of the traffic: the same for many destinations.
  void weigh(std::uint32_t group) {
    weighed_group_ = group;
    weighed_set_ = set_;
    shares_.clear();
    float sum = 0;
    std::uint32_t known = 0;
    for (std::size_t w = 0; w < set_.size(); ++w) {
      for (Word left = set_[w]; left != 0; left &= left - 1) {
        const auto port = static_cast<std::uint32_t>(w * kWordBits) + bit_of(left);
        const ChannelId c = network_.network().out(router_)[port];
        const std::uint32_t to = network_.target(c).value;
        // Channels that were dead when the weights were made have none.
        float weight = 0;
        if (group != LeafGroups::kNone)
          weight = plan_.weights.factor(c.value) * plan_.weights.paths(to)[group] * strength_[to];
        shares_.push_back({port, weight, 0, 0, 0});
        sum += weight;
        known += weight > 0 ? 1 : 0;
      }
    }
    const float usual = known > 0 ? sum / static_cast<float>(known) : 1;
    sum += usual * static_cast<float>(shares_.size() - known);
    for (Share& share : shares_) share.weight = (share.weight > 0 ? share.weight : usual) / sum;
  }

  static bool lacks_less(const Share& a, const Share& b) { return a.lacks() < b.lacks(); }

  /// Gives channels that have nothing their whole terminals from those with most to spare.
  void fill_empty(IdRange<TerminalId> terminals) {
    for (Share& to : shares_) {
      if (to.has > 0) continue;
      while (to.lacks() >= 1) {
        Share& from = *std::min_element(shares_.begin(), shares_.end(), lacks_less);
        if (from.has < 1 || from.lacks() + 1 > to.lacks()) break;
        // Not always the first: what neighbouring destinations move must not lie together.
        std::uint32_t skip =
            mixed(router_.value + from.port, terminals.first()) % static_cast<std::uint32_t>(from.has);
        for (const TerminalId t : terminals) {
          if (ForwardingTable::position_of(row_[t.value]) != from.port || skip-- > 0) continue;
          set(t.value, static_cast<Entry>(to.port));
          break;
        }
        --from.has;
        ++to.has;
      }
    }
  }

  const LiveNetwork& network_;
  const LegalReach& reach_;
  const ClosPlan& plan_;
  std::span<const float> strength_;
  bool back_;
  std::vector<EntryChange>& changes_;
  RouterId router_;
  Entry* row_ = nullptr;
  std::vector<Word> set_;
  std::vector<std::uint32_t> has_;  // by port: terminals that may stay
  std::vector<Share> shares_;
  std::uint32_t weighed_group_ = 0;  // what the shares are of
  std::vector<Word> weighed_set_;
  std::vector<std::uint32_t> homeless_;
};

}  // namespace

void mend_rows(const LiveNetwork& network, const LegalReach& reach, const ClosPlan& plan,
               std::span<const float> strength, std::span<const RowPart> parts, bool back,
               ForwardingTable& table, std::vector<EntryChange>& changes) {
  constexpr std::size_t kAhead = 4;  // rows come from far away
  table.with_entry_type([&]<class Entry>(Entry) {
    RowMender<Entry> mender(network, reach, plan, strength, back, changes);
    const auto row_of = [&](const RowPart& part) {
      return table.entries<Entry>().data() + std::size_t{part.router.value} * table.terminal_count();
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i + kAhead < parts.size()) {
        const RowPart& later = parts[i + kAhead];
        const std::uint32_t first = later.destinations.front();
        __builtin_prefetch(
            row_of(later) + network.network().terminals_at(reach.destinations()[first]).first(), 1);
      }
      mender.mend(parts[i], row_of(parts[i]));
    }
  });
}

}  // namespace unknot
