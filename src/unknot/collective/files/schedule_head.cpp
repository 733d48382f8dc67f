// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/schedule_head.hpp"

#include "unknot/collective/model/joined_groups.hpp"
#include "unknot/support/files/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace unknot {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_list(std::string& text, const char* name, const std::optional<std::vector<NodeId>>& nodes) {
  if (nodes) append(text, ", \"{}\": [{}]", name, node_list(*nodes, ", "));
}

void add_messages(std::string& text, const std::optional<std::vector<MessageEnds>>& messages) {
  if (!messages) return;
  text += ", \"messages\": [";
  for (const MessageEnds& ends : *messages) {
    append(text, "{}[{}, {}]", text.back() == '[' ? "" : ", ", ends.owner.value, ends.partner.value);
  }
  text += "]";
}

std::vector<NodeId> with_role(const std::vector<Role>& roles, Role role) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if ((static_cast<unsigned>(roles[n]) & static_cast<unsigned>(role)) != 0) nodes.emplace_back(n);
  }
  return nodes;
}

std::vector<MessageEnds> ends_of(const Problem& problem) {
  std::vector<MessageEnds> messages;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) messages.push_back({problem.owner[g], n});
  }
  return messages;
}

/// The first of a group is its root, where there is one.
void move_roots_to_front(Participation participation, const Problem& problem,
                         std::vector<std::vector<NodeId>>& groups) {
  if (participation != Participation::one_to_all && participation != Participation::all_to_one) return;
  const bool owners = participation == Participation::one_to_all || problem.delivery == Delivery::reduction;
  std::vector<std::uint8_t> is_root(problem.graph->node_count(), 0);
  for (const NodeId n : owners ? problem.owner : problem.partner) is_root[n.value] = 1;
  for (std::vector<NodeId>& group : groups)
    std::stable_partition(group.begin(), group.end(), [&](NodeId n) { return is_root[n.value] != 0; });
}

/// How many messages there are from each of some nodes to each other one of some; both ascending.
std::uint64_t all_pairs(const std::vector<NodeId>& from, const std::vector<NodeId>& to) {
  std::vector<NodeId> both;
  std::set_intersection(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(both));
  return std::uint64_t{from.size()} * to.size() - both.size();
}

}  // namespace

std::string node_list(std::span<const NodeId> nodes, const char* between) {
  std::string text;
  for (const NodeId n : nodes) append(text, "{}{}", text.empty() ? "" : between, n.value);
  return text;
}

Participants participants_of(const Problem& problem) {
  Participants who;
  const std::vector<Role> roles = problem.roles();
  std::vector<NodeId> transmitters = with_role(roles, Role::transmitter);
  std::vector<NodeId> receivers = with_role(roles, Role::receiver);
  std::vector<NodeId>& all = who.nodes.emplace();
  std::set_union(transmitters.begin(), transmitters.end(), receivers.begin(), receivers.end(),
                 std::back_inserter(all));
  const Participation participation = find_collective(problem.collective).participation;
  if (participation != Participation::one_to_one && participation != Participation::many_to_many) {
    std::vector<std::vector<NodeId>> groups = joined_groups(problem);
    if (groups.size() > 1) {
      move_roots_to_front(participation, problem, groups);
      who.nodes.reset();
      who.groups = std::move(groups);
      return who;
    }
  }
  switch (participation) {
    case Participation::one_to_all:
      who.root = transmitters.front();
      break;
    case Participation::all_to_one:
      who.root = receivers.front();
      break;
    case Participation::one_to_one:
      who.messages = ends_of(problem);
      break;
    case Participation::many_to_many:
      if (problem.messages() < all_pairs(transmitters, receivers)) {
        who.messages = ends_of(problem);
        break;
      }
      [[fallthrough]];
    case Participation::all_to_all:
    case Participation::to_all_after:
      if (transmitters != all || receivers != all) {
        who.transmitters = std::move(transmitters);
        who.receivers = std::move(receivers);
      }
  }
  return who;
}

std::string schedule_head(const std::string& fabric, const std::string& faults, const std::string& collective,
                          const Participants& who) {
  std::string text = "{";
  if (!fabric.empty()) text += "\"fabric\": " + quoted(fabric) + ", ";
  if (!faults.empty()) text += "\"fail\": " + quoted(faults) + ", ";
  text += "\"collective\": " + quoted(collective);
  add_list(text, "terminals", who.nodes);
  if (who.root) append(text, ", \"root\": {}", who.root->value);
  add_list(text, "transmitters", who.transmitters);
  add_list(text, "receivers", who.receivers);
  add_messages(text, who.messages);
  if (who.groups) {
    text += ", \"groups\": [";
    for (const std::vector<NodeId>& group : *who.groups)
      append(text, "{}[{}]", text.back() == '[' ? "" : ", ", node_list(group, ", "));
    text += "]";
  }
  return text;
}

}  // namespace unknot
