// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void require_no_limits(const Problem& problem) {
  if (problem.graph->link_class() == LinkClass::half_duplex)
    throw InputError("optimal in bandwidth: links are full-duplex there");
  if (problem.send_ports != ProblemRules::kAllPorts || problem.receive_ports != ProblemRules::kAllPorts)
    throw InputError("optimal in bandwidth: nodes use all their channels there, ports have no limit");
  if (problem.extra_hops != ProblemRules::kAnyLength)
    throw InputError("optimal in bandwidth: paths have any length there");
  if (problem.routes != nullptr)
    throw InputError("optimal in bandwidth: paths are free there, not the routes in force");
}

}  // namespace

BandwidthProblem make_bandwidth_problem(const Problem& problem) {
  require_no_limits(problem);
  if (problem.delivery == Delivery::scatter) {
    throw InputError(
        fmt::format("{}: each message has a receiver of its own; optimal in bandwidth are made "
                    "all-gather, reduce-scatter, broadcast, reduce and all-reduce",
                    problem.collective));
  }
  const Problem forward = problem.delivery == Delivery::reduction ? time_reversed(problem) : problem;
  BandwidthProblem result;
  result.graph = forward.graph;
  result.backward = problem.delivery == Delivery::reduction;
  const std::uint32_t nodes = forward.graph->node_count();
  result.shares.assign(nodes, 0);
  result.member_.assign(nodes, 0);
  for (const NodeId n : forward.owner) result.member_[n.value] = 1;
  for (const NodeId n : forward.partner) result.member_[n.value] = 1;
  for (const NodeId n : forward.graph->nodes()) {
    if (result.is_member(n)) result.members.push_back(n);
  }
  for (std::uint32_t group = 0; group < forward.groups(); ++group) {
    if (forward.partners(group).size() + 1 != result.members.size()) {
      throw InputError(
          fmt::format("{}: node {} has other receivers than others; optimal in bandwidth are made "
                      "collectives in which all get the same",
                      problem.collective, forward.owner[group].value));
    }
    result.shares[forward.owner[group].value] = 1;
  }
  result.all_shares = forward.groups();
  return result;
}

}  // namespace unknot
