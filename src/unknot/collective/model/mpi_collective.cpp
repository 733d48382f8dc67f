// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/mpi_collective.hpp"

#include <algorithm>
#include <array>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/ranks.hpp"

namespace unknot {
namespace {

bool one_destination(const Problem& problem) {
  return std::all_of(problem.partner.begin(), problem.partner.end(),
                     [&](NodeId n) { return n == problem.partner[0]; });
}

}  // namespace

MpiCollective mpi_collective(const Problem& problem) {
  const std::uint64_t ranks = ranks_of(problem).count();
  const bool one = problem.groups() == 1;
  const bool every_owner_with_all = problem.messages() == problem.groups() * (ranks - 1);
  const bool all_with_all = every_owner_with_all && problem.groups() == ranks;
  switch (problem.delivery) {
    case Delivery::scatter: {
      const bool to_one = find_collective(problem.collective).participation == Participation::all_to_one;
      if ((to_one || problem.is_gather()) && one_destination(problem)) return MpiCollective::gather;
      if (one) return MpiCollective::scatter;
      return all_with_all ? MpiCollective::alltoall : MpiCollective::alltoallv;
    }
    case Delivery::broadcast:
      // Of two ranks as well: what the last one has is a part of its result.
      if (find_collective(problem.collective).participation == Participation::to_all_after)
        return MpiCollective::alltoallv;
      if (one) return MpiCollective::bcast;
      if (all_with_all) return MpiCollective::allgather;
      return every_owner_with_all ? MpiCollective::allgatherv : MpiCollective::alltoallv;
    case Delivery::reduction:
      break;
  }
  if (one) return MpiCollective::reduce;
  return all_with_all ? MpiCollective::reduce_scatter_block : MpiCollective::none;
}

const char* name_of(MpiCollective collective) {
  static constexpr std::array<const char*, 12> names = {"",
                                                        "MPI_Scatter",
                                                        "MPI_Gather",
                                                        "MPI_Alltoall",
                                                        "MPI_Alltoallv",
                                                        "MPI_Bcast",
                                                        "MPI_Allgather",
                                                        "MPI_Allgatherv",
                                                        "MPI_Reduce",
                                                        "MPI_Reduce_scatter_block",
                                                        "MPI_Allreduce",
                                                        "MPI_Scan"};
  return names[static_cast<std::size_t>(collective)];
}

}  // namespace unknot
