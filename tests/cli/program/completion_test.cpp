// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_command.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

using Completion = InFolder;

bool has_shell(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(0, line.find('\t')));
  return lines;
}

std::vector<std::string> rows_of(const std::string& catalogue) {
  std::vector<std::string> names;
  for (const ListedRow& row : find_catalogue(catalogue).rows) names.push_back(row.name);
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

/// What a shell offers for the last word.
using Offers = std::vector<std::string> (*)(const std::vector<std::string>& words);

std::vector<std::string> offers_of_bash(const std::vector<std::string>& words) {
  std::string typed;
  for (const std::string& word : words) typed += " '" + word + "'";
  return lines_of("bash -c \"source ./script; COMP_WORDS=(" + typed +
                  "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                  "; _unknot; [ -z \\\"\\$COMPREPLY\\\" ] || printf '%s\\\\n' \\\"\\${COMPREPLY[@]}\\\"\"");
}

std::vector<std::string> offers_of_fish(const std::vector<std::string>& words) {
  std::string typed;
  for (const std::string& word : words) typed += (typed.empty() ? "" : " ") + word;
  return lines_of("HOME=. fish --no-config -c \"source ./script; complete -C '" + typed + "'\"");
}

void expect_offers(Offers offers) {
  EXPECT_THAT(offers({"unknot", ""}), IsSupersetOf(command_names()));
  EXPECT_THAT(offers({"unknot", "rou"}), Contains("route"));
  EXPECT_THAT(offers({"unknot", "rou"}), Not(Contains("lanes")));
  EXPECT_THAT(offers({"unknot", "route", "--engine", ""}), IsSupersetOf(rows_of("engines")));
  EXPECT_THAT(offers({"unknot", "schedule", "--solver", "nest"}), Contains("nested-flows"));
  EXPECT_THAT(offers({"unknot", "info", "kau"}), Contains("kautz"));
  EXPECT_THAT(offers({"unknot", "schedule", "ring:4", "--links", ""}),
              IsSupersetOf({"full-duplex", "half-duplex"}));
  EXPECT_THAT(offers({"unknot", "route", "ring:4", "--certi"}), Contains("--certificate"));
  EXPECT_THAT(offers({"unknot", "list", ""}), IsSupersetOf(catalogue_names()));
}

TEST_F(Completion, OfBash) {
  if (!has_shell("bash")) GTEST_SKIP() << "no bash";
  write("script", run("completion bash").out);
  expect_offers(offers_of_bash);
  // of several engines the last
  EXPECT_THAT(offers_of_bash({"unknot", "route", "--engine", "updn,dfs"}), Contains("updn,dfsssp"));
  // a value that looks like a command is none
  EXPECT_THAT(offers_of_bash({"unknot", "--seed", "3", "inf"}), Contains("info"));
}

TEST_F(Completion, OfFish) {
  if (!has_shell("fish")) GTEST_SKIP() << "no fish";
  write("script", run("completion fish").out);
  expect_offers(offers_of_fish);
}

TEST_F(Completion, OfZshIsAScript) {
  if (!has_shell("zsh")) GTEST_SKIP() << "no zsh";
  write("script", run("completion zsh").out);
  EXPECT_EQ(std::system("zsh -n script"), 0);
  EXPECT_THAT(lines_of("zsh -f -c 'autoload -U compinit; compinit -u -d dump; source ./script; print "
                       "$_comps[unknot]'"),
              Contains("_unknot"));
}

TEST_F(Completion, RefusesOtherShells) {
  expect_refused("completion csh", "unknown shell 'csh'");
}

}  // namespace
}  // namespace unknot::cli::test
