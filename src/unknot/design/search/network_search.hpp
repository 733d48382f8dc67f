// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unknot/design/search/anneal.hpp"
#include "unknot/design/search/lift.hpp"
#include "unknot/design/search/reach.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

inline constexpr std::uint32_t kMostSearchedRouters = 4096;
inline constexpr std::uint32_t kMostSearchedPorts = 64;

/// What a network with a limit on cables is searched for: distances alone, or what it carries besides.
/// Without a limit the sum of distances stands for both.
enum class SearchAim : std::uint8_t { throughput, latency };

struct NetworkSearch {
  std::uint32_t routers = 0;
  std::uint32_t ports = 0;     ///< for cables between routers
  bool optical_cubes = false;  ///< cubes of 4 x 4 x 4 routers of 6 ports, see random_cube_lift()
  std::optional<CableLimit> limit = std::nullopt;  ///< with none, any router may be joined to any
  SearchAim aim = SearchAim::throughput;
  double effort = 1;  ///< steps, in units of the usual
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;  ///< 0: all there are
};

struct FoundNetwork {
  Lift lift;
  LiftDistances distances;
  double mean_distance = 0;
  double least_mean_distance = 0;  ///< no network of these ports and cables has a smaller one
  std::uint64_t steps = 0;         ///< changes that were tried
};

/// The connected network of the smallest mean distance that was found, or that its aim prefers: the total of
/// all loads of an all-to-all is the sum of distances, so that no routing of it carries more than channels
/// over mean distance. Many symmetries at random, each annealed briefly; a third of them at more length, and
/// again. With a limit on cables, symmetries are those of the floor, and a port may stay free. Counts steps,
/// not seconds: the same at any number of threads. InputError for problems without an answer.
FoundNetwork search_network(const NetworkSearch& problem, Progress& progress);

/// No regular graph has a smaller mean distance: as many routers at each distance as a tree has room for.
/// [Cerf, Cowan, Mullin, Stanton 1974] Infinite where ports do not join them.
double least_mean_distance(std::uint32_t routers, std::uint32_t ports);

/// Empty where the network keeps to random_cube_lift()'s rules, judged by ports and routers alone; else one
/// sentence.
std::string broken_cube_rule(const Network& network);

}  // namespace unknot
