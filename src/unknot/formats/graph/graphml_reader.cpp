// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <pugixml.hpp>
#include <span>
#include <unordered_map>
#include <utility>

#include "unknot/formats/graph/graph_draft.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/xml_text.hpp"

namespace unknot {
namespace {

/// One attribute that the document declares.
struct Key {
  GraphDraft::NodeField of_nodes = GraphDraft::node_fields;  // node_fields: means nothing to us
  GraphDraft::EdgeField of_edges = GraphDraft::edge_fields;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : xml_(text, file, true), file_(file) {}

  Network run() {
    const pugi::xml_node root = xml_.root("graphml");
    pugi::xml_node graph;
    for (const pugi::xml_node& child : root.children()) {
      if (is(child, "key")) declare(child);
      if (!is(child, "graph")) continue;
      if (graph) xml_.fail(child, "a second graph, expected one");
      graph = child;
    }
    if (!graph) xml_.fail(root, "expected an element <graph>");
    const std::string_view edges = graph.attribute("edgedefault").value();
    if (edges != "directed" && edges != "undirected")
      xml_.fail(graph, "expected edgedefault=\"directed\" or \"undirected\" of the graph");
    // Edges may come before their nodes.
    for (const pugi::xml_node& child : graph.children()) {
      if (is(child, "node")) read_node(child);
    }
    for (const pugi::xml_node& child : graph.children()) {
      if (is(child, "edge")) read_edge(child, edges == "directed");
      if (is(child, "hyperedge")) xml_.fail(child, "a hyperedge, expected edges between two nodes");
    }
    return assemble(draft_, file_);
  }

 private:
  static bool is(const pugi::xml_node& node, const char* name) { return std::strcmp(node.name(), name) == 0; }

  std::string_view required(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) xml_.fail(node, fmt::format("<{}> lacks the attribute '{}'", node.name(), name));
    return found.value();
  }

  void declare(const pugi::xml_node& node) {
    const std::string_view id = required(node, "id");
    const std::string_view use = node.attribute("for").value();
    const std::string_view name = node.attribute("attr.name").value();
    const std::string_view otherwise = node.child("default").child_value();
    const bool has_default = static_cast<bool>(node.child("default"));
    Key key;
    if (use == "node" || use == "all" || use.empty()) {
      key.of_nodes = GraphDraft::node_field(name);
      if (has_default && key.of_nodes != GraphDraft::node_fields) node_defaults_[key.of_nodes] = otherwise;
    }
    if (use == "edge" || use == "all" || use.empty()) {
      key.of_edges = GraphDraft::edge_field(name);
      if (has_default && key.of_edges != GraphDraft::edge_fields) edge_defaults_[key.of_edges] = otherwise;
    }
    if (!keys_.emplace(id, key).second)
      xml_.fail(node, fmt::format("the key \"{}\" is declared already", shown(id)));
  }

  const Key& key_of(const pugi::xml_node& data) {
    const std::string_view id = required(data, "key");
    const auto found = keys_.find(id);
    if (found == keys_.end()) xml_.fail(data, fmt::format("the key \"{}\" is not declared", shown(id)));
    return found->second;
  }

  void once(std::span<bool> seen, std::size_t field, const pugi::xml_node& data) {
    if (seen[field])
      xml_.fail(data, fmt::format("the key \"{}\" is given twice", shown(required(data, "key"))));
    seen[field] = true;
  }

  void read_node(const pugi::xml_node& node) {
    GraphDraft::Node added;
    added.id = required(node, "id");
    added.values = node_defaults_;
    added.line = xml_.line_of(node);
    std::array<bool, GraphDraft::node_fields> seen{};
    for (const pugi::xml_node& child : node.children()) {
      if (is(child, "graph"))
        xml_.fail(child, "a graph inside a node, expected one graph without others inside");
      if (!is(child, "data")) continue;
      const GraphDraft::NodeField field = key_of(child).of_nodes;
      if (field == GraphDraft::node_fields) continue;
      once(seen, field, child);
      added.values[field] = child.child_value();
    }
    const auto [known, is_new] = node_of_.emplace(added.id, static_cast<std::uint32_t>(draft_.nodes.size()));
    if (!is_new) {
      xml_.fail(node, fmt::format("the node \"{}\" is already on line {}", shown(added.id),
                                  draft_.nodes[known->second].line));
    }
    draft_.nodes.push_back(added);
  }

  std::uint32_t end_of(const pugi::xml_node& edge, const char* attribute) {
    const std::string_view id = required(edge, attribute);
    const auto found = node_of_.find(id);
    if (found == node_of_.end()) xml_.fail(edge, fmt::format("no node \"{}\" in this graph", shown(id)));
    return found->second;
  }

  void read_edge(const pugi::xml_node& edge, bool directed) {
    GraphDraft::Edge added;
    added.source = end_of(edge, "source");
    added.target = end_of(edge, "target");
    added.values = edge_defaults_;
    added.line = xml_.line_of(edge);
    const std::string_view own = edge.attribute("directed").value();
    if (!own.empty() && own != "true" && own != "false")
      xml_.fail(edge, fmt::format("directed=\"{}\": expected true or false", shown(own)));
    added.directed = own.empty() ? directed : own == "true";
    std::array<bool, GraphDraft::edge_fields> seen{};
    for (const pugi::xml_node& child : edge.children("data")) {
      const GraphDraft::EdgeField field = key_of(child).of_edges;
      if (field == GraphDraft::edge_fields) continue;
      once(seen, field, child);
      added.values[field] = child.child_value();
    }
    draft_.edges.push_back(added);
  }

  XmlText xml_;
  const std::string& file_;
  std::unordered_map<std::string_view, Key> keys_;
  std::unordered_map<std::string_view, std::uint32_t> node_of_;
  GraphDraft::NodeValues node_defaults_;
  GraphDraft::EdgeValues edge_defaults_;
  GraphDraft draft_;
};

}  // namespace

Network read_graphml(std::string_view text, const std::string& name) {
  return Reader(text, name).run();
}

bool looks_like_graphml(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return begin != std::string_view::npos && head[begin] == '<' &&
         head.find("<graphml") != std::string_view::npos;
}

}  // namespace unknot
