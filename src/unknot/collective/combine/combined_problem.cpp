// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combined_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/collective/model/collective_names.hpp"
#include "unknot/collective/model/joined_groups.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostHeld = std::uint64_t{1} << 33U;  // nodes times sources of all blocks

void add_block(CombinedProblem& problem, const Block& block, std::span<const NodeId> sources,
               std::span<const NodeId> targets) {
  problem.block.push_back(block);
  problem.source.insert(problem.source.end(), sources.begin(), sources.end());
  problem.first_source.push_back(problem.source.size());
  problem.target.insert(problem.target.end(), targets.begin(), targets.end());
  problem.first_target.push_back(problem.target.size());
}

void add_group(CombinedProblem& problem, std::uint32_t group) {
  const Problem& base = problem.base;
  const NodeId owner = base.owner[group];
  const auto partners = base.partners(group);
  if (base.delivery == Delivery::scatter) {
    for (const NodeId& n : partners) add_block(problem, {owner, n.value}, {&owner, 1}, {&n, 1});
    return;
  }
  for (std::uint32_t piece = 0; piece < problem.pieces; ++piece) {
    if (base.delivery == Delivery::broadcast) {
      add_block(problem, {owner, piece}, {&owner, 1}, partners);
      continue;
    }
    std::vector<NodeId> all(partners.begin(), partners.end());
    all.insert(std::lower_bound(all.begin(), all.end(), owner), owner);
    add_block(problem, {owner, piece}, all, {&owner, 1});
  }
}

}  // namespace

const std::vector<CombinedRow>& combined_collectives() {
  static const std::vector<CombinedRow> rows = [] {
    std::vector<CombinedRow> all;
    for (const CollectiveRow& row : collectives()) {
      if (row.participation == Participation::to_all_after) continue;
      all.push_back({row.name, row.aliases, row.summary, row.name, Outcome::as_given});
    }
    all.push_back({"all-reduce",
                   {"allreduce", "MPI_Allreduce"},
                   "all get the sum of what all have",
                   "AAB",
                   Outcome::all_reduce});
    all.push_back({"scan",
                   {"prefix", "MPI_Scan"},
                   "each gets the sum of what it and all nodes before it have",
                   "scan",
                   Outcome::scan});
    return all;
  }();
  return rows;
}

const CombinedRow& find_combined_collective(std::string_view name) {
  return find_collective_row(combined_collectives(), name);
}

std::uint32_t CombinedProblem::block_of(const Block& named) const {
  const auto found = std::lower_bound(block.begin(), block.end(), named);
  if (found == block.end() || *found != named) return Problem::kNone;
  return static_cast<std::uint32_t>(found - block.begin());
}

std::uint32_t CombinedProblem::rank_of(NodeId n) const {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), n);
  if (found == nodes.end() || *found != n) return Problem::kNone;
  return static_cast<std::uint32_t>(found - nodes.begin());
}

CombinedProblem make_combined(std::string collective, Problem base, Outcome outcome, std::uint32_t pieces) {
  CombinedProblem problem;
  problem.collective = std::move(collective);
  problem.base = std::move(base);
  problem.outcome = outcome;
  problem.pieces = pieces;
  const std::vector<Role> roles = problem.base.roles();
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if (roles[n] != Role::switch_only) problem.nodes.emplace_back(n);
  }
  const std::uint64_t ranks = problem.nodes.size();
  const bool whole = outcome == Outcome::scan ||
                     (outcome == Outcome::as_given && problem.base.delivery == Delivery::scatter);
  if (pieces == 0 || (whole && pieces > 1))
    throw InputError(fmt::format("{}: {} pieces of a message", problem.collective, pieces));
  const std::uint64_t most = whole ? problem.base.messages() : std::uint64_t{pieces} * problem.base.groups();
  if (most > kMostBlocks || most * (problem.reduces() ? ranks : 1) * ranks > kMostHeld)
    throw InputError(fmt::format("{}: too many blocks", problem.collective));
  if (outcome == Outcome::as_given) {
    for (std::uint32_t g = 0; g < problem.base.groups(); ++g) add_group(problem, g);
    return problem;
  }
  const std::vector<std::vector<NodeId>> groups = joined_groups(problem.base);
  std::uint64_t pairs = 0;
  for (const std::vector<NodeId>& group : groups) pairs += std::uint64_t{group.size()} * (group.size() - 1);
  if (problem.base.messages() != (outcome == Outcome::scan ? pairs / 2 : pairs))
    throw InputError(fmt::format("{}: who takes part has a part and gets a result", problem.collective));
  for (const std::vector<NodeId>& group : groups) {
    for (std::uint32_t piece = 0; piece < pieces; ++piece)
      add_block(problem, {group.front(), piece}, group, group);
  }
  return problem;
}

CombinedProblem make_combined(std::shared_ptr<const NodeGraph> graph, const CombinedRow& row,
                              const Participants& participants, std::uint32_t pieces,
                              const ProblemRules& rules) {
  return make_combined(row.name, make_collective(std::move(graph), row.base, participants, rules),
                       row.outcome, pieces);
}

MpiCollective mpi_collective(const CombinedProblem& problem) {
  if (problem.outcome != Outcome::as_given && problem.sources(0).size() < problem.nodes.size())
    return MpiCollective::none;
  switch (problem.outcome) {
    case Outcome::all_reduce:
      return MpiCollective::allreduce;
    case Outcome::scan:
      return MpiCollective::scan;
    case Outcome::as_given:
      break;
  }
  return mpi_collective(problem.base);
}

}  // namespace unknot
