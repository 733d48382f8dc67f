// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/block_layout.hpp"

#include "unknot/collective/model/ranks.hpp"

namespace unknot::play {

BlockLayout block_layout(const Problem& problem) {
  const std::uint32_t ranks = ranks_of(problem).count();
  const std::uint32_t by_owner = problem.groups() == 1 ? 1 : ranks;
  switch (problem.delivery) {
    case Delivery::scatter: {
      const MpiCollective collective = mpi_collective(problem);
      return {collective == MpiCollective::gather ? 1 : ranks,
              collective == MpiCollective::scatter ? 1 : ranks};
    }
    case Delivery::broadcast:
      return {1, by_owner};
    case Delivery::reduction:
      break;
  }
  return {by_owner, 1};
}

std::span<const NodeId> own_blocks(const Problem& problem) {
  const MpiCollective collective = mpi_collective(problem);
  if (collective == MpiCollective::gather) return {problem.partner.data(), 1};
  if (problem.delivery == Delivery::scatter && collective == MpiCollective::alltoallv) return {};
  return problem.owner;
}

std::uint32_t root_rank(const Problem& problem) {
  const auto own = own_blocks(problem);  // of the root alone, where there is one
  return own.size() == 1 ? ranks_of(problem).of(own[0]) : 0;
}

}  // namespace unknot::play
