// SPDX-License-Identifier: Apache-2.0
#pragma once

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
        any_(routers, 0) {}

  void add(RouterId router, std::uint32_t word, Word bits) {
    sets_[std::size_t{router.value} * words_ + word] |= bits;
    any_[router.value] = 1;
  }
  void add(RouterId router, std::span<const Word> set) {
    for (std::uint32_t w = 0; w < words_; ++w) add(router, w, set[w]);
  }
  /// The whole row.
  void add(RouterId router) {
    for (std::uint32_t w = 0; w < words_; ++w) add(router, w, ~Word{0});
  }
  void add_weighed(RouterId router, std::span<const Word> groups) {
    for (std::uint32_t w = 0; w < group_words_; ++w) {
      weighed_[std::size_t{router.value} * group_words_ + w] |= groups[w];
      if (groups[w] != 0) any_[router.value] = 1;
    }
  }

  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// By router; those without anything are left out.
  [[nodiscard]] std::vector<RowPart> parts() const {
    std::vector<RowPart> parts;
    for (RouterId r(0); r.value < any_.size(); ++r.value) {
      if (any_[r.value] == 0) continue;
      RowPart part{r, {}};
      list(sets_, words_, r, part.destinations);
      while (!part.destinations.empty() && part.destinations.back() >= destinations_)
        part.destinations.pop_back();
      // Nothing of a whole row is left to be compared.
      if (part.destinations.size() < destinations_) list(weighed_, group_words_, r, part.weighed);
      if (!part.destinations.empty() || !part.weighed.empty()) parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  static void list(const std::vector<Word>& sets, std::uint32_t words, RouterId router,
                   std::vector<std::uint32_t>& numbers) {
    for (std::uint32_t w = 0; w < words; ++w) {
      for (Word left = sets[std::size_t{router.value} * words + w]; left != 0; left &= left - 1)
        numbers.push_back(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }

  std::uint32_t words_, group_words_, destinations_;
  std::vector<Word> sets_;         // by router: destinations
  std::vector<Word> weighed_;      // by router: groups
  std::vector<std::uint8_t> any_;  // by router
};

}  // namespace unknot
