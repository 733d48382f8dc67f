// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace unknot::simulate {

/// What was seen while measuring, by interval of time.
struct Observations {
  std::span<const double> latency_sums;    ///< of the packets created in the interval
  std::span<const double> latency_counts;  ///< how many they are
  std::span<const double> in_flight;       ///< mean number of packets that were created and not yet delivered
  double created_flits = 0;                ///< in all intervals together
  double delivered_flits = 0;              ///< in the same time
  double packet_flits = 1;                 ///< of a packet
  double offered_flits = 0;                ///< what was to be created in that time; 0: not known
};

/// How far a state may be from steady.
struct SteadyStateLimits {
  double trend = 0.10;       ///< change of a mean over the time of measuring, relative to it
  double confidence = 0.99;  ///< with which a trend must be more than chance
  double shortfall = 0.05;   ///< part of the created flits that is not delivered in the same time
  double chance = 0.25;      ///< by which what is created may differ from what was to be, relative to that
};

/// Change of a series over its length by a straight line.
struct Trend {
  double change = 0;         ///< end minus beginning, relative to the mean
  double t = 0;              ///< slope over its standard error
  bool significant = false;  ///< more than chance, at the confidence asked for
};

struct SteadyState {
  bool steady = false;
  Trend latency;
  Trend in_flight;
  double shortfall = 0;
  std::string reason;  ///< of the verdict, one sentence with its numbers
};

/// Part of the created flits that is not delivered in the same time; 0 where none is created.
double shortfall_of(const Observations& seen);

/// The sources fall behind: the shortfall is more than `shortfall`, and more than chance makes of few
/// packets. Packets in flight at either end of the time differ by about the root of twice their mean; twice
/// that, and three packets more, are put down to chance. False where there are fewer than 10 intervals.
bool falls_behind(const Observations& seen, double shortfall);

/// Least-squares line through batches that pass as independent (batch_means()), its slope tested by Student's
/// t. A constant series, and one of less than 10 intervals, has no trend.
Trend trend_of(std::span<const double> sums, std::span<const double> counts, double confidence);

/// Steady: neither the latency of packets by their time of creation nor the number of packets in flight
/// changes by more than `trend` beyond chance, the sources do not fall behind by more than `shortfall`, what
/// they create is about what was to be, so that there are packets and bursts enough, and there are at least
/// 10 intervals to tell. A network past saturation fails at least one: its queues grow.
SteadyState steady_state(const Observations& seen, const SteadyStateLimits& limits = {});

/// The definition with its numbers, to print beside a verdict.
std::string steady_state_definition(const SteadyStateLimits& limits = {});

}  // namespace unknot::simulate
