// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Means of correlated series with confidence intervals. A series is what a simulation observed in
/// consecutive intervals: for each a sum and a count, since intervals need not hold equally many packets.
namespace unknot::simulate {

/// A mean and how far the true one may be from it.
struct MeanEstimate {
  double mean = 0;               ///< of all values; 0 where there are none
  double half_width = 0;         ///< mean - half_width .. mean + half_width; infinite below two batches
  std::size_t batches = 0;       ///< that the interval is made from
  std::size_t batch_length = 0;  ///< intervals of the series in a batch
  double lag1 = 0;               ///< correlation of neighbouring batches
  bool independent = false;      ///< neighbouring batches pass as uncorrelated: the interval can be believed
};

/// Batch means: the series is cut into batches long enough that neighbours no longer show correlation, and
/// the batches are taken as independent. Batches double in length until their lag-1 correlation is within the
/// 95 % bound of an uncorrelated series (the von Neumann test of Fishman 1978), then on until 20 to 39 are
/// left, which takes most of what correlation the test cannot see (Law and Carson 1979). Where less than 20
/// are left first, they still double down to 10, and `independent` says whether the last ones pass.
///
/// The mean is that of all values (sum over count); its interval is that of a ratio estimator with a Student
/// t of batches - 1 degrees of freedom. Intervals at the beginning that fill no batch count for the mean
/// alone. `sums` and `counts` are equally long. O(n).
///
/// [Law, Simulation Modeling and Analysis, 5th ed. 2015, sections 9.5.3 and 4.4; Fishman, Management Science
/// 24(5), 1978; Law and Carson, Operations Research 27(5), 1979]
MeanEstimate batch_means(std::span<const double> sums, std::span<const double> counts,
                         double confidence = 0.95);
/// The same for one value in each interval.
MeanEstimate batch_means(std::span<const double> values, double confidence = 0.95);

/// Batches of `length` intervals, made from the end: their sums and counts.
struct Batches {
  std::vector<double> sums, counts;
};
Batches batches_of(std::span<const double> sums, std::span<const double> counts, std::size_t length);

/// The t that a variable of Student's distribution with `degrees` degrees of freedom, at least 1, does not
/// exceed with this probability, from 0.5 to below 1. By the finite sums of Abramowitz and Stegun 26.7.3
/// and 26.7.4 and bisection: exact to about 1e-12.
double student_t(double probability, std::uint32_t degrees);
/// Probability that such a variable lies between -t and t.
double student_between(double t, std::uint32_t degrees);

}  // namespace unknot::simulate
