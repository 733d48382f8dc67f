// SPDX-License-Identifier: Apache-2.0
// Slurm's topology.yaml: any input gives a tree, which comes back from what is written of it where names need
// no quotes, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "table_fuzz_fabric.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/support/error.hpp"

namespace {

bool needs_no_quotes(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
         std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace unknot;
  slurm::TopologyTree tree;
  try {
    tree = slurm::parse_topology_yaml(fuzz::text_of(data, size), "topology.yaml");
  } catch (const InputError&) {
    return 0;
  }
  for (const auto& one : tree.switches) {
    if (!needs_no_quotes(one.name)) return 0;
    for (const std::string& host : one.hosts) {
      if (!needs_no_quotes(host)) return 0;
    }
  }
  const auto again = slurm::parse_topology(slurm::topology_yaml(tree, ""), "again");
  if (again.switches.size() != tree.switches.size() ||
      again.switches.back().name != tree.switches.back().name)
    std::abort();
  return 0;
}
