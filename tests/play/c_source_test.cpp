// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/c_source.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "patterns.hpp"
#include "play/play_cases.hpp"
#include "unknot/play/rank_program.hpp"
#include "unknot/support/error.hpp"

namespace unknot::play {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The instructions in the text, those of all ranks one after the other.
std::vector<std::string> instructions_in(const std::string& text) {
  std::vector<std::string> found;
  for (const std::vector<std::string>& match : matches_in(text, R"(\{([A-Z]+, [0-9]+, [0-9]+(, [0-9]+)?)\})"))
    found.push_back(match[1]);
  return found;
}

// That it compiles, and does what MPI's own operations do, is tested among ranks: tests/mpi/play_test.py.
TEST(CSource, HoldsTheProgramsOfAllRanks) {
  for (const auto& [name, problem, schedule] : testing::cases()) {
    SCOPED_TRACE(name);
    const std::string text = c_source(problem, schedule, name);
    std::string lower = problem.collective;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
    EXPECT_THAT(text, HasSubstr("int unknot_" + lower + "_" + std::to_string(problem.nodes.size()) + "("));
    const bool reduces = problem.reduces();
    EXPECT_EQ(text.find("MPI_Op op") != std::string::npos, reduces);
    EXPECT_EQ(text.find("MPI_Reduce_local(block") != std::string::npos, reduces);

    std::vector<std::string> expected;
    std::vector<std::size_t> first{0};
    const std::vector<RankProgram> programs = rank_programs(problem, schedule);
    bool runs = false;
    for (const RankProgram& program : programs) {
      for (const Instruction& now : program.instructions) runs = runs || now.blocks > 1;
    }
    for (const RankProgram& program : programs) {
      bool under_way = false;
      for (const Instruction& now : program.instructions) {
        const auto row = [&](const char* action, std::uint32_t other, std::uint32_t block) {
          expected.push_back(std::string(action) + ", " + std::to_string(other) + ", " +
                             std::to_string(block) + (runs ? ", " + std::to_string(now.blocks) : ""));
        };
        if (now.action == Action::copy) row("COPY", now.from, now.to);
        if (now.action == Action::combine) row("COMBINE", now.from, now.to);
        if (now.action == Action::send) row("SEND", now.peer, now.from);
        if (now.action == Action::receive) row("RECEIVE", now.peer, now.to);
        if (now.action == Action::wait && under_way) row("WAIT", 0, 0);
        if (now.action == Action::wait) under_way = false;
        under_way = under_way || now.action == Action::send || now.action == Action::receive;
      }
      first.push_back(expected.size());
    }
    EXPECT_EQ(instructions_in(text), expected);
    const auto found = matches_in(text, R"(first\[RANKS \+ 1\] = \{([^}]*)\})");
    ASSERT_FALSE(found.empty());
    std::string numbers = found[0][1];
    std::replace(numbers.begin(), numbers.end(), ',', ' ');
    std::istringstream stream(numbers);
    EXPECT_EQ(std::vector<std::size_t>(std::istream_iterator<std::size_t>(stream), {}), first);
  }
}

TEST(CSource, TablesRemainSmall) {
  const Problem problem = unknot::testing::problem_on("hypercube:6", "AAS");
  const std::string text = c_source(
      as_combined(problem), as_combined(problem, unknot::testing::hypercube_exchange(6)), "hypercube:6");
  EXPECT_LT(text.size(), 24U * 2U * problem.messages());
}

TEST(CSource, NamesOfFabricsDoNotEndTheComment) {
  const Problem problem = unknot::testing::problem_on("hypercube:2", "OAB");
  const Schedule schedule = unknot::testing::recursive_doubling(2);
  const std::string text =
      c_source(as_combined(problem), as_combined(problem, schedule), "evil*/int x;/*\n#error");
  const std::size_t end = text.find("*/");
  ASSERT_NE(end, std::string::npos);
  EXPECT_THAT(text.substr(0, end), HasSubstr("-DUNKNOT_MAIN makes a program"));
  EXPECT_THAT(text, Not(HasSubstr("\n#error")));
  EXPECT_THAT(c_source(as_combined(problem), as_combined(problem, schedule), ""),
              HasSubstr("on a network: 3 messages among 4 ranks in 2 steps"));
}

TEST(CSource, RefusesSchedulesThatAreNotValid) {
  const Problem problem = unknot::testing::problem_on("hypercube:3", "OAB");
  EXPECT_THROW((void)c_source(as_combined(problem),
                              as_combined(problem, unknot::testing::recursive_doubling(2)), "cube"),
               InputError);
}

}  // namespace
}  // namespace unknot::play
