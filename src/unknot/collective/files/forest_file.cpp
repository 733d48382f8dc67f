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

void read_edges(const PlanReader& reader, const Json& row, const std::string& where, Forest& forest,
                std::vector<Forest::Edge>& edges, std::vector<NodeId>& path) {
  if (!row.is_array()) reader.fail(where + ": expected a list of paths");
  edges.reserve(row.size());
  for (std::size_t e = 0; e < row.size(); ++e) {
    path.clear();
    reader.path(row[e], path, [&] { return fmt::format("{}[{}]", where, e); });
    edges.push_back({path.front(), path.back(), forest.add_way(path)});
  }
}

void read_tree(const PlanReader& reader, const Json& row, const std::string& where, Forest& forest,
               std::vector<NodeId>& path) {
  Forest::Tree tree;
  tree.root = reader.node(reader.member(row, "root", where), where + ".root");
  tree.copies = reader.count(reader.member(row, "copies", where), where + ".copies");
  read_edges(reader, reader.member(row, "edges", where), where + ".edges", forest, tree.edges, path);
  if (row.contains("inward")) read_edges(reader, row["inward"], where + ".inward", forest, tree.inward, path);
  if (row.contains("group")) {
    const Json& group = row["group"];
    if (!group.is_number_unsigned() || group.get<std::uint64_t>() > UINT32_MAX)
      reader.fail(where + ".group: expected the number of a group");
    tree.group = group.get<std::uint32_t>();
  }
  forest.trees.push_back(std::move(tree));
}

SwitchPowers read_powers(const PlanReader& reader, const Json& all) {
  SwitchPowers powers;
  if (!all.contains("switches")) return powers;
  const Json& words = all["switches"];
  const char* const expected = "switches: expected a list of \"copy\" and \"combine\"";
  if (!words.is_array()) reader.fail(expected);
  for (const Json& word : words) {
    if (word == "copy") {
      powers.copy = true;
    } else if (word == "combine") {
      powers.sum = true;
    } else {
      reader.fail(expected);
    }
  }
  return powers;
}

std::vector<std::uint32_t> read_sizes(const PlanReader& reader, const Json& all) {
  std::vector<std::uint32_t> sizes;
  if (!all.contains("sizes")) return sizes;
  const Json& list = all["sizes"];
  if (!list.is_array()) reader.fail("sizes: expected a list of whole numbers");
  for (const Json& one : list)
    sizes.push_back(static_cast<std::uint32_t>(reader.count(one, "sizes", kMostShareSize)));
  return sizes;
}

std::vector<NodeImages> read_translations(const PlanReader& reader, const Json& all) {
  std::vector<NodeImages> translations;
  if (!all.contains("translations")) return translations;
  const Json& list = all["translations"];
  if (!list.is_array()) reader.fail("translations: expected a list of lists of nodes");
  translations.reserve(list.size());
  for (std::size_t t = 0; t < list.size(); ++t) {
    const std::string where = fmt::format("translations[{}]", t);
    if (!list[t].is_array()) reader.fail(where + ": expected the image of each node");
    NodeImages& images = translations.emplace_back();
    images.reserve(list[t].size());
    for (const Json& one : list[t]) images.push_back(reader.node(one, where));
  }
  return translations;
}

void add_edges(std::string& text, const char* name, const Forest& forest,
               const std::vector<Forest::Edge>& edges) {
  append(text, ", \"{}\": [", name);
  bool first = true;
  for (const Forest::Edge& edge : edges) {
    append(text, "{}[{}]", first ? "" : ", ", node_list(forest.way(edge.way), ", "));
    first = false;
  }
  text += "]";
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
  document.powers = read_powers(reader, all);
  document.sizes = read_sizes(reader, all);
  document.forest.translations = read_translations(reader, all);
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
  append(text, ", \"copies\": {}", forest.copies);
  if (document.powers.any()) {
    const bool both = document.powers.copy && document.powers.sum;
    append(text, ", \"switches\": [{}]",
           both                   ? "\"copy\", \"combine\""
           : document.powers.copy ? "\"copy\""
                                  : "\"combine\"");
  }
  if (!document.sizes.empty()) {
    text += ", \"sizes\": [";
    for (const std::uint32_t size : document.sizes)
      append(text, "{}{}", text.back() == '[' ? "" : ", ", size);
    text += "]";
  }
  if (!forest.translations.empty()) {
    text += ", \"translations\": [";
    for (const NodeImages& images : forest.translations)
      append(text, "{}\n [{}]", text.back() == '[' ? "" : ",", node_list(images, ", "));
    text += "\n ]";
  }
  text += ", \"trees\": [";
  bool first = true;
  for (const Forest::Tree& tree : forest.trees) {
    append(text, "{}\n {{\"root\": {}, \"copies\": {}", first ? "" : ",", tree.root.value, tree.copies);
    first = false;
    if (document.participants.groups) append(text, ", \"group\": {}", tree.group);
    add_edges(text, "edges", forest, tree.edges);
    if (!tree.inward.empty()) add_edges(text, "inward", forest, tree.inward);
    text += "}";
  }
  return text + "\n]}\n";
}

}  // namespace unknot
