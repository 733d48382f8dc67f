// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/support/solve/linear_program.hpp"

namespace unknot {

/// Rows and columns of a linear program that play the same part in it, found by colour refinement: rows of a
/// class have the same bounds and as many entries of each value in each class of columns, columns of a class
/// the same cost and as many entries of each value in each class of rows. The program of the classes has the
/// same optimum, since the mean of a solution over each class is one, too. What symmetry does to a program,
/// with no group looked for. [Grohe, Kersting, Mladenov, Selman: Dimension reduction via colour refinement,
/// ESA 2014]
class ProgramClasses {
 public:
  /// O(entries * rounds of refinement), at most rows + columns rounds and few in practice.
  explicit ProgramClasses(const LinearProgram& program);

  /// A row for each class of rows, a column for each class of columns.
  [[nodiscard]] const LinearProgram& program() const { return small_; }
  /// The solution of the whole program that a solution of program() stands for: alike in a class.
  [[nodiscard]] LinearProgram::Solution whole(const LinearProgram::Solution& small) const;

 private:
  std::vector<std::uint32_t> row_class_, column_class_;
  std::vector<std::uint32_t> rows_in_;  // by class
  LinearProgram small_;
};

}  // namespace unknot
