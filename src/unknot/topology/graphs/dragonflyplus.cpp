// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/global_links.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct Shape {
  std::uint32_t leaves, spines, h;
  GlobalLinks global;
};

Shape shape_from(const Parameters& p) {
  const std::uint32_t spines = p.number32("spines");
  const std::uint32_t h = p.number32("h");
  return {p.number32("leaves"), spines, h, global_links_from("dragonflyplus", p, spines * h)};
}

NetworkSize size_of(const Shape& shape, const TerminalPlacement& terminals) {
  const std::uint64_t groups = shape.global.groups;
  return {saturating_multiply(groups, std::uint64_t{shape.leaves} + shape.spines),
          saturating_add(saturating_multiply(groups, std::uint64_t{shape.leaves} * shape.spines),
                         global_cable_count(shape.global)),
          terminals.total(saturating_multiply(groups, shape.leaves))};
}

TerminalPlacement placement(const Parameters& p) {
  return placement_from(p, p.number32("spines"));
}

Network make(const Shape& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = size_of(shape, terminals);
  const std::uint32_t stride = shape.leaves + shape.spines;
  const std::uint32_t groups = shape.global.groups;
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t leaf = 0; leaf < shape.leaves; ++leaf) {
      for (std::uint32_t spine = 0; spine < shape.spines; ++spine)
        builder.add_cable(RouterId(group * stride + leaf), RouterId(group * stride + shape.leaves + spine));
    }
  }
  const auto spine = [&](std::uint32_t group, std::uint32_t port) {
    return RouterId(group * stride + shape.leaves + port / shape.h);
  };
  for (const GlobalCable& cable : global_cables(shape.global))
    builder.add_cable(spine(cable.group, cable.port), spine(cable.far_group, cable.far_port));
  const std::uint64_t carriers = std::uint64_t{groups} * shape.leaves;
  for (std::uint64_t i = 0; i < carriers; ++i) {
    const auto leaf = static_cast<std::uint32_t>(i / shape.leaves * stride + i % shape.leaves);
    for (std::uint32_t left = terminals.at(i, carriers); left > 0; --left)
      builder.add_terminal(RouterId(leaf));
  }
  return std::move(builder).build();
}

}  // namespace

// Dragonfly+ (Megafly): a group is a complete bipartite graph of leaves, which carry terminals, and spines,
// which carry h global cables each; spines h + 1 groups at most. Group by group, leaves first. Global port k
// of a group is on its spine k / h. As many terminals on a leaf as there are spines by default. [Shpiner et
// al. 2017; Flajslik, Borch, Parker 2018]
Topology dragonflyplus_topology() {
  std::vector<Parameter> parameters{
      {.name = "leaves", .help = "routers of a group that carry terminals", .min = 1, .max = 60'000},
      {.name = "spines", .help = "routers of a group with global cables", .min = 1, .max = 60'000},
      {.name = "h", .help = "global cables of a spine", .min = 1, .max = 60'000}};
  for (Parameter& parameter : global_link_parameters()) parameters.push_back(std::move(parameter));
  return {
      .name = "dragonflyplus",
      .summary = "dragonfly+ of groups of leaves and spines, at most spines h + 1 of them",
      .parameters = std::move(parameters),
      .size = [](const Parameters& p) { return size_of(shape_from(p), placement(p)); },
      .make = [](const Parameters& p) { return make(shape_from(p), placement(p)); },
      .examples = {"dragonflyplus:leaves=2,spines=2,h=2", "dragonflyplus:leaves=3,spines=2,h=2,groups=3,p=1"},
      .spread = TerminalSpread::evenly_on_some};
}

// The same network by the name that others have given it. [Flajslik, Borch, Parker 2018]
Topology megafly_topology() {
  Topology row = dragonflyplus_topology();
  row.name = "megafly";
  row.summary = "another name of dragonflyplus";
  row.examples = {"megafly:leaves=2,spines=2,h=1"};
  return row;
}

}  // namespace unknot
