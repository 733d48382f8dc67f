// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "formats/table_samples.hpp"
#include "refusal.hpp"
#include "routed.hpp"
#include "unknot/formats/chips/constellation.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// The object as a file has it, and the tables that it was made of.
struct Written {
  Network network;
  Routing routing;
  std::string text;
};

Written written(const std::string& spec, const std::string& engine) {
  Written one;
  one.network = make_network(spec);
  one.routing = routed(one.network, engine);
  one.text = constellation_text(one.network, one.routing, "Noc");
  return one;
}

void expect_same_relation(const Written& one, const Network& network) {
  const Routing back = read_constellation_tables(network, one.text, "Noc.scala");
  ASSERT_EQ(network.router_count(), one.network.router_count());
  ASSERT_EQ(network.terminal_count(), one.network.terminal_count());
  ASSERT_EQ(network.channel_count(), one.network.channel_count());
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals()) {
      const ChannelId a = one.routing.table().next(one.network, r, t);
      const ChannelId b = back.table().next(network, r, t);
      ASSERT_EQ(a.valid(), b.valid());
      if (a.valid()) EXPECT_EQ(one.network.target(a), network.target(b));
    }
  }
  Progress quiet;
  const Verdict first = verify(one.network, one.routing, {}, quiet);
  const Verdict again = verify(network, back, {}, quiet);
  EXPECT_EQ(again.complete(), first.complete());
  EXPECT_EQ(again.deadlock_free, first.deadlock_free);
  EXPECT_EQ(again.lanes_used, first.lanes_used);
  EXPECT_EQ(again.dependencies, first.dependencies);
  EXPECT_EQ(again.total_hops, first.total_hops);
}

TEST(ConstellationReader, WhatIsWrittenComesBack) {
  for (const auto& [spec, engine] :
       {std::pair("mesh:3x2", "dor"), std::pair("torus:4x3,p=2", "dor"), std::pair("torus:5x3", "dfsssp"),
        std::pair("kary-ntree:k=2,n=3", "updn"), std::pair("dragonfly:a=4,h=2,p=2", "unknot"),
        std::pair("torus:4x4", "dor"), std::pair("hypercube:3", "nue")}) {
    SCOPED_TRACE(std::string(spec) + " " + engine);
    const Written one = written(spec, engine);
    EXPECT_TRUE(looks_like_constellation(one.text));
    expect_same_relation(one, one.network);
    expect_same_relation(one, read_constellation(one.text, "Noc.scala"));
  }
}

// A relation that somebody has changed is not what its numbers say.
TEST(ConstellationReader, WhatIsChangedIsRefusedWithItsLine) {
  const Written one = written("torus:3x3", "dor");
  const auto said = [](const std::string& text) {
    return refusal([&] { (void)read_constellation(text, "f"); });
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = one.text;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(said(one.text), "");
  EXPECT_EQ(said(with("object Noc {", "object Other {")).find("not as unknot writes it") != std::string::npos,
            true);
  EXPECT_EQ(said(with("nxtC.dst && ", "nxtC.dst || ")).find("f:"), 0U);
  EXPECT_NE(said(with("nxtC.dst && ", "nxtC.dst || ")).find("not as unknot writes it for these numbers"),
            std::string::npos);
  EXPECT_NE(said(one.text + "// more\n").find("expected the end"), std::string::npos);
  EXPECT_EQ(said(one.text.substr(0, one.text.find("  val params"))),
            "f: ends before the object that unknot writes does");
  EXPECT_EQ(
      said("object A {\n}\n"),
      "f: expected the object that unknot writes for Constellation, with rows of links, next and level");
  // By hops, which take lanes modulo their number.
  std::string laneless = written("torus:4x4", "dor").text;
  EXPECT_NE(laneless.find("lazy val hops"), std::string::npos);
  laneless.erase(laneless.find("  val nChannels = 2\n"), 20);
  EXPECT_NE(said(laneless).find("expected the object that unknot writes"), std::string::npos);
  EXPECT_EQ(said(with("nRouters = 9", "nRouters = 0")),
            "f:10: expected a whole number from 1 to 8000, not '0'");
  EXPECT_NE(said(with("numbers(\"0 1 2", "numbers(\"1 0 2")).find("in ascending order"), std::string::npos);
  EXPECT_EQ(refusal([&] { (void)read_constellation_tables(make_network("torus:3x4"), one.text, "f"); }),
            "f: is of 9 routers and 9 terminals that are not those of the fabric");
  EXPECT_EQ(refusal([&] {
              (void)read_constellation_tables(make_network("mesh:3x3"), one.text, "f");
            }).find("f: expected one link of the fabric from router"),
            0U);
}

TEST(ConstellationReader, DamageGivesAtMostASentence) {
  const std::string good = written("mesh:2x2", "dor").text;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\0', '\n', '"', '9', '-'}) {
      std::string text = good;
      text[at] = byte;
      refused += refusal([&] { (void)read_constellation(text, "f"); }).starts_with("f:") ? 1U : 0U;
    }
    (void)refusal([&] { (void)read_constellation(good.substr(0, at), "f"); });
  }
  EXPECT_GT(refused, 4 * (good.size() - good.find('\n')));
}

}  // namespace
}  // namespace unknot
