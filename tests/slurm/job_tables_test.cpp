// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/job_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/slurm/table_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::slurm {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobTablesTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(path_); }
  void TearDown() override { fs::remove_all(path_); }
  [[nodiscard]] std::vector<std::string> files(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_ / folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  const fs::path path_ = fs::temp_directory_path() / ("unknot-tables-" + std::to_string(::getpid()));
  Progress silent_;
};

Cluster cluster_of(const std::string& more = "", const std::string& dims = "[4, 4]", int nodes = 16) {
  return parse_cluster(
      "dims = " + dims + "\nnodes = \"n[1-" + std::to_string(nodes) + "]\"\ndirectory = \"t\"\n" + more,
      "c.toml");
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return std::string("input: ") + error.what();
  } catch (const RoutingFailure& error) {
    return std::string("no: ") + error.what();
  }
  return "";
}

TEST_F(JobTablesTest, OneFileANodeThatTogetherAreTheRouting) {
  for (const char* transit : {"own", "any"}) {
    const Cluster cluster = cluster_of(std::string("transit = \"") + transit + "\"\n");
    const JobTables job = make_job_tables(cluster, "n[1-8]", silent_);
    ASSERT_EQ(job.files.size(), 8U);
    EXPECT_EQ(job.files[3].first, "n4");
    EXPECT_THAT(job.files[3].second, HasSubstr("\nnode n4 at 0 3\n"));
    EXPECT_TRUE(job.verdict.complete());
    EXPECT_TRUE(job.verdict.deadlock_free);
    EXPECT_GT(job.max_load, 0U);
    EXPECT_EQ(job.network.router_count(), transit == std::string("own") ? 8U : 16U);
    std::string all;
    for (const auto& [node, text] : job.files) all += text;
    EXPECT_TRUE(*read_angara(job.network, all, "-").routes() == *job.routing.routes());
  }
  const JobTables alone = make_job_tables(cluster_of(), "n7", silent_);
  ASSERT_EQ(alone.files.size(), 1U);
  EXPECT_THAT(alone.files[0].second, HasSubstr("node n7 at 1 2\nend 0\n"));
}

TEST_F(JobTablesTest, SaysWhyThereAreNone) {
  const Cluster cluster = cluster_of("failed_nodes = \"n6\"\n");
  const auto why = [&](const char* nodes) {
    return refusal([&] { (void)make_job_tables(cluster, nodes, silent_); });
  };
  EXPECT_EQ(why("n[1-4]"), "");
  EXPECT_THAT(why("n[1-17]"), HasSubstr("input: nodes: no node is called 'n17'"));
  EXPECT_EQ(why("n[5-7]"), "input: node n6 is in the allocation, and it has failed");
  EXPECT_EQ(why("n1,n11"),
            "no: nodes n1,n11: its nodes are not joined by links of their own: 2 of 2 pairs, such as n1 to "
            "n11, have "
            "no path");
  // Joined, but by no route that a header can hold: up, then back.
  const Cluster square = cluster_of("", "[2, 2]", 4);
  EXPECT_EQ(refusal([&] { (void)make_job_tables(square, "n[1-4]", silent_); }), "");
  EXPECT_THAT(refusal([&] { (void)make_job_tables(cluster_of("", "[4, 2, 2, 2]", 32), "n[1-12]", silent_); }),
              HasSubstr("have no route that a packet header can hold"));
}

TEST_F(JobTablesTest, JobsAreProvenTogether) {
  const Cluster cluster = cluster_of("transit = \"any\"\nshared_nodes = true\n");
  const JobTables job = make_job_tables(cluster, "n[1-16]", silent_);
  const std::vector<std::string> four = {"n1", "n3", "n9", "n11"};
  std::vector<std::string> all;
  for (const auto& [node, section] : job.files) all.push_back(node);
  const auto together = [&](const std::vector<RunningJob>& running) {
    return refusal([&] { require_sound_together(cluster, job, running, silent_); });
  };
  const JobTables other = make_job_tables(cluster, "n[1,3,9,11]", silent_);
  std::string text;
  for (const auto& [node, section] : other.files) text += section;
  EXPECT_EQ(together({}), "");
  EXPECT_EQ(together({{"job 3", {{"a", text}}, four}}), "");
  EXPECT_THAT(together({{"job 3", {{"a", text}, {"b", text.substr(0, text.size() - 3)}}, four}}),
              HasSubstr("input: b:"));
  // First steps +Y and then +X: sound alone, but not beside routes that go +X and then +Y.
  std::string steps = "unknot-angara 1\ntorus 4x4\norder +X +Y -X -Y\n";
  for (std::uint32_t x = 0; x < 4; ++x) {
    for (std::uint32_t y = 0; y < 4; ++y) {
      steps += "node n" + std::to_string(4 * x + y + 1) + " at " + std::to_string(x) + " " +
               std::to_string(y) + "\nn" + std::to_string(4 * ((x + 1) % 4) + (y + 1) % 4 + 1) +
               " +Y +X1 -\nend 1\n";
    }
  }
  EXPECT_THAT(together({{"job 8", {{"a", text}}, four}, {"job 9", {{"b", steps}}, all}}),
              HasSubstr("no: its packets and those of job 8, job 9 could wait for each other forever"));
}

/// A proof beside a part of a job's tables would say nothing of the rest.
TEST_F(JobTablesTest, ARunningJobWithoutAllItsTablesIsNamed) {
  const Cluster cluster = cluster_of("transit = \"any\"\n");
  const JobTables job = make_job_tables(cluster, "n[13-16]", silent_);
  const JobTables other = make_job_tables(cluster, "n[1-3]", silent_);
  const auto together = [&](std::size_t first, std::size_t last, const std::vector<std::string>& nodes) {
    RunningJob running{"job 3", {}, nodes};
    for (std::size_t i = first; i < last; ++i) running.files.push_back(other.files[i]);
    return refusal([&] { require_sound_together(cluster, job, {running}, silent_); });
  };
  EXPECT_EQ(together(0, 3, {"n1", "n2", "n3"}), "");
  EXPECT_THAT(together(0, 0, {}), HasSubstr("input: tables of job 3: its folder has none; take them away"));
  EXPECT_THAT(together(0, 2, {"n1", "n2"}), HasSubstr("input: tables of job 3: node n3 has no file"));
  EXPECT_THAT(together(1, 2, {"n1"}), HasSubstr("input: tables of job 3: node n2 has no file"));
  EXPECT_THAT(together(0, 2, {"n1", "n2", "n3"}),
              HasSubstr("input: tables of job 3: the file of node n3 has no routes of it"));
  EXPECT_THAT(together(0, 3, {"n1", "n2", "n3", "x"}),
              HasSubstr("input: tables of job 3: no node of the cluster is called 'x'"));
}

TEST_F(JobTablesTest, AJobOnTheNodesOfAnotherIsRefusedUnlessTheyAreShared) {
  for (const bool shared : {false, true}) {
    const Cluster cluster = cluster_of(shared ? "shared_nodes = true\n" : "");
    const JobTables job = make_job_tables(cluster, "n[1-4]", silent_);
    const JobTables other = make_job_tables(cluster, "n[4,8]", silent_);
    const RunningJob running{"job 3", other.files, {"n4", "n8"}};
    const std::string why = refusal([&] { require_sound_together(cluster, job, {running}, silent_); });
    EXPECT_EQ(why.substr(0, 42), shared ? "" : "no: node n4 has tables of job 3 already: t");
  }
}

TEST_F(JobTablesTest, FoldersAppearWholeAndGoWhole) {
  const std::string path = (path_ / "tables").string();
  {
    const TableFolder folder(path, 1);
    EXPECT_TRUE(folder.others(1).empty());
    folder.put(1, {{"a", "one\n"}, {"b", "two\n"}});
    folder.put(2, {{"c", "three\n"}});
    folder.put(1, {{"b", "new\n"}});
    EXPECT_THAT(files("tables/job-1"), ElementsAre("b.routes"));
    EXPECT_EQ(read_file(folder.path_of(1) + "/b.routes"), "new\n");
    const auto others = folder.others(1);
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].name, "job 2");
    ASSERT_EQ(others[0].files.size(), 1U);
    EXPECT_EQ(others[0].files[0].second, "three\n");
    // What cannot be written leaves the old.
    EXPECT_THAT(refusal([&] { folder.put(1, {{"no/such", "x"}}); }), HasSubstr("cannot write"));
    EXPECT_THAT(files("tables/job-1"), ElementsAre("b.routes"));
    EXPECT_THAT(files("tables"), ElementsAre(".lock", "job-1", "job-2"));
    EXPECT_TRUE(folder.remove(1));
    EXPECT_FALSE(folder.remove(1));
    EXPECT_THAT(files("tables"), ElementsAre(".lock", "job-2"));
    // One at a time.
    EXPECT_THAT(refusal([&] { const TableFolder second(path, 0.05); }),
                HasSubstr("another process has the tables locked for more than 0.05 s"));
  }
  // What a process that died has left is cleared, what is not ours stays.
  fs::create_directories(path_ / "tables/.new-7");
  write_file((path_ / "tables/.new-7/a.routes").string(), "x");
  fs::create_directories(path_ / "tables/job-x");
  const TableFolder again(path, 1);
  // A folder without tables is a job all the same.
  fs::create_directories(path_ / "tables/job-3");
  ASSERT_EQ(again.others(2).size(), 1U);
  EXPECT_TRUE(again.others(2)[0].nodes.empty());
  write_file((path_ / "tables/job-3/a.routes").string(), "");
  EXPECT_THAT(refusal([&] { (void)again.others(2); }), HasSubstr("job-3/a.routes: is empty"));
  EXPECT_TRUE(again.remove(3));
  EXPECT_EQ(again.others(5).size(), 1U);
  EXPECT_THAT(files("tables"), ElementsAre(".lock", "job-2", "job-x"));
  write_file((path_ / "file").string(), "");
  EXPECT_THAT(refusal([&] { const TableFolder none((path_ / "file/x").string(), 1); }), HasSubstr("input: "));
}

}  // namespace
}  // namespace unknot::slurm
