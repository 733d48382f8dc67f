// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace unknot {

/// Minimise cost * x where every row lies within its bounds and x is not negative. Columns are added one
/// after the other, rows beforehand.
class LinearProgram {
 public:
  static constexpr double kInfinity = std::numeric_limits<double>::max();

  struct Entry {
    std::uint32_t row;
    double value;
  };
  struct Solution {
    bool optimal = false;  ///< else the rest is empty: infeasible, unbounded, or out of time
    double objective = 0;
    std::vector<double> x;     ///< by column
    std::vector<double> dual;  ///< by row: change of the objective for each unit its bound is raised
  };

  /// Returns the row's number.
  std::uint32_t add_row(double lower, double upper);
  /// Returns the column's number. Rows must be different ones.
  std::uint32_t add_column(double cost, std::span<const Entry> entries);
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(lower_.size()); }
  [[nodiscard]] std::uint32_t columns() const { return static_cast<std::uint32_t>(cost_.size()); }
  /// Lower and upper.
  [[nodiscard]] std::pair<double, double> bounds(std::uint32_t row) const {
    return {lower_[row], upper_[row]};
  }
  [[nodiscard]] double cost(std::uint32_t column) const { return cost_[column]; }
  /// Calls take(Entry) for each entry of a column.
  template <class Take>
  void for_entries(std::uint32_t column, Take&& take) const {
    for (auto i = static_cast<std::size_t>(start_[column]); i < static_cast<std::size_t>(start_[column + 1]);
         ++i)
      take(Entry{static_cast<std::uint32_t>(row_[i]), value_[i]});
  }

  /// By the dual simplex method (Clp). Values carry rounding errors: what must be proven is to be checked in
  /// whole numbers. `seconds` bounds the time spent; results depend on it only in that there may be none.
  [[nodiscard]] Solution solve(double seconds = kInfinity) const;

 private:
  std::vector<double> lower_, upper_;  // by row
  std::vector<double> cost_;           // by column
  std::vector<int> start_{0}, row_;    // columns in compressed rows
  std::vector<double> value_;
};

}  // namespace unknot
