// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// Sums and counts of values in consecutive intervals of time: the series that warm-up, confidence intervals
/// and the verdict on the steady state are made from. Holds at most kMost intervals: when time goes beyond
/// them, pairs of neighbours become one, of twice the width. What is held does not depend on when that
/// happened.
class IntervalSeries {
 public:
  static constexpr std::size_t kMost = 4096;

  /// Intervals of `width` units of time at first, at least 1.
  explicit IntervalSeries(std::uint64_t width = 1) : width_(width) {}

  /// A value at a time, in any order. O(1), amortised over doublings.
  void add(std::uint64_t time, double value, double times = 1) {
    std::uint64_t interval = time / width_;
    if (interval >= sum_.size()) interval = extend(time);
    sum_[interval] += value;
    count_[interval] += times;
  }

  /// Takes the values of a series that began with the same width, which is empty then. O(intervals).
  void take(IntervalSeries& part);

  [[nodiscard]] std::uint64_t width() const { return width_; }
  /// By interval: the sum of its values, and how many they are.
  [[nodiscard]] const std::vector<double>& sums() const { return sum_; }
  [[nodiscard]] const std::vector<double>& counts() const { return count_; }
  /// Means by interval; one without values has the mean of the one before, the first ones that of the first
  /// with any.
  [[nodiscard]] std::vector<double> means() const;

 private:
  std::uint64_t extend(std::uint64_t time);

  std::uint64_t width_;
  std::vector<double> sum_, count_;
};

}  // namespace unknot::simulate
