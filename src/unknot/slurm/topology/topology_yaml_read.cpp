// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "unknot/slurm/topology/switch_lines.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/yaml.hpp"

namespace unknot::slurm {
namespace {

using Kind = YamlValue::Kind;

class YamlReader {
 public:
  explicit YamlReader(const std::string& file) : file_(file) {}

  TopologyTree run(std::string_view text) {
    const YamlValue document = parse_yaml(text, file_);
    const YamlValue& tree = chosen_tree(document);
    const YamlValue* switches = tree.kind == Kind::mapping ? tree.find("switches") : nullptr;
    if (switches == nullptr || switches->kind != Kind::sequence || switches->items.empty())
      fail(tree, "expected a list 'switches' in the tree");
    std::vector<SwitchLine> lines;
    for (const YamlValue& one : switches->items) lines.push_back(read_switch(one));
    return join_switches(std::move(lines), file_);
  }

 private:
  [[noreturn]] void fail(const YamlValue& at, const std::string& message) const {
    throw InputError(file_, at.line, message);
  }

  /// Of the topologies with a tree, the cluster's default one or the only one.
  const YamlValue& chosen_tree(const YamlValue& document) const {
    if (document.kind != Kind::sequence) fail(document, "expected a list of topologies, '- topology: NAME'");
    std::vector<const YamlValue*> trees;
    for (const YamlValue& topology : document.items) {
      if (topology.kind != Kind::mapping || topology.find("topology") == nullptr)
        fail(topology, "expected a topology, 'topology: NAME' and what it is");
      const YamlValue* tree = topology.find("tree");
      if (tree == nullptr) continue;
      if (is_default(topology)) return *tree;
      trees.push_back(tree);
    }
    if (trees.empty()) fail(document, "no topology has a 'tree'");
    if (trees.size() > 1) {
      fail(document,
           fmt::format("{} topologies have a tree, expected one with 'cluster_default: true'", trees.size()));
    }
    return *trees.front();
  }

  static bool is_default(const YamlValue& topology) {
    const YamlValue* value = topology.find("cluster_default");
    return value != nullptr && (value->text == "true" || value->text == "True" || value->text == "yes");
  }

  SwitchLine read_switch(const YamlValue& one) const {
    if (one.kind != Kind::mapping) fail(one, "expected a switch, 'switch: NAME' and 'nodes' or 'children'");
    SwitchLine line;
    line.line = one.line;
    for (const auto& [key, value] : one.members) {
      if (value.kind != Kind::scalar || value.text.empty())
        fail(value, fmt::format("expected a text for '{}'", shown(key)));
      if (key == "switch") {
        line.name = value.text;
      } else if (key == "nodes") {
        line.hosts = read_host_list(value.text, file_, value.line);
      } else if (key == "children") {
        line.switches = read_host_list(value.text, file_, value.line);
      } else {
        fail(value, fmt::format("a switch has no '{}'; {}", shown(key),
                                near_or_all_names(key, {"switch", "nodes", "children"})));
      }
    }
    if (line.name.empty()) fail(one, "expected the switch's name, 'switch: NAME'");
    return line;
  }

  std::string file_;
};

}  // namespace

TopologyTree parse_topology_yaml(std::string_view text, const std::string& file) {
  return YamlReader(file).run(text);
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
