// SPDX-License-Identifier: Apache-2.0
// The messages that collectives of traces become are those of the known algorithms, which are executed on
// symbols.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/traffic/workloads/collective_rounds.hpp"

namespace unknot {
namespace {

using Round = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>>;

struct Same {
  TraceCollective collective;
  const char* way;
  RankCollective known;
  const char* algorithm;
};

TEST(TraceCollectives, AreTheKnownAlgorithms) {
  const std::vector<Same> all = {
      {TraceCollective::all_reduce, "ring", RankCollective::all_reduce, "ring"},
      {TraceCollective::all_gather, "ring", RankCollective::all_gather, "ring"},
      {TraceCollective::reduce_scatter, "ring", RankCollective::reduce_scatter, "ring"},
      {TraceCollective::all_reduce, "recursive-doubling", RankCollective::all_reduce, "recursive-doubling"},
      {TraceCollective::all_gather, "bruck", RankCollective::all_gather, "bruck"},
      {TraceCollective::all_to_all, "pairwise", RankCollective::all_to_all, "pairwise"},
      {TraceCollective::broadcast, "binomial", RankCollective::broadcast, "binomial"}};
  for (const Same& same : all) {
    for (std::uint32_t n = 2; n <= 17; ++n) {
      const std::uint64_t bytes = std::uint64_t{n} * 1000;
      const std::uint32_t root = same.known == RankCollective::broadcast ? n / 3 : 0;
      const RankSchedule known =
          make_known(choose_known_algorithm(same.algorithm), {same.known, n, root, {}, 0});
      // MPI's all-gather and reduce-scatter name the part of a rank, as its all-to-all does; a trace names
      // the vector that a rank has of the latter two.
      const bool whole =
          same.known == RankCollective::reduce_scatter || same.known == RankCollective::all_to_all;
      std::vector<Round> expected;
      for (std::uint32_t r = 0; r < known.round_count(); ++r) {
        Round round;
        for (std::uint32_t m = known.round_begin(r); m < known.round_end(r); ++m) {
          round.emplace_back(known.message(m).from, known.message(m).to,
                             known.bytes_of(m, whole ? bytes / n : bytes));
        }
        std::sort(round.begin(), round.end());
        if (!round.empty()) expected.push_back(round);
      }
      std::vector<Round> made;
      for_each_round({same.collective, same.way, n, root, bytes}, [&](std::span<const CollectiveMove> moves) {
        Round& round = made.emplace_back();
        for (const CollectiveMove& move : moves) round.emplace_back(move.from, move.to, move.bytes);
        std::sort(round.begin(), round.end());
      });
      EXPECT_EQ(made, expected) << name_of(same.collective) << " " << same.way << " " << n;
    }
  }
}

}  // namespace
}  // namespace unknot
