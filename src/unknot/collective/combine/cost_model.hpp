// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// What steps cost. A step takes alpha + max over its transfers (bytes * beta + hops * hop): steps are
/// synchronous, a transfer has one unit of the capacity of each channel on its path, and beta is the time of
/// a byte on that. Seconds. [Hockney 1994; with hops: Jaros 2010, section 3.1]
struct CostModel {
  double alpha = 1e-6;  ///< start-up of a step
  double beta = 5e-10;  ///< of a byte; both as in the thesis's example
  double hop = 0;       ///< of a channel on the path
};

/// Parameters of a model as a spec gives them: "alpha=1e-6,beta=5e-10,hop=0".
const std::vector<Parameter>& cost_parameters();
/// InputError as parse_parameters().
CostModel parse_cost(std::string_view spec);

/// What a schedule costs, by the size of a message.
class Cost {
 public:
  /// `pieces`: equal parts that a message is divided into, each a block. O(transfers log transfers).
  Cost(const CombinedSchedule& schedule, std::uint32_t pieces);

  /// Seconds for messages of this many bytes; parts of bytes count, too. O(steps) nearly always.
  [[nodiscard]] double time(const CostModel& model, double bytes) const;
  /// Bytes of the largest transfers of all steps together.
  [[nodiscard]] double bytes(double bytes) const;
  [[nodiscard]] std::uint32_t steps() const { return static_cast<std::uint32_t>(first_.size()) - 1; }

 private:
  struct Load {
    std::uint64_t blocks;
    std::uint32_t hops;
  };
  double pieces_;
  std::vector<std::size_t> first_{0};  // steps + 1
  std::vector<Load> loads_;  // of a step those that no other has more of both than; most blocks first
};

/// From which size of message on which of several is the quickest.
struct CostRange {
  std::uint64_t from = 1;  ///< bytes
  std::size_t best = 0;    ///< number of a cost; of equal ones the first
};
/// For all sizes from one byte to `most`, sizes ascending. Between two powers of two a cost that is best only
/// inside may be left out. At least one cost. O(costs * steps * log(most) * changes).
std::vector<CostRange> best_ranges(const std::vector<Cost>& costs, const CostModel& model,
                                   std::uint64_t most);
/// The quickest for one size.
std::size_t best_at(const std::vector<Cost>& costs, const CostModel& model, double bytes);

}  // namespace unknot
