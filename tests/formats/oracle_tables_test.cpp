// SPDX-License-Identifier: Apache-2.0
// Tables that a real subnet manager made, where they are at hand.
#include <gtest/gtest.h>

#include <filesystem>

#include "formats/table_samples.hpp"
#include "lids_of.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;

const std::string kOracle = UNKNOT_SHARED_DIR "/data/opensm-oracle/";

/// Pairs that do not arrive by following the table.
std::uint64_t undelivered(const Network& network, const ForwardingTable& table) {
  std::uint64_t count = 0;
  for (const RouterId start : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      RouterId at = start;
      for (std::uint32_t hops = 0; hops <= network.router_count(); ++hops) {
        const ChannelId c = table.next(network, at, t);
        if (!c.valid()) break;
        at = network.target(c);
      }
      if (table.get(at, t) != ForwardingTable::kHere) ++count;
    }
  }
  return count;
}

TEST(OracleTables, EveryCaseIsReadInAllItsForms) {
  if (!fs::exists(kOracle)) GTEST_SKIP() << "no tables of a real subnet manager here";
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(kOracle)) {
    const std::string name = entry.path().filename().string();
    const std::size_t dash = name.rfind('-');
    if (!entry.is_directory() || dash == std::string::npos) continue;
    SCOPED_TRACE(name);
    ++cases;
    const std::string folder = entry.path().string() + "/";
    const Network network = test::read_plain_net(kOracle + "nets/" + name.substr(0, dash) + ".net");
    const std::string dump = folder + "opensm-lfts.dump";
    const Routing routing = read_tables(network, dump);
    EXPECT_EQ(undelivered(network, routing.table()), 0U);
    EXPECT_TRUE(read_tables(network, folder + "opensm.fdbs").table() == routing.table());

    const LidMap lids = test::lids_of(network, dump);
    EXPECT_TRUE(lids.complete());
    const ServiceLevels levels = read_service_levels(network, folder + "psl.txt", &lids);
    EXPECT_TRUE(levels == read_service_levels(network, folder + "psl.txt"));
    EXPECT_EQ(levels.highest() > 0, name != "torus4x4-lash");  // which needs one lane

    const LaneMap map = read_lane_map(network, folder + "opensm-sl2vl.dump");
    LaneMap::Row common{};
    EXPECT_TRUE(map.uniform(network, &common));
    for (std::uint8_t level = 0; level < 16; ++level) EXPECT_EQ(common[level], level % 8);
    if (fs::exists(folder + "slvl.txt")) {
      LaneMap::Row lines{};
      EXPECT_TRUE(read_lane_map(network, folder + "slvl.txt").uniform(network, &lines));
      EXPECT_EQ(lines, common);
    }
    if (fs::exists(folder + "guid2lid")) {
      EXPECT_EQ(read_guid2lid(network, folder + "guid2lid").of(TerminalId(0)), lids.of(TerminalId(0)));
    }
  }
  EXPECT_GE(cases, 6);
}

TEST(OracleTables, TextOfDumpLfts) {
  if (!fs::exists(kOracle)) GTEST_SKIP() << "no tables of a real subnet manager here";
  const Network network = test::read_plain_net(kOracle + "nets/torus3x3.net");
  const Routing routing = read_tables(network, kOracle + "torus3x3-dump_lfts.txt");
  EXPECT_EQ(undelivered(network, routing.table()), 0U);
  EXPECT_TRUE(test::lids_of(network, kOracle + "torus3x3-dump_lfts.txt").complete());
}

}  // namespace
}  // namespace unknot
