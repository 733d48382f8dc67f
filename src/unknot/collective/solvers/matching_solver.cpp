// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/matching_solver.hpp"

#include <optional>
#include <utility>

#include "unknot/collective/packing/receiver_matching.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::string why_not_matching(const Problem& problem) {
  if (problem.delivery == Delivery::scatter) return "it is a scatter; messages are not passed on";
  if (problem.groups() == 1) return "it has one owner; a receiver's channels have nothing to choose from";
  return "";
}

/// Tries, one after another, until one leaves nothing out.
Solution by_matchings(const Problem& problem, std::uint32_t steps, std::uint64_t tries,
                      const SolveOptions& options, Progress& progress) {
  const Clock::time_point start = Clock::now();
  const auto time_is_up = [&] { return options.seconds > 0 && seconds_since(start) >= options.seconds; };
  Random random(options.seed);
  const BroadcastLanes arcs = BroadcastLanes::of_arcs(problem);
  ReceiverMatching on_arcs(problem, arcs);
  std::optional<LinkTurns> turns;
  std::optional<ReceiverMatching> by_turns;
  if (problem.graph->link_class() == LinkClass::half_duplex) {
    turns.emplace(problem, steps);
    by_turns.emplace(problem, arcs);
    by_turns->take_turns(*turns);
  }
  Solution best;
  best.steps = steps;
  best.conflicts = Problem::kNone;
  bool tours = true;
  progress.begin("match", tries);
  for (std::uint64_t i = 0; i < tries && best.conflicts > 0; ++i) {
    if (progress.interrupted()) throw Interrupted();
    if (i > 0 && time_is_up()) {
      best.out_of_time = true;
      break;
    }
    const auto take = [&](ReceiverMatching& matching) {
      const std::uint32_t left = matching.run(steps, random);
      ++best.evaluations;
      if (left >= best.conflicts) return;
      best.conflicts = left;
      best.schedule = matching.schedule();
    };
    if (turns && turns->enough()) {
      turns->draw(random);
      take(*by_turns);
    }
    if (best.conflicts > 0) take(on_arcs);
    if (best.conflicts > 0 && tours) {
      const BroadcastLanes tour = BroadcastLanes::of_tour(problem, random);
      tours = tour.count() > 0 || i < 50;
      if (tour.count() > 0) {
        ReceiverMatching on_tour(problem, tour);
        take(on_tour);
      }
    }
    progress.update(i + 1);
  }
  return best;
}

}  // namespace

Solver matching_solver() {
  return {.name = "matching",
          .summary =
              "broadcasts of several owners: in each step each receiver's channels are matched to "
              "messages it lacks, what its neighbours need first",
          .source = "matchings in order of weight: Edmonds 1971; rarest first: Cohen 2003",
          .parameters = {{.name = "tries", .help = "for each number of steps", .fallback = "200", .min = 1}},
          .unsuitable = why_not_matching,
          .solve = [](const Problem& problem, std::uint32_t steps, const Parameters& parameters,
                      const SolveOptions& options, Progress& progress) {
            const std::uint64_t tries = parameters.number("tries");
            if (problem.delivery != Delivery::reduction)
              return by_matchings(problem, steps, tries, options, progress);
            Solution found = by_matchings(time_reversed(problem), steps, tries, options, progress);
            found.schedule = time_reversed(found.schedule, problem.delivery);
            return found;
          }};
}

}  // namespace unknot
