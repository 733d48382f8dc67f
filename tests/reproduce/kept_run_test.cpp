// SPDX-License-Identifier: Apache-2.0
// Experiments whose runs take hours: what is under way is kept too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stop_after.hpp"
#include "temporary_folder.hpp"
#include "unknot/reproduce/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

class KeptRuns : public test::TemporaryFolder, public ::testing::WithParamInterface<const char*> {
 protected:
  [[nodiscard]] static Reproduction run(const std::string& points, Progress& progress) {
    const ChosenExperiment chosen = choose_experiment(GetParam(), false);
    return chosen.experiment->run({1, 1, chosen.parameters, points}, progress);
  }
};

TEST_P(KeptRuns, GoOnWhereTheyWereInterrupted) {
  Progress silent;
  const Reproduction whole = run("", silent);
  const std::string points = path("points.jsonl");
  // A run of thousands of generations is more than one piece; pieces that double come to an end anywhere.
  std::uint32_t pieces = 0, under_way = 0;
  std::uint64_t questions = 500;
  while (true) {
    ASSERT_LT(++pieces, 1000U);
    test::StopAfter progress(questions);
    if (pieces % 16 == 0) questions *= 2;
    try {
      const Reproduction found = run(points, progress);
      ASSERT_EQ(found.rows.size(), whole.rows.size());
      for (std::size_t i = 0; i < whole.rows.size(); ++i) {
        EXPECT_EQ(found.rows[i].label, whole.rows[i].label);
        if (!whole.rows[i].timed)
          EXPECT_EQ(found.rows[i].ours.text, whole.rows[i].ours.text) << whole.rows[i].label;
      }
      break;
    } catch (const Interrupted&) {
      under_way += files().size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(under_way, 2U);
  EXPECT_EQ(files(), std::vector<std::string>{"points.jsonl"}) << "what is finished is not kept twice";
}

INSTANTIATE_TEST_SUITE_P(Thesis, KeptRuns,
                         ::testing::Values("collectives-success:genes=60,mboa=0,runs=1,evaluations=200000",
                                           "collectives-steps:genes=2,messages=12",
                                           "collectives-times:messages=56,runs=1,generations=3000"));

}  // namespace
}  // namespace unknot
