// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/collective_names.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

template <class Rows>
void expect_told_apart(const Rows& rows) {
  std::map<std::string, std::string> owner;
  for (const auto& row : rows) {
    std::vector<std::string> names = row.aliases;
    names.push_back(row.name);
    for (const std::string& name : names) {
      const auto [known, added] = owner.emplace(plain_collective_name(name), row.name);
      EXPECT_EQ(known->second, row.name) << name;
    }
  }
}

TEST(CollectiveNames, NoTwoRowsMeanTheSame) {
  expect_told_apart(collectives());
  expect_told_apart(combined_collectives());
}

TEST(CollectiveNames, AreThoseOfAnyLibrary) {
  for (const char* name : {"all-reduce", "allreduce", "AllReduce", "MPI_Allreduce", "MPI_ALLREDUCE",
                           "ncclAllReduce", "all_reduce"}) {
    EXPECT_EQ(find_combined_collective(name).name, "all-reduce") << name;
    EXPECT_EQ(find_rank_collective(name), RankCollective::all_reduce) << name;
  }
  for (const char* name : {"ALLGATHER", "MPI_Allgather", "ncclAllGather", "aab"})
    EXPECT_EQ(find_collective(name).name, "AAB") << name;
  EXPECT_EQ(find_rank_collective("ncclReduceScatter"), RankCollective::reduce_scatter);
  EXPECT_EQ(find_collective("MPI_Alltoall").name, "AAS");
  for (const char* name : {"", "mpi", "MPI_", "nccl", "-", "allreduc"}) {
    EXPECT_THROW((void)find_combined_collective(name), InputError) << name;
    EXPECT_THROW((void)find_rank_collective(name), InputError) << name;
  }
}

}  // namespace
}  // namespace unknot
