// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "unknot/support/progress.hpp"

namespace unknot {

/// Yes, no, or stopped before either was known.
enum class SatAnswer : std::uint8_t { satisfiable, unsatisfiable, unknown };

/// When to give up.
struct SatLimits {
  double seconds = 1e9;         ///< depends on the machine
  std::uint64_t conflicts = 0;  ///< of one call of solve(), the same everywhere; 0: any number
};

/// A Boolean formula in clauses, and the solver for it (CaDiCaL: Biere et al. 2020). A literal is a
/// variable's number, from 1, or its negative. Clauses may be added between two calls of solve(); what was
/// learnt stays.
class SatSolver {
 public:
  SatSolver();
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;
  ~SatSolver();

  /// The first of `count` new variables; their numbers are consecutive.
  int new_variables(std::uint32_t count);
  void add_clause(std::span<const int> literals);
  /// Stops with `unknown` at the limits, or when the user wants to stop.
  SatAnswer solve(const SatLimits& limits, const Progress& progress);
  /// In the solution found last.
  [[nodiscard]] bool value(int variable) const;

 private:
  class Deadline;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace unknot
