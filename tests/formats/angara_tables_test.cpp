// SPDX-License-Identifier: Apache-2.0
// Source routes in files: format angara, and JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "formats/table_samples.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/opensm/qos_policy.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using test::error_of;
using ::testing::HasSubstr;

Routing angara(const Network& network) {
  Progress silent;
  return route(network, "angara-sssp", {}, silent);
}

Network broken(const std::string& spec, const std::string& faults) {
  const Network network = make_network(spec);
  return with_faults(network, parse_faults(network, faults));
}

std::vector<test::RoutedSample> tori() {
  std::vector<test::RoutedSample> all;
  for (const char* spec : {"torus:4x2x2x2", "torus:5x3", "torus:2x2", "torus:7", "torus:4x1x3", "mesh:3x4",
                           "torus:2x2x2x2x2x2", "hypercube:3", "torus:3x2x2x3x2"})
    all.push_back({spec, make_network(spec)});
  all.push_back({"failed router", broken("torus:4x2x2x2", "routers=5")});
  all.push_back({"failed cables", broken("torus:4x4", "cable-count=3,seed=4")});
  all.push_back({"failed terminals", broken("torus:3x3x3", "terminal-count=9")});
  all.push_back({"in parts", broken("torus:4x2", "routers=0+1+4+5")});
  return all;
}

TEST(AngaraTables, RoundTripOfEveryTorus) {
  const test::ScratchFolder folder;
  for (const test::RoutedSample& sample : tori()) {
    const Routing routing = angara(sample.network);
    for (const char* format : {"angara", "json"}) {
      SCOPED_TRACE(sample.name + " as " + format);
      write_tables(sample.network, routing, format, folder.file("t"));
      const Routing back = read_tables(sample.network, folder.file("t"));
      ASSERT_NE(back.routes(), nullptr);
      EXPECT_TRUE(*back.routes() == *routing.routes());
      EXPECT_EQ(back.flow_control, FlowControl::bubble);
      EXPECT_EQ(back.virtual_lanes, 1U);
    }
  }
}

TEST(AngaraTables, TextIsWhatTheDocumentationSays) {
  const Network network = make_network("torus:3x2");
  const Routing routing = angara(network);
  EXPECT_EQ(angara_node_text(network, routing, TerminalId(5)),
            "unknot-angara 1\ntorus 3x2\norder +X +Y -X -Y\n\n"
            "node H-5 at 2 1\n"
            "H-0 - +X1 -Y1 -\n"
            "H-1 - +X1 -\n"
            "H-2 - -Y1 -X\n"
            "H-3 - -X1 -\n"
            "H-4 - -Y1 -\n"
            "end 5\n");
}

TEST(AngaraTables, FilesOfNodesJoinedInAnyOrderAreTheWhole) {
  for (const test::RoutedSample& sample : tori()) {
    const Routing routing = angara(sample.network);
    std::string text = "# made of the files of its nodes\n";
    for (std::uint32_t t = sample.network.terminal_count(); t-- > 0;)
      text += angara_node_text(sample.network, routing, TerminalId(t)) + "\n\n";
    const Routing back = read_angara(sample.network, text, "joined");
    EXPECT_TRUE(*back.routes() == *routing.routes()) << sample.name;
    // One node's file alone: its routes, and no others.
    const Routing one =
        read_angara(sample.network, angara_node_text(sample.network, routing, TerminalId(0)), "one");
    for (const TerminalId s : sample.network.terminals()) {
      for (const TerminalId d : sample.network.terminals()) {
        const auto expected = routing.routes()->route(s, d);
        const auto got = one.routes()->route(s, d);
        if (s.value == 0) {
          EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin(), got.end()));
        } else {
          EXPECT_TRUE(got.empty());
        }
      }
    }
  }
}

TEST(AngaraTables, NamesOfAllKindsComeBack) {
  const std::vector<std::string> names = {"end", "end 3", "node",        "a \"b\" \\c", "-",
                                          "#x",  "",      "line\nbreak", "tab\tend",    "\x7f\x01"};
  NetworkBuilder builder;
  builder.add_routers(10);
  for (std::uint32_t i = 0; i < 10; ++i) builder.add_cable(RouterId(i), RouterId((i + 1) % 10));
  for (std::uint32_t i = 0; i < 10; ++i) builder.add_terminal(RouterId(i));
  builder.labels().terminal_name = names;
  Coordinates at{.dimensions = 1, .value = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .extent = {10}, .wraps = true};
  builder.set_coordinates(std::move(at));
  const Network network = std::move(builder).build();
  const Routing routing = angara(network);
  const test::ScratchFolder folder;
  write_tables(network, routing, "angara", folder.file("t"));
  EXPECT_TRUE(*read_tables(network, folder.file("t")).routes() == *routing.routes());
  NetworkBuilder twice;
  twice.add_routers(3);
  for (std::uint32_t i = 0; i < 3; ++i) twice.add_cable(RouterId(i), RouterId((i + 1) % 3));
  for (std::uint32_t i = 0; i < 3; ++i) twice.add_terminal(RouterId(i));
  twice.labels().terminal_name = {"a", "b", "a"};
  twice.set_coordinates({.dimensions = 1, .value = {0, 1, 2}, .extent = {3}, .wraps = true});
  const Network same = std::move(twice).build();
  EXPECT_EQ(error_of([&] { write_tables(same, angara(same), "angara", folder.file("u")); }),
            "two nodes are called 'a', and format angara tells nodes by name");
  EXPECT_THAT(error_of([&] { (void)read_file(folder.file("u")); }), HasSubstr("cannot open"));
}

TEST(AngaraTables, EachFormatRefusesWhatItCannotHold) {
  const test::ScratchFolder folder;
  const Network network = make_network("torus:4x2");
  const Routing routes = angara(network);
  Progress silent;
  const Routing tables = route(network, "minhop", {}, silent);
  for (const TableFormat& format : table_formats()) {
    if (!format.write || format.name == "garnet" || format.name == "constellation")
      continue;  // names of files
    const std::string path = folder.file(format.name);
    const bool takes_routes = format.holds != TableContent::forwarding_tables;
    const bool takes_tables = format.holds != TableContent::source_routes;
    EXPECT_EQ(error_of([&] { write_tables(network, routes, format.name, path); }).empty(), takes_routes);
    EXPECT_EQ(std::filesystem::exists(path), takes_routes) << path;
    std::filesystem::remove_all(path);
    EXPECT_EQ(error_of([&] { write_tables(network, tables, format.name, path); }).empty(), takes_tables);
    EXPECT_EQ(std::filesystem::exists(path), takes_tables) << path;
  }
  EXPECT_EQ(
      error_of([&] { write_tables(network, routes, "opensm", folder.file("x")); }),
      "format opensm holds forwarding tables by destination, and angara-sssp gives each pair a route of "
      "its own: take one of json, angara");
  EXPECT_EQ(
      error_of([&] { write_tables(network, tables, "angara", folder.file("x")); }),
      "format angara holds source routes, and minhop gives forwarding tables by destination: take one of "
      "opensm, opensm-bare, json, binary, csv, csv-folder, garnet, constellation");
  EXPECT_THAT(error_of([&] { write_service_levels(network, routes, folder.file("x")); }),
              HasSubstr("needs forwarding tables"));
  EXPECT_THAT(error_of([&] { write_lane_map(network, routes, folder.file("x")); }),
              HasSubstr("needs forwarding tables"));
  EXPECT_THAT(error_of([&] { write_qos_policy(network, routes, folder.file("x")); }),
              HasSubstr("needs forwarding tables"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x")));
  Routing credits = routes;
  credits.flow_control = FlowControl::credits;
  EXPECT_THAT(error_of([&] { write_tables(network, credits, "angara", folder.file("x")); }),
              HasSubstr("for bubble flow control"));
  write_tables(network, credits, "json", folder.file("c"));
  EXPECT_EQ(read_tables(network, folder.file("c")).flow_control, FlowControl::credits);
  const Network other = make_network("torus:4x2,p=2");
  EXPECT_THAT(error_of([&] { (void)read_tables(other, folder.put("t", "unknot-angara 1\n")); }),
              HasSubstr("S-0 has 2 terminals, and a node is a router with one"));
  EXPECT_EQ(default_table_format(routes), "angara");
  EXPECT_EQ(default_table_format(tables), "opensm");
}

TEST(AngaraTables, RoutesThatNoHeaderHoldsAreNamed) {
  const Network network = make_network("torus:5x5");
  // +X, +Y, +X, +Y: two turns against the order, one more than a first step can mend.
  const Routing good = angara(network);
  std::vector<std::uint16_t> lengths;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      lengths.push_back(s.value == 0 && d.value == 12
                            ? std::uint16_t{6}
                            : static_cast<std::uint16_t>(good.routes()->route(s, d).size()));
    }
  }
  auto routes = std::make_shared<SourceRoutes>(network.terminal_count(), lengths);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      const auto from = good.routes()->route(s, d);
      if (s.value != 0 || d.value != 12) std::copy(from.begin(), from.end(), routes->route(s, d).begin());
    }
  }
  // Y X Y X -Y +Y: six channels that end at node 12.
  const std::vector<std::uint32_t> nodes = {0, 1, 6, 7, 12, 11, 12};
  for (std::size_t hop = 0; hop + 1 < nodes.size(); ++hop) {
    for (const ChannelId c : network.out(RouterId(nodes[hop])))
      if (network.target(c).value == nodes[hop + 1]) routes->route(TerminalId(0), TerminalId(12))[hop] = c;
  }
  Routing bad = good;
  bad.paths = routes;
  const test::ScratchFolder folder;
  EXPECT_EQ(error_of([&] { write_tables(network, bad, "angara", folder.file("t")); }),
            "the route of H-0 to H-12 breaks the direction order: no packet header holds it");
  EXPECT_FALSE(std::filesystem::exists(folder.file("t")));
  write_tables(network, bad, "json", folder.file("j"));  // which holds any
  EXPECT_TRUE(*read_tables(network, folder.file("j")).routes() == *routes);
}

struct Malformed {
  const char* file;
  const char* sentence;
};

constexpr Malformed kMalformed[] = {
    {"other_version.routes", ":1: expected 'unknot-angara 1', not 'unknot-angara 2'"},
    {"other_torus.routes", ":2: the torus of the fabric is 4x2, not '4x4'"},
    {"other_order.routes", ":3: the direction order of the fabric is +X +Y -X -Y, not '+Y +X -X -Y'"},
    {"no_order.routes", ":3: expected 'order +X +Y -X -Y'"},
    {"header_only.routes", ":3: the file ends early, expected 'node <name> at <coordinates>'"},
    {"unknown_node.routes", ":4: no node of the fabric is called 'H-9'"},
    {"unknown_destination.routes", ":5: no node of the fabric is called 'H-8'"},
    {"other_place.routes", ":4: H-0 is at 0 0, not at 1 0"},
    {"no_place.routes", ":4: expected 'at' and the coordinates of the node"},
    {"node_twice.routes", ":6: node H-0 has a section above already"},
    {"bad_direction.routes", ":5: '+Q1' does not start with a direction of this torus (+X +Y -X -Y)"},
    {"no_sign.routes", ":5: 'Y1' does not start with a direction of this torus (+X +Y -X -Y)"},
    {"count_zero.routes", ":5: the count in '+X0' is not 1 to 3"},
    {"count_too_large.routes", ":5: the count in '+X4' is not 1 to 3"},
    {"count_missing.routes", ":5: the count in '+X' is not 1 to 3"},
    {"count_beyond_pair.routes", ":5: the count in '+Y2' is not 1 to 1"},
    {"bit_twice.routes", ":5: direction +X is given twice"},
    {"both_ways.routes", ":5: directions +X and -X cannot both be gone"},
    {"out_of_order.routes", ":5: +X comes after +Y: directions are gone in the order +X +Y -X -Y"},
    {"negative_first_step.routes", ":5: a first step is positive, not -X"},
    {"positive_last_step.routes", ":5: a last step is negative, not +X"},
    {"first_step_with_count.routes", ":5: the first step is a direction without a count or -, not '+X1'"},
    {"too_few_words.routes",
     ":5: expected '<destination> <first step or -> <directions with counts> <last step or ->'"},
    {"destination_twice.routes", ":6: destination H-2 has a route above already"},
    {"to_itself.routes", ":5: a route of H-0 to itself"},
    {"ends_elsewhere.routes", ":5: the route of H-0 to H-4 ends at S-2"},
    {"no_steps.routes", ":5: the route of H-0 to H-4 ends at S-0"},
    {"missing_channel.routes", ":5: the route of H-0 to H-1 goes -Y at S-0, where there is no channel"},
    {"cut_in_section.routes", ":5: the file ends early, expected a route or 'end <number of routes>'"},
    {"cut_in_header.routes", ":2: the file ends early, expected 'order +X +Y -X -Y'"},
    {"wrong_end.routes", ":6: expected 'end 1', the number of routes of H-0"},
    {"row_outside.routes", ":6: expected 'node <name> at <coordinates>', not 'H-2 - +X1 -'"},
    {"open_quotes.routes", ":4: the quotes of a name are not closed"},
    {"bad_escape.routes", ":4: expected \\\", \\\\ or \\x and two hexadecimal digits in a name"},
};

TEST(AngaraTables, MalformedFilesGiveTheirSentence) {
  const Network network = make_network("torus:4x2");
  const std::string root = UNKNOT_TEST_DATA "/malformed/angara/";
  std::set<std::string> listed;
  for (const Malformed& row : kMalformed) {
    listed.insert(root + row.file);
    EXPECT_EQ(error_of([&] { (void)read_tables(network, root + row.file); }), root + row.file + row.sentence);
  }
  for (const auto& entry : std::filesystem::directory_iterator(root))
    EXPECT_TRUE(listed.contains(entry.path().string())) << entry.path() << " has no sentence";
}

TEST(AngaraTables, DamagedFilesGiveAtMostASentence) {
  const Network network = make_network("torus:4x2");
  const test::ScratchFolder folder;
  for (const char* format : {"angara", "json"}) {
    write_tables(network, angara(network), format, folder.file("t"));
    const std::string text = read_file(folder.file("t"));
    const std::size_t step = 1 + text.size() / 400;
    for (std::size_t at = 0; at < text.size(); at += step) {
      for (const char byte : {'\0', '\n', '9', '-', '\xff', static_cast<char>(text[at] ^ 1)}) {
        std::string damaged = text;
        damaged[at] = byte;
        (void)error_of([&] {
          if (format == std::string("json")) {
            (void)read_table_json(network, damaged, "-");
          } else {
            (void)read_angara(network, damaged, "-");
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace unknot
