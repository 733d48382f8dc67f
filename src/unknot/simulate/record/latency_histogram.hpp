// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// Counts of latencies: exact below 4096, beyond in bins of at most 1/2048 of their value. Count, mean, least
/// and greatest are exact throughout, as are quantiles below 4096.
///
/// The bins are those of a floating-point number with a mantissa of 12 bits, as in HdrHistogram (Tene 2012).
/// Merging is adding: the order does not matter, so that histograms of threads give the same bytes. add() is
/// O(1) and takes memory only when a value is larger than all before: 16 KiB each time it doubles.
class LatencyHistogram {
 public:
  static constexpr std::uint64_t kExact = 4096;  ///< values below have a bin each

  LatencyHistogram() : bins_(kExact, 0) {}

  void add(std::uint64_t value, std::uint64_t times = 1) {
    const std::size_t bin = bin_of(value);
    if (bin >= bins_.size()) grow(bin);
    bins_[bin] += times;
    count_ += times;
    sum_ += value * times;
    if (times == 0) return;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  }
  void merge(const LatencyHistogram& other);
  void clear() { *this = LatencyHistogram(); }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Of all values; they must be below 2^64. 0 where there is none, as are the next four.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  [[nodiscard]] std::uint64_t min() const { return count_ == 0 ? 0 : least_; }
  [[nodiscard]] std::uint64_t max() const { return greatest_; }
  /// Smallest value that at least a part `q` of all values do not exceed (nearest rank), q from 0 to 1: 0.5
  /// is the median. In a wide bin its greatest value, so that quantiles are never understated. O(bins).
  [[nodiscard]] std::uint64_t quantile(double q) const;

  /// Not empty bins in order: action(lowest value, highest value, count).
  template <class Action>
  void for_each(const Action& action) const {
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
      if (bins_[bin] != 0) action(lowest(bin), highest(bin), bins_[bin]);
    }
  }

 private:
  static constexpr unsigned kBits = 12;                                    // of kExact
  static constexpr std::uint64_t kHalf = std::uint64_t{1} << (kBits - 1);  // bins of an octave

  static std::size_t bin_of(std::uint64_t value) {
    if (value < kExact) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - kBits;
    return shift * kHalf + (value >> shift);
  }
  static std::uint64_t lowest(std::size_t bin) {
    if (bin < kExact) return bin;
    const std::uint64_t shift = bin / kHalf - 1;
    return (bin - shift * kHalf) << shift;
  }
  static std::uint64_t highest(std::size_t bin) {
    return bin < kExact ? bin : lowest(bin) + ((std::uint64_t{1} << (bin / kHalf - 1)) - 1);
  }
  void grow(std::size_t bin) { bins_.resize((bin / kHalf + 1) * kHalf, 0); }

  std::vector<std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0};
  std::uint64_t greatest_ = 0;
};

}  // namespace unknot::simulate
