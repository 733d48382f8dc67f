// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/place/rank_files.hpp"

namespace unknot::place {

/// A C function `int unknot_placed(MPI_Comm comm, MPI_Comm* placed)` that gives the processes of a
/// communicator the ranks of a placement: rank r of `placed` is a process on the host of rank r, and where
/// cores are known the one that is bound to its core. For jobs that are started already, or by a launcher
/// that takes no list of hosts. Needs MPI alone, with cores hwloc too.
std::string communicator_source(const std::vector<std::string>& hosts, const std::vector<CoreSlot>& cores);

}  // namespace unknot::place
