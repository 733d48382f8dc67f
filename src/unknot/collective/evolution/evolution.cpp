// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/evolution.hpp"

#include "unknot/collective/evolution/scatter_genome.hpp"
#include "unknot/evolve/catalogue.hpp"

namespace unknot {
namespace {

template <class Genome>
EvolvedSchedule evolved(const Genome& genome, const RunOptimiser& run) {
  EvolvedSchedule result;
  result.outcome = run(genome);
  result.schedule = genome.schedule(result.outcome.best);
  return result;
}

}  // namespace

EvolvedSchedule evolve_schedule(const Problem& problem, std::uint32_t steps, const GenomeOptions& genome,
                                const RunOptimiser& run) {
  switch (problem.delivery) {
    case Delivery::scatter:
      return evolved(ScatterGenome(problem, steps, genome), run);
    case Delivery::broadcast:
      return evolved(BroadcastGenome(problem, steps, genome), run);
    case Delivery::reduction:
      break;
  }
  const Problem forward = time_reversed(problem);
  EvolvedSchedule result = evolved(BroadcastGenome(forward, steps, genome), run);
  result.schedule = time_reversed(result.schedule, forward.delivery);
  return result;
}

EvolvedSchedule evolve_schedule(const Problem& problem, std::uint32_t steps, const EvolutionOptions& options,
                                Progress& progress) {
  return evolve_schedule(problem, steps, options.genome, [&](const evolve::Problem& genome) {
    return evolve::optimise(genome, options.optimiser, options.run, progress);
  });
}

}  // namespace unknot
