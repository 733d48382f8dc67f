// SPDX-License-Identifier: Apache-2.0
// Pages for people: their links lead somewhere, and what they say that this project has, it has.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/run_command.hpp"
#include "patterns.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kRoot = UNKNOT_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

/// What a page's "[text](target)" lead to, of this project.
std::vector<std::string> links_of(const std::string& text) {
  std::vector<std::string> links;
  for (const std::vector<std::string>& link : matches_in(text, R"(\]\(([^)\s]+)\))")) {
    const std::string& target = link[1];
    if (target.find("://") == std::string::npos && !target.starts_with("#"))
      links.push_back(target.substr(0, target.find('#')));
  }
  return links;
}

TEST(Documents, HaveLinksThatLeadSomewhere) {
  std::size_t count = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& link : links_of(read_file(page.string()))) {
      ++count;
      EXPECT_TRUE(fs::exists(page.parent_path() / link)) << page << " leads to " << link;
    }
  }
  EXPECT_GT(count, 50U);
}

TEST(Documents, SiteHasEveryPage) {
  const std::string site = read_file((kRoot / "mkdocs.yml").string());
  for (const fs::path& page : pages()) {
    const std::string place = fs::relative(page, kRoot / "docs").string();
    if (place.starts_with("..")) continue;
    EXPECT_THAT(site, HasSubstr("- " + place + "\n"));
  }
}

TEST(Documents, CompareWithWhatIsThere) {
  const std::string page = read_file((kRoot / "docs/comparison.md").string());
  std::set<std::string> names;
  for (const Command& command : commands()) names.insert(command.name);
  const auto named = matches_in(page, R"(`unknot ([a-z-]+)( --[a-z-]+)?`)");
  for (const std::vector<std::string>& command : named) {
    const std::string &name = command[1], &option = command[2];
    ASSERT_TRUE(names.count(name)) << name;
    if (!option.empty()) {
      EXPECT_THAT(run(name + " --help").out, HasSubstr(option.substr(1))) << name;
    }
  }
  EXPECT_GT(named.size(), 10U);
  const auto families = matches_in(page, "([0-9]+) families");
  ASSERT_FALSE(families.empty());
  EXPECT_GE(find_catalogue("topologies").rows.size(), std::stoul(families[0][1]));
}

TEST_F(InFolder, OpenSmHasTheEnginesTheComparisonNames) {
  if (std::system("command -v opensm >/dev/null") != 0) GTEST_SKIP() << "no opensm";
  if (std::system("opensm --help > help 2>&1") < 0) GTEST_SKIP() << "opensm does not run";
  const std::string help = read_file("help");
  for (const char* const engine :
       {"updn", "dnup", "file", "ftree", "lash", "dor", "torus-2QoS", "nue", "dfsssp", "sssp", "Min Hop"})
    EXPECT_THAT(help, HasSubstr(engine));
}

}  // namespace
}  // namespace unknot::cli::test
