// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/routing/dealing/row_of_deals.hpp"

namespace unknot {

/// What of the deals of some destinations of one group is the same for all routers.
struct GroupOfDeals {
  std::vector<std::uint32_t> destinations;
  std::vector<std::uint32_t> shift;   ///< Destination::shift
  std::vector<std::uint32_t> whole;   ///< count << shift
  std::vector<std::uint32_t> dither;  ///< Destination::dither

  void add(std::uint32_t index, const Destination& d);
};

/// Deals of one router to them by weights as they were and as they are, all else the same.
struct WeighedTwice {
  const GroupOfDeals& group;
  std::uint32_t hash = 0;                 ///< RowOfDeals::hash
  std::uint32_t words = 1;                ///< of a set of ports
  const std::uint64_t* ports = nullptr;   ///< by destination of the group: the candidates, words of them
  const std::uint32_t* before = nullptr;  ///< weights by port
  const std::uint32_t* after = nullptr;   ///< the same
};

/// How many are looked at in one go.
constexpr std::uint32_t kDealsAtOnce = 16;

/// Which of kDealsAtOnce destinations from `first` on are dealt otherwise than before, a bit each: those for
/// which the stretch of some port begins at another place. The others keep each entry. By whole vectors of
/// destinations where the machine has them, and nothing is read but what deals are made from; the result is
/// the same. O(ports) vector operations.
std::uint32_t changed_deals(const WeighedTwice& deals, std::uint32_t first);
/// The portable form, for tests.
std::uint32_t changed_deals_portable(const WeighedTwice& deals, std::uint32_t first);

}  // namespace unknot
