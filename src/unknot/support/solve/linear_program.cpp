// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/solve/linear_program.hpp"

#include <Clp_C_Interface.h>

#include <memory>

namespace unknot {

std::uint32_t LinearProgram::add_row(double lower, double upper) {
  lower_.push_back(lower);
  upper_.push_back(upper);
  return rows() - 1;
}

std::uint32_t LinearProgram::add_column(double cost, std::span<const Entry> entries) {
  for (const Entry& entry : entries) {
    row_.push_back(static_cast<int>(entry.row));
    value_.push_back(entry.value);
  }
  start_.push_back(static_cast<int>(row_.size()));
  cost_.push_back(cost);
  return columns() - 1;
}

LinearProgram::Solution LinearProgram::solve(double seconds) const {
  const std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)> model(Clp_newModel(), &Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  const std::vector<double> zero(cost_.size(), 0);
  const std::vector<double> open(cost_.size(), kInfinity);
  Clp_loadProblem(model.get(), static_cast<int>(columns()), static_cast<int>(rows()), start_.data(),
                  row_.data(), value_.data(), zero.data(), open.data(), cost_.data(), lower_.data(),
                  upper_.data());
  if (seconds < kInfinity) Clp_setMaximumSeconds(model.get(), seconds);
  Clp_initialSolve(model.get());
  Solution solution;
  solution.optimal = Clp_isProvenOptimal(model.get()) != 0;
  if (!solution.optimal) return solution;
  solution.objective = Clp_objectiveValue(model.get());
  const double* const x = Clp_primalColumnSolution(model.get());
  const double* const dual = Clp_dualRowSolution(model.get());
  solution.x.assign(x, x + columns());
  solution.dual.assign(dual, dual + rows());
  return solution;
}

}  // namespace unknot
