// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void require_same_for_all(const CombinedRow& named, const CollectiveRow& row,
                          const Participants& participants) {
  if (named.outcome == Outcome::scan || row.participation == Participation::to_all_after)
    throw InputError(fmt::format("{}: it has no part in what is optimal in bandwidth", named.name));
  if (row.delivery == Delivery::scatter) {
    throw InputError(
        fmt::format("{}: each message has a receiver of its own; optimal in bandwidth are made "
                    "all-gather, reduce-scatter, broadcast, reduce and all-reduce",
                    named.name));
  }
  if (participants.groups)
    throw InputError(fmt::format("{}: each group has a problem of its own", named.name));
  if (participants.messages)
    throw InputError(fmt::format("{}: optimal in bandwidth messages are not listed one by one", named.name));
}

void sort_out(std::vector<NodeId>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

/// What files say of who takes part: no more than is needed.
Participants participants_in(const CollectiveRow& row, CollectiveEnds ends, const std::vector<NodeId>& all) {
  Participants who;
  who.nodes = all;
  if (row.participation == Participation::one_to_all) {
    who.root = ends.transmitters.front();
  } else if (row.participation == Participation::all_to_one) {
    who.root = ends.receivers.front();
  } else if (ends.transmitters != all || ends.receivers != all) {
    who.transmitters = std::move(ends.transmitters);
    who.receivers = std::move(ends.receivers);
  }
  return who;
}

}  // namespace

void require_no_limits(const NodeGraph& graph, const ProblemRules& rules) {
  if (graph.link_class() == LinkClass::half_duplex)
    throw InputError("optimal in bandwidth: links are full-duplex there");
  if (rules.send_ports != ProblemRules::kAllPorts || rules.receive_ports != ProblemRules::kAllPorts)
    throw InputError("optimal in bandwidth: nodes use all their channels there, ports have no limit");
  if (rules.extra_hops != ProblemRules::kAnyLength)
    throw InputError("optimal in bandwidth: paths have any length there");
  if (rules.routes != nullptr)
    throw InputError("optimal in bandwidth: paths are free there, not the routes in force");
}

BandwidthProblem make_bandwidth_problem(std::shared_ptr<const NodeGraph> graph, std::string_view collective,
                                        const Participants& participants, const ProblemRules& rules) {
  const CombinedRow& named = find_combined_collective(collective);
  const CollectiveRow& row = find_collective(named.base);
  require_no_limits(*graph, rules);
  require_same_for_all(named, row, participants);
  CollectiveEnds ends = ends_of(*graph, row, participants);
  sort_out(ends.transmitters);
  sort_out(ends.receivers);
  for (const NodeId n : ends.transmitters) require_end(*graph, n, Role::transmitter);
  for (const NodeId n : ends.receivers) require_end(*graph, n, Role::receiver);

  BandwidthProblem result;
  result.collective = named.name;
  result.backward = row.delivery == Delivery::reduction;
  result.all_reduce = named.outcome == Outcome::all_reduce;
  std::set_union(ends.transmitters.begin(), ends.transmitters.end(), ends.receivers.begin(),
                 ends.receivers.end(), std::back_inserter(result.members));
  if (result.members.size() < 2) {
    throw InputError(fmt::format(
        "{}: there is no message: a transmitter and another node as receiver are needed", named.name));
  }
  // Who owns shares, and who gets them; reductions are seen backwards. An owner need not get its own.
  const std::vector<NodeId>& owners = result.backward ? ends.receivers : ends.transmitters;
  const std::vector<NodeId>& getters = result.backward ? ends.transmitters : ends.receivers;
  const std::size_t left_out = result.members.size() - getters.size();
  const bool only_the_owner = left_out == 1 && owners.size() == 1;
  if (left_out > 0 && !only_the_owner) {
    throw InputError(
        fmt::format("{}: node {} has other receivers than others; optimal in bandwidth are made "
                    "collectives in which all get the same",
                    named.name, owners.front().value));
  }
  if (result.all_reduce && owners.size() < result.members.size())
    throw InputError(fmt::format("{}: who takes part has a part and gets a result", named.name));
  result.shares.assign(graph->node_count(), 0);
  result.member_.assign(graph->node_count(), 0);
  for (const NodeId n : result.members) result.member_[n.value] = 1;
  for (const NodeId n : owners) result.shares[n.value] = 1;
  result.all_shares = owners.size();
  result.who = participants_in(row, std::move(ends), result.members);
  result.graph = result.backward ? std::make_shared<const NodeGraph>(graph->reversed()) : std::move(graph);
  return result;
}

void set_powers(const SwitchPowers& powers, BandwidthProblem& problem) {
  const SwitchPowers useful{.copy = powers.copy && !problem.backward,
                            .sum = powers.sum && (problem.backward || problem.all_reduce)};
  if (powers.any() && !useful.any()) {
    throw InputError(fmt::format("{}: it {} nothing that switches could; what they may do for it is {}",
                                 problem.collective, problem.backward ? "copies" : "combines",
                                 problem.backward ? "combine" : "copy"));
  }
  const NodeGraph& graph = *problem.graph;
  const bool switches = std::any_of(graph.nodes().begin(), graph.nodes().end(),
                                    [&](NodeId n) { return !graph.is_leaf(n) && !problem.is_member(n); });
  problem.powers = switches ? useful : SwitchPowers{};
}

BandwidthProblem with_size(BandwidthProblem problem, std::uint32_t size) {
  for (std::uint32_t& shares : problem.shares) shares = shares / problem.size * size;
  problem.all_shares = problem.all_shares / problem.size * size;
  problem.size = size;
  return problem;
}

std::vector<BandwidthProblem> make_bandwidth_groups(const std::shared_ptr<const NodeGraph>& graph,
                                                    std::string_view collective,
                                                    const Participants& participants,
                                                    const ProblemRules& rules,
                                                    std::span<const std::uint32_t> sizes) {
  std::vector<BandwidthProblem> problems;
  const std::size_t groups = participants.groups ? participants.groups->size() : 0;
  if (!sizes.empty() && sizes.size() != groups)
    throw InputError(fmt::format("{} sizes of shares, and {} groups", sizes.size(), groups));
  if (!participants.groups) {
    problems.push_back(make_bandwidth_problem(graph, collective, participants, rules));
    return problems;
  }
  require_groups(*graph, find_collective(find_combined_collective(collective).base), participants);
  for (std::size_t g = 0; g < groups; ++g) {
    Participants alone;
    alone.nodes = (*participants.groups)[g];
    if (alone.nodes->size() < 2) continue;
    problems.push_back(
        with_size(make_bandwidth_problem(graph, collective, alone, rules), sizes.empty() ? 1 : sizes[g]));
    // On one graph, for reversed ones too.
    problems.back().graph = problems.front().graph;
  }
  if (problems.empty())
    throw InputError(fmt::format("{}: there is no message: no group has two nodes", collective));
  return problems;
}

}  // namespace unknot
