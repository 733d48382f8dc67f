// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run_command.hpp"
#include "patterns.hpp"
#include "unknot/cli/studies/sweep_table.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

/// What may differ from run to run, times and the column widths they set, made equal.
std::string without_times(const std::string& line) {
  const std::string masked = with_replaced(line, R"(\b[0-9.]+ (us|ms|s)\b)", "TIME");
  const std::string event = with_replaced(masked, R"~("(time|seconds)":("[^"]*"|[0-9.e-]+))~", "TIME");
  const std::string single = with_replaced(event, " +", " ");
  const std::size_t first = single.find_first_not_of(' ');
  const std::size_t last = single.find_last_not_of(' ');
  return first == std::string::npos ? "" : single.substr(first, last - first + 1);
}

struct Session {
  std::string command;
  std::string output;
};

/// The commands of a page that are shown with their output: "    $ unknot ..." and the indented lines below.
std::vector<Session> sessions(const std::string& page) {
  std::ifstream text(UNKNOT_SOURCE_DIR "/" + page);
  std::vector<Session> found;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    const std::string prompt = "    $ unknot ";
    if (line.starts_with(prompt)) {
      found.push_back({line.substr(prompt.size()), ""});
      inside = true;
    } else if (inside && (line.empty() || line.starts_with("    "))) {
      found.back().output += without_times(line) + "\n";
    } else {
      inside = false;
    }
  }
  return found;
}

using Readme = InFolder;

/// `most` is the largest exit code: a page may show what the answer "no" looks like.
void expect_shown(const std::string& page, int most) {
  const std::vector<Session> shown = sessions(page);
  ASSERT_FALSE(shown.empty());
  for (const Session& session : shown) {
    const Result result = run(session.command);
    EXPECT_LE(result.code, most) << session.command << result.err;
    std::istringstream lines(result.out);
    std::string actual;
    for (std::string line; std::getline(lines, line);) actual += without_times(line) + "\n";
    // blank lines at the end separate the block from the text below it
    std::string expected = session.output;
    while (expected.ends_with("\n\n")) expected.pop_back();
    EXPECT_EQ(actual, expected) << page << " is to show this:\n" << result.out;
  }
}

TEST_F(Readme, ShowsWhatTheProgramPrints) {
  expect_shown("README.md", 0);
}

TEST_F(Readme, AndThePageOnEngines) {
  expect_shown("docs/engines.md", 0);
}

TEST_F(Readme, AndThePageOnManyPathsDoesSoToo) {
  expect_shown("docs/oblivious.md", 1);
}

TEST_F(Readme, AndThePageOnAdaptiveRouting) {
  expect_shown("docs/adaptive.md", 1);
}

TEST_F(Readme, AndThePageOnGeneratorsOfNetworksOnChip) {
  for (const char* name : {"chiplets.ini", "one-link.ini"})
    write(name, read_file(fmt::format("{}/tests/data/gem5/{}", UNKNOT_SOURCE_DIR, name)));
  write("mesh-id.yml", read_file(fmt::format("{}/tests/data/floogen/mesh-id.yml", UNKNOT_SOURCE_DIR)));
  write("Rings.scala", read_file(fmt::format("{}/tests/data/constellation/Rings.scala", UNKNOT_SOURCE_DIR)));
  expect_shown("docs/generators.md", 1);
}

TEST_F(Readme, AndThePageOnProtocols) {
  expect_shown("docs/messages.md", 1);
}

TEST_F(Readme, AndThePageOnPauses) {
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data", "data");
  expect_shown("docs/pauses.md", 1);
}

TEST_F(Readme, AndThePageOnWhatAdministratorsSetDoesSoToo) {
  write("edge", "S-5\nS-10\n");
  expect_shown("docs/administration.md", 1);
}

TEST_F(Readme, AndThePageOnTrafficDoesSoToo) {
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data", "data");
  expect_shown("docs/traffic.md", 1);  // bounds alone are a "no"
}

TEST_F(Readme, AndThePageOnReports) {
  if (!report::page_available()) GTEST_SKIP() << "built without npm";
  expect_shown("docs/report.md", 0);
}

TEST_F(Readme, AndThePageOnDesign) {
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data", "data");
  expect_shown("docs/design.md", 0);
}

TEST_F(Readme, AndThePageOnTopologies) {
  expect_shown("docs/topologies.md", 0);
}

TEST_F(Readme, AndThePageOnCollectives) {
  write("aas.json", read_file(UNKNOT_SOURCE_DIR "/docs/drawings/hypercube3-aas.json"));
  expect_shown("docs/collectives.md", 0);
}

TEST_F(Readme, AndThePageOnCombinedMessages) {
  expect_shown("docs/combining.md", 0);
}

TEST_F(Readme, AndThePageOnCollectivesThatAreOptimalInBandwidth) {
  const std::string page = read_file(UNKNOT_SOURCE_DIR "/docs/bandwidth.md");
  const std::size_t graph = page.find("    graph {");
  write("uneven.dot", page.substr(graph, page.find("    $ unknot schedule uneven.dot") - graph));
  expect_shown("docs/bandwidth.md", 0);
}

TEST_F(Readme, AndThePageOnStepsAgainstBytes) {
  expect_shown("docs/front.md", 0);
}

TEST_F(Readme, AndThePageOnKnownAlgorithms) {
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data", "data");
  expect_shown("docs/algorithms.md", 1);
}

TEST_F(Readme, AndThePageOnRuntimes) {
  std::filesystem::create_directories("data");
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data/machines", "data/machines");
  expect_shown("docs/runtimes.md", 0);
}

TEST_F(Readme, AndThePageOnMachines) {
  const std::string page = read_file(UNKNOT_SOURCE_DIR "/docs/machines.md");
  for (const char* file : {"mixed.toml", "h100-four.toml"}) {
    const std::string text = read_file(std::string(UNKNOT_SOURCE_DIR "/data/machines/") + file);
    EXPECT_NE(page.find("```toml\n" + text + "```\n"), std::string::npos) << file << " is to be shown";
  }
  std::filesystem::create_directories("data");
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data/machines", "data/machines");
  expect_shown("docs/machines.md", 0);
}

TEST_F(Readme, AndThePageOnPlacement) {
  expect_shown("docs/placement.md", 0);
}

TEST_F(Readme, AndThePageOnWatching) {
  expect_shown("docs/watch.md", 1);
}

TEST_F(Readme, AndThePageOnMulticast) {
  expect_shown("docs/multicast.md", 1);
}

TEST_F(Readme, AndThePageOnOpenSm) {
  expect_shown("docs/opensm.md", 1);
}

TEST_F(Readme, AndThePageOnIbdiagnet) {
  expect_shown("docs/ibdiagnet.md", 1);
}

TEST_F(Readme, AndThePageOnSweeps) {
  if (!sweep_database_available()) GTEST_SKIP() << "built without SQLite";
  expect_shown("docs/sweep.md", 0);
  // The file is shown as well.
  std::string shown = "\n";
  std::istringstream lines(read("sweep.toml"));
  for (std::string line; std::getline(lines, line);) shown += "    " + line + "\n";
  EXPECT_NE(read_file(UNKNOT_SOURCE_DIR "/docs/sweep.md").find(shown), std::string::npos) << shown;
}

TEST_F(Readme, AndThePageOnSlurm) {
  expect_shown("docs/slurm.md", 0);
}

TEST_F(Readme, AndThePageOnSimulation) {
  write("failures",
        "4000 fail cables=5\n9000 repair cables=5\n12000 fail routers=5\n15000 repair routers=5\n");
  expect_shown("docs/simulation.md", 1);
}

TEST_F(Readme, AndThePagesForEveryone) {
  std::filesystem::create_directories("data");
  std::filesystem::create_directory_symlink(UNKNOT_SOURCE_DIR "/data/machines", "data/machines");
  std::size_t count = 0;
  for (const auto& page : std::filesystem::directory_iterator(UNKNOT_SOURCE_DIR "/docs/how-to")) {
    expect_shown("docs/how-to/" + page.path().filename().string(), 0);
    ++count;
  }
  EXPECT_EQ(count, 6U);
}

}  // namespace
}  // namespace unknot::cli::test
