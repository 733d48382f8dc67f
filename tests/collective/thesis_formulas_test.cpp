// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/thesis_formulas.hpp"

#include <gtest/gtest.h>

#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

std::uint64_t steps(const std::vector<ThesisFormula>& rows, const std::string& equation) {
  for (const ThesisFormula& row : rows) {
    if (row.equation == equation) return row.steps;
  }
  ADD_FAILURE() << "no equation " << equation;
  return 0;
}

std::vector<ThesisFormula> formulas(const std::string& spec, const std::string& collective,
                                    const Participants& who = {}) {
  return thesis_formulas(testing::problem_on(spec, collective, who));
}

TEST(ThesisFormulas, HaveTheTablesValues) {
  EXPECT_EQ(steps(formulas("hypercube:4", "OAS"), "3.4"), 4U);
  EXPECT_EQ(steps(formulas("hypercube:5", "OAB"), "3.3"), 2U);  // 1.93 in section 7.4.3
  EXPECT_EQ(steps(formulas("hypercube:6", "OAB"), "3.3"), 3U);  // 2.13
  EXPECT_EQ(steps(formulas("hypercube:6", "AAB"), "3.5"), 11U);
  EXPECT_EQ(steps(formulas("hypercube:3", "AAS"), "3.6"), 4U);
  EXPECT_EQ(steps(formulas("mesh:5x5", "AAS"), "3.6"), 26U);  // halves of 12 and 13; in the text 25^2/2/10
  EXPECT_EQ(steps(formulas("uniring:8", "AAS"), "3.6"), 28U);
  EXPECT_EQ(steps(formulas("ring:8", "AAS"), "3.6"), 8U);
  EXPECT_EQ(steps(formulas("ring:8", "AAS"), "8.2"), 16U);  // as printed; 8 steps are enough
  EXPECT_EQ(steps(formulas("hypercube:3", "AOG"), "3.4"), 3U);
  EXPECT_EQ(steps(formulas("hypercube:3", "AOR"), "3.3"), 2U);
}

TEST(ThesisFormulas, OfManyToMany) {
  Participants halves;
  halves.transmitters = testing::nodes({0, 1, 2, 3});
  halves.receivers = testing::nodes({4, 5, 6, 7});
  const auto apart = formulas("hypercube:3", "MNB", halves);
  EXPECT_EQ(steps(apart, "3.7"), 2U);
  EXPECT_NE(apart[0].remark, "");
  halves.receivers = testing::nodes({0, 1, 2, 3, 4, 5, 6, 7});
  // 4 to each of the others over 4 channels; among themselves 16 over twice 2.
  const auto inside = formulas("hypercube:3", "MNS", halves);
  EXPECT_EQ(steps(inside, "3.17"), 4U);
  EXPECT_FALSE(inside[0].holds);
}

TEST(ThesisFormulas, ThoseThatHoldAreNeverAboveWhatAScheduleNeeds) {
  // The bounds with proofs include what these formulas say, where they hold.
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) {
      const Network network = make_network(spec);
      if (network.router_count() > (fewer_cases() ? 9U : 16U) || network.terminal_count() < 2) continue;
      const auto graph = std::make_shared<NodeGraph>(network);
      for (const CollectiveRow& collective : collectives()) {
        std::optional<Problem> problem;
        try {
          problem = make_collective(graph, collective.name);
        } catch (const InputError&) {
          continue;  // no path
        }
        const std::uint32_t bound = lower_bound(*problem).steps;
        for (const ThesisFormula& formula : thesis_formulas(*problem)) {
          if (!formula.holds) continue;
          EXPECT_LE(formula.steps, bound) << spec << ' ' << collective.name << ' ' << formula.equation;
        }
      }
    }
  }
}

TEST(ThesisFormulas, SayNothingOfListsOfMessages) {
  const auto graph = std::make_shared<NodeGraph>(make_network("ring:6"));
  const Problem some =
      make_problem("list", graph, Delivery::scatter, {{NodeId(0), NodeId(1)}, {NodeId(2), NodeId(3)}});
  EXPECT_TRUE(thesis_formulas(some).empty());
}

}  // namespace
}  // namespace unknot
