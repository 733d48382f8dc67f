// SPDX-License-Identifier: Apache-2.0
// Tables to several LIDs of a host in the formats that hold them: each gives back what another does, and what
// is wrong in one rank of addresses alone is found.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "formats/addresses/addressed_samples.hpp"
#include "formats/table_samples.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using test::addressed_tables;
using test::AddressedTables;
using test::verdict_of;
using testing::HasSubstr;

constexpr const char* kOwnForms[] = {"json", "binary"};

constexpr std::pair<const char*, const char*> kRouted[] = {
    {"torus:4x4,p=2", "dfsssp"},
    {"torus:5x5", "dor"},  // lanes by ports
    {"xgft:m=4x3,w=2x3", "updn"},
    {"mesh:1,p=3", "minhop"},
    {"dragonfly:a=4,h=2,p=2", "unknot:effort=0.05"},
    {"hyperx:4x4,p=2", "layers:effort=0.05"},
    {"random:switches=14,links=30,terminals=20,seed=4", "nue"},
};

void expect_same_tables(const Network& network, const Routing& a, const Routing& b) {
  EXPECT_EQ(a.engine, b.engine);
  EXPECT_TRUE(a.table() == b.table());
  EXPECT_TRUE(a.service_levels == b.service_levels);
  EXPECT_EQ(a.virtual_lanes, b.virtual_lanes);
  EXPECT_EQ(a.lanes_needed, b.lanes_needed);
  ASSERT_EQ(a.lane_map == nullptr, b.lane_map == nullptr);
  if (a.lane_map == nullptr) return;
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
      for (std::uint16_t out = 0; out <= network.port_count(r); ++out)
        ASSERT_EQ(a.lane_map->get(r, in, out), b.lane_map->get(r, in, out));
    }
  }
}

void expect_same_ranks(const Network& network, const Routing& a, const Routing& b) {
  expect_same_tables(network, a, b);
  ASSERT_EQ(a.further.size(), b.further.size());
  for (std::size_t i = 0; i < a.further.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same_tables(network, a.further[i], b.further[i]);
  }
}

void expect_lids_of(const Network& network, const Network& wide, std::uint32_t lmc, const LidMap& told) {
  for (std::uint32_t rank = 0; rank < 1U << lmc; ++rank) {
    const LidMap ranked = told.ranked(rank);
    for (const TerminalId t : network.terminals())
      ASSERT_EQ(ranked.of(t), wide.terminal_lid(TerminalId((t.value << lmc) + rank)));
  }
  for (const RouterId r : network.routers()) ASSERT_EQ(told.of(r), wide.router_lid(r));
}

TEST(AddressedTables, ComeBackInEveryRankWithTheirLids) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("tables");
  for (const auto& [spec, engine] : kRouted) {
    const Network network = make_network(spec);
    for (const std::uint32_t lmc : {1U, 2U}) {
      const AddressedTables made = addressed_tables(network, engine, lmc);
      for (const char* format : kOwnForms) {
        SCOPED_TRACE(std::string(spec) + " " + engine + " " + format);
        write_tables(network, made.routing, format, path);
        std::optional<LidMap> told;
        const Routing back = read_routing(network, path, "", "", &told);
        expect_same_ranks(network, back, made.routing);
        EXPECT_EQ(back.data_lanes, std::min(made.routing.virtual_lanes, 15U));
        for (const Routing& further : back.further) EXPECT_EQ(further.data_lanes, back.data_lanes);
        ASSERT_TRUE(told.has_value());
        expect_lids_of(network, made.wide, lmc, *told);
      }
    }
  }
}

/// OpenSM's files by the network that has each terminal once for each address, as `route` writes them.
TEST(AddressedTables, HaveOneVerdictInAllFormats) {
  const test::ScratchFolder folder;
  const std::string levels = folder.file("levels");
  const std::string lanes = folder.file("lanes");
  for (const auto& [spec, engine] : kRouted) {
    SCOPED_TRACE(std::string(spec) + " " + engine);
    const Network network = make_network(spec);
    const AddressedTables made = addressed_tables(network, engine, 2);
    write_tables(made.wide, made.of_wide, "opensm", folder.file("lfts"));
    write_service_levels(made.wide, made.of_wide, levels);
    const bool mapped = made.of_wide.lane_map != nullptr;
    if (mapped) write_lane_map(made.wide, made.of_wide, lanes);
    const Routing dump = read_routing(network, folder.file("lfts"), levels, mapped ? lanes : "");
    const Verdict verdict = verdict_of(network, dump);
    EXPECT_EQ(verdict.addresses, 4U);
    EXPECT_TRUE(verdict.complete());
    for (const char* format : kOwnForms) {
      SCOPED_TRACE(format);
      write_tables(network, made.routing, format, folder.file(format));
      test::expect_same_verdict(verdict_of(network, read_tables(network, folder.file(format))), verdict);
      // The levels of a file beside it go by the LIDs that it tells.
      const Routing with = read_routing(network, folder.file(format), levels, mapped ? lanes : "");
      test::expect_same_verdict(verdict_of(network, with), verdict);
      ASSERT_EQ(with.further.size(), dump.further.size());
      for (std::size_t i = 0; i < with.further.size(); ++i)
        EXPECT_TRUE(with.further[i].service_levels == dump.further[i].service_levels);
    }
    // What was read is written as the engine's own is.
    write_tables(network, dump, "opensm", folder.file("again"));
    EXPECT_EQ(read_file(folder.file("again")), read_file(folder.file("lfts")));
    write_service_levels(network, dump, folder.file("levels again"));
    EXPECT_EQ(read_file(folder.file("levels again")), read_file(levels));
  }
}

TEST(AddressedTables, LidsThatTheFabricStatesStay) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();  // LIDs 11 to 14: one of them is a multiple of 4
  const AddressedTables made = addressed_tables(network, "updn", 2);
  for (const char* format : kOwnForms) {
    write_tables(network, made.routing, format, folder.file("tables"));
    std::optional<LidMap> told;
    (void)read_routing(network, folder.file("tables"), "", "", &told);
    expect_lids_of(network, made.wide, 2, *told);
    EXPECT_EQ(told->of(TerminalId(1)), 12U);
    EXPECT_EQ(told->of(RouterId(0)), 1U);
  }
}

/// 3 addresses are the first three of four LIDs.
TEST(AddressedTables, NeedNoPowerOfTwo) {
  const test::ScratchFolder folder;
  const Network network = make_network("torus:3x3,p=2");
  AddressedTables made = addressed_tables(network, "dfsssp", 2);
  made.routing.further.pop_back();
  for (const char* format : {"json", "binary", "opensm"}) {
    SCOPED_TRACE(format);
    write_tables(network, made.routing, format, folder.file("tables"));
    std::optional<LidMap> told;
    const Routing back = read_routing(network, folder.file("tables"), "", "", &told);
    ASSERT_EQ(back.further.size(), 2U);
    EXPECT_TRUE(back.further[1].table() == made.routing.further[1].table());
    EXPECT_EQ(told->further(), 2U);
    EXPECT_EQ(told->of(TerminalId(0)), made.wide.terminal_lid(TerminalId(0)));
  }
}

/// One that does no harm to the lowest addresses.
void expect_found(const Network& network, const Routing& spoilt,
                  const std::function<void(const Verdict&)>& look) {
  const test::ScratchFolder folder;
  for (const char* format : kOwnForms) {
    SCOPED_TRACE(format);
    write_tables(network, spoilt, format, folder.file("tables"));
    Routing back = read_tables(network, folder.file("tables"));
    look(verdict_of(network, back));
    back.further.clear();
    EXPECT_TRUE(verdict_of(network, back).usable());
  }
}

TEST(AddressedTables, AMissingRowOfOneRankIsFound) {
  const Network network = make_network("torus:4x4,p=2");
  Routing routing = addressed_tables(network, "dfsssp", 2).routing;
  routing.further[1].table().set(RouterId(3), TerminalId(9), ForwardingTable::kNone);
  expect_found(network, routing, [](const Verdict& verdict) {
    EXPECT_GT(verdict.unroutable_pairs, 0U);
    ASSERT_FALSE(verdict.findings.empty());
    EXPECT_EQ(verdict.findings.front().address, 2U);
    EXPECT_EQ(verdict.findings.front().destination, TerminalId(9));
    EXPECT_EQ(verdict.findings.front().at, RouterId(3));
  });
}

/// A LID that no switch has a row for is known by the fabric alone, where it tells an LMC.
TEST(AddressedTables, ALidWithoutRowsIsFoundByTheFabricsLmc) {
  const test::ScratchFolder folder;
  const std::string fabric = folder.put(
      "fabric.json",
      R"({"format": "unknot-network", "version": 1, "routers": 3, "cables": [[0, 1, 1, 2], [1, 1, 2, 2], [2, 1, 0, 2]],
          "terminals": [[0, 3], [1, 3], [2, 3]], "terminal_lid": [2, 4, 6], "router_lid": [20, 21, 22], "lmc": 1})");
  const Network network = read_fabric(fabric);
  const Routing routing = addressed_tables(network, "updn", 1).routing;
  for (const char* format : {"opensm", "opensm-bare"}) {
    write_tables(network, routing, format, folder.file("tables"));
    const std::string text = read_file(folder.file("tables"));
    std::filesystem::remove(folder.file("guid2lid"));
    for (const bool bare : {false, true}) {
      const auto without = [&](const std::vector<std::uint32_t>& lids) {
        std::istringstream lines(text);
        std::string left;
        for (std::string line; std::getline(lines, line);) {
          if (line.find("lids dumped") != std::string::npos) continue;
          const bool row = line.starts_with("0x");
          if (row &&
              std::find(lids.begin(), lids.end(), std::stoul(line.substr(2, 4), nullptr, 16)) != lids.end())
            continue;
          left += (row && bare ? line.substr(0, line.find(" #")) : line) + "\n";
        }
        const Verdict verdict = verdict_of(network, read_tables(network, folder.put("less", left)));
        return verdict.unroutable_pairs;
      };
      SCOPED_TRACE(fmt::format("{} {}", format, bare));
      EXPECT_EQ(without({}), 0U);
      // The base LID of a host or its other one; both; the other one of each.
      for (const std::uint32_t lid : {6U, 7U, 2U, 5U}) EXPECT_EQ(without({lid}), 2U) << lid;
      EXPECT_EQ(without({6, 7}), 4U);
      EXPECT_EQ(without({3, 5, 7}), 6U);
    }
  }
}

TEST(AddressedTables, LevelsOfOneRankThatDeadlockAreFound) {
  const Network network = make_network("ring:6");
  Routing routing = addressed_tables(network, "dfsssp", 1).routing;
  ASSERT_GT(routing.lanes_needed, 1U);
  routing.further[0].service_levels = {};  // all on lane 0
  expect_found(network, routing, [](const Verdict& verdict) {
    EXPECT_TRUE(verdict.complete());
    EXPECT_FALSE(verdict.deadlock_free);
    ASSERT_TRUE(verdict.witness.has_value());
  });
}

TEST(AddressedTables, ALaneOfOneRankThatIsNotThereIsFound) {
  const Network network = make_network("torus:4x4,p=2");
  Routing routing = addressed_tables(network, "dfsssp", 1).routing;
  ServiceLevels& levels = routing.further[0].service_levels;
  ASSERT_GT(levels.row_count(), 2U);
  levels.row(2)[0] = static_cast<std::uint8_t>(routing.virtual_lanes);
  expect_found(network, routing, [](const Verdict& verdict) {
    EXPECT_GT(verdict.laneless_pairs, 0U);
    EXPECT_FALSE(verdict.usable());
  });
}

TEST(AddressedTables, WhatNoFileCanHoldIsRefused) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("tables");
  const Network network = make_network("ring:4");
  AddressedTables made = addressed_tables(network, "updn", 1);
  const auto error = [&](const Network& of, const Routing& routing, const char* format) {
    return test::error_of([&] { write_tables(of, routing, format, path); });
  };
  for (const char* format : {"csv", "csv-folder", "constellation", "garnet", "angara"}) {
    const std::string sentence = error(network, made.routing, format);
    EXPECT_NE(sentence, "") << format;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  for (const char* format : kOwnForms) {
    SCOPED_TRACE(format);
    Routing wrong = made.routing;
    wrong.further[0].service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router, 16);
    EXPECT_THAT(error(network, wrong, format),
                HasSubstr("service level 16, but InfiniBand has levels up to 15"));
    wrong = made.routing;
    wrong.further[0].paths = std::make_shared<const SourceRoutes>();
    EXPECT_THAT(error(network, wrong, format), HasSubstr("needs forwarding tables by destination"));
    wrong = made.routing;
    wrong.further.resize(128, made.routing.further[0]);
    EXPECT_EQ(error(network, wrong, format),
              "the tables lead to 129 addresses of a terminal, expected 128 at most");
    Routing twice = made.of_wide;
    twice.further.push_back(made.of_wide);
    EXPECT_THAT(error(made.wide, twice, format), HasSubstr("a network that has each terminal once"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const Network large = make_network("ring:4,p=200");
  Routing routing = test::some_routing(large, ServiceLevels::Rows::none, 1, 1);
  routing.further.resize(127, test::some_routing(large, ServiceLevels::Rows::none, 1, 2));
  for (const char* format : kOwnForms) {
    EXPECT_THAT(error(large, routing, format),
                HasSubstr("InfiniBand has unicast LIDs up to 49151 only; a lower --lmc"));
  }
}

TEST(AddressedTables, FilesOfOneAddressAreAsTheyWere) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const Routing routing = test::some_routing(network, ServiceLevels::Rows::by_router, 4, 7);
  write_tables(network, routing, "json", folder.file("json"));
  const std::string text = read_file(folder.file("json"));
  EXPECT_THAT(text, HasSubstr("\"version\":1,"));
  EXPECT_EQ(text.find("further"), std::string::npos);
  write_tables(network, routing, "binary", folder.file("binary"));
  EXPECT_EQ(test::bytes_of(folder.file("binary"))[8], 2);
}

}  // namespace
}  // namespace unknot
