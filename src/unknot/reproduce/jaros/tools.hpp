// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/collective/solvers/solver.hpp"
#include "unknot/evolve/checkpoint.hpp"
#include "unknot/reproduce/experiment.hpp"
#include "unknot/reproduce/kept_points.hpp"

// The thesis's three optimisers, and the two benchmarks of Figures 7.1 to 7.5.
namespace unknot::jaros_paper {

inline constexpr std::array<const char*, 3> kTools{"sga", "mboa", "umda"};
inline constexpr std::uint32_t kSga = 0, kMboa = 1, kUmda = 2;
inline constexpr std::array<std::uint32_t, 3> kPopulations{50, 100, 150};

/// A pattern on the hypercube of 16 nodes, one step below what the thesis takes for the lower bound.
struct Benchmark {
  const char* collective;
  std::uint32_t steps;
  const char* options;  ///< of the solver, beyond its tool's
};
/// AAS: Table 8.1 says 9, and 7 to 8 conflicts, as printed, are too few for 7 steps, in which 64 hops too
/// many meet. Broadcasts may come from any distance: the thesis did not restrict the surroundings here.
inline constexpr std::array<Benchmark, 2> kBenchmarks{{{"AAS", 8, ""}, {"AAB", 3, ",radius=4"}}};

inline constexpr std::uint32_t kAas = 0, kAab = 1;

/// One setting of a tool; by default that of the thesis.
struct Setting {
  std::uint32_t benchmark = 0, tool = 0, population = 100;
  double mutation = 0.9, crossover = 0.9;  ///< crossover: of the sga only
  /// Generations without anything better after which a population begins anew; 0: none does.
  std::uint32_t stall = 0;
};

/// Spec of the solver: ends after that many generations, or with a schedule without conflict.
std::string tool_spec(const Setting& setting, std::uint64_t generations);
/// A collective's name, "aas", in the name of a plot.
std::string lower_case(std::string collective);

/// What is kept of a run.
struct Tried {
  std::uint32_t conflicts = 0;  ///< left in the best schedule
  std::uint64_t evaluations = 0;

  /// Calls visit(name, value) for every part as it stands in a file of finished points.
  template <class Result, class Visit>
  static void each_part(Result& result, Visit visit) {
    visit("conflicts", result.conflicts);
    visit("evaluations", result.evaluations);
  }
};

/// Where a point that takes hours is kept while it is under way: beside the file of finished points, named by
/// its key; seconds are those of the calling thread. null where no points are kept.
std::unique_ptr<evolve::Checkpoint> kept_point(const ExperimentRequest& request, const std::string& key);
/// What run(checkpoint or null) gives, kept while it is under way.
template <class Run>
auto run_kept(const ExperimentRequest& request, const std::string& key, Run&& run) {
  const std::unique_ptr<evolve::Checkpoint> kept = kept_point(request, key);
  auto result = run(kept.get());
  if (kept != nullptr) kept->remove();
  return result;
}

/// keep_runs() of runs that take hours: run(cell, number, checkpoint or null, inner progress).
template <class Cell, class Key, class Run>
void keep_long_runs(std::vector<Cell>& cells, const ExperimentRequest& request, Progress& progress, Key&& key,
                    Run&& run) {
  keep_runs(cells, request, progress, key, [&](const Cell& cell, std::uint32_t number, Progress& inner) {
    return run_kept(request, key(cell, number),
                    [&](evolve::Checkpoint* kept) { return run(cell, number, kept, inner); });
  });
}

/// One run on one thread, to the end of its generations or until no conflict is left.
Tried run_setting(const Setting& setting, std::uint64_t generations, std::uint64_t seed, Progress& progress);

}  // namespace unknot::jaros_paper
