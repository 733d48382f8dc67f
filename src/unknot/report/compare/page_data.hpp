// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/report/content.hpp"

namespace unknot::report {

/// What a page says, as far as pages are compared. All of it is checked to be of its kind: ids exist, columns
/// have their lengths, words are text.
struct PageData {
  Provenance provenance;
  std::string version;
  std::vector<std::string> summary;
  std::string fabric, fail;
  std::uint64_t terminals = 0, diameter = 0;
  double mean_hops = 0;

  std::string layout;
  bool bent = false;
  std::vector<double> x, y;          ///< by router
  std::vector<std::string> names;    ///< by router
  std::vector<std::uint32_t> homes;  ///< terminals by router
  std::vector<std::uint32_t> group;  ///< by router; empty where nothing folds
  std::vector<std::string> groups, terminal_names;
  std::vector<std::uint32_t> from, to, from_port, to_port;  ///< by channel

  struct Layer {
    std::string name, unit;
    std::vector<double> values;  ///< by channel
  };
  std::vector<Layer> layers;

  struct Step {
    std::uint32_t channel = 0, lane = 0, source = 0, destination = 0;
  };
  struct Routing {
    std::string name, failure;
    std::uint32_t layer = 0;
    bool complete = false, deadlock_free = false, levels_are_lanes = true;
    /// Those of `kRoutingNumbers`, in its order; nothing where the page does not say it.
    std::vector<std::optional<double>> numbers;
    std::vector<double> pairs_by_level;
    std::vector<Step> witness;
  };
  std::vector<Routing> routings;

  struct LoadPoint {
    double load = 0, offered = 0, accepted = 0;
    std::optional<double> latency_mean, latency_p99;  ///< nothing where packets were left behind
    bool saturated = false, deadlock = false;
    std::string state;  ///< as simulate::name_of() has it
    /// The network does not keep up with this load, or packets never arrive.
    [[nodiscard]] bool stops() const { return saturated || deadlock || state == "undelivered"; }
  };
  struct Simulation {
    std::string routing, traffic;
    std::uint32_t lanes = 1, layer = 0;
    std::vector<LoadPoint> points;  ///< at least one
  };
  std::vector<Simulation> simulations;

  struct TimePoint {
    double bytes = 0;      ///< whole, above 0
    double predicted = 0;  ///< seconds, above 0
    std::optional<double> simulated;
  };
  struct Algorithm {
    std::string name, meeting;
    std::uint32_t rounds = 0, most_flows = 0;
    std::vector<TimePoint> points;  ///< at least one
  };
  struct Range {
    double from = 0;  ///< bytes
    std::uint32_t algorithm = 0;
  };
  struct Contest {
    std::string routing, collective;
    std::uint32_t ranks = 0;
    double alpha = 0;
    std::vector<Algorithm> algorithms;  ///< at least one
    std::vector<Range> ranges;          ///< by size
  };
  std::vector<Contest> algorithms;

  struct Transfer {
    std::string words;
    std::uint32_t from = 0, to = 0, colour = 0;  ///< nodes
    std::vector<std::uint32_t> arcs;
  };
  struct ScheduleStep {
    std::uint64_t busy = 0;
    std::vector<Transfer> transfers;
  };
  struct Schedule {
    std::string collective;
    std::uint64_t lower_bound = 0, capacity = 0;
    bool valid = false, bent = false;
    std::vector<std::string> findings, names;  ///< names by node
    std::vector<double> x, y;                  ///< by place
    std::vector<std::uint32_t> node;           ///< by place
    std::vector<std::uint32_t> from, to;       ///< places, by arc
    std::vector<ScheduleStep> steps;
  };
  std::optional<Schedule> schedule;
};

/// Members of a routing that are numbers.
inline constexpr const char* kRoutingNumbers[] = {
    "lost_pairs",    "lanes",     "lanes_needed",
    "max_load",      "min_load",  "mean_load",
    "max_hops",      "mean_hops", "effective_bisection_bandwidth",
    "standard_error"};

}  // namespace unknot::report
