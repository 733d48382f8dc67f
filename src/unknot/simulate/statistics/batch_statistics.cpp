// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/batch_statistics.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace unknot::simulate {
namespace {

constexpr std::size_t kBatches = 20;        // from here to twice as many make the interval
constexpr std::size_t kFewestBatches = 10;  // of those that are still correlated
constexpr double kOneSided95 = 1.6448536269514722;

/// What each batch has beyond its share of the mean.
std::vector<double> deviations(const Batches& batches) {
  const double sum = std::accumulate(batches.sums.begin(), batches.sums.end(), 0.0);
  const double count = std::accumulate(batches.counts.begin(), batches.counts.end(), 0.0);
  const double mean = count == 0 ? 0 : sum / count;
  std::vector<double> deviation(batches.sums.size());
  for (std::size_t i = 0; i < deviation.size(); ++i)
    deviation[i] = batches.sums[i] - mean * batches.counts[i];
  return deviation;
}

/// Correlation of neighbours by von Neumann's ratio, which unlike the plain estimate is not pulled down in
/// short series.
double lag1_of(const std::vector<double>& deviation) {
  const std::size_t n = deviation.size();
  if (n < 3) return 0;
  double squares = 0;
  double steps = 0;
  for (std::size_t i = 0; i < n; ++i) {
    squares += deviation[i] * deviation[i];
    if (i != 0) steps += (deviation[i] - deviation[i - 1]) * (deviation[i] - deviation[i - 1]);
  }
  if (squares == 0) return 0;
  return 1 - steps / (2 * squares);
}

bool uncorrelated(double lag1, std::size_t n) {
  return lag1 <= kOneSided95 / std::sqrt(static_cast<double>(n));
}

}  // namespace

Batches batches_of(std::span<const double> sums, std::span<const double> counts, std::size_t length) {
  Batches batches;
  const std::size_t number = sums.size() / length;
  batches.sums.assign(number, 0);
  batches.counts.assign(number, 0);
  std::size_t at = sums.size() - number * length;
  for (std::size_t b = 0; b < number; ++b) {
    for (const std::size_t end = at + length; at < end; ++at) {
      batches.sums[b] += sums[at];
      batches.counts[b] += counts[at];
    }
  }
  return batches;
}

MeanEstimate batch_means(std::span<const double> sums, std::span<const double> counts, double confidence) {
  MeanEstimate estimate;
  const double count = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (count > 0) estimate.mean = std::accumulate(sums.begin(), sums.end(), 0.0) / count;
  estimate.half_width = std::numeric_limits<double>::infinity();
  const std::size_t n = sums.size();
  if (n < 2 || count <= 0) return estimate;

  std::size_t length = 1;
  bool passed = false;
  std::vector<double> deviation;
  Batches batches;
  for (;; length *= 2) {
    batches = batches_of(sums, counts, length);
    deviation = deviations(batches);
    estimate.lag1 = lag1_of(deviation);
    const std::size_t left = deviation.size();
    passed = passed || uncorrelated(estimate.lag1, left);
    if (left / 2 < (passed ? kBatches : kFewestBatches)) break;
  }
  estimate.batches = deviation.size();
  estimate.batch_length = length;
  estimate.independent = uncorrelated(estimate.lag1, estimate.batches);
  const double used = std::accumulate(batches.counts.begin(), batches.counts.end(), 0.0);
  if (used <= 0) return estimate;
  const double k = static_cast<double>(estimate.batches);
  const double squares = std::inner_product(deviation.begin(), deviation.end(), deviation.begin(), 0.0);
  estimate.half_width = student_t(0.5 + confidence / 2, static_cast<std::uint32_t>(estimate.batches - 1)) *
                        std::sqrt(k / (k - 1) * squares) / used;
  return estimate;
}

MeanEstimate batch_means(std::span<const double> values, double confidence) {
  const std::vector<double> ones(values.size(), 1);
  return batch_means(values, ones, confidence);
}

double student_between(double t, std::uint32_t degrees) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double c2 = std::cos(angle) * std::cos(angle);
  double term = degrees % 2 == 0 ? 1 : std::cos(angle);
  double sum = degrees == 1 ? 0 : term;
  for (std::uint32_t i = degrees % 2 == 0 ? 2 : 3; i < degrees; i += 2) {
    term *= c2 * (i - 1) / i;
    sum += term;
  }
  if (degrees % 2 == 0) return std::sin(angle) * sum;
  return 2 / std::numbers::pi * (angle + std::sin(angle) * sum);
}

double student_t(double probability, std::uint32_t degrees) {
  const double between = 2 * probability - 1;
  double low = 0;
  double high = 1;
  while (student_between(high, degrees) < between && high < 1e15) high *= 2;
  while (high - low > 1e-13 * high) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (student_between(middle, degrees) < between ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace unknot::simulate
