// SPDX-License-Identifier: Apache-2.0
// Devices with several LIDs (LMC above 0): the rows of all of them are read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "formats/table_samples.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kNext = 0x100;  // from a LID to the next one of the same terminal

/// Each line of `text`, and behind it the same line of `other` where `changed` has made another LID's of it.
std::string interleaved(const std::string& text, const std::string& other,
                        const std::function<bool(std::string&)>& changed) {
  std::istringstream lines(text);
  std::istringstream others(other);
  std::string all;
  std::string line;
  std::string added;
  while (std::getline(lines, line) && std::getline(others, added)) {
    // ibroute counts rows; without the count there is nothing to agree with
    if (line.find("lids dumped") != std::string::npos) continue;
    all += line + "\n";
    if (changed(added)) all += added + "\n";
  }
  return all;
}

bool next_lid_of_row(std::string& line) {
  if (!line.starts_with("0x") || line.find("Channel Adapter") == std::string::npos) return false;
  line = fmt::format("0x{:04x}{}", std::stoul(line.substr(2, 4), nullptr, 16) + kNext, line.substr(6));
  return true;
}

bool next_lid_of_level(std::string& line) {
  std::istringstream words(line);
  std::string source;
  std::uint32_t lid = 0;
  std::uint32_t level = 0;
  if (!(words >> source >> lid >> level)) return false;
  line = fmt::format("{} {} {}", source, lid + kNext, level);
  return true;
}

TEST(FurtherLids, HaveTablesAndLevelsOfTheirOwn) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const Routing lowest = test::some_routing(network, ServiceLevels::Rows::by_router, 4, 1);
  const Routing second = test::some_routing(network, ServiceLevels::Rows::by_router, 4, 2);
  ASSERT_FALSE(lowest.service_levels == second.service_levels);
  const auto written = [&](const Routing& routing, const std::string& name) {
    write_tables(network, routing, "opensm", folder.file(name));
    write_service_levels(network, routing, folder.file(name + ".levels"));
  };
  written(lowest, "lowest");
  written(second, "second");
  const std::string both = folder.put("both", interleaved(read_file(folder.file("lowest")),
                                                          read_file(folder.file("second")), next_lid_of_row));
  const std::string levels =
      folder.put("both.levels", interleaved(read_file(folder.file("lowest.levels")),
                                            read_file(folder.file("second.levels")), next_lid_of_level));
  const Routing read = read_routing(network, both, levels, "");
  EXPECT_TRUE(read.table() == lowest.table());
  EXPECT_TRUE(read.service_levels == lowest.service_levels);
  ASSERT_EQ(read.further.size(), 1U);
  EXPECT_TRUE(read.further[0].table() == second.table());
  EXPECT_TRUE(read.further[0].service_levels == second.service_levels);
  // One terminal has a LID less: the tables to its lowest count once more.
  std::string shorter;
  std::istringstream lines(read_file(both));
  for (std::string line; std::getline(lines, line);) {
    const bool gone = line.starts_with("0x") && std::stoul(line.substr(2, 4), nullptr, 16) ==
                                                    kNext + network.terminal_lid(TerminalId(0));
    if (!gone) shorter += line + "\n";
  }
  const Routing less = read_tables(network, folder.put("shorter", shorter));
  ASSERT_EQ(less.further.size(), 1U);
  for (const RouterId r : network.routers()) {
    EXPECT_EQ(less.further[0].table().get(r, TerminalId(0)), lowest.table().get(r, TerminalId(0)));
    EXPECT_EQ(less.further[0].table().get(r, TerminalId(1)), second.table().get(r, TerminalId(1)));
  }
}

TEST(FurtherLids, AreNoneWhereEachTerminalHasOne) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  write_tables(network, test::some_routing(network, ServiceLevels::Rows::none, 1, 1), "opensm",
               folder.file("lft"));
  EXPECT_TRUE(read_tables(network, folder.file("lft")).further.empty());
}

TEST(TableJson, RefusesTwoRowsOfLanesForTheSamePorts) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::by_router, 2, 1);
  routing.lane_map = std::make_shared<const LaneMap>(test::some_lane_map(network, 3));
  write_tables(network, routing, "json", folder.file("json"));
  std::string text = read_file(folder.file("json"));
  const std::size_t list = text.find("\"sl_to_vl\"");
  ASSERT_NE(list, std::string::npos);
  const std::size_t first = text.find('{', list);
  const std::size_t last = text.find('}', first) + 1;
  text.insert(first, text.substr(first, last - first) + ",");
  EXPECT_THAT(test::error_of([&] { read_tables(network, folder.put("twice", text)); }),
              HasSubstr("'sl_to_vl' has two rows for ports"));
}

}  // namespace
}  // namespace unknot
