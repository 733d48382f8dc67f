// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/combine/combined_schedule.hpp"
#include "unknot/collective/combine/lay_rounds.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What makes schedules with combined messages.
struct CombiningAlgorithm {
  std::string name;
  std::string summary;
  std::string source;  ///< paper, or "ours"
  /// Why it cannot take a collective, "it needs a power of two of nodes"; empty where it can. Asked for
  /// copies that have no root as destination, and for all-reduce and scan; reductions and gathers are made of
  /// these.
  std::function<std::string(const CombinedProblem& problem)> unsuitable = {};
  std::function<CombinedSchedule(const CombinedProblem& problem, const CombiningOptions& options,
                                 Progress& progress)>
      make;
};

/// The catalogue.
const std::vector<CombiningAlgorithm>& combining_algorithms();
/// InputError with the near names where there is none of that name.
const CombiningAlgorithm& find_combining_algorithm(std::string_view name);

/// A schedule, and the collective in the pieces that it was made for.
struct CombinedSolution {
  CombinedProblem problem;
  CombinedSchedule schedule;
};

/// One way to carry out a collective.
struct CombiningChoice {
  std::string name;  ///< "ring", "reduce-scatter + all-gather: ring"
  std::function<CombinedSolution(const CombiningOptions& options, Progress& progress)> make;
};

/// All ways to carry out a collective: the algorithms that take it, in the order of the catalogue; where it
/// reduces to one node, or gathers, those of the problem in reversed time; then what is composed of parts:
///
/// * broadcast: scatter + all-gather, each node passing on a piece of its own [Barnett, Shuler, van de Geijn,
///   Gupta, Payne, Watts 1994];
/// * all-reduce: reduce-scatter + all-gather, reduce + broadcast [Rabenseifner 2004].
///
/// Of several groups also what each group has by itself, laid together (grouped_choices.hpp).
///
/// make() throws InputError where the network does not allow it, and what solve() throws; everything that is
/// returned has been passed by check_combined(), or a std::runtime_error is thrown.
std::vector<CombiningChoice> combining_choices(const CombinedProblem& problem);

}  // namespace unknot
