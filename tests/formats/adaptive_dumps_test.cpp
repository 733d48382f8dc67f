// SPDX-License-Identifier: Apache-2.0
// Adaptive routing as ibdiagnet dumps it: what is written is read back, and what no fabric has is refused.
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "formats/table_samples.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using test::error_of;
using testing::HasSubstr;

/// Any choices at all: what a reader takes, a verifier need not.
AdaptivePlane some_plane(const Network& network, Random& random) {
  AdaptivePlane plane(network);
  for (const RouterId r : network.routers()) {
    const std::uint32_t degree = network.out(r).size();
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(t) == r || degree == 0) continue;
      const auto any = [&] { return static_cast<std::uint16_t>(random.below(degree)); };
      Choice choice{ChoiceKind{static_cast<std::uint8_t>(random.below(3))}, any(), 0};
      if (random.below(20) == 0) continue;
      if (choice.kind != ChoiceKind::fixed) {
        std::vector<std::uint16_t> group;
        for (std::uint64_t ports = random.below(4); ports > 0; --ports) group.push_back(any());
        choice.group = plane.add_group(r, group);
        if (random.below(10) == 0) choice.fixed = Choice::kNone;
      }
      if (random.below(20) == 0) choice.fixed = Choice::kStray;
      plane.set(r, t, plane.add_choice(r, choice));
    }
  }
  return plane;
}

PlaneMap some_plane_map(const Network& network, PlaneMap::Key key, std::uint32_t planes, Random& random) {
  PlaneMap map(network, key);
  for (const RouterId r : network.routers()) {
    for (std::uint16_t port = 0; port <= network.port_count(r); ++port) {
      PlaneMap::Row row{};
      for (std::uint8_t& plane : row) plane = static_cast<std::uint8_t>(random.below(planes));
      map.set(r, port, row);
    }
  }
  return map;
}

TEST(AdaptiveDumps, EveryTopologyGivesItsRelationBack) {
  const test::ScratchFolder folder;
  Random random(3);
  for (const Topology& family : topologies()) {
    SCOPED_TRACE(family.examples.front());
    const Network network = make_network(family.examples.front());
    AdaptiveRouting routing;
    const auto planes = static_cast<std::uint32_t>(1 + random.below(3));
    for (std::uint32_t plane = 0; plane < planes; ++plane)
      routing.planes.push_back(some_plane(network, random));
    routing.adaptive_levels = static_cast<std::uint16_t>(1 + random.below(0xFFFF));
    write_far(network, routing, folder.file("ibdiagnet2.far"));
    const std::string text = read_file(folder.file("ibdiagnet2.far"));
    EXPECT_TRUE(recognises_far(text.substr(0, 8192)));
    AdaptiveRouting back;
    read_far(network, text, folder.file("ibdiagnet2.far"), back);
    ASSERT_EQ(back.planes.size(), planes);
    for (std::uint32_t plane = 0; plane < planes; ++plane)
      EXPECT_TRUE(back.planes[plane].same_ports(routing.planes[plane])) << plane;
    EXPECT_EQ(back.adaptive_levels, routing.adaptive_levels);
    // The same bytes again.
    write_far(network, back, folder.file("again"));
    EXPECT_EQ(read_file(folder.file("again")).size(), text.size());

    for (const PlaneMap::Key key : {PlaneMap::Key::lane, PlaneMap::Key::level}) {
      const PlaneMap map = some_plane_map(network, key, planes, random);
      write_plft(network, map, folder.file("ibdiagnet2.plft"));
      EXPECT_EQ(read_plft(network, read_file(folder.file("ibdiagnet2.plft")), "plft"), map);
    }

    const LaneMap steps = test::some_lane_map(network, 5);
    std::vector<bool> at(network.router_count());
    for (std::size_t r = 0; r < at.size(); ++r) at[r] = r == 0 || random.below(2) == 0;
    write_vl2vl(network, steps, at, folder.file("ibdiagnet2.vl2vl"));
    std::vector<bool> at_back;
    const LaneMap steps_back =
        read_vl2vl(network, read_file(folder.file("ibdiagnet2.vl2vl")), "vl2vl", at_back);
    EXPECT_EQ(at_back, at);
    for (const RouterId r : network.routers()) {
      if (!at[r.value]) continue;
      for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
        for (std::uint16_t out = 1; out <= network.port_count(r); ++out)
          ASSERT_EQ(steps_back.get(r, in, out), steps.get(r, in, out));
      }
    }
  }
}

/// A switch's tables of the small fabric; its two leaves and its spine have the GUIDs 0xa1 to 0xa3.
constexpr const char* kHead = "# made\nFile version: 1\n";
std::string leaf1(const char* rows, const char* groups = "0 0 0 5,6,\n1 0 0 5,\n1 1 3 6,\n2 0 0 \n") {
  return fmt::format(
      "Switch 0x00000000000000a1 LID 1\n  ar: enabled\nGroups Definition:\nGroup  Sub Group  WHBF  "
      "Ports\n-----\n"
      "{}\nLFT Definition:\nPLFT_NUM: 0, top: 0x000e\nLID  Static Port  Lid State  Group\n------\n{}",
      groups, rows);
}

TEST(AdaptiveDumps, AGroupIsThePortsOfItsSubGroups) {
  const Network network = test::small_fabric();
  AdaptiveRouting routing;
  read_far(network, kHead + leaf1("0x000b 1 Static 0\n0x000c 2 Free 2\n0x000d 5 Free 1\n0x000e 255 HBF 0\n"),
           "far", routing);
  ASSERT_EQ(routing.planes.size(), 1U);
  const AdaptivePlane& plane = routing.planes[0];
  const RouterId leaf(0);
  EXPECT_EQ(plane.entry(leaf, TerminalId(0)), AdaptivePlane::kHere);
  EXPECT_EQ(plane.entry(leaf, TerminalId(1)), AdaptivePlane::kHere);
  const Choice& free = plane.choices(leaf)[plane.entry(leaf, TerminalId(2))];
  EXPECT_EQ(free.kind, ChoiceKind::adaptive);
  EXPECT_EQ(free.fixed, 0U);
  EXPECT_THAT(plane.group(leaf, free.group), testing::ElementsAre(0, 1));
  const Choice& hashed = plane.choices(leaf)[plane.entry(leaf, TerminalId(3))];
  EXPECT_EQ(hashed.kind, ChoiceKind::hashed);
  EXPECT_EQ(hashed.fixed, Choice::kNone);
  // A switch that the file does not tell of has no routes, its own terminals' included.
  for (const TerminalId t : network.terminals()) EXPECT_EQ(plane.entry(RouterId(1), t), AdaptivePlane::kNone);
  EXPECT_EQ(routing.adaptive_levels, 1U);
}

TEST(AdaptiveDumps, PortsOfHostsAreNoneOfAGroup) {
  const Network network = test::small_fabric();
  AdaptiveRouting routing;
  read_far(network, leaf1("0x000d 5 Free 0\n0x000c 6 Static 0\n0x0001 0 Static 0\n", "0 0 0 1,2,5,8,\n"),
           "far", routing);
  const RouterId leaf(0);
  const Choice& choice = routing.planes[0].choices(leaf)[routing.planes[0].entry(leaf, TerminalId(2))];
  EXPECT_THAT(routing.planes[0].group(leaf, choice.group), testing::ElementsAre(0));
  const Choice& back = routing.planes[0].choices(leaf)[routing.planes[0].entry(leaf, TerminalId(1))];
  EXPECT_EQ(back.fixed, 1U);  // to the spine and back, perhaps: no port of its own
}

TEST(AdaptiveDumps, SeveralTablesOfASwitch) {
  const Network network = test::small_fabric();
  AdaptiveRouting routing;
  read_far(network, leaf1("0x000d 5 Static 0\nPLFT_NUM: 2, top: 0x000e\nLID\n---\n0x000d 6 Free 0\n"), "far",
           routing);
  ASSERT_EQ(routing.planes.size(), 3U);
  const RouterId leaf(0);
  EXPECT_EQ(routing.planes[1].entry(leaf, TerminalId(2)), AdaptivePlane::kNone);
  EXPECT_EQ(routing.planes[2].choices(leaf)[routing.planes[2].entry(leaf, TerminalId(2))].fixed, 1U);
}

/// Each address of a port is a terminal of its own.
TEST(AdaptiveDumps, AllAddressesOfAHost) {
  const test::ScratchFolder folder;
  const Network network = addressed_network(make_network("xgft:m=3x3,w=2x2,terminals=9"), 1);
  Random random(1);
  AdaptiveRouting routing;
  routing.planes.push_back(some_plane(network, random));
  write_far(network, routing, folder.file("far"));
  AdaptiveRouting back;
  read_far(network, read_file(folder.file("far")), folder.file("far"), back);
  EXPECT_TRUE(back.planes[0].same_ports(routing.planes[0]));
}

TEST(AdaptiveDumps, SwitchesThatAreLeftOutHaveStaticTables) {
  const Network network = test::small_fabric();
  AdaptiveRouting routing;
  read_far(network, leaf1("0x000d 5 Free 0\n"), "far", routing);
  add_static_tables(network,
                    "dump_ucast_routes: Switch 0x00000000000000a1\n0x000b : 005 : 00 : yes\n"
                    "dump_ucast_routes: Switch 0x00000000000000a2\n0x000b : 006 : 00 : yes\n"
                    "0x000c : 001 : 00 : yes\n0x000d : 001 : 00 : yes\n0x000e : UNREACHABLE\n",
                    "fdbs", routing);
  const AdaptivePlane& plane = routing.planes[0];
  EXPECT_EQ(plane.entry(RouterId(0), TerminalId(0)), AdaptivePlane::kNone);  // told by the .far file alone
  const RouterId leaf2(1);
  EXPECT_EQ(plane.choices(leaf2)[plane.entry(leaf2, TerminalId(0))].fixed, 1U);
  EXPECT_EQ(plane.choices(leaf2)[plane.entry(leaf2, TerminalId(1))].fixed, Choice::kStray);
  EXPECT_EQ(plane.entry(leaf2, TerminalId(2)), AdaptivePlane::kHere);
  EXPECT_EQ(plane.entry(leaf2, TerminalId(3)), AdaptivePlane::kNone);
}

/// The whole folder, named in any order, each file told by its content.
TEST(AdaptiveDumps, AllFilesOfARelation) {
  const test::ScratchFolder folder;
  const Network network = make_network("xgft:m=3x3,w=2x2,terminals=18");
  Random random(9);
  AdaptiveRouting routing;
  for (int plane = 0; plane < 2; ++plane) routing.planes.push_back(some_plane(network, random));
  routing.plane_map = std::make_shared<PlaneMap>(some_plane_map(network, PlaneMap::Key::lane, 2, random));
  routing.lane_map = std::make_shared<LaneMap>(test::some_lane_map(network, 1));
  routing.lane_steps = std::make_shared<LaneMap>(test::some_lane_map(network, 2));
  routing.steps_at.assign(network.router_count(), false);
  routing.steps_at[3] = routing.steps_at[7] = true;
  routing.adaptive_levels = 6;
  std::vector<std::string> files =
      written_adaptive_format("far").write(network, routing, folder.file("ibdiagnet2.far"));
  EXPECT_THAT(files, testing::ElementsAre(folder.file("ibdiagnet2.far"), folder.file("ibdiagnet2.plft"),
                                          folder.file("ibdiagnet2.slvl"), folder.file("ibdiagnet2.vl2vl")));
  std::reverse(files.begin(), files.end());
  const AdaptiveRouting back = read_adaptive(network, files);
  for (std::size_t plane = 0; plane < 2; ++plane)
    EXPECT_TRUE(back.planes[plane].same_ports(routing.planes[plane]));
  EXPECT_EQ(*back.plane_map, *routing.plane_map);
  EXPECT_EQ(back.steps_at, routing.steps_at);
  EXPECT_EQ(back.adaptive_levels, 6U);
  for (const RouterId r : network.routers()) {
    for (std::uint16_t in = 0; in <= network.port_count(r); ++in) {
      for (std::uint16_t out = 1; out <= network.port_count(r); ++out) {
        ASSERT_EQ(back.lane_map->get(r, in, out), routing.lane_map->get(r, in, out));
        if (!routing.has_steps(r)) continue;
        ASSERT_EQ(back.lane_steps->get(r, in, out), routing.lane_steps->get(r, in, out));
      }
    }
  }
  EXPECT_THAT(error_of([&] {
                (void)read_adaptive(network, {files[0], files[1]});
              }),
              HasSubstr("the forwarding tables are missing"));
  EXPECT_THAT(error_of([&] { (void)written_adaptive_format("fur"); }), HasSubstr("did you mean 'far'?"));
}

struct Malformed {
  const char* file;
  const char* sentence;  ///< after the path
};

constexpr Malformed kMalformed[] = {
    {"far/absurd-group", ":10: expected a row '<group> <sub-group> <weight> <port>,<port>,...'"},
    {"far/absurd-lid", ":18: expected a row '0x<lid> <static port> Static|Free|HBF <group>'"},
    {"far/bad-guid", ":20: expected 'Switch 0x<guid>'"},
    {"far/bad-head", ":2: expected 'File version: <number>' or 'Switch 0x<guid>'"},
    {"far/bad-plane", ":12: expected 'PLFT_NUM: <0 to 7>, top: 0x<lid>' in the tables of a switch"},
    {"far/bad-state", ":17: expected a row '0x<lid> <static port> Static|Free|HBF <group>'"},
    {"far/group-is-not-told", ":18: group 7 is not among the groups of leaf1"},
    {"far/group-port-beyond-radix", ":8: port 9 is beyond the 8 ports of leaf1"},
    {"far/group-row-is-none", ":8: expected a row '<group> <sub-group> <weight> <port>,<port>,...'"},
    {"far/lid-twice", ":16: LID 11 has two rows in one switch's table"},
    {"far/no-switch", ": no 'Switch 0x<guid>' line"},
    {"far/no-tables", ":4: leaf1 has no 'LFT Definition:' in this file"},
    {"far/port-beyond-radix", ":17: port 9 is beyond the 8 ports of leaf1"},
    {"far/short-row", ":15: expected a row '0x<lid> <static port> Static|Free|HBF <group>'"},
    {"far/sub-group-twice", ":10: sub-group 0 of group 1 has two rows"},
    {"far/switch-twice", ":20: switch 0x00000000000000a1 has tables above already"},
    {"far/table-twice", ":19: table 0 of leaf1 comes twice"},
    {"far/unknown-lid",
     ":18: LID 77 belongs to no device of the fabric: the tables are of another fabric, or of this one "
     "before a change (unknot watch and reroute --to take both)"},
    {"far/unknown-switch", ":20: switch 0x00000000000000a9 is not in the fabric"},
    {"plft/bad-guid", ":9: expected 'Switch 0x<guid>'"},
    {"plft/bad-header", ":5: expected a header row 'Port : VL 0 1 ...' or 'Port : SL 0 1 ...'"},
    {"plft/both-keys",
     ":10: tables are found by lane here and by service level above, expected one of them in all switches"},
    {"plft/no-header", ":5: a row comes before a header row 'Port : VL 0 1 ...' or 'Port : SL 0 1 ...'"},
    {"plft/no-row", ":1: no row of a port in this file, expected 'Switch 0x<guid>', a header row and rows"},
    {"plft/no-switch", ":5: a row comes before the first 'Switch 0x<guid>' line"},
    {"plft/port-beyond-radix", ":7: port 9 is beyond the 8 ports of leaf1"},
    {"plft/port-twice", ":7: port 1 of leaf1 has two rows"},
    {"plft/short-row", ":7: expected a row '<port> : <16 numbers of tables>'"},
    {"plft/switch-twice", ":9: switch 0x00000000000000a1 has rows above already"},
    {"plft/table-beyond", ":7: table 8 is beyond 7, the last that a switch may have"},
    {"plft/unknown-switch", ":9: switch 0x00000000000000a9 is not in the fabric"},
    {"vl2vl/bad-row", ":1: expected '0x<switch guid> <in> <out>' and 8 bytes '0x<vl><vl>'"},
    {"vl2vl/missing-row", ": 1 pairs of ports have no VL-to-VL row, the first leaf1 port 5 to port 6"},
    {"vl2vl/port-beyond-radix", ":1: port 9 is beyond the 8 ports of leaf1"},
    {"vl2vl/two-rows", ":2: other lanes for ports 0 to 1 of leaf1 than above"},
    {"vl2vl/unknown-switch", ":1: switch 0x00000000000000a9 is not in the fabric"},
};

std::string read_error(const Network& network, const std::string& path) {
  return error_of([&] {
    const std::string text = read_file(path);
    AdaptiveRouting routing;
    std::vector<bool> at;
    if (path.find("/far/") != std::string::npos) {
      read_far(network, text, path, routing);
    } else if (path.find("/plft/") != std::string::npos) {
      (void)read_plft(network, text, path);
    } else {
      (void)read_vl2vl(network, text, path, at);
    }
  });
}

TEST(MalformedAdaptiveDumps, EachGivesItsSentence) {
  const Network network = test::small_fabric();
  const std::string root = UNKNOT_TEST_DATA "/malformed/adaptive/";
  std::set<std::string> listed;
  for (const Malformed& row : kMalformed) {
    const std::string path = root + row.file;
    listed.insert(path);
    EXPECT_EQ(read_error(network, path), path + row.sentence);
  }
  for (const char* folder : {"far", "plft", "vl2vl"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root + folder))
      EXPECT_TRUE(listed.contains(entry.path().string())) << entry.path() << " has no sentence";
  }
}

/// Runs `read` on the text cut at every place, and with bytes changed at every place.
template <class Read>
void damage_dump(const std::string& text, const Read& read) {
  Random random(11);
  const std::size_t step = 1 + text.size() / 400;
  for (std::size_t at = 0; at < text.size(); at += step) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(random.below(256));
    for (const std::string& one : {text.substr(0, at), damaged}) {
      const std::string error = error_of([&] { read(one); });
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
  }
}

TEST(DamagedAdaptiveDumps, GiveAtMostASentence) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Random random(2);
  AdaptiveRouting routing;
  for (int plane = 0; plane < 2; ++plane) routing.planes.push_back(some_plane(network, random));
  write_far(network, routing, folder.file("far"));
  damage_dump(read_file(folder.file("far")), [&](const std::string& text) {
    AdaptiveRouting back;
    read_far(network, text, "far", back);
  });
  write_plft(network, some_plane_map(network, PlaneMap::Key::lane, 2, random), folder.file("plft"));
  damage_dump(read_file(folder.file("plft")),
              [&](const std::string& text) { (void)read_plft(network, text, "plft"); });
  write_vl2vl(network, test::some_lane_map(network, 1), {true, false, false}, folder.file("vl2vl"));
  damage_dump(read_file(folder.file("vl2vl")), [&](const std::string& text) {
    std::vector<bool> at;
    (void)read_vl2vl(network, text, "vl2vl", at);
  });
}

/// ibdiagnet's own: another name of the function, and the number of the private table.
TEST(AdaptiveDumps, UnicastTablesOfIbdiagnet) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const std::string rows =
      "LID    : Port : Hops : Optimal\n0x000b : 001  : 00   : yes\n0x000d : 005  : 00   : yes\n";
  const std::string ours = "dump_ucast_routes: Switch 0x00000000000000a1\n" + rows;
  const std::string theirs =
      "# This database file was automatically generated by IBDIAG\n\n"
      "osm_ucast_mgr_dump_ucast_routes: Switch 0x00000000000000a1\nPLFT_NUM: 0\n" +
      rows;
  const Routing a = read_tables(network, folder.put("opensm.fdbs", ours));
  const Routing b = read_tables(network, folder.put("ibdiagnet2.fdbs", theirs));
  for (const TerminalId t : network.terminals())
    EXPECT_EQ(a.table().get(RouterId(0), t), b.table().get(RouterId(0), t));
  EXPECT_THAT(error_of([&] {
                std::string more = theirs;
                more.replace(more.find("PLFT_NUM: 0"), 11, "PLFT_NUM: 1");
                (void)read_tables(network, folder.put("ibdiagnet2.fdbs", more));
              }),
              HasSubstr(":4: expected 'PLFT_NUM: 0'"));
}

}  // namespace
}  // namespace unknot
