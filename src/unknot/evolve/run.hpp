// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "unknot/evolve/breeder.hpp"
#include "unknot/evolve/exchange.hpp"
#include "unknot/evolve/outcome.hpp"
#include "unknot/evolve/problem.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::evolve {

class Checkpoint;

/// How far a run is.
struct Standing {
  std::uint64_t generation = 0;
  std::uint64_t evaluations = 0;  ///< calls of Evaluator::cost
  Cost best_cost = 0;
  /// Valid during the call only. Empty where several processes share the islands: it may be another's.
  std::span<const Value> best;
};

struct RunOptions {
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;               ///< 0: all of the machine
  std::uint64_t generations = 10'000;      ///< ends after this many
  std::uint64_t stall = 0;                 ///< ends after this many without a better best; 0: never
  std::uint64_t evaluations = UINT64_MAX;  ///< begins no generation once there were this many
  Cost target = 0;                         ///< ends when the best costs no more
  /// Called after each generation by the thread that runs evolve(); false ends the run. A limit in seconds
  /// belongs here (and gives up reproducibility). Where several processes share the islands all must have
  /// one, that of process 0 is called, and only after generations in which they talk.
  std::function<bool(const Standing&)> watch;
  Exchange* exchange = nullptr;  ///< among the processes that share the islands; nullptr: there is one
  /// Where the population is kept, now and then and when the run is stopped or interrupted; one that is there
  /// is taken in place of the first, and the outcome is as if it had come to that in one go. nullptr: none.
  Checkpoint* checkpoint = nullptr;
};

/// Settings that every optimiser shares. Thesis: Jaros 2010, section 7.1.
struct LoopSettings {
  std::uint32_t population = 100;  ///< members of an island, at least 2
  double replaced = 2.0 / 3;       ///< share of the members whose places the children take; the rest stay
  double mutation = 0.9;           ///< share of the children that are mutated
  std::uint32_t islands = 1;
  std::uint32_t interval = 20;  ///< generations between migrations
  std::uint32_t migrants = 1;   ///< individuals that go from each island to the next
};

/// Children that an island makes in a generation: at least one.
std::uint32_t children_of(const LoopSettings& settings);

/// The chromosome is one that evolution on this problem can hold, and costs so much: of the right length,
/// values within their cardinalities, legal.
bool fits(const Problem& problem, std::span<const Value> chromosome, Cost cost);

/// Steady-state evolution: each generation, the worst `replaced` of each island make room for children, which
/// are mutated, repaired and evaluated; neighbouring islands exchange their best. Deterministic: depends on
/// the seed and the settings, not on the threads, nor on the processes that share the islands: all of them
/// get the same outcome. Memory: islands x (population + children) rows, taken at the start. InputError for
/// more processes than islands, for a checkpoint of several processes, and for one whose population is not of
/// this problem; throws Interrupted.
Outcome run(const Problem& problem, Breeder& breeder, const LoopSettings& settings, const RunOptions& options,
            Progress& progress);

}  // namespace unknot::evolve
