// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/msccl/msccl_execution.hpp"

namespace unknot::msccl {

std::optional<Fault> find_fault(const Program& program) {
  if (auto fault = find_structural_fault(program)) return fault;
  for (const bool in_place : {false, true}) {
    if (!(in_place ? program.in_place : program.out_of_place)) continue;
    const Layout layout(program, in_place);
    Execution execution;
    if (auto fault = execute(program, layout, execution)) return fault;
    if (auto fault = find_race(program, layout, execution)) return fault;
    if (auto fault = find_broken_promise(program, layout, execution)) return fault;
  }
  return std::nullopt;
}

}  // namespace unknot::msccl
