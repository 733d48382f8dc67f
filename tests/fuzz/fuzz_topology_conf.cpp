// SPDX-License-Identifier: Apache-2.0
// Slurm's topology.conf: any input gives a tree, which comes back from what is written of it, or an
// InputError.
#include <cstddef>
#include <cstdlib>

#include "table_fuzz_fabric.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  try {
    const std::string text =
        slurm::topology_conf(slurm::parse_topology_conf(fuzz::text_of(data, size), "topology.conf"), "");
    if (slurm::topology_conf(slurm::parse_topology_conf(text, "again"), "") != text) std::abort();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
  }
  return 0;
}
