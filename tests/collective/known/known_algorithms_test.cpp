// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "effort.hpp"
#include "unknot/collective/known/butterfly.hpp"
#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/known/rank_check.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRanks = 64;

KnownCase case_of(RankCollective collective, std::uint32_t ranks, std::uint32_t root) {
  KnownCase which{collective, ranks, root, {}, 0};
  for (std::uint32_t side = 2; side * side <= ranks; ++side) {
    if (ranks % side == 0) {
      which.grid = {side, ranks / side};
      which.group = side;
    }
  }
  return which;
}

// Every algorithm, for every collective and 2 to 64 ranks that it does not refuse, passes the executor, which
// knows none of them.
TEST(KnownAlgorithms, DoWhatTheyPromise) {
  std::size_t made = 0;
  std::vector<std::string> specs = {"recursive-doubling:near=1", "rabenseifner:near=1", "ring:chunks=3",
                                    "hamiltonian-rings:rings=1"};
  for (const KnownAlgorithm& row : known_algorithms()) specs.push_back(row.name);
  for (const std::string& spec : specs) {
    const Chosen<KnownAlgorithm> chosen = choose_known_algorithm(spec);
    const KnownAlgorithm& row = *chosen.row;
    for (const RankCollective collective : rank_collectives()) {
      for (std::uint32_t ranks = 2; ranks <= kMostRanks; ++ranks) {
        if (fewer_cases() && ranks > 33 && ranks % 16 > 1 && ranks % 16 < 15) continue;
        const std::uint32_t root = collective == RankCollective::broadcast ? ranks * 5 / 7 : 0;
        const KnownCase which = case_of(collective, ranks, root);
        if (!row.unsuitable(which, chosen.parameters).empty()) continue;
        const RankSchedule schedule = row.make(which, chosen.parameters);
        ASSERT_EQ(rank_schedule_fault(schedule), "") << spec << " " << name_of(collective) << " " << ranks;
        ++made;
      }
    }
  }
  EXPECT_GT(made, 1000U);
}

std::uint32_t rounds_of(const char* name, RankCollective collective, std::uint32_t ranks) {
  return make_known(choose_known_algorithm(name), case_of(collective, ranks, 0)).round_count();
}

TEST(KnownAlgorithms, TakeTheRoundsThatAreKnown) {
  using enum RankCollective;
  EXPECT_EQ(rounds_of("ring", all_reduce, 17), 32U);
  EXPECT_EQ(rounds_of("ring", broadcast, 8), 14U);
  EXPECT_EQ(rounds_of("hamiltonian-rings", all_gather, 9), 8U);
  EXPECT_EQ(rounds_of("grid-rings", all_reduce, 64), 28U);
  EXPECT_EQ(rounds_of("recursive-doubling", all_reduce, 64), 6U);
  EXPECT_EQ(rounds_of("recursive-doubling", all_reduce, 48), 7U);
  EXPECT_EQ(rounds_of("rabenseifner", all_reduce, 64), 12U);
  EXPECT_EQ(rounds_of("swing", all_reduce, 64), 12U);
  EXPECT_EQ(rounds_of("swing", all_gather, 14), 4U);
  EXPECT_EQ(rounds_of("bine", broadcast, 32), 10U);
  EXPECT_EQ(rounds_of("bine-whole", broadcast, 32), 5U);
  EXPECT_EQ(rounds_of("binomial", broadcast, 33), 6U);
  EXPECT_EQ(rounds_of("bruck", all_to_all, 33), 6U);
  EXPECT_EQ(rounds_of("pairwise", all_to_all, 33), 32U);
  EXPECT_EQ(rounds_of("hierarchical", all_to_all, 64), 14U);
}

// Bytes that a rank sends at most, in blocks: no more than anybody must.
TEST(KnownAlgorithms, SendNoMoreThanTheyMust) {
  for (const char* name : {"ring", "rabenseifner", "swing", "bine", "bruck", "hierarchical"}) {
    const RankSchedule schedule =
        make_known(choose_known_algorithm(name), case_of(RankCollective::all_reduce, 64, 0));
    std::vector<std::uint64_t> sent(64);
    for (std::uint32_t m = 0; m < schedule.message_count(); ++m)
      sent[schedule.message(m).from] += schedule.blocks(m).size();
    EXPECT_EQ(*std::max_element(sent.begin(), sent.end()), 2 * 63U * schedule.parts() / 64) << name;
  }
}

// No two of Walecki's cycles share an edge: every ordered pair is used once in a round, all of them where the
// number is odd, all but those of a perfect matching where it is even.
TEST(KnownAlgorithms, HamiltonianRingsShareNoEdge) {
  for (std::uint32_t ranks = 3; ranks <= 33; ++ranks) {
    const RankSchedule schedule = make_known(choose_known_algorithm("hamiltonian-rings:rings=4096"),
                                             case_of(RankCollective::all_gather, ranks, 0));
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t m = schedule.round_begin(0); m < schedule.round_end(0); ++m)
      EXPECT_TRUE(pairs.emplace(schedule.message(m).from, schedule.message(m).to).second) << ranks;
    EXPECT_EQ(pairs.size(), ranks % 2 == 1 ? ranks * (ranks - 1) : ranks * (ranks - 2)) << ranks;
  }
}

// The peers of the papers: Swing of rank 0 on 16, and the Bine tree of eight, whose root sends to 3, 7, 1.
TEST(KnownAlgorithms, PeersAreThoseOfThePapers) {
  const Pairing swing = swing_pairing({16});
  EXPECT_EQ(swing[0][0], 1U);
  EXPECT_EQ(swing[1][0], 15U);
  EXPECT_EQ(swing[2][0], 3U);
  EXPECT_EQ(swing[3][0], 11U);
  EXPECT_EQ(swing[2][1], 14U);
  const RankSchedule tree =
      make_known(choose_known_algorithm("bine-whole"), {RankCollective::broadcast, 8, 0, {}, 0});
  std::vector<std::vector<std::uint32_t>> edges;
  for (std::uint32_t m = 0; m < tree.message_count(); ++m)
    edges.push_back({tree.message(m).from, tree.message(m).to});
  EXPECT_EQ(edges, (std::vector<std::vector<std::uint32_t>>{
                       {0, 3}, {0, 7}, {3, 4}, {0, 1}, {3, 2}, {4, 5}, {7, 6}}));
}

TEST(KnownAlgorithms, RefuseInASentence) {
  const auto refused = [](const char* spec, const KnownCase& which) {
    try {
      (void)make_known(choose_known_algorithm(spec), which);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  using enum RankCollective;
  EXPECT_EQ(refused("binomial", {all_gather, 4}), "binomial: it is for broadcast and all-reduce");
  EXPECT_EQ(refused("grid-rings", {all_reduce, 4}), "grid-rings: it needs ranks on a grid: dims=8x8");
  EXPECT_EQ(refused("grid-rings:dims=3x3", {all_reduce, 4}), "grid-rings: dims=3x3 are 9 ranks, not 4");
  EXPECT_EQ(refused("swing:dims=3x4", {all_reduce, 12}), "swing: several dimensions must be of even sizes");
  EXPECT_EQ(refused("hierarchical:group=3", {all_reduce, 4}),
            "hierarchical: 4 ranks are not whole boxes of 3");
  EXPECT_EQ(refused("hamiltonian-rings", {all_reduce, 2}), "hamiltonian-rings: it needs three ranks");
  EXPECT_EQ(refused("ring", {all_reduce, 1}), "a collective needs two ranks or more");
  EXPECT_THROW((void)choose_known_algorithm("rng"), InputError);
}

/// A good schedule with one thing changed.
RankSchedule changed(const RankSchedule& good, std::uint32_t which, bool drop, bool flip, std::uint32_t to) {
  RankSchedule result(good.collective(), good.ranks(), good.parts(), good.root());
  for (std::uint32_t round = 0; round < good.round_count(); ++round) {
    result.add_round();
    for (std::uint32_t m = good.round_begin(round); m < good.round_end(round); ++m) {
      RankSchedule::Message message = good.message(m);
      if (m == which) {
        if (drop) continue;
        if (flip) message.combines = !message.combines;
        message.to = to == UINT32_MAX ? message.to : to;
      }
      result.add(message, good.blocks(m));
    }
  }
  return result;
}

// Whatever message is left out, is a sum in place of a copy, or a copy that goes to somebody else, is found.
// (A sum may often go to somebody else and still be counted once.)
TEST(RankCheck, FindsEverySlip) {
  for (const char* name : {"ring", "recursive-doubling", "rabenseifner", "bruck", "swing"}) {
    const RankSchedule good =
        make_known(choose_known_algorithm(name), case_of(RankCollective::all_reduce, 8, 0));
    for (std::uint32_t m = 0; m < good.message_count(); ++m) {
      EXPECT_NE(rank_schedule_fault(changed(good, m, true, false, UINT32_MAX)), "") << name << m;
      EXPECT_NE(rank_schedule_fault(changed(good, m, false, true, UINT32_MAX)), "") << name << m;
      for (std::uint32_t to = 0; to < 9; ++to) {
        if (to == good.message(m).to || (good.message(m).combines && to < 8)) continue;
        EXPECT_NE(rank_schedule_fault(changed(good, m, false, false, to)), "") << name << m << "to" << to;
      }
    }
  }
}

}  // namespace
}  // namespace unknot
