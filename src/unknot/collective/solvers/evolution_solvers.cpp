// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/evolution_solvers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "unknot/collective/evolution/evolution.hpp"
#include "unknot/evolve/catalogue.hpp"
#include "unknot/evolve/streams.hpp"
#include "unknot/evolve/tries.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// What evolution takes beside the parameters of its optimiser.
std::vector<Parameter> with_genome(std::vector<Parameter> own) {
  own.push_back({.name = "generations",
                 .help = "for each number of steps",
                 .fallback = "20000",
                 .min = 1,
                 .max = static_cast<double>(evolve::kMaxGenerations - 1)});
  own.push_back({.name = "stall",
                 .help = "ends after this many generations without a better schedule; 0: never",
                 .fallback = "5000",
                 .max = static_cast<double>(evolve::kMaxGenerations - 1)});
  own.push_back({.name = "tries",
                 .help = "populations, one after another, each until it stalls; generations are those of all",
                 .fallback = "1",
                 .min = 1});
  own.push_back(
      {.name = "longer", .help = "paths this many hops longer than shortest are taken too", .fallback = "0"});
  own.push_back(
      {.name = "paths", .help = "kept of each pair of nodes", .fallback = "4096", .min = 1, .max = 65'536});
  own.push_back({.name = "radius",
                 .help = "broadcasts come from so near, in hops; 0: 1 where a flood will do, else any",
                 .fallback = "0"});
  own.push_back({.name = "greedy",
                 .kind = ParameterKind::real,
                 .help = "share of the mutations that take the step with the fewest conflicts",
                 .fallback = "0",
                 .max = 1});
  own.push_back(
      {.name = "symmetry",
       .help = "schedules alike under this many automorphisms at most; 0: each message has its own gene",
       .fallback = "0"});
  return own;
}

/// The user's wish to stop, or that the time is up: what is prepared before the first generation asks.
class UntilTimeUp final : public Progress {
 public:
  /// From now on so many seconds; 0: no limit.
  UntilTimeUp(const Progress& user, double seconds) : user_(&user), seconds_(seconds) {}
  [[nodiscard]] bool interrupted() const override { return user_->interrupted() || time_up(); }
  [[nodiscard]] bool time_up() const { return seconds_ > 0 && seconds_since(start_) >= seconds_; }

 private:
  const Progress* user_;
  Clock::time_point start_ = Clock::now();
  double seconds_;
};

/// None of the messages is sent.
Solution nothing_yet(const Problem& problem, std::uint32_t steps) {
  Solution none;
  none.steps = steps;
  none.out_of_time = true;
  for (std::uint32_t i = 0; i < steps; ++i) none.schedule.add_step();
  none.conflicts = static_cast<std::uint32_t>(std::min<std::uint64_t>(problem.messages(), UINT32_MAX));
  return none;
}

Solution by_evolution(const evolve::Optimiser& optimiser, const Problem& problem, std::uint32_t steps,
                      const Parameters& p, const SolveOptions& options, Progress& progress) {
  const UntilTimeUp until(progress, options.seconds);
  evolve::RunOptions run;
  run.seed = options.seed;
  run.threads = options.threads;
  run.generations = p.number("generations");
  run.stall = p.number("stall");
  run.exchange = options.exchange;
  run.checkpoint = options.checkpoint;
  if (options.seconds > 0) run.watch = [&](const evolve::Standing& /*standing*/) { return !until.time_up(); };
  GenomeOptions genome;
  genome.limits = {p.number32("longer"), p.number32("paths")};
  genome.radius = p.number32("radius");
  genome.greedy = p.real("greedy");
  genome.symmetry = p.number32("symmetry");
  // Of several processes the first decides when the time is up, once all of them talk.
  genome.progress = options.exchange == nullptr ? static_cast<const Progress*>(&until) : &progress;
  const evolve::LoopSettings loop = evolve::loop_settings(optimiser, p);
  const std::string asked =
      fmt::format("{} steps,{} messages,{} nodes,seed {},{}:{}", steps, problem.messages(),
                  problem.graph->node_count(), options.seed, optimiser.name, p.words());
  const auto evolve = [&](const evolve::Problem& chromosomes) {
    return evolve::run_tries(chromosomes, p.number("tries"), asked, run, [&](const evolve::RunOptions& one) {
      return optimiser.run(chromosomes, p, loop, one, progress);
    });
  };
  try {
    EvolvedSchedule found = evolve_schedule(problem, steps, genome, evolve);
    return {.schedule = std::move(found.schedule),
            .steps = steps,
            .conflicts = found.outcome.cost,
            .evaluations = found.outcome.evaluations,
            .out_of_time = found.outcome.stopped && !found.outcome.reached};
  } catch (const Interrupted&) {
    if (progress.interrupted() || !until.time_up()) throw;
    return nothing_yet(problem, steps);
  }
}

Solver evolution_row(const evolve::Optimiser& optimiser) {
  return {.name = optimiser.name,
          .summary = optimiser.summary,
          .source = "Jaros 2010, chapters 6 and 7",
          .parameters = with_genome(optimiser.parameters),
          .solve =
              [&optimiser](const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                           const SolveOptions& options, Progress& progress) {
                return by_evolution(optimiser, problem, steps, parameters, options, progress);
              },
          .evolves = true};
}

}  // namespace

std::vector<Solver> evolution_solvers() {
  std::vector<Solver> rows;
  for (const evolve::Optimiser& optimiser : evolve::optimisers()) rows.push_back(evolution_row(optimiser));
  return rows;
}

}  // namespace unknot
