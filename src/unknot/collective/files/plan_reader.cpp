// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/plan_reader.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

bool is_node(const PlanReader::Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() < NodeId::kNone;
}

}  // namespace

void PlanReader::fail(const std::string& why) const {
  throw InputError(file_ + ": " + why);
}

PlanHead PlanReader::head(const Json& all) const {
  PlanHead head;
  head.collective = text(all, "collective", true);
  head.fabric = text(all, "fabric", false);
  head.faults = text(all, "fail", false);
  Participants& who = head.participants;
  if (all.contains("root")) who.root = node(all["root"], "root");
  who.nodes = nodes(all, "terminals");
  who.transmitters = nodes(all, "transmitters");
  who.receivers = nodes(all, "receivers");
  who.messages = messages(all);
  who.groups = groups(all);
  return head;
}

const PlanReader::Json& PlanReader::member(const Json& object, const char* name,
                                           const std::string& where) const {
  if (!object.is_object()) fail(where + ": expected an object");
  const auto found = object.find(name);
  if (found == object.end())
    fail(fmt::format("{}the member \"{}\" is missing", where.empty() ? "" : where + ": ", name));
  return *found;
}

const PlanReader::Json& PlanReader::list(const Json& all, const char* name, const char* of) const {
  const Json& value = member(all, name, "");
  if (!value.is_array()) fail(fmt::format("{}: expected a list of {}", name, of));
  return value;
}

NodeId PlanReader::node(const Json& value, const std::string& where) const {
  if (!is_node(value)) fail(where + ": expected a node number");
  return NodeId(value.get<std::uint32_t>());
}

std::uint64_t PlanReader::count(const Json& value, const std::string& where, std::uint64_t most) const {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0 || value.get<std::uint64_t>() > most)
    fail(fmt::format("{}: expected a whole number from 1 to {}", where, most));
  return value.get<std::uint64_t>();
}

std::string PlanReader::text(const Json& all, const char* name, bool needed) const {
  if (!needed && !all.contains(name)) return {};
  const Json& value = member(all, name, "");
  if (!value.is_string()) fail(fmt::format("{}: expected text", name));
  return value.get<std::string>();
}

std::optional<std::vector<NodeId>> PlanReader::nodes(const Json& all, const char* name) const {
  if (!all.contains(name)) return std::nullopt;
  const Json& values = list(all, name, "node numbers");
  std::vector<NodeId> result;
  result.reserve(values.size());
  for (const Json& value : values) result.push_back(node(value, name));
  return result;
}

std::optional<std::vector<std::vector<NodeId>>> PlanReader::groups(const Json& all) const {
  if (!all.contains("groups")) return std::nullopt;
  std::vector<std::vector<NodeId>> result;
  for (const Json& values : list(all, "groups", "lists of node numbers")) {
    if (!values.is_array()) fail("groups: expected a list of lists of node numbers");
    std::vector<NodeId>& group = result.emplace_back();
    for (const Json& value : values) group.push_back(node(value, "groups"));
  }
  return result;
}

std::optional<std::vector<MessageEnds>> PlanReader::messages(const Json& all) const {
  if (!all.contains("messages")) return std::nullopt;
  const Json& values = list(all, "messages", "pairs of node numbers");
  std::vector<MessageEnds> result;
  result.reserve(values.size());
  for (const Json& value : values) {
    if (!value.is_array() || value.size() != 2) fail("messages: expected pairs of node numbers");
    result.push_back({node(value[0], "messages"), node(value[1], "messages")});
  }
  return result;
}

const char* PlanReader::append_path(const Json& value, std::vector<NodeId>& nodes) {
  if (!value.is_array() || value.size() < 2) return ": expected a path, a list of two nodes or more";
  for (const Json& one : value) {
    if (!is_node(one)) return ": expected node numbers";
    nodes.emplace_back(one.get<std::uint32_t>());
  }
  return nullptr;
}

}  // namespace unknot
