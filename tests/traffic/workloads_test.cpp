// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workloads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/random_order.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint32_t> destinations(const Workload& workload, std::uint32_t terminal) {
  std::vector<std::uint32_t> to;
  for (std::uint32_t k = 0; k < workload.count(TerminalId(terminal)); ++k)
    to.push_back(workload.message(TerminalId(terminal), k).destination.value);
  return to;
}

TEST(RandomOrder, GivesEachNumberOnce) {
  for (std::uint32_t size = 0; size < 300; ++size) {
    for (std::uint64_t stream = 0; stream < 5; ++stream) {
      const RandomOrder order(size, 3);
      std::vector<bool> seen(size, false);
      for (std::uint32_t k = 0; k < size; ++k) {
        const std::uint64_t at = order.at(stream, k);
        ASSERT_LT(at, size);
        ASSERT_FALSE(seen[at]) << size;
        seen[at] = true;
      }
    }
  }
  for (const std::uint64_t size :
       {std::uint64_t{0xFFFFFFFFU}, std::uint64_t{1} << 32U, std::uint64_t{1} << 63U}) {
    const RandomOrder largest(size, 1);
    std::set<std::uint64_t> some;
    for (std::uint64_t k = 0; k < 1000; ++k) {
      const std::uint64_t at = largest.at(0, size - 1 - k);
      EXPECT_LT(at, size);
      EXPECT_TRUE(some.insert(at).second);
    }
  }
}

TEST(RandomOrder, TinyOrdersAllCome) {
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint64_t stream = 0; stream < 400; ++stream) {
    const RandomOrder order(4, 1);
    orders.insert({order.at(stream, 0), order.at(stream, 1), order.at(stream, 2), order.at(stream, 3)});
  }
  EXPECT_GE(orders.size(), 20U);  // of 24
}

// Every place gets every number equally often, and so does every distance of two places that follow.
TEST(RandomOrder, IsEven) {
  constexpr std::uint32_t kSize = 37;
  constexpr std::uint32_t kStreams = 3700;
  std::vector<std::uint32_t> at_place(kSize * kSize, 0);
  std::vector<std::uint32_t> distance(kSize, 0);
  const RandomOrder order(kSize, 11);
  for (std::uint32_t stream = 0; stream < kStreams; ++stream) {
    for (std::uint32_t k = 0; k < kSize; ++k) {
      ++at_place[k * kSize + order.at(stream, k)];
      if (k > 0) ++distance[(order.at(stream, k) + kSize - order.at(stream, k - 1)) % kSize];
    }
  }
  // Chi-squared of 36 degrees of freedom for each place: 2 in a million exceed 84.
  for (std::uint32_t k = 0; k < kSize; ++k) {
    double chi = 0;
    for (std::uint32_t i = 0; i < kSize; ++i) {
      const double off = at_place[k * kSize + i] - 100.0;
      chi += off * off / 100.0;
    }
    EXPECT_LT(chi, 84) << k;
  }
  EXPECT_EQ(distance[0], 0U);
  for (std::uint32_t d = 1; d < kSize; ++d) EXPECT_NEAR(distance[d], kStreams, 6 * 61) << d;
}

TEST(AllToAll, OrdersAreWhatTheirNamesSay) {
  const auto all = [](SendOrder order) { return all_to_all(5, 9, order, 2, 1); };
  EXPECT_THAT(destinations(all(SendOrder::shift), 3), ElementsAre(4, 0, 1, 2));
  EXPECT_THAT(destinations(all(SendOrder::linear), 3), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(destinations(all(SendOrder::linear), 0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(destinations(all(SendOrder::random), 3), ::testing::UnorderedElementsAre(0, 1, 2, 4));
  EXPECT_EQ(all(SendOrder::shift).at_once, 2U);
  EXPECT_EQ(all_to_all(5, 9, SendOrder::shift, 0, 1).at_once, 4U);
  EXPECT_EQ(all_to_all(1, 9, SendOrder::shift, 0, 1).at_once, 1U);
}

TEST(AllToAll, EachTerminalHasARandomOrderOfItsOwn) {
  const Workload workload = all_to_all(64, 1, SendOrder::random, 0, 7);
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint32_t t = 0; t < 64; ++t) {
    std::vector<std::uint32_t> order = destinations(workload, t);
    for (std::uint32_t& to : order) to = to > t ? to - 1 : to;  // as places among the others
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 64U);
}

TEST(WorkloadOfMatrix, OrdersRanksAndPlacesThem) {
  CommunicationMatrix matrix;
  matrix.ranks = 4;
  matrix.first = {0, 2, 5, 5, 6};
  matrix.entries = {{1, 10}, {3, 11}, {0, 12}, {2, 13}, {3, 14}, {1, 15}};
  const std::vector<TerminalId> places = {TerminalId(5), TerminalId(0), TerminalId(1), TerminalId(3)};
  const auto made = [&](SendOrder order) { return workload_of_matrix(6, matrix, places, order, 1, 1); };
  for (const SendOrder order : {SendOrder::shift, SendOrder::linear, SendOrder::random}) {
    EXPECT_EQ(workload_fault(made(order), 6), "");
    EXPECT_EQ(workload_totals(made(order), 6), (WorkloadTotals{6, 75, 3, 2, 39, 25}));
  }
  EXPECT_THAT(destinations(made(SendOrder::shift), 0), ElementsAre(1, 3, 5));   // ranks 2, 3, 0
  EXPECT_THAT(destinations(made(SendOrder::linear), 0), ElementsAre(5, 1, 3));  // ranks 0, 2, 3
  EXPECT_THAT(destinations(made(SendOrder::shift), 3), ElementsAre(0));
  EXPECT_EQ(made(SendOrder::shift).message(TerminalId(0), 1).bytes, 14U);
}

TEST(TerminalsOfRanks, AreDifferentTerminals) {
  EXPECT_THAT(terminals_of_ranks(5, 3, RankMapping::contiguous, 1),
              ElementsAre(TerminalId(0), TerminalId(1), TerminalId(2)));
  const auto places = terminals_of_ranks(50, 40, RankMapping::random, 1);
  EXPECT_EQ(std::set<TerminalId>(places.begin(), places.end()).size(), 40U);
  EXPECT_LT(*std::max_element(places.begin(), places.end()), TerminalId(50));
  EXPECT_NE(places, terminals_of_ranks(50, 40, RankMapping::random, 2));
}

TEST(WorkloadTotals, RefusesMoreBytesThanCanBeCounted) {
  Workload workload;
  workload.count = [](TerminalId) { return std::uint32_t{1} << 17U; };
  workload.message = [](TerminalId t, std::uint32_t) {
    return Message{TerminalId(1 - t.value), kMostAmount};
  };
  EXPECT_THROW((void)workload_totals(workload, 2), InputError);
}

}  // namespace
}  // namespace unknot
