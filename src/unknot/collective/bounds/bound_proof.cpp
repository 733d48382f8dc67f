// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/bound_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "unknot/collective/bounds/length_count.hpp"
#include "unknot/collective/model/pair_routes.hpp"

namespace unknot {
namespace {

std::uint32_t rounded_up(std::uint64_t amount, std::uint64_t a_step) {
  return a_step == 0 ? 0 : static_cast<std::uint32_t>((amount + a_step - 1) / a_step);
}

std::uint64_t ports(std::uint64_t nodes, std::uint32_t each) {
  return each == Problem::kAllPorts ? UINT64_MAX : nodes * each;
}

/// What crosses a cut from `from` to the other side, whatever of it goes back.
struct Crossing {
  std::uint64_t messages = 0;
  std::uint64_t capacity = 0;               ///< of arcs and ports
  std::uint64_t fewest_there = UINT64_MAX;  ///< receivers across of a message that crosses, at least
};

/// Hops to `target` from the nearest other node that is no mere switch; kUnreached where there is none. The
/// search ends there, which is hardly ever far. `seen` is scratch: by node, the last target that came to it.
std::uint32_t hops_from_nearest(const NodeGraph& graph, const std::vector<Role>& roles, NodeId target,
                                std::vector<std::uint32_t>& seen, std::vector<NodeId>& queue) {
  queue.assign(1, target);
  seen[target.value] = target.value;
  std::size_t end_of_round = 1;
  std::uint32_t hops = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (i == end_of_round) {
      ++hops;
      end_of_round = queue.size();
    }
    if (i > 0 && graph.is_leaf(queue[i])) continue;
    for (const ArcId a : graph.in(queue[i])) {
      const NodeId from = graph.tail(a);
      if (seen[from.value] == target.value) continue;
      seen[from.value] = target.value;
      if (roles[from.value] != Role::switch_only) return hops;
      queue.push_back(from);
    }
  }
  return NodeGraph::kUnreached;
}

class CutCount {
 public:
  CutCount(const Problem& problem, const CutProof& proof)
      : problem_(problem), graph_(*problem.graph), inside_(graph_.node_count(), 0) {
    for (const NodeId n : proof.inside) inside_[n.value] = 1;
    if (proof.group != Problem::kNone) restrict_to(proof.group);
  }

  [[nodiscard]] Crossing from(bool side) const {
    Crossing crossing;
    std::vector<std::uint8_t> sends(inside_.size(), 0), receives(inside_.size(), 0);
    for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
      if (only_ != Problem::kNone && g != only_) continue;
      add_messages(g, side, crossing, sends, receives);
    }
    for (const ArcId a : graph_.arcs()) {
      if (on(graph_.tail(a)) == side && on(graph_.head(a)) != side && usable(a))
        crossing.capacity += graph_.capacity(a);
    }
    const auto count = [](const std::vector<std::uint8_t>& who) {
      return static_cast<std::uint64_t>(std::count(who.begin(), who.end(), 1));
    };
    crossing.capacity = std::min({crossing.capacity, ports(count(sends), problem_.send_ports),
                                  ports(count(receives), problem_.receive_ports)});
    return crossing;
  }

  /// Of all links across, both directions together.
  [[nodiscard]] std::uint64_t link_capacity() const {
    std::uint64_t sum = 0;
    std::vector<std::uint8_t> counted(graph_.link_count(), 0);
    for (const ArcId a : graph_.arcs()) {
      const std::uint32_t link = graph_.link(a);
      if (on(graph_.tail(a)) == on(graph_.head(a)) || counted[link] != 0) continue;
      counted[link] = 1;
      sum += graph_.link_capacity(link);
    }
    return sum;
  }

 private:
  [[nodiscard]] bool on(NodeId n) const { return inside_[n.value] != 0; }

  void restrict_to(std::uint32_t group) {
    only_ = group;
    if (problem_.extra_hops != Problem::kAnyLength) graph_.distances_from(problem_.owner[group], hops_);
  }
  [[nodiscard]] bool usable(ArcId a) const {
    return hops_.empty() ||
           (hops_[graph_.tail(a).value] != NodeGraph::kUnreached &&
            std::uint64_t{hops_[graph_.head(a).value]} + problem_.extra_hops > hops_[graph_.tail(a).value]);
  }

  /// Marks who could send across and who could receive from there, too.
  void add_messages(std::uint32_t g, bool side, Crossing& crossing, std::vector<std::uint8_t>& sends,
                    std::vector<std::uint8_t>& receives) const {
    const NodeId owner = problem_.owner[g];
    if (on(owner) != side) return;  // it is on the other side already
    const auto partners = problem_.partners(g);
    std::uint64_t across = 0;
    for (const NodeId n : partners) {
      if (on(n) == side) continue;
      ++across;
      receives[n.value] = 1;
    }
    if (across == 0) return;
    sends[owner.value] = 1;
    if (problem_.delivery == Delivery::scatter) {
      crossing.messages += across;
      return;
    }
    ++crossing.messages;
    crossing.fewest_there = std::min(crossing.fewest_there, across);
    for (const NodeId n : partners) {
      if (on(n) == side) sends[n.value] = 1;
    }
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  std::vector<std::uint8_t> inside_;
  std::uint32_t only_ = Problem::kNone;
  std::vector<std::uint32_t> hops_;
};

/// Steps after the one in which `crossing` copies of a broadcast message have come across, until `receivers`
/// there may have it: every one that has it sends as much as any can, and as many come across again.
std::uint32_t steps_to_spread(const Problem& problem, std::uint64_t crossing, std::uint64_t receivers) {
  std::uint64_t most = 0;
  for (const NodeId n : problem.partner) most = std::max<std::uint64_t>(most, problem.send_limit(n));
  std::uint32_t steps = 0;
  for (std::uint64_t have = crossing; have < receivers && have > 0; ++steps)
    have += std::min(have * most + crossing, receivers);
  return steps;
}

ProvenSteps prove(const Problem& problem, const CutProof& proof) {
  const std::uint32_t nodes = problem.graph->node_count();
  for (const NodeId n : proof.inside) {
    if (n.value >= nodes) return {0, fmt::format("the cut has a node {}, which there is not", n.value)};
  }
  if (proof.group != Problem::kNone &&
      (proof.group >= problem.groups() || problem.delivery != Delivery::scatter ||
       proof.direction != CutProof::Direction::out)) {
    return {0, "a cut for the messages of one source, where there is no such source"};
  }
  const CutCount count(problem, proof);
  Crossing crossing = count.from(proof.direction != CutProof::Direction::in);
  if (proof.direction == CutProof::Direction::both) {
    const Crossing back = count.from(false);
    crossing.messages += back.messages;
    crossing.capacity = count.link_capacity();
    crossing.fewest_there = std::min(crossing.fewest_there, back.fewest_there);
  }
  const char* what = proof.direction == CutProof::Direction::out  ? "leave"
                     : proof.direction == CutProof::Direction::in ? "enter"
                                                                  : "cross the border of";
  const std::string where = proof.inside.size() == 1 ? fmt::format("node {}", proof.inside[0].value)
                                                     : fmt::format("a set of {} nodes", proof.inside.size());
  const std::uint32_t steps = rounded_up(crossing.messages, crossing.capacity);
  std::string reason =
      fmt::format("{} message{} {} {}, at most {} a step", crossing.messages,
                  crossing.messages == 1 ? " must" : "s must", what, where, crossing.capacity);
  // How a single one spreads is for growth to say.
  if (problem.delivery == Delivery::scatter || steps == 0 || crossing.messages == 1)
    return {steps, std::move(reason)};
  const std::uint32_t more = steps_to_spread(problem, crossing.capacity, crossing.fewest_there);
  if (more > 0) {
    reason += fmt::format(", and the last of them takes {} step{} more to come to all {} there", more,
                          more == 1 ? "" : "s", crossing.fewest_there);
  }
  return {steps + more, std::move(reason)};
}

ProvenSteps prove(const Problem& problem, const LengthProof& proof) {
  const NodeGraph& graph = *problem.graph;
  const auto fits = [](const std::vector<std::uint32_t>& lengths) {
    return std::all_of(lengths.begin(), lengths.end(),
                       [](std::uint32_t length) { return length <= LengthProof::kMaxLength; });
  };
  if (problem.delivery != Delivery::scatter) return {0, "lengths say nothing of messages that are passed on"};
  if (proof.arc.size() != graph.arc_count() ||
      !(proof.link.empty() || proof.link.size() == graph.link_count()) || !fits(proof.arc) ||
      !fits(proof.link)) {
    return {0, "lengths that are not those of this network's arcs"};
  }
  const LengthCount count = count_lengths(problem, proof);
  return {rounded_up(count.distances, count.capacity),
          fmt::format("all messages together have {} to go, in lengths of channels that add up to {} a step",
                      count.distances, count.capacity)};
}

ProvenSteps prove(const Problem& problem, const GrowthProof& proof) {
  if (problem.delivery != Delivery::broadcast || proof.group >= problem.groups())
    return {0, "growth of a broadcast that there is not"};
  const auto partners = problem.partners(proof.group);
  std::vector<std::uint64_t> capacity;
  for (const NodeId n : partners) capacity.push_back(problem.send_limit(n));
  std::sort(capacity.begin(), capacity.end(), std::greater<>());
  std::uint64_t informed = 1;
  std::uint64_t sent = problem.send_limit(problem.owner[proof.group]);  // in the next step
  std::uint32_t steps = 0;
  for (const std::uint64_t most : proof.informed) {
    if (most != std::min<std::uint64_t>(informed, partners.size() + 1))
      return {0, "growth that does not add up"};
    if (informed > partners.size() || sent == 0) break;
    ++steps;
    const std::uint64_t after = std::min<std::uint64_t>(informed + sent, partners.size() + 1);
    for (std::uint64_t i = informed; i < after; ++i) sent += capacity[i - 1];
    informed = after;
  }
  if (informed <= partners.size()) return {0, "growth that ends before all are informed"};
  const std::uint64_t before = proof.informed[steps - 1];
  return {steps, fmt::format("of {} nodes at most {} have the message of node {} after {} step{}",
                             partners.size() + 1, before, problem.owner[proof.group].value, steps - 1,
                             steps == 2 ? "" : "s")};
}

ProvenSteps prove(const Problem& problem, const DeliveryProof& /*proof*/) {
  if (problem.delivery != Delivery::broadcast) return {0, "deliveries of a broadcast that there is not"};
  const NodeGraph& graph = *problem.graph;
  const std::vector<Role> roles = problem.roles();
  std::uint64_t links = 0;
  std::uint64_t out = 0;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link) links += graph.link_capacity(link);
  for (const NodeId n : graph.nodes()) {
    if (roles[n.value] != Role::switch_only) out += problem.send_limit(n);
  }
  std::vector<std::uint64_t> messages(graph.node_count(), 0);
  for (const NodeId n : problem.partner) ++messages[n.value];
  std::uint64_t hops_needed = 0;
  std::vector<std::uint32_t> seen(graph.node_count(), NodeId::kNone);
  std::vector<NodeId> queue;
  for (const NodeId n : graph.nodes()) {
    if (messages[n.value] > 0)
      hops_needed += messages[n.value] * hops_from_nearest(graph, roles, n, seen, queue);
  }
  const std::uint32_t by_links = rounded_up(hops_needed, links);
  const std::uint32_t by_ports = rounded_up(problem.messages(), out);
  if (by_ports > by_links) {
    return {by_ports,
            fmt::format("{} deliveries, of which at most {} are sent in a step", problem.messages(), out)};
  }
  return {by_links, fmt::format("{} deliveries take at least {} channels, of {} in a step",
                                problem.messages(), hops_needed, links)};
}

ProvenSteps prove(const Problem& problem, const PairingProof& /*proof*/) {
  const NodeGraph& graph = *problem.graph;
  if (graph.link_class() != LinkClass::half_duplex)
    return {0, "links that carry one way, where they carry both"};
  const std::vector<Role> roles = problem.roles();
  std::uint64_t ends = 0;  // of links, at who sends or receives
  std::vector<std::uint32_t> counted(graph.link_count(), NodeId::kNone);
  for (const NodeId n : graph.nodes()) {
    if (roles[n.value] == Role::switch_only) continue;
    std::uint64_t own = 0;
    const auto count = [&](ArcId a) {
      if (std::exchange(counted[graph.link(a)], n.value) != n.value)
        own += graph.link_capacity(graph.link(a));
    };
    for (const ArcId a : graph.out(n)) count(a);
    for (const ArcId a : graph.in(n)) count(a);
    ends += std::min<std::uint64_t>(own, std::uint64_t{problem.send_limit(n)} + problem.receive_limit(n));
  }
  return {rounded_up(problem.messages(), ends / 2),
          fmt::format("{} deliveries, each over a cable of who sends and one of who receives, of which there "
                      "are {} in a step",
                      problem.messages(), ends)};
}

ProvenSteps prove(const Problem& problem, const RouteProof& proof) {
  if (problem.routes == nullptr || problem.delivery != Delivery::scatter)
    return {0, "messages on routes, where there are none"};
  const PairRoutes& routes = *problem.routes;
  if (proof.line >= routes.line_count()) return {0, "a channel that there is not"};
  const bool half = problem.graph->link_class() == LinkClass::half_duplex;
  std::uint64_t messages = 0;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) {
      const auto lines = routes.lines(problem.owner[g], n);
      messages +=
          static_cast<std::uint64_t>(std::count_if(lines.begin(), lines.end(), [&](std::uint32_t line) {
            return half ? routes.cable(line) == routes.cable(proof.line) : line == proof.line;
          }));
    }
  }
  return {rounded_up(messages, routes.capacity(proof.line)),
          fmt::format("{} routes lead over one {} {} {} {}, which carries {} a step", messages,
                      half ? "cable between" : "channel from", routes.tail(proof.line).value,
                      half ? "and" : "to", routes.head(proof.line).value, routes.capacity(proof.line))};
}

}  // namespace

ProvenSteps evaluate(const Problem& problem, const BoundProof& proof) {
  return std::visit([&](const auto& one) { return prove(problem, one); }, proof);
}

bool check_bound(const Problem& problem, const LowerBound& bound) {
  if (bound.reversed) return evaluate(time_reversed(problem), bound.proof).steps >= bound.steps;
  return evaluate(problem, bound.proof).steps >= bound.steps;
}

}  // namespace unknot
