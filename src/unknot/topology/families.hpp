// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/topology/topology.hpp"

namespace unknot {

/// Every family of networks, in the order in which they are listed. A new one is a file that defines
/// NAME_topology(), and its name here: docs/add-a-topology.md walks through it.
// clang-format off
#define UNKNOT_TOPOLOGIES(row) \
  row(ring) row(uniring) row(torus) row(mesh) row(full_mesh) row(twisted_torus) row(hypercube) row(hyperx) row(hammingmesh) \
  row(xgft) row(kary_ntree) row(fattree2) row(fattree3) row(oft) row(mlfm) row(sspt) row(kautz) \
  row(debruijn) row(slimfly) row(dragonfly) row(dragonflyplus) row(megafly) row(polarfly) row(polarstar) row(bundlefly) row(fatclique) \
  row(spectralfly) row(xpander) row(jellyfish) row(random) row(deimos) row(odin) row(kring) row(circulant) \
  row(midimew) row(spidergon) row(petersen) row(heawood) row(levi) row(hoffman_singleton) row(amp) row(cube_connected_cycles) row(bcube) row(dcell) \
  row(omega) row(butterfly) row(clos) row(btree) row(fattree) row(fulltree) row(boxes) row(dgx1) row(fat)
// clang-format on

#define UNKNOT_DECLARE_TOPOLOGY(name) Topology name##_topology();
UNKNOT_TOPOLOGIES(UNKNOT_DECLARE_TOPOLOGY)
#undef UNKNOT_DECLARE_TOPOLOGY

}  // namespace unknot
