// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unknot/slurm/topology/switch_lines.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/slurm/topology/yaml_topologies.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/yaml.hpp"

namespace unknot::slurm {
namespace {

using Kind = YamlValue::Kind;

[[noreturn]] void fail(const std::string& file, const YamlValue& at, const std::string& message) {
  throw InputError(file, at.line, message);
}

SwitchLine read_switch(const YamlValue& one, const std::string& file) {
  if (one.kind != Kind::mapping)
    fail(file, one, "expected a switch, 'switch: NAME' and 'nodes' or 'children'");
  SwitchLine line;
  line.line = one.line;
  for (const auto& [key, value] : one.members) {
    if (value.kind != Kind::scalar || value.text.empty())
      fail(file, value, fmt::format("expected a text for '{}'", shown(key)));
    if (key == "switch") {
      line.name = value.text;
    } else if (key == "nodes") {
      line.hosts = read_host_list(value.text, file, value.line);
    } else if (key == "children") {
      line.switches = read_host_list(value.text, file, value.line);
    } else {
      fail(file, value,
           fmt::format("a switch has no '{}'; {}", shown(key),
                       near_or_all_names(key, {"switch", "nodes", "children"})));
    }
  }
  if (line.name.empty()) fail(file, one, "expected the switch's name, 'switch: NAME'");
  return line;
}

/// Of the topologies with a tree, the cluster's default one or the only one.
const YamlValue& chosen_tree(const YamlValue& document, const std::string& file) {
  std::vector<const YamlValue*> trees;
  for (const YamlValue& topology : document.items) {
    const YamlValue* tree = topology.find("tree");
    if (tree == nullptr) continue;
    if (is_default(topology)) return *tree;
    trees.push_back(tree);
  }
  if (trees.empty()) fail(file, document, "no topology has a 'tree'");
  if (trees.size() > 1) {
    fail(file, document,
         fmt::format("{} topologies have a tree, expected one with 'cluster_default: true'", trees.size()));
  }
  return *trees.front();
}

}  // namespace

void require_topologies(const YamlValue& document, const std::string& file) {
  if (document.kind != Kind::sequence)
    fail(file, document, "expected a list of topologies, '- topology: NAME'");
  for (const YamlValue& topology : document.items) {
    if (topology.kind != Kind::mapping || topology.find("topology") == nullptr)
      fail(file, topology, "expected a topology, 'topology: NAME' and what it is");
  }
}

bool is_default(const YamlValue& topology) {
  const YamlValue* value = topology.find("cluster_default");
  return value != nullptr && (value->text == "true" || value->text == "True" || value->text == "yes");
}

TopologyTree read_tree(const YamlValue& tree, const std::string& file) {
  const YamlValue* switches = tree.kind == Kind::mapping ? tree.find("switches") : nullptr;
  if (switches == nullptr || switches->kind != Kind::sequence || switches->items.empty())
    fail(file, tree, "expected a list 'switches' in the tree");
  std::vector<SwitchLine> lines;
  for (const YamlValue& one : switches->items) lines.push_back(read_switch(one, file));
  return join_switches(std::move(lines), file);
}

TopologyTree parse_topology_yaml(std::string_view text, const std::string& file) {
  const YamlValue document = parse_yaml(text, file);
  require_topologies(document, file);
  return read_tree(chosen_tree(document, file), file);
}

bool is_topology_yaml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t start = text.substr(0, end).find_first_not_of(" \t\r");
    if (start != std::string_view::npos && text[start] != '#')
      return std::string_view("-[%{").find(text[start]) != std::string_view::npos;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

TopologyTree parse_topology(std::string_view text, const std::string& file) {
  return is_topology_yaml(text) ? parse_topology_yaml(text, file) : parse_topology_conf(text, file);
}

}  // namespace unknot::slurm
