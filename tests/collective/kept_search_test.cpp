// SPDX-License-Identifier: Apache-2.0
// Searches of every solver that evolves schedules, for every collective, interrupted again and again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "collective/schedules.hpp"
#include "refusal.hpp"
#include "stop_after.hpp"
#include "temporary_folder.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/evolve/checkpoint.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

class KeptSchedules : public test::TemporaryFolder, public ::testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] Solution in_pieces(const Problem& problem, const std::string& spec,
                                   std::uint64_t generations) const {
    for (std::uint32_t piece = 0; piece < 1000; ++piece) {
      evolve::Checkpoint kept(path("search.json"));
      SolveOptions options;
      options.checkpoint = &kept;
      test::StopAfterUpdates progress(generations);
      try {
        Solution found = solve(problem, spec, options, progress);
        kept.remove();
        return found;
      } catch (const Interrupted&) {
        continue;
      }
    }
    ADD_FAILURE() << "no end";
    return {};
  }
};

TEST_P(KeptSchedules, AreThoseOfOneGo) {
  Progress silent;
  for (const char* const network : {"ring:5", "mesh:2x3", "hypercube:3"}) {
    for (const CollectiveRow& row : collectives()) {
      const Problem problem = testing::problem_on(network, row.name, {});
      for (const char* const more : {"", ",longer=1", ",symmetry=8"}) {
        const std::string spec =
            fmt::format("{}:population=8,generations=60,stall=20,tries=3,greedy=0.5{}", GetParam(), more);
        SCOPED_TRACE(fmt::format("{} on {} by {}", row.name, network, spec));
        const Solution whole = solve(problem, spec, {}, silent), pieces = in_pieces(problem, spec, 25);
        EXPECT_EQ(pieces.schedule, whole.schedule);
        EXPECT_EQ(pieces.steps, whole.steps);
        EXPECT_EQ(pieces.conflicts, whole.conflicts);
        EXPECT_EQ(pieces.evaluations, whole.evaluations);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Evolution, KeptSchedules, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Solver& row : solvers()) {
                             if (row.evolves) names.push_back(row.name);
                           }
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

class KeptScheduleFile : public KeptSchedules {};

TEST_F(KeptScheduleFile, IsOfOneProblemAndOneSpec) {
  const std::string spec = "umda:population=8,generations=60,stall=20";
  const auto stop_in = [&](const char* network) {
    std::filesystem::remove(path("search.json"));
    evolve::Checkpoint kept(path("search.json"));
    SolveOptions options;
    options.steps = 4;
    options.checkpoint = &kept;
    test::StopAfterUpdates progress(3);
    EXPECT_THROW((void)solve(testing::problem_on(network, "AAS", {}), spec, options, progress), Interrupted);
  };
  const auto said_of = [&](const char* network, const std::string& by, std::uint64_t seed) {
    return refusal([&] {
      evolve::Checkpoint kept(path("search.json"));
      SolveOptions options;
      options.steps = 4;
      options.seed = seed;
      options.checkpoint = &kept;
      Progress silent;
      (void)solve(testing::problem_on(network, "AAS", {}), by, options, silent);
    });
  };
  stop_in("torus:4x4");
  EXPECT_EQ(said_of("torus:4x4", spec, 1), "");
  stop_in("torus:4x4");
  EXPECT_THAT(said_of("torus:4x4", spec, 2),
              HasSubstr("another search: of 'seed 1', where 'seed 2' is asked for"));
  EXPECT_THAT(said_of("torus:4x4", spec + ",greedy=0.5", 1),
              HasSubstr("of 'greedy=0', where 'greedy=0.5' is asked for"));
  EXPECT_THAT(said_of("ring:16", spec, 1), HasSubstr("none of this problem"))
      << "as many nodes and messages, but other paths";
  EXPECT_THAT(said_of("torus:4x4", "packing", 1), HasSubstr("evolves"));
}

}  // namespace
}  // namespace unknot
