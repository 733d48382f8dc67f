// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "unknot/collective/evolution/broadcast_genome.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/evolve/run.hpp"

namespace unknot {

struct EvolvedSchedule {
  Schedule schedule;  ///< of the best individual; with conflicts where outcome.cost is not 0
  evolve::Outcome outcome;
};

/// Runs an optimiser on chromosomes of schedules.
using RunOptimiser = std::function<evolve::Outcome(const evolve::Problem&)>;

/// The best schedule of this many steps that evolution finds; of a reduction by way of the broadcast that it
/// reverses. It is valid where the cost is 0, which check_schedule() says again without knowing of costs.
/// InputError as the genomes and `run`; Interrupted. [Jaros 2010, chapters 6 and 7]
EvolvedSchedule evolve_schedule(const Problem& problem, std::uint32_t steps, const GenomeOptions& genome,
                                const RunOptimiser& run);

struct EvolutionOptions {
  std::string optimiser = "umda";  ///< spec of the catalogue of optimisers
  GenomeOptions genome;
  evolve::RunOptions run;
};

/// The same with an optimiser by its spec.
EvolvedSchedule evolve_schedule(const Problem& problem, std::uint32_t steps, const EvolutionOptions& options,
                                Progress& progress);

}  // namespace unknot
