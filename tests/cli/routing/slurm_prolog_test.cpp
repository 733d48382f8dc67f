// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class SlurmProlog : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NODELIST"}) ::unsetenv(name);
    ASSERT_EQ(run("slurm-prolog --example c.toml").code, 0);
  }
  static Result prolog(const std::string& job, const std::string& nodes, const std::string& more = "") {
    return run("slurm-prolog c.toml --job " + job + " --nodes " + nodes + more);
  }
  static std::ptrdiff_t count(const std::string& folder) {
    if (!std::filesystem::exists(folder)) return 0;
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  }
  /// One sentence on stderr, and no folder for the job.
  static void expect_no_tables(const Result& result, int code, const std::string& expected) {
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(expected));
    EXPECT_FALSE(std::filesystem::exists("job-tables/job-9"));
  }
};

TEST_F(SlurmProlog, WritesReplacesAndRemoves) {
  const Result first = prolog("9", "node[01-08]", " --json");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.json()["job"], 9);
  EXPECT_EQ(first.json()["tables"], 8);
  EXPECT_EQ(first.json()["other_jobs"], 0);
  EXPECT_EQ(first.json()["deadlock_free"], true);
  EXPECT_EQ(count("job-tables/job-9"), 8);
  EXPECT_EQ(prolog("10", "node[09-16]", " --json").json()["other_jobs"], 1);
  EXPECT_EQ(prolog("9", "node[17-18]").code, 0);
  EXPECT_EQ(count("job-tables/job-9"), 2);
  EXPECT_THAT(read("job-tables/job-9/node18.routes"),
              HasSubstr("node node18 at 2 0 0 1\nnode17 - -K1 -\nend 1\n"));
  EXPECT_EQ(run("slurm-prolog c.toml --job 9 --remove --json").json()["removed"], true);
  EXPECT_EQ(run("slurm-prolog c.toml --job 9 --remove --json").json()["removed"], false);
  EXPECT_FALSE(std::filesystem::exists("job-tables/job-9"));
  EXPECT_EQ(count("job-tables/job-10"), 8);
  EXPECT_THAT(read("unknot-slurm.log"), HasSubstr(" job 9, nodes node[17-18]: 2 tables, "));
}

TEST_F(SlurmProlog, TakesJobAndNodesFromSlurm) {
  ::setenv("SLURM_JOB_ID", "77", 1);
  ::setenv("SLURM_JOB_NODELIST", "node[01-02]", 1);
  EXPECT_EQ(run("slurm-prolog c.toml --json").json()["directory"], "job-tables/job-77");
  EXPECT_EQ(run("slurm-prolog c.toml --remove --json").json()["removed"], true);
  ::unsetenv("SLURM_JOB_ID");
  expect_no_tables(run("slurm-prolog c.toml"), 2, "which job? give --job, or set SLURM_JOB_ID");
  ::unsetenv("SLURM_JOB_NODELIST");
  expect_no_tables(run("slurm-prolog c.toml --job 9"), 2, "which nodes?");
}

TEST_F(SlurmProlog, ARefusalIsOneSentenceAndWritesNothing) {
  expect_no_tables(prolog("9", "node[01,32]"), 1,
                   "nodes node[01,32]: its nodes are not joined by links of their own");
  expect_no_tables(prolog("9", "node33"), 2, "no node is called 'node33'");
  expect_no_tables(prolog("9", "node[01-"), 2, "'[' without ']'");
  expect_no_tables(prolog("x", "node01"), 2, "'x' is not the number of a job");
  expect_no_tables(run("slurm-prolog none.toml --job 9 --nodes node01"), 2, "none.toml: cannot open");
  expect_no_tables(run("slurm-prolog"), 2, "CONFIG is missing");
  EXPECT_THAT(read("unknot-slurm.log"),
              HasSubstr(" job 9, nodes node33: FAILED: nodes: no node is called 'node33'"));
  EXPECT_EQ(prolog("9", "node[01-08]", " --dry-run").code, 0);
  EXPECT_FALSE(std::filesystem::exists("job-tables/job-9"));
  // Tables that were there stay when the next ones fail.
  EXPECT_EQ(prolog("8", "node[01-08]").code, 0);
  EXPECT_EQ(prolog("8", "node[01,32]").code, 1);
  EXPECT_EQ(count("job-tables/job-8"), 8);
  // What would do nothing beside another option takes nothing away either.
  for (const char* options :
       {"--remove --dry-run", "--remove --nodes node01", "--remove --fabric f", "--fabric f"})
    expect_refused(std::string("slurm-prolog c.toml --job 8 ") + options, "excludes");
  EXPECT_EQ(count("job-tables/job-8"), 8);
}

TEST_F(SlurmProlog, AJobBesideOneWithoutAllItsTablesIsRefused) {
  std::string text = read("c.toml");
  text.replace(text.find("time_limit = 10"), 15,
               "time_limit = 1");  // a tenth of it is waited for job 8 to end
  write("c.toml", text.replace(text.find("angara-opt:time=2"), 17, "angara-sssp"));
  ASSERT_EQ(prolog("8", "node[01-04]").code, 0);
  expect_no_tables(prolog("9", "node[03-04]"), 1, "node node03 has tables of job 8 already");
  std::filesystem::remove("job-tables/job-8/node03.routes");
  expect_no_tables(prolog("9", "node[09-12]"), 2, "tables of job 8: node node03 has no file");
  for (const char* node : {"01", "02", "04"})
    std::filesystem::remove(std::string("job-tables/job-8/node") + node + ".routes");
  expect_no_tables(prolog("9", "node[09-12]"), 2, "tables of job 8: its folder has none");
  EXPECT_EQ(run("slurm-prolog c.toml --job 8 --remove").code, 0);
  EXPECT_EQ(prolog("9", "node[09-12]").code, 0);
}

/// The line for the log is no reason to hold up a job.
TEST_F(SlurmProlog, ALogThatIsAPipeNobodyReadsHoldsUpNothing) {
  ASSERT_EQ(::mkfifo("unknot-slurm.log", 0600), 0);
  const Result result = prolog("9", "node[01-02]");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("unknot-slurm.log: cannot write: "));
}

TEST_F(SlurmProlog, TheTimeLimitHolds) {
  std::string text = read("c.toml");
  text.replace(text.find("dims = [4, 2, 2, 2]"), 19, "dims = [16, 16, 16]");
  text.replace(text.find("node[01-32]"), 11, "node[1-4096]");
  text.replace(text.find("time_limit = 10"), 15, "time_limit = 0.05");
  write("c.toml", text);
  expect_no_tables(prolog("9", "node[1-4096]"), 1,
                   "nodes node[1-4096]: no tables within the time limit of 0.05 s");
}

TEST_F(SlurmProlog, TheMachineIsAFabricForOtherCommands) {
  EXPECT_EQ(run("slurm-prolog c.toml --fabric machine").code, 0);
  EXPECT_EQ(prolog("9", "node[01-08]").code, 0);
  std::string joined;
  for (const auto& entry : std::filesystem::directory_iterator("job-tables/job-9"))
    joined += read(entry.path().string());
  write("joined", joined);
  const Result check = run("verify machine joined --nodes node[01-08]");
  EXPECT_EQ(check.code, 0) << check.out << check.err;
  EXPECT_EQ(run("slurm-prolog --example c.toml").code, 0);  // the same content
  write("c.toml", "dims = [2]\n");
  EXPECT_EQ(run("slurm-prolog --example c.toml").code, 2);
  EXPECT_EQ(read("c.toml"), "dims = [2]\n");
}

}  // namespace
}  // namespace unknot::cli::test
