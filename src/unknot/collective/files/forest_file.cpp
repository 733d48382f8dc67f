// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/forest_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot {
namespace {

using Json = nlohmann::json;

class ForestReader {
 public:
  ForestReader(std::string_view text, const std::string& file) : file_(file), all_(parse_json(text, file)) {
    if (!all_.is_object()) fail("expected an object with \"collective\" and \"trees\"");
  }

  ForestDocument read() {
    ForestDocument document;
    document.collective = text("collective", true);
    document.fabric = text("fabric", false);
    document.faults = text("fail", false);
    Participants& who = document.participants;
    if (all_.contains("root")) who.root = node(all_["root"], "root");
    who.nodes = nodes("terminals");
    who.transmitters = nodes("transmitters");
    who.receivers = nodes("receivers");
    document.forest.copies = count(member(all_, "copies", ""), "copies");
    const Json& trees = member(all_, "trees", "");
    if (!trees.is_array()) fail("trees: expected a list of trees");
    document.forest.trees.reserve(trees.size());
    for (std::size_t t = 0; t < trees.size(); ++t)
      read_tree(trees[t], fmt::format("trees[{}]", t), document.forest);
    return document;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError(file_ + ": " + why); }

  const Json& member(const Json& object, const char* name, const std::string& where) const {
    if (!object.is_object()) fail(where + ": expected an object");
    const auto found = object.find(name);
    if (found == object.end())
      fail(fmt::format("{}the member \"{}\" is missing", where.empty() ? "" : where + ": ", name));
    return *found;
  }

  std::string text(const char* name, bool needed) const {
    if (!needed && !all_.contains(name)) return {};
    const Json& value = member(all_, name, "");
    if (!value.is_string()) fail(fmt::format("{}: expected text", name));
    return value.get<std::string>();
  }

  NodeId node(const Json& value, const std::string& where) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= NodeId::kNone)
      fail(where + ": expected a node number");
    return NodeId(value.get<std::uint32_t>());
  }

  std::uint64_t count(const Json& value, const std::string& where) const {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0 || value.get<std::uint64_t>() > kMost)
      fail(fmt::format("{}: expected a whole number from 1 to {}", where, kMost));
    return value.get<std::uint64_t>();
  }

  std::optional<std::vector<NodeId>> nodes(const char* name) const {
    if (!all_.contains(name)) return std::nullopt;
    const Json& list = all_[name];
    if (!list.is_array()) fail(fmt::format("{}: expected a list of node numbers", name));
    std::vector<NodeId> result;
    result.reserve(list.size());
    for (const Json& value : list) result.push_back(node(value, name));
    return result;
  }

  void read_tree(const Json& row, const std::string& where, Forest& forest) {
    Forest::Tree tree;
    tree.root = node(member(row, "root", where), where + ".root");
    tree.copies = count(member(row, "copies", where), where + ".copies");
    const Json& edges = member(row, "edges", where);
    if (!edges.is_array()) fail(where + ".edges: expected a list of paths");
    tree.edges.reserve(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Json& path = edges[e];
      const auto place = [&] { return fmt::format("{}.edges[{}]", where, e); };
      if (!path.is_array() || path.size() < 2)
        fail(place() + ": expected a path, a list of two nodes or more");
      path_.clear();
      for (const Json& value : path) {
        // The place is put into words only where something is wrong.
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= NodeId::kNone)
          fail(place() + ": expected node numbers");
        path_.emplace_back(value.get<std::uint32_t>());
      }
      tree.edges.push_back({path_.front(), path_.back(), forest.add_way(path_)});
    }
    forest.trees.push_back(std::move(tree));
  }

  const std::string& file_;
  Json all_;
  std::vector<NodeId> path_;
};

}  // namespace

bool is_forest(std::string_view text) {
  const std::size_t trees = text.find("\"trees\"");
  return trees != std::string_view::npos && trees < text.find("\"steps\"");
}

ForestDocument parse_forest(std::string_view text, const std::string& file) {
  return ForestReader(text, file).read();
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
