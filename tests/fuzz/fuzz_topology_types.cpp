// SPDX-License-Identifier: Apache-2.0
// Slurm's topology.yaml of blocks, rings and toruses: any input gives one that comes back from what is
// written of it where names need no quotes, or an InputError.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "table_fuzz_fabric.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/support/error.hpp"

namespace {

using namespace unknot::slurm;

bool plain(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
         std::string::npos;
}

bool plain(const std::vector<NodeGroup>& groups) {
  for (const NodeGroup& group : groups) {
    if (!plain(group.name)) return false;
    for (const std::string& node : group.nodes)
      if (!plain(node)) return false;
  }
  return true;
}

bool same(const std::vector<NodeGroup>& a, const std::vector<NodeGroup>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].name != b[i].name || a[i].nodes != b[i].nodes) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  AnyTopology read;
  try {
    read = parse_any_topology(unknot::fuzz::text_of(data, size), "topology.yaml");
  } catch (const unknot::InputError&) {
    return 0;
  }
  if (const auto* blocks = std::get_if<Blocks>(&read)) {
    if (!plain(blocks->blocks) || blocks->sizes.empty()) return 0;
    const auto again = std::get<Blocks>(parse_any_topology(blocks_yaml(*blocks, ""), "again"));
    if (again.sizes != blocks->sizes || !same(again.blocks, blocks->blocks)) std::abort();
  }
  if (const auto* rings = std::get_if<Rings>(&read)) {
    if (!plain(rings->rings)) return 0;
    const auto again = std::get<Rings>(parse_any_topology(rings_yaml(*rings, ""), "again"));
    if (!same(again.rings, rings->rings)) std::abort();
  }
  if (const auto* torus = std::get_if<NamedTorus>(&read)) {
    if (!plain(torus->name)) return 0;
    for (const std::string& node : torus->nodes)
      if (!plain(node)) return 0;
    const auto again = std::get<NamedTorus>(parse_any_topology(torus_yaml(*torus, ""), "again"));
    if (again.dims != torus->dims || again.nodes != torus->nodes || again.placements != torus->placements)
      std::abort();
  }
  return 0;
}
