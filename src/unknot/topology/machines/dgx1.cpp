// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/machines/machine.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kGpus = 8;

struct CubeMeshLink {
  std::uint8_t a, b, cables;
};
constexpr std::array<CubeMeshLink, 16> kCubeMesh{{{0, 1, 2},
                                                  {0, 2, 1},
                                                  {0, 3, 1},
                                                  {0, 4, 2},
                                                  {1, 2, 1},
                                                  {1, 3, 2},
                                                  {1, 5, 1},
                                                  {2, 3, 2},
                                                  {2, 6, 2},
                                                  {3, 7, 1},
                                                  {4, 5, 2},
                                                  {4, 6, 1},
                                                  {4, 7, 1},
                                                  {5, 6, 1},
                                                  {5, 7, 2},
                                                  {6, 7, 2}}};

Network make_cube_mesh(const Parameters& p) {
  const auto megabits = megabits_from(p.real("link"));
  if (!megabits) throw InputError(fmt::format("topology dgx1: link: expected {}", kCapacityRule));
  NetworkBuilder builder;
  builder.add_routers(kGpus);
  for (const CubeMeshLink& link : kCubeMesh) {
    for (int cable = 0; cable < link.cables; ++cable) {
      builder.add_cable(RouterId(link.a), RouterId(link.b));
      builder.set_capacity(*megabits, *megabits);
    }
  }
  place_terminals(builder, RouterId(0), kGpus, placement_from(p));
  builder.set_description("dgx1: eight GPUs in a hybrid cube mesh");
  return std::move(builder).build();
}

}  // namespace

// NVIDIA's DGX-1 with V100: six NVLinks for each GPU, 25 GB/s each way. The eight pairs 0-1-3-2-6-7-5-4-0, a
// ring, have two of them; the numbers are those of the driver, as SCCL and its successors have them [Cai et
// al., PPoPP 2021, figure 1; msccl-tools, msccl/topologies/nvidia.py].
Topology dgx1_topology() {
  return {.name = "dgx1",
          .summary = "eight GPUs in a hybrid cube mesh, six links each, eight pairs joined twice",
          .parameters = {{.name = "link",
                          .kind = ParameterKind::real,
                          .help = "Gb/s of a link, each way",
                          .fallback = "200"}},
          .size =
              [](const Parameters& p) {
                NetworkSize size;
                size.routers = kGpus;
                for (const CubeMeshLink& link : kCubeMesh) size.cables += link.cables;
                size.terminals = placement_from(p).total(kGpus);
                return size;
              },
          .make = make_cube_mesh,
          .examples = {"dgx1", "dgx1:160,p=2"}};
}

}  // namespace unknot
