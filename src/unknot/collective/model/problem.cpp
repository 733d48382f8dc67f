// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

void check_ends(const NodeGraph& graph, Delivery delivery, const MessageEnds& ends) {
  const bool to_owner = delivery == Delivery::reduction;
  require_end(graph, ends.owner, to_owner ? Role::receiver : Role::transmitter);
  require_end(graph, ends.partner, to_owner ? Role::transmitter : Role::receiver);
}

[[noreturn]] void refuse(const char* way, NodeId from, NodeId to) {
  throw InputError(fmt::format("no {} leads from node {} to node {}", way, from.value, to.value));
}

/// The same where many owners have messages for, or of, few partners: a search for each of these.
void check_paths_of_partners(const Problem& problem, const std::vector<NodeId>& partners) {
  std::vector<std::uint32_t> hops;
  const bool to_owner = problem.delivery == Delivery::reduction;
  for (const NodeId n : partners) {
    to_owner ? problem.graph->distances_from(n, hops) : problem.graph->distances_to(n, hops);
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      const NodeId owner = problem.owner[g];
      if (hops[owner.value] == NodeGraph::kUnreached && problem.message_of(g, n) != Problem::kNone)
        to_owner ? refuse("path", n, owner) : refuse("path", owner, n);
    }
  }
}

void check_paths(const Problem& problem) {
  if (problem.routes == nullptr) {
    std::vector<NodeId> partners(problem.partner);
    std::sort(partners.begin(), partners.end());
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    if (partners.size() < problem.groups()) return check_paths_of_partners(problem, partners);
  }
  std::vector<std::uint32_t> hops;
  const bool to_owner = problem.delivery == Delivery::reduction;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const NodeId owner = problem.owner[g];
    to_owner ? problem.graph->distances_to(owner, hops) : problem.graph->distances_from(owner, hops);
    for (const NodeId n : problem.partners(g)) {
      // A broadcast may come to it from another node.
      const bool direct = problem.routes == nullptr || problem.delivery != Delivery::scatter ||
                          problem.routes->reaches(owner, n);
      if (hops[n.value] != NodeGraph::kUnreached && direct) continue;
      refuse(direct ? "path" : "route", to_owner ? n : owner, to_owner ? owner : n);
    }
  }
}

NodeId take_node(const NodeGraph& graph, Cursor& cursor, const std::string& where) {
  const std::string_view rest = cursor.rest();
  const auto number = cursor.decimal(NodeId::kNone - 1);
  if (!number) throw InputError(fmt::format("{}expected a node number, found {}", where, place_shown(rest)));
  if (*number >= graph.node_count()) {
    throw InputError(
        fmt::format("{}there is no node {}; nodes are 0 to {}", where, *number, graph.node_count() - 1));
  }
  return NodeId(static_cast<std::uint32_t>(*number));
}

}  // namespace

void require_end(const NodeGraph& graph, NodeId n, Role role) {
  if (n.value >= graph.node_count()) {
    throw InputError(fmt::format("there is no node {}; nodes are 0 to {}", n.value, graph.node_count() - 1));
  }
  if (graph.has_terminal_nodes() && !graph.is_leaf(n)) {
    throw InputError(fmt::format("node {} is a switch; terminals are nodes {} to {}", n.value,
                                 graph.router_count(), graph.node_count() - 1));
  }
  if (role != Role::receiver && graph.out(n).empty())
    throw InputError(fmt::format("node {} cannot send: no channel leaves it", n.value));
  if (role != Role::transmitter && graph.in(n).empty())
    throw InputError(fmt::format("node {} cannot receive: no channel enters it", n.value));
}

std::uint32_t Problem::group_of(NodeId node) const {
  const auto found = std::lower_bound(owner.begin(), owner.end(), node);
  if (found == owner.end() || *found != node) return kNone;
  return static_cast<std::uint32_t>(found - owner.begin());
}

std::uint32_t Problem::message_of(std::uint32_t group, NodeId node) const {
  const auto begin = partner.begin() + first[group];
  const auto end = partner.begin() + first[group + 1];
  const auto found = std::lower_bound(begin, end, node);
  if (found == end || *found != node) return kNone;
  return static_cast<std::uint32_t>(found - partner.begin());
}

bool Problem::is_gather() const {
  return delivery == Delivery::scatter && groups() > 1 &&
         std::all_of(partner.begin(), partner.end(), [&](NodeId n) { return n == partner.front(); });
}

std::vector<Role> Problem::roles() const {
  std::vector<Role> result(graph->node_count(), Role::switch_only);
  const auto add = [&](NodeId n, Role role) {
    result[n.value] = static_cast<Role>(static_cast<unsigned>(result[n.value]) | static_cast<unsigned>(role));
  };
  const bool to_owner = delivery == Delivery::reduction;
  for (const NodeId n : owner) add(n, to_owner ? Role::receiver : Role::transmitter);
  for (const NodeId n : partner) add(n, to_owner ? Role::transmitter : Role::receiver);
  return result;
}

Problem make_problem(std::string collective, std::shared_ptr<const NodeGraph> graph, Delivery delivery,
                     std::vector<MessageEnds> messages, const ProblemRules& rules) {
  if (rules.send_ports == 0 || rules.receive_ports == 0)
    throw InputError("a node needs one port or more to send and to receive");
  std::erase_if(messages, [](const MessageEnds& ends) { return ends.owner == ends.partner; });
  std::sort(messages.begin(), messages.end());
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  if (messages.empty()) {
    throw InputError(fmt::format(
        "{}: there is no message: a transmitter and another node as receiver are needed", collective));
  }
  if (messages.size() >= Problem::kNone) throw InputError(fmt::format("{}: too many messages", collective));
  Problem problem;
  problem.collective = std::move(collective);
  problem.delivery = delivery;
  problem.send_ports = rules.send_ports;
  problem.receive_ports = rules.receive_ports;
  problem.extra_hops = rules.routes != nullptr ? Problem::kAnyLength : rules.extra_hops;
  problem.repeats = rules.repeats;
  problem.routes = rules.routes;
  problem.partner.reserve(messages.size());
  for (const MessageEnds& ends : messages) {
    check_ends(*graph, delivery, ends);
    if (problem.owner.empty() || problem.owner.back() != ends.owner) {
      if (!problem.owner.empty()) problem.first.push_back(problem.messages());
      problem.owner.push_back(ends.owner);
    }
    problem.partner.push_back(ends.partner);
  }
  problem.first.push_back(problem.messages());
  problem.graph = std::move(graph);
  check_paths(problem);
  return problem;
}

Problem time_reversed(const Problem& problem) {
  auto graph = std::make_shared<const NodeGraph>(problem.graph->reversed());
  const bool scatter = problem.delivery == Delivery::scatter;
  std::vector<MessageEnds> messages;
  messages.reserve(problem.messages());
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) {
      messages.push_back(scatter ? MessageEnds{n, problem.owner[g]} : MessageEnds{problem.owner[g], n});
    }
  }
  ProblemRules rules;
  rules.send_ports = problem.receive_ports;
  rules.receive_ports = problem.send_ports;
  rules.extra_hops = problem.extra_hops;
  rules.repeats = problem.repeats;
  if (problem.routes != nullptr)
    rules.routes = std::make_shared<const PairRoutes>(problem.routes->reversed());
  const Delivery delivery = scatter                                   ? Delivery::scatter
                            : problem.delivery == Delivery::broadcast ? Delivery::reduction
                                                                      : Delivery::broadcast;
  return make_problem(problem.collective, std::move(graph), delivery, std::move(messages), rules);
}

std::vector<NodeId> parse_node_list(const NodeGraph& graph, std::string_view text, const std::string& what) {
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> seen(graph.node_count(), 0);
  Cursor cursor(text);
  const std::string where = what + ": ";
  do {
    const NodeId from = take_node(graph, cursor, where);
    const NodeId to = cursor.eat('-') ? take_node(graph, cursor, where) : from;
    if (to < from)
      throw InputError(fmt::format("{}the range {}-{} runs backwards", where, from.value, to.value));
    for (std::uint32_t n = from.value; n <= to.value; ++n) {
      if (std::exchange(seen[n], 1) == 0) nodes.emplace_back(n);
    }
  } while (cursor.eat(','));
  if (!cursor.at_end())
    throw InputError(fmt::format("{}expected ',' or '-', found {}", where, place_shown(cursor.rest())));
  return nodes;
}

std::vector<MessageEnds> parse_message_list(const NodeGraph& graph, std::string_view text,
                                            const std::string& file) {
  std::vector<MessageEnds> messages;
  Lines lines(text, file);
  while (lines.next()) {
    Cursor cursor(lines.line().substr(0, lines.line().find('#')));
    cursor.skip_blanks();
    if (cursor.at_end()) continue;
    const std::string where = fmt::format("{}:{}: ", file, lines.number());
    const NodeId owner = take_node(graph, cursor, where);
    bool any = false;
    for (;;) {
      const std::string_view before = cursor.rest();
      cursor.skip_blanks();
      if (cursor.at_end()) break;
      if (cursor.rest().size() == before.size())
        lines.fail(fmt::format("expected a blank between node numbers, found {}", place_shown(before)));
      messages.push_back({owner, take_node(graph, cursor, where)});
      any = true;
    }
    if (!any) lines.fail("expected a node and those it has messages for");
  }
  return messages;
}

}  // namespace unknot
