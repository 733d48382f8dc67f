// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/compare.hpp"

#include <gtest/gtest.h>

#include "unknot/reproduce/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Q = Quantity;

Agreement verdict(const Quantity& published, const Quantity& ours, Wanted wanted = Wanted::same,
                  double tolerance = 0) {
  return compare("case", published, ours, wanted, tolerance).verdict;
}

TEST(Compare, IsEqualInTheDigitsThatWerePrinted) {
  EXPECT_EQ(verdict(Q::number(5), Q::number(5)), Agreement::equal);
  EXPECT_EQ(verdict(Q::number(5), Q::number(5.4, 1)), Agreement::differs);
  EXPECT_EQ(verdict(Q::number(4.75, 2, "%"), Q::number(4.754, 3, "%")), Agreement::equal);
  EXPECT_EQ(verdict(Q::number(4.75, 2, "%"), Q::number(4.76, 2, "%")), Agreement::differs);
  EXPECT_EQ(verdict(Q::range(3, 5), Q::range(3, 5)), Agreement::equal);
}

TEST(Compare, IsWithinARangeOrATolerance) {
  EXPECT_EQ(verdict(Q::range(3, 5), Q::number(4)), Agreement::within);
  EXPECT_EQ(verdict(Q::range(3, 5), Q::range(4, 5)), Agreement::within);
  EXPECT_EQ(verdict(Q::range(3, 5), Q::range(4, 6)), Agreement::differs);
  EXPECT_EQ(verdict(Q::number(200), Q::number(190), Wanted::same, 10), Agreement::within);
  EXPECT_EQ(verdict(Q::number(200), Q::number(189), Wanted::same, 10), Agreement::differs);
}

TEST(Compare, KnowsTheGoodSide) {
  EXPECT_EQ(verdict(Q::range(3, 5), Q::number(2), Wanted::lower), Agreement::better);
  EXPECT_EQ(verdict(Q::range(3, 5), Q::number(6), Wanted::lower), Agreement::differs);
  EXPECT_EQ(verdict(Q::number(2), Q::number(3), Wanted::higher), Agreement::better);
  EXPECT_EQ(verdict(Q::number(2), Q::number(1), Wanted::higher), Agreement::differs);
}

TEST(Compare, ExplainsOnlyWhatWasLookedInto) {
  const Explained known{.why = "one more", .low = 3, .high = 6};
  const ReproducedRow explained = compare("case", Q::range(3, 5), Q::number(6), Wanted::lower, 0, known);
  EXPECT_EQ(explained.note, "one more");
  EXPECT_FALSE(explained.unexplained());
  const ReproducedRow beyond = compare("case", Q::range(3, 5), Q::number(7), Wanted::lower, 0, known);
  EXPECT_EQ(beyond.verdict, Agreement::differs);
  EXPECT_TRUE(beyond.unexplained());
  EXPECT_EQ(compare("case", Q::range(3, 5), Q::number(4), Wanted::lower, 0, known).note, "");
}

TEST(Claim, NeedsAReasonWhereItDoesNotHold) {
  EXPECT_EQ(claim("case", "a < b", "1, 2", true).verdict, Agreement::within);
  EXPECT_TRUE(claim("case", "a < b", "2, 1", false).unexplained());
  EXPECT_FALSE(claim("case", "a < b", "2, 1", false, "because").unexplained());
}

TEST(ChooseExperiment, LetsGivenValuesWinOverQuickOnes) {
  const auto networks = [](std::string_view spec, bool quick) {
    return choose_experiment(spec, quick).parameters.number("networks");
  };
  const std::uint64_t full = networks("dfsssp-heuristics", false);
  EXPECT_EQ(full, 100U);
  EXPECT_LT(networks("dfsssp-heuristics", true), full);
  EXPECT_EQ(networks("dfsssp-heuristics:networks=7", true), 7U);
  EXPECT_EQ(networks("dfsssp-heuristics:networks=7", false), 7U);
  EXPECT_THROW((void)choose_experiment("dfsssp-heuristics:network=7", false), InputError);
  EXPECT_THROW((void)choose_experiment("dfsssp-heuristic", false), InputError);
}

}  // namespace
}  // namespace unknot
