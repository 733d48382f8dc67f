// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/support/solve/sat_solver.hpp"

namespace unknot {

/// A Boolean formula that has a solution just where a scatter or broadcast has a schedule of this many steps:
/// no way of a message is left out, so that there is none where the formula has none.
///
/// An arc of capacity c counts as c units. In each step a unit may begin a transfer at its tail, end one at
/// its head, or follow another unit; these say which ways there are in the step, whatever they carry. Every
/// unit of a way has the same label, the owner of the message. A way may begin where the owner's message is:
/// at the owner, and for broadcasts where one has ended in an earlier step. What comes to a node twice is
/// none the better for it and is cut out when a schedule is read. Where lengths are limited, labels also say
/// where a way began and how many hops too many it has made.
///
/// Left out without loss: ways of a message through a node that could begin there itself; for scatters, other
/// orders of the steps than one in which message i is sent within the first i.
class ScheduleFormula {
 public:
  /// Literals of the clauses, roughly. O(nodes + arcs).
  static std::uint64_t literals(const Problem& problem, std::uint32_t steps);

  /// Adds the clauses; a scatter or broadcast and 1 step or more. All are held.
  ScheduleFormula(const Problem& problem, std::uint32_t steps, SatSolver& solver);

  /// The schedule of the solution that the solver has found.
  [[nodiscard]] Schedule schedule() const;

 private:
  struct Pair {
    std::uint32_t before, after;  // units that may follow one another
  };
  void find_units();
  void find_distances();
  void number_variables();
  void add_ways(std::uint32_t step);
  void add_labels(std::uint32_t step);
  void add_origins(std::uint32_t step);
  void add_arrivals(std::uint32_t step);
  void add_rules(std::uint32_t step);
  void add_order();
  void clause(std::initializer_list<int> literals) {
    solver_->add_clause({literals.begin(), literals.size()});
  }
  void clause(const std::vector<int>& literals) { solver_->add_clause(literals); }

  // Literals. Of those that cannot be, the negated constant.
  [[nodiscard]] int label(std::uint32_t step, std::uint32_t group, std::uint32_t unit) const;
  [[nodiscard]] int arrives(std::uint32_t step, std::uint32_t group, std::uint32_t unit) const;
  [[nodiscard]] int begins(std::uint32_t step, std::uint32_t unit) const;
  [[nodiscard]] int ends(std::uint32_t step, std::uint32_t unit) const;
  [[nodiscard]] int follows(std::uint32_t step, std::uint32_t pair) const;
  [[nodiscard]] int used(std::uint32_t step, std::uint32_t unit) const;
  [[nodiscard]] int has(std::uint32_t step, std::uint32_t group, NodeId node) const;  // before the step
  [[nodiscard]] int origin(std::uint32_t step, std::uint32_t node, std::uint32_t excess,
                           std::uint32_t unit) const;
  /// Hops too many that a unit adds to ways from a node.
  [[nodiscard]] std::uint32_t excess(std::uint32_t node, std::uint32_t unit) const;
  [[nodiscard]] std::uint32_t units() const { return static_cast<std::uint32_t>(arc_of_.size()); }

  const Problem* problem_;
  const NodeGraph* graph_;
  std::uint32_t steps_;
  SatSolver* solver_;
  bool broadcast_, limited_;
  std::uint32_t excesses_ = 1;                    // how many there may be, from none on
  std::vector<ArcId> arc_of_;                     // by unit
  std::vector<std::uint32_t> unit_first_;         // by arc, and one more
  std::vector<Pair> pairs_;                       // by their first unit
  std::vector<std::uint32_t> pair_first_;         // by unit, and one more
  std::vector<std::vector<std::uint32_t>> into_;  // by unit: pairs that end with it
  std::vector<std::uint32_t> distance_;           // by pair of nodes
  std::vector<std::uint32_t> message_;            // by group and node: what it is to get; kNone: nothing
  std::vector<std::uint8_t> sends_, receives_;    // by node
  int true_ = 0, label_ = 0, arrives_ = 0, begins_ = 0, ends_ = 0, follows_ = 0, used_ = 0, has_ = 0,
      origin_ = 0;
};

}  // namespace unknot
