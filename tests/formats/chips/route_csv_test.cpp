// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "formats/table_samples.hpp"
#include "refusal.hpp"
#include "unknot/formats/chips/route_csv.hpp"
#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// Two routers with two cables between them, a third behind the second, and names with commas and quotes.
Network named() {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), 1, RouterId(1), 1);
  builder.add_cable(RouterId(0), 2, RouterId(1), 2);
  builder.add_cable(RouterId(1), 3, RouterId(2), 1);
  builder.add_terminal(RouterId(0), 3);
  builder.add_terminal(RouterId(2), 2);
  builder.labels().router_name = {"a,b", "say \"c\"", "d"};
  builder.labels().terminal_name = {"\"", "t\tu"};
  builder.labels().router_ports = {4, 4, 4};
  return std::move(builder).build();
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

}  // namespace
}  // namespace unknot
