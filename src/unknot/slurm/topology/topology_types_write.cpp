// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "unknot/slurm/topology/comment_lines.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/support/text/host_list.hpp"

namespace unknot::slurm {
namespace {

std::string head(std::string_view comment, const char* type) {
  return comment_lines(comment) + fmt::format("- topology: unknot\n  cluster_default: true\n  {}:\n", type);
}

std::string group_lines(const std::vector<NodeGroup>& groups, const char* list, const char* one) {
  std::string text = fmt::format("    {}:\n", list);
  for (const NodeGroup& group : groups) {
    text += fmt::format("      - {}: \"{}\"\n        nodes: \"{}\"\n", one, group.name,
                        compress_host_list(group.nodes));
  }
  return text;
}

std::string extents_lines(const Extents& extents, const std::string& indent) {
  return fmt::format("{0}x: {1}\n{0}y: {2}\n{0}z: {3}\n", indent, extents[0], extents[1], extents[2]);
}

/// Boxes that together hold all nodes, each as long, then as wide, then as high as the nodes left allow.
std::string region_lines(const NamedTorus& torus) {
  Torus places;
  places.dims = torus.dims;
  std::vector<bool> open;
  for (const std::string& node : torus.nodes) open.push_back(!node.empty());
  std::string text = "        regions:\n";
  const auto for_each = [&](const Extents& first, const Extents& dims, const auto& visit) {
    for (std::uint32_t z = 0; z < dims[2]; ++z) {
      for (std::uint32_t y = 0; y < dims[1]; ++y) {
        for (std::uint32_t x = 0; x < dims[0]; ++x)
          visit(places.place({first[0] + x, first[1] + y, first[2] + z}));
      }
    }
  };
  for (std::uint32_t p = 0; p < places.places(); ++p) {
    if (!open[p]) continue;
    const Extents first = places.at(p);
    Extents box{1, 1, 1};
    for (std::uint32_t d = 0; d < 3; ++d) {
      for (bool more = true; more && first[d] + box[d] < torus.dims[d];) {
        Extents beyond = first, side = box;
        beyond[d] += box[d];
        side[d] = 1;
        for_each(beyond, side, [&](std::uint32_t place) { more = more && open[place]; });
        if (more) ++box[d];
      }
    }
    std::vector<std::string> nodes;
    for_each(first, box, [&](std::uint32_t place) {
      open[place] = false;
      nodes.push_back(torus.nodes[place]);
    });
    text += "          - anchor:\n" + extents_lines(first, "              ") + "            dims:\n" +
            extents_lines(box, "              ") +
            fmt::format("            nodes: \"{}\"\n", compress_host_list(nodes));
  }
  return text;
}

}  // namespace

std::string blocks_yaml(const Blocks& blocks, std::string_view comment) {
  std::string text = head(comment, "block") + "    block_sizes:\n";
  for (const std::uint32_t size : blocks.sizes) text += fmt::format("      - {}\n", size);
  return text + group_lines(blocks.blocks, "blocks", "block");
}

std::string rings_yaml(const Rings& rings, std::string_view comment) {
  return head(comment, "ring") + group_lines(rings.rings, "rings", "ring");
}

std::string torus_yaml(const NamedTorus& torus, std::string_view comment) {
  std::string text = head(comment, "torus3d");
  text += fmt::format("    toruses:\n      - name: \"{}\"\n        dims:\n", torus.name);
  text += extents_lines(torus.dims, "          ");
  const bool all = std::find(torus.nodes.begin(), torus.nodes.end(), "") == torus.nodes.end();
  text += all ? fmt::format("        nodes: \"{}\"\n", compress_host_list(torus.nodes)) : region_lines(torus);
  text += "        placements:\n";
  for (const CubePlacement& placement : torus.placements) {
    text += "          - dims:\n" + extents_lines(placement.dims, "              ");
    if (placement.spacing != placement.dims)
      text += "            anchor_spacing:\n" + extents_lines(placement.spacing, "              ");
    if (placement.seed != Extents{})
      text += "            anchor_seed:\n" + extents_lines(placement.seed, "              ");
  }
  return text;
}

}  // namespace unknot::slurm
