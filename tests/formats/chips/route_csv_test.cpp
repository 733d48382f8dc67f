// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/table_samples.hpp"
#include "refusal.hpp"
#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// Two routers with two cables between them, and a third behind the second.
Network three_routers(std::vector<std::string> router_name, std::vector<std::string> terminal_name) {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), 1, RouterId(1), 1);
  builder.add_cable(RouterId(0), 2, RouterId(1), 2);
  builder.add_cable(RouterId(1), 3, RouterId(2), 1);
  builder.add_terminal(RouterId(0), 3);
  builder.add_terminal(RouterId(2), 2);
  builder.labels().router_name = std::move(router_name);
  builder.labels().terminal_name = std::move(terminal_name);
  builder.labels().router_ports = {4, 4, 4};
  return std::move(builder).build();
}

/// Names with commas and quotes.
Network named() {
  return three_routers({"a,b", "say \"c\"", "d"}, {"\"", "t\tu"});
}

std::uint32_t port_of(const Network& network, const Routing& routing, std::uint32_t r, std::uint32_t t) {
  const ChannelId c = routing.table().next(network, RouterId(r), TerminalId(t));
  return c.valid() ? network.source_port(c) : 0U;
}

TEST(RouteCsv, ColumnsMayStandInAnyOrderAndNamesInQuotes) {
  const Network network = named();
  const std::string text =
      "note,next hop,destination,port,router\r\n"
      "x,\"say \"\"c\"\"\",t\tu,2,\"a,b\"\r\n"
      ",d,t\tu,3,\"say \"\"c\"\"\"\n"
      "\n"
      ",t\tu,t\tu,2,d\n"
      "\"y\",\"a,b\",\"\"\"\",1,\"say \"\"c\"\"\"";
  EXPECT_TRUE(recognises_route_csv(text));
  const Routing routing = read_route_csv(network, text, "t.csv");
  EXPECT_EQ(port_of(network, routing, 0, 1), 2U);
  EXPECT_EQ(port_of(network, routing, 1, 1), 3U);
  EXPECT_EQ(port_of(network, routing, 1, 0), 1U);
  EXPECT_EQ(port_of(network, routing, 2, 0), 0U);
}

TEST(RouteCsv, PortsThatLeadNowhereStay) {
  const Network network = named();
  const test::ScratchFolder folder;
  const Routing routing = read_route_csv(network, "router,destination,port\nd,\"\"\"\",4\n", "t.csv");
  EXPECT_EQ(routing.table().stray_port(RouterId(2), TerminalId(0)), 4U);
  write_tables(network, routing, "csv", folder.file("t"));
  EXPECT_EQ(read_tables(network, folder.file("t")).table().stray_port(RouterId(2), TerminalId(0)), 4U);
}

TEST(RouteCsv, DamageGivesAtMostASentence) {
  const Network network = named();
  const std::string good =
      "router,destination,port,next hop\n\"a,b\",t\tu,2,\"say \"\"c\"\"\"\nd,\"\"\"\",1,\"say \"\"c\"\"\"\n";
  EXPECT_EQ(refusal([&] { (void)read_route_csv(network, good, "t.csv"); }), "");
  std::size_t refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\0', '\n', '"', ',', '9', 'x'}) {
      std::string text = good;
      text[at] = byte;
      refused +=
          refusal([&] { (void)read_route_csv(network, text, "t.csv"); }).starts_with("t.csv:") ? 1U : 0U;
    }
    (void)refusal([&] { (void)read_route_csv(network, good.substr(0, at), "t.csv"); });
  }
  EXPECT_GT(refused, 4 * good.size());
}

TEST(RouteCsv, WhatIsWrongGetsOneSentence) {
  const Network network = named();
  const auto said = [&](const std::string& text) {
    return refusal([&] { (void)read_route_csv(network, text, "t.csv"); });
  };
  const std::string both = "router,destination,port,next hop\n";
  EXPECT_EQ(said(""), "t.csv:1: expected the columns router, destination, and port or next hop");
  EXPECT_EQ(said("router,port\n"), "t.csv:1: expected the columns router, destination, and port or next hop");
  EXPECT_EQ(said("router,destination\n"), "t.csv:1: expected a column 'port' or 'next hop'");
  EXPECT_EQ(said(both + "d,x\n"), "t.csv:2: expected 4 values with commas between them, not 'd,x'");
  EXPECT_EQ(said(both + "d,\"x,1,d\n"),
            "t.csv:2: expected 4 values with commas between them, not 'd,\"x,1,d'");
  EXPECT_EQ(said(both + "d,\"x\"y,1,d\n"),
            "t.csv:2: expected 4 values with commas between them, not 'd,\"x\"y,1,d'");
  EXPECT_EQ(said(both + "e,t\tu,1,d\n"), "t.csv:2: no router 'e' in the fabric");
  EXPECT_EQ(said(both + "d,v,1,d\n"), "t.csv:2: no destination 'v' in the fabric");
  EXPECT_EQ(said(both + "d,\"\"\"\",0,d\n"),
            "t.csv:2: port: expected a port from 1 to 4 of router d, not '0'");
  EXPECT_EQ(said(both + "d,\"\"\"\",5,d\n"),
            "t.csv:2: port: expected a port from 1 to 4 of router d, not '5'");
  EXPECT_EQ(said(both + "d,\"\"\"\",1,\"a,b\"\n"), "t.csv:2: next hop: no link from router d to a,b");
  EXPECT_EQ(said(both + "\"a,b\",t\tu,4,\"say \"\"c\"\"\"\n"),
            "t.csv:2: port 4 of router a,b does not lead to say \"c\"");
  EXPECT_EQ(said("router,destination,next hop\n\"a,b\",t\tu,\"say \"\"c\"\"\"\n"),
            "t.csv:2: next hop: 2 links from router a,b to say \"c\", expected a column 'port'");
  EXPECT_EQ(said("router,destination,next hop\n\"a,b\",t\tu,\n"),
            "t.csv:2: no router the end of the line in the fabric");
  EXPECT_EQ(said(both + "d,t\tu,1,t\tu\n"), "t.csv:2: port: t u is on port 2 of this router, not on 1");
  EXPECT_EQ(said(both + "d,t\tu,2,d\n"),
            "t.csv:2: next hop: t u is on this router, expected its name, not 'd'");
  EXPECT_EQ(said("router,destination,port\nd,\"\"\"\",1\nd,\"\"\"\",1\n"),
            "t.csv:3: a second row of router d for \"");
  const Network twins = test::small_fabric();
  EXPECT_EQ(refusal([&] { (void)read_route_csv(twins, "router,destination,port\nleaf1,n3,5\n", "t.csv"); }),
            "t.csv:2: two of the fabric are called 'n3'");
  EXPECT_EQ(refusal([&] {
              write_route_csv(twins, test::some_routing(twins, ServiceLevels::Rows::none, 1, 1), "/dev/null");
            }),
            "two terminals are called 'n3', and tables as CSV tell them by name");
}

/// Names that files can have.
Network with_file_names() {
  return three_routers({"a", "b.csv", "c d"}, {"s", "t"});
}

/// A folder of three tables, without what `but` names.
void put_folder(const test::ScratchFolder& folder, const std::string& but) {
  std::filesystem::create_directories(folder.file("tables"));
  const std::map<std::string, std::string> files{
      {"a.csv", "destination,port,next hop\nt,2,b.csv\ns,3,s\n"},
      {"b.csv.csv", "next_hop,destination,port\r\nc d,t,3\r\na,s,1\r\n"},
      {"c d.csv", "destination,next hop\ns,b.csv\nt,t\n"}};
  for (const auto& [name, text] : files) {
    if (name != but) folder.put("tables/" + name, text);
  }
}

TEST(RouteCsv, AFolderOfFilesOfRoutersIsATable) {
  const Network network = with_file_names();
  const test::ScratchFolder folder;
  put_folder(folder, "");
  folder.put("tables/README", "none of the tables");
  folder.put("tables/.a.csv", "left by an editor");
  std::filesystem::create_directories(folder.file("tables/old"));
  for (const char* path : {"tables", "tables/"}) {
    const Routing routing = read_tables(network, folder.file(path));
    EXPECT_EQ(routing.engine, folder.file(path));
    EXPECT_EQ(port_of(network, routing, 0, 1), 2U);
    EXPECT_EQ(port_of(network, routing, 1, 1), 3U);
    EXPECT_EQ(port_of(network, routing, 1, 0), 1U);
    EXPECT_EQ(port_of(network, routing, 2, 0), 1U);
  }
  // With a column of routers a file may be called as it likes, and tell of several.
  put_folder(folder, "");
  std::filesystem::remove(folder.file("tables/a.csv"));
  std::filesystem::remove(folder.file("tables/c d.csv"));
  folder.put("tables/others.csv", "router,destination,port\na,t,2\nc d,s,1\n");
  EXPECT_EQ(port_of(network, read_tables(network, folder.file("tables")), 2, 0), 1U);
}

TEST(RouteCsv, AFolderComesBackAsWritten) {
  const Network network = with_file_names();
  const test::ScratchFolder folder;
  put_folder(folder, "");
  const Routing routing = read_tables(network, folder.file("tables"));
  write_tables(network, routing, "csv-folder", folder.file("again"));
  const Routing again = read_tables(network, folder.file("again"));
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals())
      EXPECT_EQ(port_of(network, routing, r.value, t.value), port_of(network, again, r.value, t.value));
  }
}

TEST(RouteCsv, AFolderWithoutARowHasNoRouteThere) {
  const Network network = with_file_names();
  const test::ScratchFolder folder;
  put_folder(folder, "b.csv.csv");
  folder.put("tables/b.csv.csv", "destination,port\n");
  const Routing routing = read_tables(network, folder.file("tables"));
  EXPECT_EQ(port_of(network, routing, 1, 1), 0U);
  EXPECT_EQ(port_of(network, routing, 0, 1), 2U);
}

TEST(RouteCsv, WhatIsWrongWithAFolderGetsOneSentence) {
  const Network network = with_file_names();
  const auto said = [&](const std::string& but, const std::string& name, const std::string& text) {
    const test::ScratchFolder folder;
    put_folder(folder, but);
    if (!name.empty()) folder.put("tables/" + name, text);
    const std::string words = refusal([&] { (void)read_tables(network, folder.file("tables")); });
    const std::string start = folder.file("tables");
    EXPECT_TRUE(words.starts_with(start)) << words;
    return words.substr(std::min(start.size(), words.size()));
  };
  EXPECT_EQ(
      said("a.csv", "", ""),
      ": expected a file a.csv for router a, with its first line alone where a router forwards nothing");
  EXPECT_EQ(said("a.csv", "c d.csv", "router,destination,port\nb.csv,t,3\n"),
            "/c d.csv:2: a second row of router b.csv for t");
  EXPECT_EQ(
      said("", "d.csv", "destination,port\n"),
      "/d.csv: no router 'd' in the fabric, expected the name of one before .csv, or a column 'router'");
  EXPECT_EQ(said("", "twice.csv", "router,destination,port\nc d,s,1\n"),
            "/twice.csv:2: a second row of router c d for s");
  EXPECT_EQ(said("", "a.csv", "destination,port\nt,2\nt,1\n"), "/a.csv:3: a second row of router a for t");
  EXPECT_EQ(said("", "a.csv", ""), "/a.csv:1: expected the columns destination, and port or next hop");
  EXPECT_EQ(said("", "a.csv", "destination\n"), "/a.csv:1: expected a column 'port' or 'next hop'");
  EXPECT_EQ(said("", "a.csv", "destination,port\nt\n"),
            "/a.csv:2: expected 2 values with commas between them, not 't'");
  EXPECT_EQ(said("", "a.csv", "destination,next_hop\nt,b.csv\n"),
            "/a.csv:2: next hop: 2 links from router a to b.csv, expected a column 'port'");

  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.file("t"));
  EXPECT_EQ(refusal([&] { (void)read_tables(network, folder.file("t")); }),
            folder.file("t") + ": no file *.csv in this folder, expected NAME.csv for each router NAME");
  std::filesystem::create_directories(folder.file("t/a.csv"));
  EXPECT_EQ(refusal([&] { (void)read_tables(network, folder.file("t")); }),
            folder.file("t/a.csv") + ": expected a regular file");
  folder.put("b.csv", "destination,port\n");
  EXPECT_EQ(refusal([&] { (void)read_tables(network, folder.file("b.csv")); }),
            folder.file("b.csv") +
                ": a table of one router, expected the folder that has a file for each, or one file with a "
                "column 'router'");
  put_folder(folder, "");
  EXPECT_NE(refusal([&] { (void)read_route_csv_folder(network, folder.file("tables"), 60); }), "");
  EXPECT_EQ(refusal([&] { (void)read_route_csv_folder(network, folder.file("tables"), 200); }), "");
}

}  // namespace
}  // namespace unknot
