// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/host_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "refusal.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string host_list_refusal(std::string_view list, std::size_t most = kMostHosts) {
  return refusal([&] { (void)expand_host_list(list, most); });
}

TEST(HostList, ExpandsEveryForm) {
  EXPECT_THAT(expand_host_list("node[01-04,07]"),
              ElementsAre("node01", "node02", "node03", "node04", "node07"));
  EXPECT_THAT(expand_host_list("r[1-2]n[01-03]"),
              ElementsAre("r1n01", "r1n02", "r1n03", "r2n01", "r2n02", "r2n03"));
  EXPECT_THAT(expand_host_list("n[1-2]-ib"), ElementsAre("n1-ib", "n2-ib"));
  EXPECT_THAT(expand_host_list("n[1-2][3-4]"), ElementsAre("n13", "n14", "n23", "n24"));
  EXPECT_THAT(expand_host_list("login, n[8-11] ,x"), ElementsAre("login", "n8", "n9", "n10", "n11", "x"));
  EXPECT_THAT(expand_host_list("n[08-11]"), ElementsAre("n08", "n09", "n10", "n11"));
  EXPECT_THAT(expand_host_list("[0-2]"), ElementsAre("0", "1", "2"));
  EXPECT_THAT(expand_host_list("n[1,1],n1"), ElementsAre("n1", "n1", "n1"));
  EXPECT_THAT(expand_host_list("n[000-000]"), ElementsAre("n000"));
  EXPECT_EQ(expand_host_list("n[1-65536]").size(), 65536U);
}

TEST(HostList, RefusesTheRestWithItsPlace) {
  EXPECT_EQ(host_list_refusal(""), "host list '', character 1: the list is empty");
  EXPECT_EQ(host_list_refusal("a,,b"), "host list 'a,,b', character 3: expected a name");
  EXPECT_EQ(host_list_refusal("a,"), "host list 'a,', character 3: expected a name");
  EXPECT_EQ(host_list_refusal("a b"), "host list 'a b', character 3: a blank inside a name");
  EXPECT_EQ(host_list_refusal("n[4-1]"), "host list 'n[4-1]', character 3: the range 4-1 goes backwards");
  EXPECT_EQ(host_list_refusal("n[1,2-]"), "host list 'n[1,2-]', character 7: expected a number, not ']'");
  EXPECT_EQ(host_list_refusal("n[]"), "host list 'n[]', character 3: expected a number, not ']'");
  EXPECT_EQ(host_list_refusal("n[-1]"), "host list 'n[-1]', character 3: expected a number, not '-'");
  EXPECT_EQ(host_list_refusal("n[1,]"), "host list 'n[1,]', character 5: expected a number, not ']'");
  EXPECT_EQ(host_list_refusal("n[a-b]"), "host list 'n[a-b]', character 3: expected a number, not 'a'");
  EXPECT_EQ(host_list_refusal("n[1-2"), "host list 'n[1-2', character 2: '[' without ']'");
  EXPECT_EQ(host_list_refusal("n[1-"), "host list 'n[1-', character 2: '[' without ']'");
  EXPECT_EQ(host_list_refusal("n["), "host list 'n[', character 2: '[' without ']'");
  EXPECT_EQ(host_list_refusal("n1-2]"), "host list 'n1-2]', character 5: ']' without '['");
  EXPECT_EQ(host_list_refusal("n[[1-2]]"), "host list 'n[[1-2]]', character 3: a bracket inside a bracket");
  EXPECT_EQ(host_list_refusal("n[1[2]]"), "host list 'n[1[2]]', character 4: a bracket inside a bracket");
  EXPECT_EQ(host_list_refusal("n[0-10:2]"),
            "host list 'n[0-10:2]', character 7: expected ',', '-' or ']', not ':'");
  EXPECT_EQ(host_list_refusal("n[1-65537]"), "host list 'n[1-65537]', character 3: more than 65536 names");
  EXPECT_EQ(host_list_refusal("n[0-999999999999999999]"),
            "host list 'n[0-999999999999999999]', character 3: more than 65536 names");
  EXPECT_THAT(host_list_refusal("n[0-9999999999999999999]"), HasSubstr("a number of more than 18 digits"));
  EXPECT_THAT(host_list_refusal("n[1-300][1-300]"), HasSubstr("character 9: more than 65536 names"));
  EXPECT_THAT(host_list_refusal("a,b,n[1-8]", 9), HasSubstr("character 5: more than 9 names"));
  EXPECT_THAT(host_list_refusal("a\x01"), HasSubstr("character 2: a control character"));
}

TEST(HostList, CompressesAndComesBack) {
  const auto compress = [](std::vector<std::string> names) { return compress_host_list(names); };
  EXPECT_EQ(compress({}), "");
  EXPECT_EQ(compress({"n1"}), "n1");
  EXPECT_EQ(compress({"n1", "n2", "n3", "n5"}), "n[1-3,5]");
  EXPECT_EQ(compress({"n08", "n09", "n10"}), "n[08-10]");
  EXPECT_EQ(compress({"n01", "n1", "n2"}), "n[01,1-2]");
  EXPECT_EQ(compress({"r1n1", "r1n2", "r2n1", "r2n2"}), "r1n[1-2],r2n[1-2]");
  EXPECT_EQ(compress({"a", "a", "n2", "n1"}), "a,a,n[2,1]");
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    std::vector<std::string> names;
    for (std::uint32_t i = 0, count = 1 + random.below(12); i < count; ++i) {
      std::string name(1, "nm"[random.below(2)]);
      if (random.below(3) == 0) name += "-7";
      std::string number = std::to_string(random.below(14));
      if (random.below(2) == 0) number.insert(0, random.below(3), '0');
      if (random.below(8) != 0) name += number;
      names.push_back(name);
    }
    EXPECT_EQ(expand_host_list(compress_host_list(names)), names) << compress_host_list(names);
  }
}

/// Output of a program, one name a line; nothing where it failed.
std::optional<std::vector<std::string>> lines_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) return std::nullopt;
  std::vector<std::string> lines;
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe.get()) != nullptr) {
    std::string line(piece.data());
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

constexpr const char* kAgreed[] = {"node[01-04,07]",
                                   "r[1-2]n[01-03]",
                                   "login",
                                   "n[08-11]",
                                   "n[9-12]",
                                   "[0-3]",
                                   "n[1,1]",
                                   "n[1-3],n[2-4]",
                                   "n[1-2][3-4]",
                                   "n[00-03]",
                                   "a,b,n[5]",
                                   "n[001-003,7,010-011]",
                                   "x[1-2]y[3-4]z[5-6]",
                                   "n[98-101]",
                                   "n-[1-2],n-x4",
                                   "n[1-1000]"};

// The oracle is Slurm itself; its client reads a configuration, any will do.
TEST(HostList, AgreesWithScontrol) {
  if (std::system("command -v scontrol >/dev/null 2>&1") != 0) GTEST_SKIP() << "scontrol is not installed";
  const auto folder =
      std::filesystem::temp_directory_path() / ("unknot-hostlist-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string configuration = (folder / "slurm.conf").string();
  std::ofstream(configuration) << "ClusterName=x\nSlurmctldHost=localhost\nNodeName=n[1-2]\n";
  const std::string scontrol = "SLURM_CONF=" + configuration + " scontrol show ";
  for (const std::string list : kAgreed) {
    const auto names = lines_of(scontrol + "hostnames '" + list + "'");
    ASSERT_TRUE(names);
    if (std::count(list.begin(), list.end(), '[') > 2) {
      // Slurm counts the first of three brackets before the second.
      EXPECT_THAT(expand_host_list(list), ::testing::UnorderedElementsAreArray(*names)) << list;
      continue;
    }
    EXPECT_EQ(expand_host_list(list), *names) << list;
    // And our own compressed form is one that Slurm takes.
    EXPECT_EQ(*lines_of(scontrol + "hostnames '" + compress_host_list(*names) + "'"), *names) << list;
    if (names->size() > 100) continue;
    std::string joined;
    for (const std::string& name : *names) joined += (joined.empty() ? "" : ",") + name;
    EXPECT_THAT(*lines_of(scontrol + "hostlist " + joined), ElementsAre(compress_host_list(*names)));
  }
  std::filesystem::remove_all(folder);
}

// ClusterShell has sets: sorted, without repeats.
TEST(HostList, AgreesWithNodeset) {
  if (std::system("command -v nodeset >/dev/null 2>&1") != 0) GTEST_SKIP() << "nodeset is not installed";
  for (const std::string list : {"node[01-04,07]", "r[1-2]n[01-03]", "n[1-3]-ib", "n[08-11]", "a,b,n[5]"}) {
    const auto names = lines_of("nodeset -e -S '\n' '" + list + "'");
    ASSERT_TRUE(names);
    EXPECT_EQ(expand_host_list(list), *names) << list;
  }
}

}  // namespace
}  // namespace unknot
