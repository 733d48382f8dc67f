// SPDX-License-Identifier: Apache-2.0
// Table I of Domke, Hoefler, Nagel 2011: fabrics of 64 to 4096 endpoints made of 36-port switches. The Kautz
// rows stand twice, for words of n and of n+1 letters: the first is the reading that the table's limits fit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Row {
  const char* spec;
  std::uint32_t endpoints, carriers, switches, links, least, most, ports;
};

const std::vector<Row> kRows{
    {"xgft:m=6,w=3,terminals=64", 64, 6, 9, 18, 10, 11, 14},
    {"kautz:b=2,n=2,terminals=64", 64, 6, 6, 12, 10, 11, 15},
    {"kautz:b=2,n=3,terminals=64", 64, 12, 12, 24, 5, 6, 10},
    {"kary-ntree:k=6,n=2,terminals=64", 64, 6, 12, 36, 10, 11, 17},
    {"xgft:m=10,w=5,terminals=128", 128, 10, 15, 50, 12, 13, 18},
    {"kautz:b=2,n=2,terminals=128", 128, 6, 6, 12, 21, 22, 26},
    {"kautz:b=2,n=3,terminals=128", 128, 12, 12, 24, 10, 11, 15},
    {"kary-ntree:k=10,n=2,terminals=128", 128, 10, 20, 100, 12, 13, 23},
    {"xgft:m=16,w=8,terminals=256", 256, 16, 24, 128, 16, 16, 24},
    {"kautz:b=2,n=3,terminals=256", 256, 12, 12, 24, 21, 22, 26},
    {"kautz:b=2,n=4,terminals=256", 256, 24, 24, 48, 10, 11, 15},
    {"kary-ntree:k=16,n=2,terminals=256", 256, 16, 32, 256, 16, 16, 32},
    {"xgft:m=6x6,w=3x3,terminals=512", 512, 36, 63, 162, 14, 15, 18},
    {"kautz:b=3,n=3,terminals=512", 512, 36, 36, 108, 14, 15, 21},
    {"kautz:b=3,n=4,terminals=512", 512, 108, 108, 324, 4, 5, 11},
    {"kary-ntree:k=6,n=3,terminals=512", 512, 36, 108, 432, 14, 15, 21},
    {"xgft:m=10x10,w=5x5,terminals=1024", 1024, 100, 175, 750, 10, 11, 16},
    {"kautz:b=3,n=3,terminals=1024", 1024, 36, 36, 108, 28, 29, 35},
    {"kautz:b=3,n=4,terminals=1024", 1024, 108, 108, 324, 9, 10, 16},
    {"kary-ntree:k=10,n=3,terminals=1024", 1024, 100, 300, 2000, 10, 11, 21},
    {"xgft:m=14x14,w=7x7,terminals=2048", 2048, 196, 343, 2058, 10, 11, 21},
    {"kautz:b=4,n=3,terminals=2048", 2048, 80, 80, 320, 25, 26, 34},
    {"kautz:b=4,n=4,terminals=2048", 2048, 320, 320, 1280, 6, 7, 15},
    {"kary-ntree:k=14,n=3,terminals=2048", 2048, 196, 588, 5488, 10, 11, 28},
    {"xgft:m=18x18,w=9x9,terminals=4096", 4096, 324, 567, 4374, 12, 13, 27},
    {"kautz:b=6,n=3,terminals=4096", 4096, 252, 252, 1512, 16, 17, 29},
    {"kautz:b=6,n=4,terminals=4096", 4096, 1512, 1512, 9072, 2, 3, 15},
    {"kary-ntree:k=18,n=3,terminals=4096", 4096, 324, 972, 11664, 12, 13, 36},
};

class DfssspTable1 : public testing::TestWithParam<Row> {};

TEST_P(DfssspTable1, RowIsAsPublished) {
  const Row& row = GetParam();
  const Network net = make_network(row.spec);
  EXPECT_EQ(net.router_count(), row.switches);
  EXPECT_EQ(net.channel_count(), 2 * row.links);
  EXPECT_EQ(net.terminal_count(), row.endpoints);
  std::uint32_t carriers = 0;
  std::uint32_t least = UINT32_MAX;
  std::uint32_t most = 0;
  std::uint32_t ports = 0;
  for (const RouterId r : net.routers()) {
    const std::uint32_t here = net.terminals_at(r).size();
    ports = std::max(ports, here + net.out(r).size());
    EXPECT_EQ(net.port_count(r), here + net.out(r).size());
    if (here == 0) continue;
    ++carriers;
    least = std::min(least, here);
    most = std::max(most, here);
  }
  EXPECT_EQ(carriers, row.carriers);
  EXPECT_EQ(least, row.least);
  EXPECT_EQ(most, row.most);
  EXPECT_EQ(ports, row.ports);
  EXPECT_LE(ports, 36U);
}

INSTANTIATE_TEST_SUITE_P(Rows, DfssspTable1, testing::ValuesIn(kRows));

TEST(DfssspTable1File, HasNoRowThatIsMissingHere) {
  std::ifstream file(UNKNOT_SHARED_DIR "/reference/dfsssp/table1_topologies.csv");
  if (!file) GTEST_SKIP() << "reference table not present";
  std::size_t rows = 0;
  std::string line;
  std::getline(file, line);
  for (; std::getline(file, line); ++rows) {
    ASSERT_LT(rows, kRows.size());
    const Row& row = kRows[rows];
    EXPECT_EQ(std::stoul(line), row.endpoints);
    const std::string tail = fmt::format(",{},{},{},{},True,", row.links, row.least, row.most, row.ports);
    EXPECT_NE(line.find(tail), std::string::npos) << line << " | " << tail;
  }
  EXPECT_EQ(rows, kRows.size());
}

}  // namespace
}  // namespace unknot
