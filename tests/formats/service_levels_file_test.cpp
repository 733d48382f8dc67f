// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/table_samples.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using test::error_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Levels of all pairs of the small fabric, with the port GUIDs of the two-port adapter.
std::string all_pairs(const std::string& level = "1") {
  std::string text;
  for (const char* guid : {"0xb10", "0xb20", "0xb31", "0xb32"}) {
    for (const char* lid : {"11", "12", "13", "14"}) {
      text += std::string(guid) + " " + lid + " " + level + "\n";
    }
  }
  return text;
}

TEST(ServiceLevelsFile, EverySampleIsReadBack) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : test::samples()) {
    for (const auto rows :
         {ServiceLevels::Rows::none, ServiceLevels::Rows::by_router, ServiceLevels::Rows::by_terminal}) {
      SCOPED_TRACE(sample.name);
      const Network& network = sample.network;
      const Routing routing = test::some_routing(network, rows, 16, 9);
      write_service_levels(network, routing, folder.file("psl"));
      write_service_levels(network, routing, folder.file("compact"), LevelForm::compact);
      const ServiceLevels back = read_service_levels(network, folder.file("psl"));
      EXPECT_TRUE(back == read_service_levels(network, folder.file("compact")));
      bool shared = true;  // no two terminals of a router differ
      for (const TerminalId s : network.terminals()) {
        for (const TerminalId d : network.terminals()) {
          if (s == d) continue;
          ASSERT_EQ(back.get(s, d), routing.service_levels.get(s, d));
          for (const TerminalId other : network.terminals_at(network.router_of(s))) {
            if (other != d && back.get(other, d) != back.get(s, d)) shared = false;
          }
        }
      }
      EXPECT_EQ(back.rows(), shared ? ServiceLevels::Rows::by_router : ServiceLevels::Rows::by_terminal);
    }
  }
}

TEST(ServiceLevelsFile, TheCompactFormHasARowForSourcesThatSendAlike) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::none, 1, 1);
  write_service_levels(network, routing, folder.file("psl"), LevelForm::compact);
  EXPECT_EQ(read_file(folder.file("psl")),
            "0x0000000000000b10 0:11-14\n0x0000000000000b20 = 0x0000000000000b10\n"
            "0x0000000000000b31 = 0x0000000000000b10\n0x0000000000000b32 = 0x0000000000000b10\n");
  routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
  for (const std::uint32_t d : {1U, 2U}) routing.service_levels.row(0)[d] = 3;
  routing.service_levels.row(1)[0] = 10;
  write_service_levels(network, routing, folder.file("psl"), LevelForm::compact);
  EXPECT_EQ(read_file(folder.file("psl")),
            "0x0000000000000b10 0:11,14 3:12-13\n0x0000000000000b20 = 0x0000000000000b10\n"
            "0x0000000000000b31 0:12-14 10:11\n0x0000000000000b32 = 0x0000000000000b31\n");
}

/// A line of LIDs by their levels means the plain lines that it is short for.
TEST(ServiceLevelsFile, BothFormsMayStandInOneFile) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string text =
      "# levels\n0xb10 12 3\n  0xb30\t2:11-12\t 5:1-3,13-14 \r\n0xb10 7:13,14\n0xb20 = 0xb30\n0xb20 11 "
      "2\n0xb32 4:12\n";
  const ServiceLevels levels = read_service_levels(network, folder.put("psl", text));
  EXPECT_EQ(levels.get(TerminalId(0), TerminalId(1)), 3);
  EXPECT_EQ(levels.get(TerminalId(0), TerminalId(2)), 7);
  EXPECT_EQ(levels.get(TerminalId(1), TerminalId(0)), 2);
  EXPECT_EQ(levels.get(TerminalId(1), TerminalId(3)), 5);
  EXPECT_EQ(levels.get(TerminalId(2), TerminalId(3)), 5);
  EXPECT_EQ(levels.get(TerminalId(3), TerminalId(1)), 4);  // the port's own line has the word
  EXPECT_EQ(levels.get(TerminalId(3), TerminalId(0)), 2);
}

TEST(ServiceLevelsFile, SaysWhatIsWrongWithTheCompactForm) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const auto error = [&](const std::string& text) {
    const std::string path = folder.put("psl", text);
    const std::string what = error_of([&] { (void)read_service_levels(network, path); });
    return what.starts_with(path) ? what.substr(path.size()) : what;
  };
  const std::string ranges =
      ": expected '<service level>:<lid>,<first lid>-<last lid>,...', LIDs ascending, or '= 0x<source guid>'";
  const std::string reference =
      ": expected a source whose levels are told as '<service level>:<lid>,...' on lines above";
  const std::string row = "0xb10 1:11-14\n";
  EXPECT_EQ(error(row + "0xb20 = 0xb10\n0xb30 = 0xb10\n"), "");
  for (const char* bad :
       {"1:", "1:11-", "1:14-11", "1:12,12", "1:12,11", "1:11;12", "1:11 x", "1:11-13-14", "1:11 2", "1:11,",
        "1:0-14", "1:11,13-12", "= ", "= b10", "= 0xb10 1", "= 0xb10,0xb20"}) {
    EXPECT_EQ(error(row + "0xb20 " + bad + "\n"), ":2" + ranges) << bad;
  }
  EXPECT_EQ(error("0xb10 16:11-14\n"), ":1: service level 16 is beyond 15");
  EXPECT_EQ(error("0xb10 1:11-15\n"), ":1: LID 15 belongs to no device of the fabric");
  EXPECT_EQ(error("0xb10 1:11-14 2:12\n"), ":1: service level 2 for LID 12, but 1 above");
  EXPECT_EQ(error("0xb20 = 0xb10\n" + row), ":1" + reference);                 // below
  EXPECT_EQ(error(row + "0xb20 = 0xb20\n"), ":2" + reference);                 // itself
  EXPECT_EQ(error(row + "0xb20 = 0xb31\n"), ":2" + reference);                 // nowhere
  EXPECT_EQ(error(row + "0xb20 = 0xb10\n0xb31 = 0xb20\n"), ":3" + reference);  // by way of another
  EXPECT_EQ(error("0xb10 12 1\n0xb20 = 0xb10\n"), ":2" + reference);           // plain lines
  EXPECT_EQ(error(row + "0xb20 = 0xb10\n0xb20 = 0xb10\n0xb20 = 0xb10\n"),
            ":4: expected one '= 0x<source guid>' of a source at most");
  EXPECT_THAT(error(row + "0xb20 1:11,13\n0xb30 = 0xb10\n"),
              StartsWith(": 1 of 12 pairs have no service level, the first from n2 'odd' portguid 0xbad"));
}

TEST(ServiceLevelsFile, AdaptersWithOnePortUseTheirNodeGuid) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  write_service_levels(network, test::some_routing(network, ServiceLevels::Rows::none, 1, 1),
                       folder.file("psl"));
  EXPECT_THAT(read_file(folder.file("psl")),
              StartsWith("0x0000000000000b10 12 0\n0x0000000000000b10 13 0\n"));
  EXPECT_THAT(read_file(folder.file("psl")), HasSubstr("\n0x0000000000000b32 13 0\n"));
}

TEST(ServiceLevelsFile, NodeGuidStandsForAllPortsUnlessOneSaysOtherwise) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string others = "0xb10 12 0\n0xb10 13 0\n0xb10 14 0\n0xb20 11 0\n0xb20 13 0\n0xb20 14 0\n";
  const std::string node = "0xb30 11 2\n0xb30 12 2\n0xb30 13 2\n0xb30 14 2\n";
  const std::string port = "0xb32 11 5\n";
  for (const std::string& text :
       {fmt::format("{}{}{}", others, node, port), fmt::format("{}{}{}", port, others, node)}) {
    const ServiceLevels levels = read_service_levels(network, folder.put("psl", text));
    EXPECT_EQ(levels.get(TerminalId(2), TerminalId(0)), 2);
    EXPECT_EQ(levels.get(TerminalId(3), TerminalId(0)), 5);
    EXPECT_EQ(levels.get(TerminalId(3), TerminalId(1)), 2);
  }
}

TEST(ServiceLevelsFile, OrderAndCommentsDoNotMatter) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string reversed =
      "# levels\r\n\n0xb32 11 1\n 0xb10 12 1\n0xb32 12 1\t\n0xb32 13 1\n0xb20 13 1\n0xb20 14 1\n"
      "0xb10 13 1\n0xb31 11 1\n0xb31 12 1\n0xb20 11 1\r\n0xb31 14 1\n0xb10 14 1\n0xb10 1 3";
  const ServiceLevels levels = read_service_levels(network, folder.put("psl", reversed));
  EXPECT_EQ(levels.rows(), ServiceLevels::Rows::by_router);
  EXPECT_TRUE(levels == read_service_levels(network, folder.put("psl", all_pairs())));
}

TEST(ServiceLevelsFile, SaysWhatIsWrong) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const auto error = [&](const std::string& text) {
    const std::string path = folder.put("psl", text);
    const std::string what = error_of([&] { (void)read_service_levels(network, path); });
    return what.starts_with(path) ? what.substr(path.size()) : what;
  };
  EXPECT_EQ(error(all_pairs()), "");
  EXPECT_EQ(
      error(""),
      ": 12 of 12 pairs have no service level, the first from n1 (0x0000000000000b11) to n2 'odd' portguid "
      "0xbad (LID 12)");
  EXPECT_EQ(
      error(all_pairs().substr(22)),
      ": 1 of 12 pairs have no service level, the first from n1 (0x0000000000000b11) to n2 'odd' portguid "
      "0xbad (LID 12)");
  EXPECT_EQ(error("0xb10 11 1\n0xdead 11 1\n"),
            ":2: GUID 0x000000000000dead belongs to no endpoint of the fabric");
  EXPECT_EQ(error("0xb10 77 1\n"), ":1: LID 77 belongs to no device of the fabric");
  EXPECT_EQ(error(all_pairs("16")), ":1: service level 16 is beyond 15");
  EXPECT_EQ(error(all_pairs() + "0xb10 12 2\n"), ":17: service level 2 for LID 12, but 1 above");
  const std::string form = "expected '0x<source guid> <destination lid> <service level>'";
  EXPECT_EQ(error("b10 12 2\n"), ":1: " + form);
  EXPECT_EQ(error("\n0xb10 12\n"), ":2: " + form);
  EXPECT_EQ(error("0xb10 0x12 2\n"), ":1: " + form);
  EXPECT_EQ(error("0xb10 12 2 3\n"), ":1: " + form);
  EXPECT_EQ(error("0x123456789abcdef01 12 2\n"), ":1: " + form);
}

TEST(ServiceLevelsFile, RefusesToWriteLevelsThatDoNotExist) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::by_router, 1, 1);
  routing.service_levels.row(0)[3] = 16;
  EXPECT_EQ(error_of([&] { write_service_levels(network, routing, folder.file("psl")); }),
            "the tables use service level 16, but InfiniBand has levels up to 15 only");
}

}  // namespace
}  // namespace unknot
