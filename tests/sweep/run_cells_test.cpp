// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/run_cells.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "sweep/in_folder.hpp"
#include "unknot/support/error.hpp"

namespace unknot::sweep::test {
namespace {

using RunCells = InFolder;

Plan plan_of(std::size_t cells) {
  std::string seeds;
  for (std::size_t i = 1; i <= cells; ++i) seeds += std::to_string(i) + ",";
  return expand(parse_sweep("command = \"route\"\nfabric = \"ring:5\"\nseed = [" + seeds + "]\n", "s.toml"),
                "1");
}

Record answer(const Cell& cell) {
  return {false, "answer to " + cell.command};
}

/// One process's share, with everything of its own.
std::size_t run(const Plan& plan, const std::string& folder, const CellsJob& job, const CellRunner& runner) {
  Journal journal(folder);
  Claims claims(folder + "/claims");
  Progress quiet;
  return run_cells(plan, journal, claims, job, runner, quiet);
}

void expect_all_answers(const Plan& plan, const std::string& folder) {
  const Journal journal(folder);
  for (const Cell& cell : plan.cells) {
    const Record* record = journal.find(cell.key);
    ASSERT_NE(record, nullptr) << cell.command;
    EXPECT_EQ(record->text, answer(cell).text);
  }
}

TEST_F(RunCells, RunsEachOnceAndNothingTheSecondTime) {
  const Plan plan = plan_of(100);
  std::atomic<std::size_t> calls{0};
  const CellRunner runner = [&](const Cell& cell) {
    ++calls;
    return answer(cell);
  };
  EXPECT_EQ(run(plan, path("results"), {.threads = 4}, runner), 100U);
  EXPECT_EQ(run(plan, path("results"), {.threads = 4}, runner), 0U);
  EXPECT_EQ(calls, 100U);
  EXPECT_EQ(lines_of(path("results")).size(), 100U);
  expect_all_answers(plan, path("results"));
}

TEST_F(RunCells, RunsWhatALargerPlanAdds) {
  EXPECT_EQ(run(plan_of(10), path("results"), {.threads = 2}, answer), 10U);
  EXPECT_EQ(run(plan_of(15), path("results"), {.threads = 2}, answer), 5U);
  EXPECT_EQ(run(plan_of(10), path("results"), {.threads = 2}, answer), 0U);
}

TEST_F(RunCells, AreSharedByManyAndDoneByOne) {
  const Plan plan = plan_of(200);
  std::atomic<std::size_t> ran{0};
  std::vector<std::jthread> processes;
  for (std::uint32_t part = 0; part < 6; ++part) {
    processes.emplace_back([&, part] {
      // Half of them begin where others do.
      const CellsJob job{.threads = 2, .part = part / 2, .parts = 3, .wait = part % 2 == 0};
      ran += run(plan, path("results"), job, answer);
    });
  }
  processes.clear();
  EXPECT_EQ(ran, 200U);
  EXPECT_EQ(lines_of(path("results")).size(), 200U);
  expect_all_answers(plan, path("results"));
}

TEST_F(RunCells, BeginAtTheirPart) {
  const Plan plan = plan_of(12);
  std::vector<std::string> order;
  (void)run(plan, path("results"), {.threads = 1, .part = 2, .parts = 3}, [&](const Cell& cell) {
    order.push_back(cell.values.back());
    return answer(cell);
  });
  EXPECT_THAT(order, ::testing::ElementsAre("9", "10", "11", "12", "1", "2", "3", "4", "5", "6", "7", "8"));
}

TEST_F(RunCells, WaitForOthersOrNot) {
  const Plan plan = plan_of(3);
  Journal journal(path("results"));
  Claims other(path("results/claims"));
  ASSERT_TRUE(other.take(plan.cells[1].key));
  EXPECT_EQ(run(plan, path("results"), {.threads = 2, .wait = false}, answer), 2U);
  std::size_t ran = 0;
  std::jthread waiting([&] { ran = run(plan, path("results"), {.threads = 2}, answer); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  other.release(plan.cells[1].key);  // as when the one that had it has died
  waiting.join();
  EXPECT_EQ(ran, 1U);
  expect_all_answers(plan, path("results"));
}

TEST_F(RunCells, AnErrorEndsAllAndKeepsWhatIsDone) {
  const Plan plan = plan_of(50);
  const CellRunner fails = [&](const Cell& cell) {
    if (cell.key == plan.cells[20].key) throw std::runtime_error("out of order");
    return answer(cell);
  };
  EXPECT_THROW(run(plan, path("results"), {.threads = 3}, fails), std::runtime_error);
  const std::size_t done = lines_of(path("results")).size();
  EXPECT_GE(done, 20U);
  EXPECT_EQ(run(plan, path("results"), {.threads = 3}, answer), 50U - done);
  expect_all_answers(plan, path("results"));
}

TEST_F(RunCells, StopWhenTheUserSaysSo) {
  class Impatient final : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  };
  const Plan plan = plan_of(1000);
  Journal journal(path("results"));
  Claims claims(path("results/claims"));
  Impatient progress;
  EXPECT_THROW(run_cells(
                   plan, journal, claims, {.threads = 2},
                   [](const Cell& cell) {
                     std::this_thread::sleep_for(std::chrono::milliseconds(2));
                     return answer(cell);
                   },
                   progress),
               Interrupted);
  const std::size_t done = lines_of(path("results")).size();
  EXPECT_LT(done, 1000U);
  EXPECT_EQ(run(plan, path("results"), {.threads = 2}, answer), 1000 - done);
}

// Two processes at a time, of two threads each, ended by SIGKILL at random moments, fifty times.
TEST_F(RunCells, SurviveBeingKilled) {
  const Plan plan = plan_of(600);
  const std::string folder = path("results");
  std::mt19937 random(1);
  std::uniform_int_distribution<int> microseconds(0, 12'000);
  int killed = 0;
  for (int round = 0; round < 25; ++round) {
    std::vector<pid_t> children;
    for (std::uint32_t part = 0; part < 2; ++part) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        int code = 0;
        try {
          (void)run(plan, folder, {.threads = 2, .part = part, .parts = 2}, [](const Cell& cell) {
            std::this_thread::sleep_for(std::chrono::microseconds(1000));
            return answer(cell);
          });
        } catch (...) {
          code = 1;
        }
        ::_exit(code);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
      ASSERT_EQ(::kill(child, SIGKILL), 0);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
      killed += WIFSIGNALED(status) ? 1 : 0;
    }
  }
  EXPECT_GT(killed, 25);
  (void)run(plan, folder, {.threads = 2}, answer);
  expect_all_answers(plan, folder);
  // A cell is written down once: whoever runs it holds its lock until it is.
  std::set<std::string> keys;
  for (const std::string& line : lines_of(folder))
    EXPECT_TRUE(keys.insert(line.substr(0, 16)).second) << line;
  EXPECT_EQ(keys.size(), 600U);
}

}  // namespace
}  // namespace unknot::sweep::test
