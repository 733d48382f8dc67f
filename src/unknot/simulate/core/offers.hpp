// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/simulate/core/bit_scan.hpp"

namespace unknot::simulate {

/// The second half of an iteration of iSLIP: resources (outputs, or lanes of an output) have chosen
/// requesters and offer themselves; then each requester takes one of those that it was offered. Input lanes
/// get lanes in this way, and inputs outputs. kWords: words of a mask over resources, 0 where it is known at
/// run time alone. [McKeown 1999]
template <std::uint32_t kWords>
class Offers {
 public:
  using Bits = Mask<kWords>;

  /// Room for requesters 0 to `requesters` - 1, and `words` words for resources of each.
  void resize(std::uint32_t requesters, std::uint32_t words) {
    words_ = words;
    rows_.assign(std::size_t{requesters} * this->words(), 0);
    offered_.reserve(requesters);
  }
  void offer(std::uint32_t requester, std::uint32_t resource) {
    std::uint64_t* const row = rows_.data() + std::size_t{requester} * words();
    offered_.add_if(!Bits::any(row, words()), requester);
    Bits::set(row, resource);
  }
  /// Calls take(requester, resource) for each requester with an offer, in the order of their first ones, and
  /// forgets all offers. It takes the first resource at or after from(requester), around.
  template <class From, class Take>
  void settle(From from, Take take) {
    for (const std::uint32_t requester : offered_) {
      std::uint64_t* const row = rows_.data() + std::size_t{requester} * words();
      const std::uint32_t resource = Bits::first_from(row, words(), from(requester));
      std::fill(row, row + words(), 0);
      take(requester, resource);
    }
    offered_.clear();
  }

 private:
  [[nodiscard]] std::uint32_t words() const { return kWords == 0 ? words_ : kWords; }

  std::uint32_t words_ = kWords;
  std::vector<std::uint64_t> rows_;  // by requester: a bit for each resource that offers itself
  StepList offered_;                 // requesters
};

}  // namespace unknot::simulate
