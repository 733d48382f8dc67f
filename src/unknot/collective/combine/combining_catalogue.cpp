// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combining_catalogue.hpp"

#include <bit>
#include <utility>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/gossip_search.hpp"
#include "unknot/collective/combine/rounds.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// A schedule without combining as one with it: every transfer has one message, all its pieces together.
CombinedSchedule from_schedule(const CombinedProblem& problem, const Schedule& schedule) {
  CombinedSchedule result;
  std::vector<Block> blocks;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    result.add_step();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      blocks.clear();
      if (problem.base.delivery == Delivery::scatter) {
        blocks.push_back({schedule.origin(t), schedule.receiver(t).value});
      } else {
        for (std::uint32_t piece = 0; piece < problem.pieces; ++piece)
          blocks.push_back({schedule.origin(t), piece});
      }
      result.add(schedule.path(t), blocks);
    }
  }
  return result;
}

CombinedSchedule make_direct(const CombinedProblem& problem, const CombiningOptions& options,
                             Progress& progress) {
  SolveOptions solving;
  solving.seed = options.seed;
  solving.threads = options.threads;
  solving.lower_bound = lower_bound(problem.base).steps;
  const Solution found = solve(problem.base, options.solver, solving, progress);
  if (found.conflicts > 0) throw InputError("solver " + options.solver + " has found no schedule");
  return from_schedule(problem, found.schedule);
}

/// Maker for an algorithm in rounds.
template <CombinedSchedule (*Rounds)(const CombinedProblem&)>
CombinedSchedule in_rounds(const CombinedProblem& problem, const CombiningOptions& options,
                           Progress& progress) {
  return lay_rounds(problem, Rounds(problem), options, progress);
}

/// Refuses all shapes but some.
auto takes(std::vector<Shape> shapes, const char* what) {
  return [shapes = std::move(shapes), what](const CombinedProblem& problem) -> std::string {
    for (const Shape shape : shapes) {
      if (shape_of(problem) == shape) return "";
    }
    return std::string("it is for ") + what;
  };
}

std::string refuses_sums(const CombinedProblem& problem) {
  return problem.reduces() ? "it makes no sums for several nodes" : "";
}
std::string refuses_gossip(const CombinedProblem& problem) {
  if (problem.base.routes != nullptr) return "it chooses its paths, and here tables do";
  return refuses_sums(problem);
}

std::string doubling_refuses(const CombinedProblem& problem) {
  if (shape_of(problem) == Shape::complete_exchange && !std::has_single_bit(problem.nodes.size()))
    return "a complete exchange needs a power of two of nodes";
  return takes({Shape::complete_exchange, Shape::all_gather, Shape::all_reduce, Shape::scan},
               "exchanges, gathers and sums of all with all, and for scans")(problem);
}

}  // namespace

const std::vector<CombiningAlgorithm>& combining_algorithms() {
  static const std::vector<CombiningAlgorithm> rows = {
      {"direct", "no combining: the schedule of a solver, every message by itself", "ours", refuses_sums,
       make_direct},
      {"gossip", "few steps on any network: greedy search, transfers carry all that helps", "ours",
       refuses_gossip, gossip_search},
      {"pairwise", "P-1 rounds, in each a permutation, blocks go straight",
       "Thakur, Rabenseifner, Gropp 2005",
       takes({Shape::complete_exchange, Shape::all_gather}, "exchanges and gathers of all with all"),
       in_rounds<pairwise_rounds>},
      {"bruck", "ceil(log2 P) rounds: distances in ranks bit by bit",
       "Bruck, Ho, Kipnis, Upfal, Weathersby 1997",
       takes({Shape::complete_exchange, Shape::all_gather}, "exchanges and gathers of all with all"),
       in_rounds<bruck_rounds>},
      {"ring", "P-1 rounds: every rank passes on to the next", "Thakur, Rabenseifner, Gropp 2005",
       takes({Shape::all_gather, Shape::scan}, "gathers of all with all, and for scans"),
       in_rounds<ring_rounds>},
      {"recursive-doubling", "log2 P rounds: exchange with the rank that differs in a bit",
       "Thakur, Rabenseifner, Gropp 2005; scan: Hillis, Steele 1986", doubling_refuses,
       in_rounds<recursive_doubling_rounds>},
      {"binomial", "ceil(log2 P) rounds: who has something sends half of it",
       "Thakur, Rabenseifner, Gropp 2005",
       takes({Shape::one_to_all_scatter, Shape::one_to_all_broadcast}, "one sender or one receiver"),
       in_rounds<binomial_rounds>},
  };
  return rows;
}

const CombiningAlgorithm& find_combining_algorithm(std::string_view name) {
  return find_row(combining_algorithms(), "combining algorithm", name);
}

}  // namespace unknot
