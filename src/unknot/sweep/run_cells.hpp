// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "unknot/support/progress.hpp"
#include "unknot/sweep/claims.hpp"
#include "unknot/sweep/journal.hpp"
#include "unknot/sweep/plan.hpp"

namespace unknot::sweep {

struct CellsJob {
  std::uint32_t threads = 0;  ///< cells at a time, 0: as many as the machine has
  std::uint32_t part = 0;     ///< of `parts`: where in the plan to begin, so that processes seldom meet
  std::uint32_t parts = 1;
  bool wait = true;  ///< for cells that other processes are at, and do them where these die
};

/// Runs one cell, on any thread, many at a time.
using CellRunner = std::function<Record(const Cell& cell)>;

/// Runs every cell of the plan that the journal does not have, and adds it. Any number of processes may do so
/// at the same time for one folder: each cell is run by one of them, unless that one dies. With `wait` all
/// cells are in the journal afterwards; without, others may still be at some.
///
/// Throws Interrupted when the user wants to stop, and what `run` throws; what is done stays done. Returns
/// the number of cells that this call has run.
std::size_t run_cells(const Plan& plan, Journal& journal, Claims& claims, const CellsJob& job,
                      const CellRunner& run, Progress& progress);

}  // namespace unknot::sweep
