// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/tries.hpp"

#include <algorithm>
#include <utility>

#include "unknot/evolve/checkpoint.hpp"

namespace unknot::evolve {
namespace {

/// Of all so far, with one more.
Outcome joined(Outcome best, Outcome next) {
  next.generations += best.generations;
  next.evaluations += best.evaluations;
  if (next.cost >= best.cost) {
    std::swap(next.best, best.best);
    std::swap(next.cost, best.cost);
  }
  return next;
}

}  // namespace

Outcome run_tries(const Problem& problem, std::uint64_t tries, const std::string& asked,
                  const RunOptions& options, const std::function<Outcome(const RunOptions&)>& once) {
  constexpr std::uint64_t kApart = 0x9E3779B97F4A7C15U;
  Search alone;
  Search& search = options.checkpoint == nullptr ? alone : options.checkpoint->next(asked);
  if (search.tries > 0) {
    if (!fits(problem, search.outcome.best, search.outcome.cost))
      options.checkpoint->refuse("the best of its search is none of this problem");
    if (search.tries > tries || search.outcome.generations > options.generations ||
        search.outcome.reached != (search.outcome.cost <= options.target))
      options.checkpoint->refuse("its search is of another number of populations or generations");
  }
  while (!search.finished) {
    RunOptions one = options;
    one.seed = options.seed + search.tries * kApart;
    one.generations = options.generations - search.outcome.generations;
    Outcome outcome = once(one);
    if (search.tries > 0) outcome = joined(search.outcome, std::move(outcome));
    if (outcome.stopped && !outcome.reached) return outcome;
    search.outcome = std::move(outcome);
    ++search.tries;
    search.finished =
        search.outcome.reached || search.tries >= tries || search.outcome.generations >= options.generations;
    if (options.checkpoint != nullptr) options.checkpoint->ended();
  }
  return search.outcome;
}

}  // namespace unknot::evolve
