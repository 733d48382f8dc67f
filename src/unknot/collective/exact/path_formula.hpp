// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/paths/step_resources.hpp"
#include "unknot/support/solve/sat_solver.hpp"

namespace unknot {

/// All paths that the messages of a scatter may take in this many steps. However long paths may be: what all
/// channels carry in all steps, less the hops of shortest paths for all messages, is what one message can go
/// too far at most. Nothing where some pair has more than `most` paths. O(owners * (nodes + arcs)), and the
/// paths.
std::optional<PairPaths> all_paths(const Problem& problem, std::uint32_t steps, std::uint32_t most);

/// A Boolean formula that has a solution just where a scatter has a schedule of this many steps: a variable
/// for each message, path and step. Smaller than ScheduleFormula where there are few paths.
///
/// Steps of a scatter are interchangeable: messages that cannot do without one channel, or one port, for one
/// message are given a step each.
class PathFormula {
 public:
  /// Literals of the clauses, roughly.
  static std::uint64_t literals(const PairPaths& paths, std::uint32_t steps);

  /// Adds the clauses. All are held; `paths` are all paths.
  PathFormula(const Problem& problem, const PairPaths& paths, std::uint32_t steps, SatSolver& solver);

  /// The schedule of the solution that the solver has found.
  [[nodiscard]] Schedule schedule() const;

 private:
  void add_messages();
  void add_resources();
  [[nodiscard]] int sent(std::uint32_t path, std::uint32_t step) const {
    return first_ + static_cast<int>(path * steps_ + step);
  }

  const Problem* problem_;
  const PairPaths* paths_;
  std::uint32_t steps_;
  SatSolver* solver_;
  Symmetry none_;  // the identity alone
  StepResources resources_;
  int first_;
};

}  // namespace unknot
