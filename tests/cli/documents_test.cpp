// SPDX-License-Identifier: Apache-2.0
// Pages for people: their links lead somewhere, and what they say that this project has, it has.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cli/run_command.hpp"
#include "unknot/cli/catalogues.hpp"
#include "unknot/cli/command.hpp"
#include "unknot/support/file.hpp"

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
  const std::regex link(R"(\]\(([^)\s]+)\))");
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
    const std::string target = (*at)[1].str();
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

TEST(Documents, SiteHasEveryPageButTheResults) {
  const std::string site = read_file((kRoot / "mkdocs.yml").string());
  for (const char* const folder : {"docs", "docs/how-to"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
      if (entry.path().extension() != ".md") continue;
      EXPECT_THAT(site, HasSubstr("- " + fs::relative(entry.path(), kRoot / "docs").string() + "\n"));
    }
  }
}

TEST(Documents, CompareWithWhatIsThere) {
  const std::string page = read_file((kRoot / "docs/comparison.md").string());
  std::set<std::string> names;
  for (const Command& command : commands()) names.insert(command.name);
  const std::regex command(R"(`unknot ([a-z-]+)( --[a-z-]+)?`)");
  std::size_t count = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), command), end; at != end; ++at, ++count) {
    const std::string name = (*at)[1].str(), option = (*at)[2].str();
    ASSERT_TRUE(names.count(name)) << name;
    if (!option.empty()) {
      EXPECT_THAT(run(name + " --help").out, HasSubstr(option.substr(1))) << name;
    }
  }
  EXPECT_GT(count, 10U);
  std::smatch families;
  ASSERT_TRUE(std::regex_search(page, families, std::regex("([0-9]+) families")));
  EXPECT_GE(find_catalogue("topologies").rows.size(), std::stoul(families[1].str()));
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
