// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/report/page.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using Examples = InFolder;

/// A build without npm has no pages to write.
bool runs_here(const Command& command) {
  return command.name != "report" || report::page_available();
}

std::string without_program(const std::string& line) {
  EXPECT_TRUE(line.starts_with("unknot ")) << line;
  return line.substr(line.find(' ') + 1);
}

// In order and in one folder: an example may read what the one before it wrote.
TEST_F(Examples, OfEveryCommandWorkAsPasted) {
  for (const Command& command : commands()) {
    ASSERT_FALSE(command.examples.empty()) << command.name;
    if (!runs_here(command)) continue;
    for (const std::string& example : command.examples) {
      const Result result = run(without_program(example));
      EXPECT_EQ(result.code, 0) << example << "\n" << result.err;
    }
  }
}

TEST_F(Examples, AreInTheHelpAlongWithEveryOption) {
  const Result overview = run("--help");
  EXPECT_EQ(overview.code, 0);
  for (const Command& command : commands()) {
    EXPECT_THAT(overview.out, HasSubstr(command.summary));
    const Result help = run({command.name, "--help"});
    EXPECT_EQ(help.code, 0) << command.name;
    EXPECT_EQ(help.err, "") << command.name;
    for (const std::string& example : command.examples) EXPECT_THAT(help.out, HasSubstr(example));
    for (const char* option : {"--seed", "--threads", "--json", "--quiet", "--help"}) {
      EXPECT_THAT(help.out, HasSubstr(option)) << command.name;
    }
  }
}

TEST_F(Examples, GiveTheSameBytesAgainWithJson) {
  // Times are the one thing that may differ.
  for (const Command& command : commands()) {
    if (!runs_here(command)) continue;
    for (const std::string& example : command.examples) {
      if (example.find(" -o -") != std::string::npos) continue;
      const std::string line = without_program(example) + " --json";
      Result first = run(line);
      Result again = run(line + " --threads 1");
      ASSERT_EQ(first.code, 0) << line << first.err;
      const auto strip = [](nlohmann::json document) {
        const auto erase = [](nlohmann::json& object) {
          for (const char* measured : {"seconds", "cpu_seconds", "verify_seconds"}) object.erase(measured);
          if (object.contains("management")) object["management"].erase("seconds");
        };
        erase(document);
        if (document.contains("engines")) {
          for (auto& row : document["engines"]) erase(row);
        }
        return document;
      };
      EXPECT_EQ(strip(first.json()), strip(again.json())) << line;
    }
  }
}

/// What differs from run to run is there where it is asked for alone.
TEST_F(Examples, MemoryIsMeasuredOnRequest) {
  EXPECT_FALSE(run("route ring:4 --json").json().contains("peak_mib"));
  EXPECT_GT(run("route ring:4 --json --memory").json()["peak_mib"], 1.0);
  expect_refused("route ring:4 --memory", "--memory is a field of --json");
}

}  // namespace
}  // namespace unknot::cli::test
