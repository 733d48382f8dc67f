// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/promise.hpp"

#include <gmock/gmock.h>

#include <set>

#include "play/play_cases.hpp"
#include "unknot/collective/model/mpi_collective.hpp"

namespace unknot::play {
namespace {

using unknot::testing::nodes;
using unknot::testing::problem_on;

TEST(MpiCollective, IsWhatTheCollectiveIsCalledThere) {
  const std::vector<std::pair<const char*, const char*>> names = {{"OAS", "MPI_Scatter"},
                                                                  {"AAS", "MPI_Alltoall"},
                                                                  {"OAB", "MPI_Bcast"},
                                                                  {"AAB", "MPI_Allgather"},
                                                                  {"AOG", "MPI_Gather"},
                                                                  {"AOR", "MPI_Reduce"},
                                                                  {"AAG", "MPI_Alltoall"},
                                                                  {"MNS", "MPI_Alltoall"},
                                                                  {"AAR", "MPI_Reduce_scatter_block"},
                                                                  {"MNB", "MPI_Allgather"},
                                                                  {"permutation", "MPI_Alltoallv"},
                                                                  {"scan", "MPI_Alltoallv"}};
  ASSERT_EQ(names.size(), collectives().size());
  for (const auto& [collective, expected] : names) {
    for (const char* spec : {"ring:5", "fat:2,ring:3", "hypercube:1"}) {
      const std::string found = name_of(mpi_collective(problem_on(spec, collective)));
      // one message alone is a scatter whatever its list is called, and so on
      if (std::string(spec) != "hypercube:1") {
        EXPECT_EQ(found, expected) << spec;
      }
      EXPECT_NE(found, "") << collective << spec;
    }
  }
}

TEST(MpiCollective, OfSomeOfTheNodes) {
  Participants some;
  some.transmitters = nodes({0, 1});
  some.receivers = nodes({1, 2});
  const auto name = [&](const char* collective) {
    return std::string(name_of(mpi_collective(problem_on("ring:5", collective, some))));
  };
  EXPECT_EQ(name("MNS"), "MPI_Alltoallv");
  EXPECT_EQ(name("MNB"), "MPI_Alltoallv");
  EXPECT_EQ(name("AAR"), "");
  some.receivers = nodes({0, 1, 2, 4});
  EXPECT_EQ(name("MNB"), "MPI_Allgatherv");
  EXPECT_EQ(name("MNS"), "MPI_Alltoallv");
  some.transmitters = nodes({3});
  EXPECT_EQ(name("MNS"), "MPI_Scatter");
  some.receivers = nodes({2});
  some.transmitters = nodes({0, 1, 4});
  EXPECT_EQ(name("MNS"), "MPI_Gather");
  EXPECT_EQ(name("MNB"), "MPI_Alltoallv");
}

/// The receive buffer of a rank by the definition of the operation in the MPI standard.
std::vector<std::vector<SentMessage>> by_definition(MpiCollective collective, std::uint32_t rank,
                                                    std::uint32_t ranks, std::uint32_t root) {
  std::vector<std::vector<SentMessage>> blocks(1);
  const auto all = [&](auto sent) {
    blocks.clear();
    for (std::uint32_t r = 0; r < ranks; ++r) blocks.push_back({sent(r)});
  };
  const auto combine = [&](std::uint32_t block) {
    for (std::uint32_t r = 0; r < ranks; ++r) blocks[0].push_back({r, block});
  };
  switch (collective) {
    case MpiCollective::scatter:
      blocks[0] = {{root, rank}};
      break;
    case MpiCollective::gather:
      if (rank == root) {
        all([](std::uint32_t r) { return SentMessage{r, 0}; });
      } else {
        blocks.assign(ranks, {});
      }
      break;
    case MpiCollective::alltoall:
      all([&](std::uint32_t r) { return SentMessage{r, rank}; });
      break;
    case MpiCollective::bcast:
      blocks[0] = {{root, 0}};
      break;
    case MpiCollective::allgather:
      all([](std::uint32_t r) { return SentMessage{r, 0}; });
      break;
    case MpiCollective::reduce:
      if (rank == root) combine(0);
      break;
    case MpiCollective::reduce_scatter_block:
      combine(rank);
      break;
    case MpiCollective::allreduce:
      combine(0);
      break;
    case MpiCollective::scan:
      for (std::uint32_t r = 0; r <= rank; ++r) blocks[0].push_back({r, 0});
      break;
    default:
      ADD_FAILURE();
  }
  return blocks;
}

TEST(Promise, IsThatOfTheMpiStandard) {
  std::set<MpiCollective> seen;
  for (const auto& [name, problem, schedule] : testing::cases()) {
    SCOPED_TRACE(name);
    const MpiCollective collective = mpi_collective(problem);
    if (collective == MpiCollective::none || collective == MpiCollective::alltoallv ||
        collective == MpiCollective::allgatherv)
      continue;
    seen.insert(collective);
    const auto ranks = static_cast<std::uint32_t>(problem.nodes.size());
    const NodeId root = collective == MpiCollective::gather ? problem.base.partner[0] : problem.base.owner[0];
    const auto all = promises(problem);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const auto expected = by_definition(collective, r, ranks, problem.rank_of(root));
      ASSERT_EQ(all[r].messages(), expected.size());
      for (std::uint32_t b = 0; b < all[r].messages(); ++b)
        EXPECT_THAT(all[r].of(b), ::testing::ElementsAreArray(expected[b])) << r << " " << b;
    }
  }
  EXPECT_EQ(seen.size(), 9U);
}

TEST(Promise, OfAListIsTheListAndNothingElse) {
  Participants some;
  some.transmitters = nodes({0, 2});
  some.receivers = nodes({2, 4});
  const auto all = promises(as_combined(problem_on("ring:5", "MNS", some)));  // ranks 0, 1, 2: nodes 0, 2, 4
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all[0].sent.empty());
  EXPECT_THAT(all[1].sent, ::testing::ElementsAre(SentMessage{0, 1}));
  EXPECT_THAT(all[1].of(0), ::testing::ElementsAre(SentMessage{0, 1}));
  EXPECT_THAT(all[2].of(0), ::testing::ElementsAre(SentMessage{0, 2}));
  EXPECT_THAT(all[2].of(1), ::testing::ElementsAre(SentMessage{1, 2}));
  EXPECT_TRUE(all[2].of(2).empty());
}

}  // namespace
}  // namespace unknot::play
