// SPDX-License-Identifier: Apache-2.0
// Every file of tests/data/malformed that is about tables, with the sentence it must give; and files damaged
// in every place, which must never give more than a sentence.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "formats/table_samples.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using test::error_of;

struct Malformed {
  const char* file;
  const char* sentence;  ///< after the path
};

constexpr Malformed kMalformed[] = {
    {"opensm/unknown_switch.dump", ":3: switch 0x00000000000000a9 is not in the fabric"},
    {"opensm/unknown_port_guid.dump",
     ":3: port GUID 0x0000000000000b99 belongs to no device of the fabric: the tables are of another fabric, "
     "or of this one before a change (unknot watch and reroute --to take both)"},
    {"opensm/unknown_lid.dump",
     ":2: LID 77 belongs to no device of the fabric: the tables are of another fabric, or of this one before "
     "a change (unknot watch and reroute --to take both)"},
    {"opensm/port_beyond_radix.dump", ":3: port 9 is beyond the 8 ports of leaf1"},
    {"opensm/switch_port_beyond_radix.dump", ":2: port 99 is beyond the 8 ports of leaf1"},
    {"opensm/row_twice.dump", ":3: LID 11 has two rows in one switch's table"},
    {"opensm/switch_twice.dump", ":3: switch 0x00000000000000a1 has a table above already"},
    {"opensm/row_before_header.dump", ":1: a row comes before the first 'Unicast lids ... guid 0x...' line"},
    {"opensm/no_guid.dump", ":1: expected ' guid 0x<switch guid>' on a 'Unicast lids' line"},
    {"opensm/bad_guid.dump", ":1: expected ' guid 0x<switch guid>' and a blank on a 'Unicast lids' line"},
    {"opensm/truncated_row.dump", ":3: expected a row '0x<lid> <port>', the port in decimal"},
    {"opensm/port_in_hex.dump", ":2: expected a row '0x<lid> <port>', the port in decimal"},
    {"opensm/lid_zero.dump", ":2: 0x0 is no unicast LID (0x1 to 0xbfff)"},
    {"opensm/multicast_lid.dump", ":2: 0xc000 is no unicast LID (0x1 to 0xbfff)"},
    {"opensm/long_port_guid.dump", ":2: expected up to 16 hexadecimal digits after 'portguid 0x'"},
    {"opensm/lid_changes_owner.dump", ":4: LID 11 stands for another device than in the tables above"},
    {"opensm/rows_are_gone.dump", ":5: the table says it has 3 rows, but 1 came"},
    {"opensm/multicast.dump", ":3: these are multicast tables, expected unicast ones"},
    {"fdbs/unknown_switch.fdbs", ":1: switch 0x00000000000000a9 is not in the fabric"},
    {"fdbs/bad_switch.fdbs", ":1: expected 'dump_ucast_routes: Switch 0x<guid>'"},
    {"fdbs/unknown_lid.fdbs",
     ":4: LID 77 belongs to no device of the fabric: the tables are of another fabric, or of this one before "
     "a change (unknot watch and reroute --to take both)"},
    {"fdbs/port_beyond_radix.fdbs", ":3: port 9 is beyond the 8 ports of leaf1"},
    {"fdbs/row_twice.fdbs", ":4: LID 11 has two rows in one switch's table"},
    {"fdbs/switch_twice.fdbs", ":3: switch 0x00000000000000a1 has a table above already"},
    {"fdbs/row_before_switch.fdbs", ":1: a row comes before the first 'dump_ucast_routes: Switch' line"},
    {"fdbs/truncated_row.fdbs",
     ":3: expected a row '0x<lid> : <port> : <hops> : ...' or '0x<lid> : UNREACHABLE'"},
    {"json/not_json.json", ":2: not valid JSON here"},
    {"json/not_an_object.json", ": 'format' is missing"},
    {"json/other_format.json", ": 'format' is not 'unknot-tables'"},
    {"json/other_version.json", ": 'version' is neither 1 nor 2"},
    {"json/other_network.json", ": the tables were made for another network"},
    {"json/no_terminals.json", ": 'terminals' is missing"},
    {"json/unknown_terminal.json", ": terminal 0x000000000000dead is not in the fabric"},
    {"json/terminal_twice.json", ": terminal n1 is listed twice"},
    {"json/unknown_router.json", ": router 0x00000000000000a9 is not in the fabric"},
    {"json/short_row.json", ": 'ports' of leaf1 has 0 entries, expected one for each of 1 terminals"},
    {"json/port_beyond_radix.json", ": a port of leaf1 is outside -1 to 8"},
    {"json/port_is_text.json", ": a port of leaf1 is not a whole number"},
    {"json/level_out_of_range.json", ": a service level is outside 0 to 253"},
    {"json/level_row_missing.json", ": 'service_levels' lacks the row of a source"},
    {"json/lanes_of_absurd_number.json", ": 'virtual_lanes' is outside 1 to 254"},
    {"json/other_flow_control.json", ": 'flow_control' is neither 'credits' nor 'bubble'"},
    {"json/routes_channels_missing.json", ": 'channels' is missing"},
    {"json/routes_beside_ports.json", ": router leaf1 has 'ports' in a file with 'routes'"},
    {"json/routes_router_twice.json", ": router leaf1 is listed twice"},
    {"json/routes_no_triple.json", ": 'channels' holds something that is no [from, to, port]"},
    {"json/routes_router_beyond.json", ": 'to' of a channel is outside 0 to 2"},
    {"json/routes_no_such_channel.json", ": no channel leads from leaf1 to leaf2 by port 5"},
    {"json/routes_source_twice.json", ": the routes of n1 are listed twice"},
    {"json/routes_short_row.json", ": 'channels' of n1 has 1 entries, expected one for each of 2 terminals"},
    {"json/routes_no_list.json", ": the route of n1 to n3 is not a list"},
    {"json/routes_channel_beyond.json", ": a channel of a route is outside 0 to 1"},
    {"json/routes_channel_is_text.json", ": a channel of a route is not a whole number"},
    {"binary/magic_only.bin", ": too short for binary tables"},
    {"binary/other_version.bin", ": version 1 of binary tables, expected 2 or 3"},
    {"binary/bad_checksum.bin", ": the checksum does not fit: the file is damaged or ends early"},
    {"guid2lid/not_hex.guid2lid", ":1: expected '0x<port guid> 0x<lowest lid> 0x<highest lid>'"},
    {"guid2lid/truncated.guid2lid", ":3: expected '0x<port guid> 0x<lowest lid> 0x<highest lid>'"},
    {"guid2lid/range_backwards.guid2lid", ":1: LIDs 12 to 11 are no range within 1 to 49151"},
    {"guid2lid/lid_twice.guid2lid", ":3: LID 11 is given twice"},
};

/// A file that may be no text.
std::string read_bytes(const std::string& path) {
  ReadLimits limits;
  limits.text = false;
  return read_file(path, limits);
}

TEST(MalformedTables, EachGivesItsSentence) {
  const Network network = test::small_fabric();
  const std::string root = UNKNOT_TEST_DATA "/malformed/";
  std::set<std::string> listed;
  for (const Malformed& row : kMalformed) {
    const std::string path = root + row.file;
    listed.insert(path);
    const std::string error = error_of([&] {
      if (path.ends_with(".guid2lid")) {
        (void)read_guid2lid(network, path);
      } else {
        (void)read_tables(network, path);
      }
    });
    EXPECT_EQ(error, path + row.sentence);
  }
  for (const char* folder : {"opensm", "fdbs", "json", "binary", "guid2lid"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root + folder)) {
      EXPECT_TRUE(listed.contains(entry.path().string())) << entry.path() << " has no sentence";
    }
  }
}

TEST(MalformedTables, NoFileNoTables) {
  const Network network = test::small_fabric();
  const test::ScratchFolder folder;
  EXPECT_EQ(error_of([&] { (void)read_tables(network, folder.put("t", "")); }),
            folder.file("t") + ": the file is empty, expected routing tables");
  EXPECT_EQ(error_of([&] { (void)read_tables(network, folder.put("t", "hello\n")); }),
            folder.file("t") +
                ": no routing tables of a known form (one of opensm, fdbs, json, binary, "
                "angara, csv, floogen, constellation)");
  EXPECT_NE(error_of([&] { (void)read_tables(network, folder.file("none")); }), "");
}

/// Runs `read` on the text cut at every place and with one byte changed at every place.
template <class Read>
void damage(const std::string& text, Read read) {
  const auto survives = [&](const std::string& damaged, std::size_t at) {
    try {
      read(damaged);
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "") << "byte " << at;
    }  // anything else fails the test
  };
  const std::size_t step = 1 + text.size() / 300;
  for (std::size_t at = 0; at < text.size(); at += step) {
    survives(text.substr(0, at), at);
    for (const char byte : {'\0', '\n', '9', 'f', '\xff', static_cast<char>(text[at] ^ 1)}) {
      std::string damaged = text;
      damaged[at] = byte;
      survives(damaged, at);
    }
  }
}

TEST(DamagedFiles, GiveAtMostASentence) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  Routing routing = test::some_routing(network, ServiceLevels::Rows::by_terminal, 4, 3);
  routing.lane_map = std::make_shared<LaneMap>(test::some_lane_map(network, 1));
  for (const TableFormat& format : table_formats()) {
    if (!format.write || format.holds == TableContent::source_routes) continue;
    if (!test::comes_back(format, network)) continue;
    write_tables(network, routing, format.name, folder.file("t"));
    const std::string text = read_bytes(folder.file("t"));
    for (const TableFormat& reader : table_formats()) {
      if (!reader.read || !reader.recognises(text)) continue;
      damage(text, [&](const std::string& damaged) { (void)reader.read(network, damaged, "-"); });
    }
  }
  const std::string fdbs =
      "dump_ucast_routes: Switch 0x00000000000000a1\nLID    : Port : Hops : Optimal\n"
      "0x0002 : 005  : 02   : yes\n0x0005 : UNREACHABLE\n0x000B : 001  : 01   : yes\n"
      "0x000D : 006  : 03   : No 2 hop path possible via port 5!\n";
  damage(fdbs, [&](const std::string& damaged) { (void)read_fdbs(network, damaged, "-"); });
}

// A damaged byte of the binary form is always found: it has a checksum.
TEST(DamagedFiles, BinaryNoticesEveryByte) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  write_tables(network, test::some_routing(network, ServiceLevels::Rows::by_router, 4, 3), "binary",
               folder.file("t"));
  const std::string text = read_bytes(folder.file("t"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    EXPECT_THROW((void)read_table_binary(network, damaged, "t"), InputError) << at;
    EXPECT_THROW((void)read_table_binary(network, text.substr(0, at), "t"), InputError) << at;
  }
}

TEST(DamagedFiles, LanesAndCertificates) {
  const test::ScratchFolder folder;
  const Network network = test::small_fabric();
  const Routing routing = test::some_routing(network, ServiceLevels::Rows::by_terminal, 4, 3);
  const std::string path = folder.file("f");
  const LidMap lids = LidMap::of(network);
  write_service_levels(network, routing, path);
  damage(read_file(path),
         [&](const std::string& damaged) { (void)parse_service_levels(network, lids, damaged, "d"); });
  Certificate certificate;
  certificate.network_fingerprint = network.fingerprint();
  certificate.lanes = 2;
  for (std::uint32_t i = 0; i < 2 * network.channel_count(); ++i) certificate.number.push_back(i);
  write_certificate(network, certificate, path);
  damage(read_file(path),
         [&](const std::string& damaged) { (void)parse_certificate(network, damaged, "d"); });
  write_lane_map(network, routing, path);
  const std::string rows = read_file(path).substr(0, 500);
  damage(rows, [&](const std::string& damaged) { (void)parse_lane_map(network, damaged, "d"); });
  damage("0x0000000000000b11 0x000b 0x000b\n\n0x0000000000000b21 0x000c 0x000d\n",
         [&](const std::string& damaged) { (void)parse_guid2lid(network, damaged, "d"); });
}

}  // namespace
}  // namespace unknot
