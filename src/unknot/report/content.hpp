// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/verify/verify.hpp"

/// What a page shows: results of the other rooms, put side by side. Nothing here computes a result.
namespace unknot::report {

/// Most channels a page takes: its file is then some 20 megabytes.
inline constexpr std::uint32_t kMostChannels = 1'000'000;

/// Where a page comes from, for its foot.
struct Provenance {
  std::string title;    ///< "": the fabric's name
  std::string date;     ///< as the user gave it; "": none, so that the same command writes the same bytes
  std::string command;  ///< that wrote it, without what does not change the page; "": not known
};

/// One engine, or third-party tables, with what the independent checker says of it.
struct RoutingPart {
  std::string name;     ///< engine as the user wrote it, or file
  std::string failure;  ///< where there are no tables: one sentence; nothing below has a meaning then
  std::uint32_t lanes = 1, lanes_needed = 1;
  Verdict verdict;
  std::vector<std::uint64_t> load;  ///< by channel: pairs of terminals whose path takes it
  std::optional<Congestion> congestion;
  /// Ordered pairs of terminals by service level; those without a level are left out.
  std::vector<std::uint64_t> pairs_by_level;
  bool levels_are_lanes = true;  ///< false: SL-to-VL tables lie between
};

/// One routing under steady traffic at several loads.
struct SimulationPart {
  std::string routing;
  std::string traffic;
  std::uint32_t lanes = 1;                   ///< that the simulated routers have
  std::vector<simulate::PointMeans> points;  ///< by load
  std::vector<float> utilisation;            ///< by channel, at the last load
};

/// A schedule of a collective.
struct SchedulePart {
  Problem problem;
  Schedule schedule;
  ScheduleVerdict verdict;
  std::uint32_t lower_bound = 0;  ///< of steps
};

/// The known algorithms of a collective on one routing, a rank on each host in order.
struct AlgorithmsPart {
  std::string routing;
  std::string collective;
  std::uint32_t ranks = 0;
  double alpha = 0;  ///< seconds that a rank takes to begin a message
  struct Point {
    std::uint64_t bytes = 0;
    double predicted = 0;                  ///< seconds, by the cost model
    std::optional<double> simulated = {};  ///< nothing where it would have been long, or did not complete
  };
  struct Algorithm {
    std::string name;
    std::uint32_t rounds = 0, most_flows = 0;
    std::string meeting;  ///< where most messages meet; empty: free of contention
    std::vector<Point> points;
  };
  std::vector<Algorithm> algorithms;
  std::vector<std::pair<std::uint64_t, std::size_t>> ranges;  ///< from which size on which is the quickest
};

struct Content {
  Provenance provenance;
  std::string fabric;  ///< spec or file, as it was given
  std::string faults;  ///< what --fail left out of it; "": nothing
  Network network;
  DistanceStatistics distances;
  /// By channel: load of uniform traffic that is split evenly over all shortest paths, in what one terminal
  /// can inject. Empty where routings say more.
  std::vector<double> even_load;
  std::vector<RoutingPart> routings;
  std::vector<SimulationPart> simulations;
  std::vector<AlgorithmsPart> algorithms;
  std::optional<SchedulePart> schedule;
};

/// InputError where the network has more than kMostChannels channels.
void require_drawable(const Network& network);

}  // namespace unknot::report
