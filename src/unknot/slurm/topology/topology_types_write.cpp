// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

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
  text += fmt::format("        nodes: \"{}\"\n        placements:\n", compress_host_list(torus.nodes));
  for (const Extents& shape : torus.placements)
    text += "          - dims:\n" + extents_lines(shape, "              ");
  return text;
}

}  // namespace unknot::slurm
