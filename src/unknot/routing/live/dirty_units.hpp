// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/routing/dealing/row_filler.hpp"

namespace unknot {

/// Rows and destinations whose entries are to be looked at again: a set of destinations for each router.
class DirtyUnits {
 public:
  using Word = LegalReach::Word;

  DirtyUnits(std::uint32_t routers, const LegalReach& reach)
      : words_(reach.words()),
        destinations_(static_cast<std::uint32_t>(reach.destinations().size())),
        sets_(std::size_t{routers} * words_, 0),
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

  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// By router; those without a destination are left out.
  [[nodiscard]] std::vector<RowPart> parts() const {
    std::vector<RowPart> parts;
    for (RouterId r(0); r.value < any_.size(); ++r.value) {
      if (any_[r.value] == 0) continue;
      RowPart part{r, {}};
      for (std::uint32_t w = 0; w < words_; ++w) {
        for (Word left = sets_[std::size_t{r.value} * words_ + w]; left != 0; left &= left - 1) {
          const std::uint32_t d = w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
          if (d < destinations_) part.destinations.push_back(d);
        }
      }
      if (!part.destinations.empty()) parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  std::uint32_t words_, destinations_;
  std::vector<Word> sets_;         // by router
  std::vector<std::uint8_t> any_;  // by router
};

}  // namespace unknot
