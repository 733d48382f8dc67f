// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// A formula of the thesis for the least number of steps, with the numbers of a problem put in. They are kept
/// beside the bounds of lower_bound.hpp, which have proofs, so that published values can be traced: some of
/// them are printed wrong, and some are no bounds at all. [Jaros 2010, sections 3.3 to 3.5 and 8.1]
struct ThesisFormula {
  std::string equation;  ///< as numbered there
  std::string text;      ///< the formula
  std::string numbers;   ///< what was put in
  std::uint64_t steps = 0;
  bool holds = true;   ///< no schedule has fewer steps
  std::string remark;  ///< erratum, or what the formula leaves open; "" where there is nothing to say
};

/// Those that are about such a problem, in the order of the thesis: 3.3 to 3.6 and 8.2 for one or all nodes,
/// 3.7 and 3.11 to 3.17 for many to many. k is the number of ports a node sends on: the largest where nodes
/// differ, so that the formula holds; of the root for OAS; the smallest that receives for AAB. Reductions and
/// gathers are treated as what they reverse. Bisections are those of the order of node numbers, a plane of a
/// grid, or for up to 20 nodes the least; where none is known the formula is left out.
/// O(messages + nodes * arcs) and 2^19 cuts at most.
std::vector<ThesisFormula> thesis_formulas(const Problem& problem);

}  // namespace unknot
