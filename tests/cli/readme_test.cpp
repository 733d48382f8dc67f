// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

/// What may differ from run to run, times and the column widths they set, made equal.
std::string without_times(const std::string& line) {
  const std::string masked = std::regex_replace(line, std::regex(R"(\b[0-9.]+ (us|ms|s)\b)"), "TIME");
  const std::string single = std::regex_replace(masked, std::regex(" +"), " ");
  const std::size_t first = single.find_first_not_of(' ');
  const std::size_t last = single.find_last_not_of(' ');
  return first == std::string::npos ? "" : single.substr(first, last - first + 1);
}

struct Session {
  std::string command;
  std::string output;
};

/// The commands of the README that are shown with their output: "    $ unknot ..." and the indented lines
/// below.
std::vector<Session> sessions() {
  std::ifstream readme(UNKNOT_SOURCE_DIR "/README.md");
  std::vector<Session> found;
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
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

TEST_F(Readme, ShowsWhatTheProgramPrints) {
  const std::vector<Session> shown = sessions();
  ASSERT_FALSE(shown.empty());
  for (const Session& session : shown) {
    const Result result = run(session.command);
    EXPECT_EQ(result.code, 0) << session.command << result.err;
    std::istringstream lines(result.out);
    std::string actual;
    for (std::string line; std::getline(lines, line);) actual += without_times(line) + "\n";
    // blank lines at the end separate the block from the text below it
    std::string expected = session.output;
    while (expected.ends_with("\n\n")) expected.pop_back();
    EXPECT_EQ(actual, expected) << "The README is to show this:\n" << result.out;
  }
}

}  // namespace
}  // namespace unknot::cli::test
