// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/topology_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/slurm/topology/comment_lines.hpp"
#include "unknot/support/text/host_list.hpp"

namespace unknot::slurm {
namespace {

std::string children_of(const TopologyTree& tree, const TopologyTree::Switch& one) {
  std::vector<std::string> names;
  for (const std::uint32_t child : one.children) names.push_back(tree.switches[child].name);
  return compress_host_list(names);
}

}  // namespace

std::string comment_lines(std::string_view comment) {
  std::string text;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    text += fmt::format("# {}\n", comment.substr(0, end));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return text;
}

std::string topology_conf(const TopologyTree& tree, std::string_view comment) {
  std::string text = comment_lines(comment);
  for (const TopologyTree::Switch& one : tree.switches) {
    text += one.level == 0 ? fmt::format("SwitchName={} Nodes={}\n", one.name, compress_host_list(one.hosts))
                           : fmt::format("SwitchName={} Switches={}\n", one.name, children_of(tree, one));
  }
  return text;
}

std::string topology_yaml(const TopologyTree& tree, std::string_view comment) {
  std::string text = comment_lines(comment);
  text += "- topology: unknot\n  cluster_default: true\n  tree:\n    switches:\n";
  for (std::size_t i = tree.switches.size(); i-- > 0;) {
    const TopologyTree::Switch& one = tree.switches[i];
    text += fmt::format("      - switch: \"{}\"\n        {}: \"{}\"\n", one.name,
                        one.level == 0 ? "nodes" : "children",
                        one.level == 0 ? compress_host_list(one.hosts) : children_of(tree, one));
  }
  return text;
}

}  // namespace unknot::slurm
