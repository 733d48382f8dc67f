// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/sat_solver.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <chrono>

namespace unknot {

class SatSolver::Deadline : public CaDiCaL::Terminator {
 public:
  bool terminate() override {
    return progress != nullptr && (std::chrono::steady_clock::now() >= end || progress->interrupted());
  }
  std::chrono::steady_clock::time_point end;
  const Progress* progress = nullptr;
};

struct SatSolver::Parts {
  CaDiCaL::Solver solver;
  Deadline deadline;
  int variables = 0;
};

SatSolver::SatSolver() : parts_(std::make_unique<Parts>()) {
  parts_->solver.set("quiet", 1);
  parts_->solver.connect_terminator(&parts_->deadline);
}

SatSolver::~SatSolver() {
  parts_->solver.disconnect_terminator();
}

int SatSolver::new_variables(std::uint32_t count) {
  const int first = parts_->variables + 1;
  parts_->variables += static_cast<int>(count);
  parts_->solver.reserve(parts_->variables);
  return first;
}

void SatSolver::add_clause(std::span<const int> literals) {
  for (const int literal : literals) parts_->solver.add(literal);
  parts_->solver.add(0);
}

SatAnswer SatSolver::solve(const SatLimits& limits, const Progress& progress) {
  if (limits.seconds <= 0 || progress.interrupted()) return SatAnswer::unknown;
  constexpr double kLongest = 1e9;  // seconds; the clock counts no more than some centuries
  parts_->deadline.end = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double>(std::min(limits.seconds, kLongest)));
  constexpr std::uint64_t kMostConflicts = 2'000'000'000;
  if (limits.conflicts > 0) {
    parts_->solver.limit("conflicts", static_cast<int>(std::min(limits.conflicts, kMostConflicts)));
  }
  parts_->deadline.progress = &progress;
  const int status = parts_->solver.solve();
  parts_->deadline.progress = nullptr;
  constexpr int kSatisfiable = 10;
  constexpr int kUnsatisfiable = 20;
  if (status == kSatisfiable) return SatAnswer::satisfiable;
  return status == kUnsatisfiable ? SatAnswer::unsatisfiable : SatAnswer::unknown;
}

bool SatSolver::value(int variable) const {
  return parts_->solver.val(variable) > 0;
}

}  // namespace unknot
