// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/refill.hpp"

namespace unknot {

/// Rows and destinations whose entries are to be looked at again: for each router a set of destinations, and
/// a set of groups of which only weights are others.
class DirtyUnits {
 public:
  using Word = LegalReach::Word;

  /// Room for so many groups.
  DirtyUnits(std::uint32_t routers, const LegalReach& reach, std::uint32_t groups = 0)
      : words_(reach.words()),
        group_words_((groups + 63) / 64),
        destinations_(static_cast<std::uint32_t>(reach.destinations().size())),
        sets_(std::size_t{routers} * words_, 0),
        weighed_(std::size_t{routers} * group_words_, 0),
        from_(routers, words_),
        end_(routers, 0) {}

  void add(RouterId router, std::uint32_t word, Word bits) {
    sets_[std::size_t{router.value} * words_ + word] |= bits;
    from_[router.value] = std::min(from_[router.value], word);
    end_[router.value] = std::max(end_[router.value], word + 1);
  }
  void add(RouterId router, std::span<const Word> set) {
    for (std::uint32_t w = 0; w < words_; ++w) add(router, w, set[w]);
  }
  /// The whole row.
  void add(RouterId router) {
    for (std::uint32_t w = 0; w < words_; ++w) {
      const std::uint32_t left = destinations_ - w * LegalReach::kWordBits;
      add(router, w, left < LegalReach::kWordBits ? (Word{1} << left) - 1 : ~Word{0});
    }
  }
  void add_weighed(RouterId router, std::span<const Word> groups) {
    for (std::uint32_t w = 0; w < group_words_; ++w)
      weighed_[std::size_t{router.value} * group_words_ + w] |= groups[w];
  }

  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// Destinations, by router and word; those without any are left out.
  [[nodiscard]] std::vector<LegalReach::Change> units() const {
    std::vector<LegalReach::Change> units;
    for (RouterId r(0); r.value < from_.size(); ++r.value) {
      for (std::uint32_t w = from_[r.value]; w < end_[r.value]; ++w) {
        const Word bits = sets_[std::size_t{r.value} * words_ + w];
        if (bits != 0) units.push_back({r, w, bits});
      }
    }
    return units;
  }
  /// By router; those without anything are left out.
  [[nodiscard]] std::vector<RowPart> parts() const {
    std::vector<RowPart> parts;
    for (RouterId r(0); r.value < from_.size(); ++r.value) {
      RowPart part{r, {}};
      list(sets_, words_, r, from_[r.value], end_[r.value], part.destinations);
      // Nothing of a whole row is left to be compared.
      if (part.destinations.size() < destinations_)
        list(weighed_, group_words_, r, 0, group_words_, part.weighed);
      if (!part.destinations.empty() || !part.weighed.empty()) parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  static void list(const std::vector<Word>& sets, std::uint32_t words, RouterId router, std::uint32_t from,
                   std::uint32_t end, std::vector<std::uint32_t>& numbers) {
    for (std::uint32_t w = from; w < end; ++w) {
      for (Word left = sets[std::size_t{router.value} * words + w]; left != 0; left &= left - 1)
        numbers.push_back(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }

  std::uint32_t words_, group_words_, destinations_;
  std::vector<Word> sets_;                 // by router: destinations
  std::vector<Word> weighed_;              // by router: groups
  std::vector<std::uint32_t> from_, end_;  // by router: words of destinations that are not empty lie there
};

}  // namespace unknot
