// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "unknot/cli/output/memory.hpp"
#include "unknot/cli/program/run.hpp"
#include "unknot/mpi/processes.hpp"

/// unknot-mpi: the program unknot with the islands of its optimisers shared among the ranks of mpirun. A
/// program of its own, so that unknot neither depends on MPI nor waits for it to begin.
int main(int argc, char** argv) {
  unknot::cli::prepare_heap();
  unknot::mpi::MpiProcesses ranks(argc, argv);
  if (ranks.processes() == 1) return unknot::cli::run(argc, argv);
  // Only rank 0 prints, --help too.
  if (ranks.process() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    return ranks.leave(ranks.give_up("cannot open /dev/null", 2));
  return ranks.leave(unknot::cli::run(argc, argv, &ranks));
}
