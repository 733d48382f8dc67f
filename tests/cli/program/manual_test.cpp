// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run_command.hpp"
#include "patterns.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/cli/program/manual_page.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using Manual = InFolder;

std::string without_escapes(std::string text) {
  text = with_replaced(text, R"(\\f[BIR]|\\&)", "");
  return with_replaced(text, R"(\\-)", "-");
}

TEST_F(Manual, HasAPageForEveryCommandAndCatalogue) {
  for (const Command& command : commands()) {
    const std::string page = without_escapes(run("manual " + command.name).out);
    EXPECT_THAT(page, HasSubstr("unknot-" + command.name + " - " + command.summary));
    for (const std::string& example : command.examples) EXPECT_THAT(page, HasSubstr("\n" + example + "\n"));
    // whatever the help names
    const std::string help = run(command.name + " --help").out;
    for (const std::vector<std::string>& option : matches_in(help, "--[a-z][a-z-]*"))
      EXPECT_THAT(page, HasSubstr(option[0])) << command.name;
  }
  for (const std::string& name : catalogue_names()) {
    const std::string page = without_escapes(run("manual " + name).out);
    for (const ListedRow& row : find_catalogue(name).rows) {
      EXPECT_THAT(page, HasSubstr(".SH " + row.name + "\n" + row.summary));
      for (const Parameter& p : row.parameters) EXPECT_THAT(page, HasSubstr(p.name));
    }
  }
}

TEST_F(Manual, IsWellFormed) {
  for (const ManualPage& page : manual_pages()) {
    EXPECT_TRUE(page.text.starts_with(".TH ")) << page.name;
    std::istringstream lines(page.text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(".")) {
        EXPECT_FALSE(match_of(line, R"(\.(TH|SH|TP|PP|EX|EE|br)( .*)?)").empty()) << line;
      }
      EXPECT_FALSE(line.starts_with("'")) << line;
      EXPECT_TRUE(matches_in(line, R"(\\(?!f[BIR]|&|-|\(rs))").empty()) << line;
    }
  }
}

TEST_F(Manual, WritesAllPages) {
  std::filesystem::create_directory("pages");
  EXPECT_EQ(run("manual -o pages").code, 0);
  EXPECT_EQ(read_file("pages/unknot-route.1"), run("manual route").out);
  EXPECT_EQ(read_file("pages/unknot-engines.7"), run("manual engines").out);
  EXPECT_EQ(read_file("pages/unknot.1"), run("manual").out);
}

TEST_F(Manual, RefusesWhatIsNotThere) {
  expect_refused("manual rute", "'route'");
  expect_refused("manual xyzzy", "there are: unknot, list, topology");
  expect_refused("manual -o nowhere", "expected an existing folder");
}

}  // namespace
}  // namespace unknot::cli::test
