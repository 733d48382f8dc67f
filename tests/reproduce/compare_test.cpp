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

TEST(Compare, AllowsTheToleranceAndNoMore) {
  EXPECT_EQ(verdict(Q::number(0.71, 2), Q::number(0.73, 3), Wanted::same, 0.02), Agreement::within);
  EXPECT_EQ(verdict(Q::number(0.71, 2), Q::number(0.734, 3), Wanted::same, 0.02), Agreement::differs);
}

TEST(Expected, DiffersWithoutAReason) {
  EXPECT_EQ(expected("case", "0 of 3", true, "none").verdict, Agreement::unpublished);
  EXPECT_TRUE(expected("case", "1 of 3", false, "none").unexplained());
}

TEST(Claim, NeedsAReasonWhereItDoesNotHold) {
  EXPECT_EQ(claim("case", "a < b", "1, 2", true, "a < b").verdict, Agreement::within);
  EXPECT_EQ(claim("case", "1 2", "1 2", true, "").verdict, Agreement::equal) << "nothing is left open";
  EXPECT_TRUE(claim("case", "a < b", "2, 1", false, "a < b").unexplained());
  EXPECT_FALSE(claim("case", "a < b", "2, 1", false, "a < b", "because").unexplained());
}

TEST(VerdictText, SaysWhatWasAllowed) {
  const auto text = [](const Quantity& published, const Quantity& ours, double tolerance) {
    return verdict_text(compare("case", published, ours, Wanted::same, tolerance));
  };
  EXPECT_EQ(text(Q::number(10, 1, " ms"), Q::number(9, 1, " ms"), 2.5), "within (+-2.5 ms)");
  EXPECT_EQ(text(Q::number(10, 1, " ms"), Q::number(7, 1, " ms"), 2.5), "differs (allowed: +-2.5 ms)");
  EXPECT_EQ(text(Q::number(10, 1, " ms").derived(), Q::number(9, 1), 2), "within (+-2 ms)");
  EXPECT_EQ(text(Q::range(3, 5), Q::number(4), 0), "within (in the range)");
  EXPECT_EQ(text(Q::range(3, 5), Q::number(6), 2), "within (in the range, +-2)");
  EXPECT_EQ(text({"about 200", 150, 250}, Q::number(180), 0), "within (150 to 250)");
  EXPECT_EQ(text(Q::number(3), Q::number(3), 2), "equal");
  EXPECT_EQ(text({"nearly 9 s", 8, 9}, Q::number(10), 0), "differs (allowed: 8 to 9 s)");
  EXPECT_EQ(text(Q::number(3), Q::number(4), 0), "differs (equal wanted)");
  EXPECT_EQ(verdict_text(claim("case", "rises", "1, 2", true, "no fall")), "within (no fall)");
  EXPECT_EQ(verdict_text(claim("case", "1 2", "2 1", false, "")), "differs (equal wanted)");
  EXPECT_EQ(verdict_text(shown("case", Q::number(4))), "unpublished");
  EXPECT_EQ(verdict_text(expected("case", "1 of 3", false, "none")), "differs (allowed: none)");
}

TEST(VerdictText, SaysWhichSideIsTheGoodOne) {
  const auto text = [](double ours, Wanted wanted, double tolerance) {
    return verdict_text(compare("case", Q::number(10), Q::number(ours), wanted, tolerance));
  };
  EXPECT_EQ(text(8, Wanted::lower, 0), "better (lower wanted)");
  EXPECT_EQ(text(8, Wanted::lower, 1), "better (lower wanted, allowed: +-1)");
  EXPECT_EQ(text(9, Wanted::lower, 1), "within (+-1)");
  EXPECT_EQ(text(10, Wanted::lower, 1), "equal");
  EXPECT_EQ(text(12, Wanted::lower, 1), "differs (allowed: +-1, or lower)");
  EXPECT_EQ(text(12, Wanted::lower, 0), "differs (equal or lower wanted)");
  EXPECT_EQ(text(12, Wanted::higher, 0), "better (higher wanted)");
  EXPECT_EQ(text(8, Wanted::higher, 0), "differs (equal or higher wanted)");
  const auto gain = [](double ours) { return verdict_text(gain_up_to("case", 10, ours, "because")); };
  EXPECT_EQ(gain(4), "within (a gain, and no larger one)");
  EXPECT_EQ(gain(12), "better (higher wanted, allowed: a gain, and no larger one)");
  EXPECT_EQ(gain(0), "differs (allowed: a gain, and no larger one)");
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
