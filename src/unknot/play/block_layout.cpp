// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/block_layout.hpp"

namespace unknot::play {

BlockLayout block_layout(const CombinedProblem& problem) {
  if (problem.outcome != Outcome::as_given) return {1, 1, problem.pieces};
  const auto ranks = static_cast<std::uint32_t>(problem.nodes.size());
  const std::uint32_t by_owner = problem.base.groups() == 1 ? 1 : ranks;
  switch (problem.base.delivery) {
    case Delivery::scatter: {
      const MpiCollective collective = mpi_collective(problem.base);
      return {collective == MpiCollective::gather ? 1 : ranks,
              collective == MpiCollective::scatter ? 1 : ranks};
    }
    case Delivery::broadcast:
      return {1, by_owner, problem.pieces};
    case Delivery::reduction:
      break;
  }
  return {by_owner, 1, problem.pieces};
}

std::span<const NodeId> own_messages(const CombinedProblem& problem) {
  if (problem.outcome != Outcome::as_given) return problem.nodes;
  const MpiCollective collective = mpi_collective(problem.base);
  if (collective == MpiCollective::gather) return {problem.base.partner.data(), 1};
  if (problem.base.delivery == Delivery::scatter && collective == MpiCollective::alltoallv) return {};
  return problem.base.owner;
}

std::uint32_t root_rank(const CombinedProblem& problem) {
  const auto own = own_messages(problem);  // of the root alone, where there is one
  return own.size() == 1 ? problem.rank_of(own[0]) : 0;
}

}  // namespace unknot::play
