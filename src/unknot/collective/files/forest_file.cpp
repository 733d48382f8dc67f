// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/forest_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot {
namespace {

using Json = nlohmann::json;

void read_tree(const PlanReader& reader, const Json& row, const std::string& where, Forest& forest,
               std::vector<NodeId>& path) {
  Forest::Tree tree;
  tree.root = reader.node(reader.member(row, "root", where), where + ".root");
  tree.copies = reader.count(reader.member(row, "copies", where), where + ".copies");
  const Json& edges = reader.member(row, "edges", where);
  if (!edges.is_array()) reader.fail(where + ".edges: expected a list of paths");
  tree.edges.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    path.clear();
    reader.path(edges[e], path, [&] { return fmt::format("{}.edges[{}]", where, e); });
    tree.edges.push_back({path.front(), path.back(), forest.add_way(path)});
  }
  forest.trees.push_back(std::move(tree));
}

}  // namespace

bool is_forest(std::string_view text) {
  const std::size_t trees = text.find("\"trees\"");
  return trees != std::string_view::npos && trees < text.find("\"steps\"");
}

ForestDocument parse_forest(std::string_view text, const std::string& file) {
  const PlanReader reader(file);
  const Json all = parse_json(text, file);
  if (!all.is_object()) reader.fail("expected an object with \"collective\" and \"trees\"");
  ForestDocument document{reader.head(all), {}};
  document.forest.copies = reader.count(reader.member(all, "copies", ""), "copies");
  const Json& trees = reader.list(all, "trees", "trees");
  document.forest.trees.reserve(trees.size());
  std::vector<NodeId> path;
  for (std::size_t t = 0; t < trees.size(); ++t)
    read_tree(reader, trees[t], fmt::format("trees[{}]", t), document.forest, path);
  return document;
}

std::string forest_json(const ForestDocument& document) {
  const Forest& forest = document.forest;
  std::string text =
      schedule_head(document.fabric, document.faults, document.collective, document.participants);
  append(text, ", \"copies\": {}, \"trees\": [", forest.copies);
  bool first = true;
  for (const Forest::Tree& tree : forest.trees) {
    append(text, "{}\n {{\"root\": {}, \"copies\": {}, \"edges\": [", first ? "" : ",", tree.root.value,
           tree.copies);
    first = false;
    bool first_edge = true;
    for (const Forest::Edge& edge : tree.edges) {
      append(text, "{}[{}]", first_edge ? "" : ", ", node_list(forest.way(edge.way), ", "));
      first_edge = false;
    }
    text += "]}";
  }
  return text + "\n]}\n";
}

}  // namespace unknot
