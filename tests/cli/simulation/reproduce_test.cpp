// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "cli/run_command.hpp"
#include "unknot/reproduce/catalogue.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Reproduce = InFolder;

constexpr const char* kSmall = "reproduce dfsssp-heuristics --quick";

TEST_F(Reproduce, WithoutANamePrintsTheCatalogue) {
  const Result text = run("reproduce");
  EXPECT_EQ(text.code, 0);
  const nlohmann::json rows = run("reproduce --json").json()["reproductions"];
  ASSERT_EQ(rows.size(), experiments().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["name"], experiments()[i].name);
    EXPECT_THAT(text.out, HasSubstr(experiments()[i].name));
    EXPECT_THAT(text.out, HasSubstr(experiments()[i].summary));
  }
}

TEST_F(Reproduce, HasTheFieldsOfTheContract) {
  const Result result = run(std::string(kSmall) + " --json");
  EXPECT_EQ(result.code, 0) << result.err;
  const nlohmann::json rows = result.json()["rows"];
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    for (const char* field : {"case", "published", "ours", "verdict", "note"}) {
      EXPECT_TRUE(row.contains(field)) << field << " in " << row;
    }
    EXPECT_THAT((std::vector<std::string>{"equal", "within", "better", "differs", "unpublished"}),
                Contains(row["verdict"].get<std::string>()));
    if (row["verdict"] == "differs") {
      EXPECT_NE(row["note"], "") << row;
    }
  }
}

TEST_F(Reproduce, RefusesWrongNamesWithTheNearOnes) {
  expect_refused("reproduce dfsssp-heuristic", "'dfsssp-heuristics'");
  expect_refused("reproduce something-else-entirely", "list reproductions");
  expect_refused("reproduce dfsssp-heuristics:network=2", "'networks'");
  expect_refused("reproduce dfsssp-heuristics:networks=0", "networks");
  expect_refused("reproduce dfsssp-heuristics --quick -o nowhere", "nowhere");
  expect_refused("reproduce --quick", "which");
  expect_refused("list reproduction", "'reproductions'");
}

TEST_F(Reproduce, WritesThePageTheDataAndTheScript) {
  std::filesystem::create_directory("out");
  const Result result = run(std::string(kSmall) + " -o out");
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string page = read("out/dfsssp-heuristics.md");
  EXPECT_THAT(page, StartsWith("# "));
  EXPECT_THAT(page, HasSubstr("| case | published | ours | verdict | note |"));
  EXPECT_THAT(page, HasSubstr("unknot reproduce dfsssp-heuristics --quick"));
  EXPECT_THAT(page, HasSubstr("(plots/dfsssp-heuristics-lanes.svg)"));
  EXPECT_THAT(read("out/plots/dfsssp-heuristics-lanes.csv"), StartsWith("\"group\","));
  EXPECT_THAT(read("out/plots/dfsssp-heuristics-lanes.gp"), HasSubstr("dfsssp-heuristics-lanes.csv"));
  const bool drawn = std::filesystem::exists("out/plots/dfsssp-heuristics-lanes.svg");
  if (drawn) {
    EXPECT_THAT(read("out/plots/dfsssp-heuristics-lanes.svg"), HasSubstr("</svg>"));
    EXPECT_THAT(result.err, IsEmpty());
  } else {
    EXPECT_THAT(result.err, HasSubstr("gnuplot is not installed"));
  }
}

TEST_F(Reproduce, ResumesFromAFileWithTheSameOutput) {
  // Points stand in the order in which they were finished: on one thread that of the experiment.
  const std::string command = "reproduce diameter2-all-to-all --quick --threads 1 --resume points.jsonl";
  const Result first = run(command);
  EXPECT_EQ(first.code, 0) << first.err;
  const std::string points = read("points.jsonl");
  EXPECT_THAT(points, StartsWith("{\"point\":\"slimfly:q=5,p=3 | minimal, hop | all-to-all:bytes=512"));
  EXPECT_EQ(run(command).out, first.out);
  EXPECT_EQ(read("points.jsonl"), points) << "nothing was missing";
  EXPECT_EQ(run("reproduce diameter2-all-to-all --quick").out, first.out) << "without the file";
  expect_refused("reproduce dfsssp-heuristics --quick --resume points.jsonl", "diameter2-oblivious");
  write("other.txt", "not\nours\n");
  expect_refused("reproduce diameter2-all-to-all --quick --resume other.txt", "other.txt:1:");
}

/// Sets the PATH while it lives.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~OtherPath() { ::setenv("PATH", before_.c_str(), 1); }
  OtherPath(const OtherPath&) = delete;
  OtherPath& operator=(const OtherPath&) = delete;

 private:
  std::string before_;
};

TEST_F(Reproduce, SaysWhereThereIsNoGnuplotAndWritesTheRest) {
  std::filesystem::create_directory("out");
  std::filesystem::create_directory("empty");
  const OtherPath nothing((std::filesystem::current_path() / "empty").string());
  const Result result = run(std::string(kSmall) + " -o out");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("gnuplot is not installed"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_FALSE(std::filesystem::exists("out/plots/dfsssp-heuristics-lanes.svg"));
  EXPECT_THAT(read("out/plots/dfsssp-heuristics-lanes.gp"), HasSubstr("plot "));
  EXPECT_FALSE(read("out/dfsssp-heuristics.md").empty());
}

TEST_F(Reproduce, LeavesNoPictureWhereGnuplotFails) {
  std::filesystem::create_directory("out");
  std::filesystem::create_directory("broken");
  write("broken/gnuplot", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions("broken/gnuplot", std::filesystem::perms::owner_all);
  const OtherPath broken((std::filesystem::current_path() / "broken").string());
  const Result result = run(std::string(kSmall) + " -o out");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("gnuplot could not draw"));
  EXPECT_FALSE(std::filesystem::exists("out/plots/dfsssp-heuristics-lanes.svg"));
}

}  // namespace
}  // namespace unknot::cli::test
