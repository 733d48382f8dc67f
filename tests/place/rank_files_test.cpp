// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "refusal.hpp"
#include "unknot/place/places.hpp"
#include "unknot/place/rank_files.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::place {
namespace {

using ::testing::HasSubstr;

std::string rank_files_refusal(std::string_view text) {
  return refusal([&] { read_rank_file(text, "ranks"); });
}

TEST(RankFile, ComesBackInEveryFormat) {
  const std::vector<std::string> hosts{"node01", "node02", "node01", "login.cluster-2", "node_3", "node02"};
  for (const RankFileFormat& row : rank_file_formats()) {
    const std::string text = row.write(hosts, {});
    for (const char* wrong : {"", "two words", "a=b", "-n", "k[1-2]", "\xC3\xA4"})
      EXPECT_THROW(row.write({"good", wrong}, {}), InputError) << row.name << " " << wrong;
    if (!row.read) continue;
    EXPECT_EQ(row.read(text, "ranks"), hosts) << row.name;
    EXPECT_EQ(read_rank_file(text, "ranks"), hosts) << row.name;
    const std::vector<CoreSlot> cores(hosts.size(), {1, 2});
    EXPECT_EQ(row.read(row.write(hosts, cores), "ranks"), hosts) << row.name;
    EXPECT_EQ(row.write(hosts, cores) != text, row.holds_cores) << row.name;
  }
}

TEST(RankFile, IsWhatLaunchersTake) {
  EXPECT_EQ(find_rank_file_format("openmpi-rankfile").write({"a", "b", "a"}, {}),
            "rank 0=a slot=0\nrank 1=b slot=0\nrank 2=a slot=1\n");
  EXPECT_EQ(find_rank_file_format("openmpi-rankfile").write({"a", "b"}, {{1, 3}, {0, 2}}),
            "rank 0=a slot=1:3\nrank 1=b slot=0:2\n");
  EXPECT_EQ(find_rank_file_format("slurm-hostfile").write({"a", "b", "a"}, {}), "a\nb\na\n");
}

TEST(RankFile, OfOpenMpiTakesAnyOrderAndComments) {
  EXPECT_EQ(read_rank_file("# ranks\nrank 1=b slot=0:1\n\n  rank 0=a slot=1-3 # first\r\n", "ranks"),
            (std::vector<std::string>{"a", "b"}));
}

TEST(RankFile, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(rank_files_refusal(""), HasSubstr("ranks:1: expected the host"));
  EXPECT_THAT(rank_files_refusal("rank 0=a slot=0\nrank 0=b slot=0\n"),
              HasSubstr("ranks:2: this rank is there already"));
  EXPECT_THAT(rank_files_refusal("rank 0=a slot=0\nrank 2=b slot=0\n"),
              HasSubstr("ranks:2: rank 2 is here, but rank 1 is nowhere"));
  EXPECT_THAT(rank_files_refusal("rank 0=a slot=0\nrank x=b slot=0\n"), HasSubstr("ranks:2: expected 'rank"));
  EXPECT_THAT(rank_files_refusal("rank 0=a\n"), HasSubstr("ranks:1: expected 'rank"));
  EXPECT_THAT(rank_files_refusal("rank 99999999=a slot=0\n"), HasSubstr("ranks:1: expected 'rank"));
  EXPECT_THAT(rank_files_refusal("node01\nnode 02\n"), HasSubstr("ranks:2: expected the name of a host"));
  EXPECT_THAT(rank_files_refusal("{\"hosts\": [1]}"), HasSubstr("ranks:1: every element"));
  EXPECT_THAT(rank_files_refusal("{\"host\": []}"), HasSubstr("a list 'hosts'"));
  EXPECT_THAT(rank_files_refusal("{"), HasSubstr(":1: not valid JSON here"));
  EXPECT_THAT(rank_files_refusal(std::string_view("a\0b", 3)), HasSubstr("ranks"));
}

TEST(RankFile, PutsRanksOnTheHostsThatItNames) {
  const Network network = make_network("ring:3");
  const Places places = find_places(network, "", 2);
  EXPECT_EQ(placement_on(network, places, std::vector<std::string>{"H-2", "H-0", "H-2", "H-1"}),
            (Placement{4, 0, 5, 2}));
  EXPECT_THROW(placement_on(network, places, std::vector<std::string>{"H-3"}), InputError);
  EXPECT_THROW(placement_on(network, places, std::vector<std::string>{"H-1", "H-1", "H-1"}), InputError);
}

}  // namespace
}  // namespace unknot::place
