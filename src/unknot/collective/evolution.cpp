// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution.hpp"

#include "unknot/collective/scatter_genome.hpp"
#include "unknot/evolve/catalogue.hpp"

namespace unknot {
namespace {

template <class Genome>
EvolvedSchedule evolved(const Genome& genome, const EvolutionOptions& options, Progress& progress) {
  EvolvedSchedule result;
  result.outcome = evolve::optimise(genome, options.optimiser, options.run, progress);
  result.schedule = genome.schedule(result.outcome.best);
  return result;
}

}  // namespace

EvolvedSchedule evolve_schedule(const Problem& problem, std::uint32_t steps, const EvolutionOptions& options,
                                Progress& progress) {
  switch (problem.delivery) {
    case Delivery::scatter:
      return evolved(ScatterGenome(problem, steps, options.genome.limits), options, progress);
    case Delivery::broadcast:
      return evolved(BroadcastGenome(problem, steps, options.genome), options, progress);
    case Delivery::reduction:
      break;
  }
  const Problem forward = time_reversed(problem);
  EvolvedSchedule result = evolved(BroadcastGenome(forward, steps, options.genome), options, progress);
  result.schedule = time_reversed(result.schedule, forward.delivery);
  return result;
}

}  // namespace unknot
