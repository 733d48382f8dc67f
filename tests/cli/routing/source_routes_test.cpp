// SPDX-License-Identifier: Apache-2.0
// Source routes on the command line: formats, flow control, allocations.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SourceRouting : public InFolder {
 protected:
  static const Result& expect_yes(const Result& result) {
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    return result;
  }
};

TEST_F(SourceRouting, DefaultFormatSuitsTheRouting) {
  expect_yes(run("route torus:4x2x2x2 --engine angara-sssp -o routes --certificate proof"));
  EXPECT_THAT(read("routes"), StartsWith("unknot-angara 1\ntorus 4x2x2x2\norder +X +Y +Z +K -X -Y -Z -K\n"));
  (void)run("route torus:4x2x2x2 --engine minhop -o tables");  // which can deadlock
  EXPECT_THAT(read("tables"), StartsWith("Unicast lids"));
  const Result check = expect_yes(run("verify torus:4x2x2x2 routes --certificate proof --json"));
  EXPECT_EQ(check.json()["flow_control"], "bubble");
  EXPECT_EQ(check.json()["deadlock_free"], true);
  EXPECT_EQ(check.json()["certificate_holds"], true);
  EXPECT_EQ(check.json()["minimal"], true);
  EXPECT_EQ(run("route torus:4x2x2x2 --engine angara-sssp --json").json()["flow_control"], "bubble");
  EXPECT_EQ(run("route torus:4x2x2x2 --engine updn --json").json()["flow_control"], "credits");
}

/// Routes with lanes, on networks that are no tori: they need a form that holds both.
TEST_F(SourceRouting, RoutesOnLanesAreJson) {
  const Result routed =
      expect_yes(run("route petersen --engine source-routed --vls 3 -o routes --certificate proof"));
  EXPECT_THAT(routed.out, HasSubstr("The proof covers data: what hosts send to hosts."));
  const Result check = expect_yes(run("verify petersen routes --certificate proof --json"));
  EXPECT_EQ(check.json()["flow_control"], "credits");
  EXPECT_EQ(check.json()["certificate_holds"], true);
  EXPECT_EQ(check.json()["lanes_used"], 3);
  const Result both = run("route petersen --engine source-routed,updn --vls 3");
  EXPECT_THAT(both.out, HasSubstr("send to routers, too. That of source routes covers data alone."));
  EXPECT_THAT(run("route petersen --rails --engine source-routed --vls 3").out,
              HasSubstr("The proof covers data: what hosts send to hosts."));
  EXPECT_EQ(run("route uniring:5 --engine source-routed --vls 1").code, 1);
}

TEST_F(SourceRouting, JsonListsRoutesAsChannels) {
  expect_yes(run("route torus:3x2 --engine angara-sssp -o routes --format json"));
  const nlohmann::json file = nlohmann::json::parse(read("routes"));
  EXPECT_EQ(file["flow_control"], "bubble");
  const auto& channels = file["channels"];
  for (std::uint32_t s = 0; s < 6; ++s) {
    for (std::uint32_t d = 0; d < 6; ++d) {
      std::uint32_t at = s;
      for (const auto& c : file["routes"][s]["channels"][d]) {
        EXPECT_EQ(channels[c.get<std::size_t>()][0], at);
        at = channels[c.get<std::size_t>()][1];
      }
      EXPECT_EQ(at, d);
    }
  }
  expect_yes(run("verify torus:3x2 routes"));
}

TEST_F(SourceRouting, FlowControlCanBeOverridden) {
  expect_yes(run("route torus:4x4 --engine angara-sssp -o routes --certificate proof"));
  EXPECT_THAT(run("verify torus:4x4 routes").out,
              HasSubstr("deadlock-free         yes, under bubble flow control"));
  const Result credits = run("verify torus:4x4 routes --flow-control credits --certificate proof");
  EXPECT_EQ(credits.code, 1);
  EXPECT_THAT(credits.out,
              HasSubstr("deadlock-free         NO, CYCLE of 4 channels, under credit flow control"));
  EXPECT_THAT(credits.out, HasSubstr("certificate holds     NO"));
  EXPECT_EQ(run("verify torus:4x4 routes --flow-control credits --json").json()["flow_control"], "credits");
  // Forwarding tables that go round a ring: sound under bubble flow control alone.
  EXPECT_EQ(run("route torus:8 --engine minhop -o tables").code, 1);
  EXPECT_EQ(run("verify torus:8 tables").code, 1);
  EXPECT_THAT(expect_yes(run("verify torus:8 tables --flow-control bubble")).out,
              HasSubstr("yes, under bubble flow control"));
  expect_refused("verify torus:8 tables --flow-control wormhole", "--flow-control");
}

TEST_F(SourceRouting, FormatsThatCannotHoldItAreRefusedAndNothingIsWritten) {
  const std::string route = "route torus:4x2 --engine angara-sssp ";
  for (const char* format : {"opensm", "opensm-bare", "binary"})
    expect_refused(route + "-o t --certificate c --format " + format, "take one of json, angara");
  expect_refused(route + "-o t --lanes l", "a file of service levels (--lanes) needs forwarding tables");
  expect_refused(route + "-o t --sl2vl l", "a file of SL-to-VL tables (--sl2vl) needs forwarding tables");
  expect_refused(route + "-o t --qos-policy l", "a QoS policy (--qos-policy) needs forwarding tables");
  expect_refused("route torus:4x2 --engine minhop -o t --format angara", "take one of opensm");
  expect_refused("route torus:4x2 --engine dfsssp -o t --lanes l --format angara", "take one of opensm");
  expect_yes(run(route + "-o routes"));
  expect_refused("reroute torus:4x2 --tables routes --fail cables=0 -o t", "reroute needs forwarding tables");
  expect_refused("verify torus:2x4 routes", "routes:2: the torus of the fabric is 2x4, not '4x2'");
  expect_refused("verify kautz:b=2,n=2 routes", "routes: source routes of a torus do not fit this network");
  expect_refused("route torus:4x0 --engine angara-sssp", "dims");
}

TEST_F(SourceRouting, DimensionOfSizeOneIsAName) {
  expect_yes(run("route torus:4x1x2 --engine angara-sssp -o routes"));
  EXPECT_THAT(read("routes"), HasSubstr("order +X +Y +Z -X -Y -Z\n"));
  EXPECT_THAT(read("routes"), Not(HasSubstr(" +Y1")));
  expect_yes(run("verify torus:4x1x2 routes"));
}

TEST_F(SourceRouting, AllocationsOfTheirOwn) {
  expect_yes(run("route torus:4x2x2x2 --engine angara-sssp --nodes H-[0-7] -o job"));
  EXPECT_THAT(read("job"), Not(HasSubstr("H-8 ")));
  const Result own = expect_yes(run("verify torus:4x2x2x2 job --nodes 0-7 --json"));
  EXPECT_EQ(own.json()["terminals"], 8);
  EXPECT_EQ(own.json()["routers"], 8);
  EXPECT_EQ(own.json()["nodes"], "0-7");
  EXPECT_EQ(own.json()["transit"], "own");
  // The whole machine knows the same channels, but these are no tables for all of it.
  const Result whole = run("verify torus:4x2x2x2 job --json");
  EXPECT_EQ(whole.code, 1);
  EXPECT_EQ(whole.json()["deadlock_free"], true);
  EXPECT_EQ(whole.json()["unroutable_pairs"], 32 * 31 - 8 * 7);
  const Result any = expect_yes(
      run("route torus:4x2x2x2 --engine angara-sssp --nodes 0,7,24-31 --transit any -o job --json"));
  EXPECT_EQ(any.json()["routers"], 32);
  EXPECT_EQ(any.json()["terminals"], 10);
  expect_yes(run("verify torus:4x2x2x2 job --nodes 0,7,24-31 --transit any"));
  // With its own routers alone the same allocation has pairs that no header can route, and another is in
  // parts: no bad input, but the answer is no.
  const Result lacking = run("route torus:4x2x2x2 --engine angara-sssp --nodes 0,7,24-31 --json");
  EXPECT_EQ(lacking.code, 1);
  EXPECT_EQ(lacking.json()["disconnected_pairs"], 0);
  EXPECT_GT(lacking.json()["unroutable_pairs"], 0);
  const Result apart = run("route torus:4x2x2x2 --engine angara-sssp --nodes 0,7");
  EXPECT_EQ(apart.code, 1);
  EXPECT_THAT(apart.out, HasSubstr("--nodes 0,7 --transit own: the fabric is in 2 parts"));
  EXPECT_EQ(run("route torus:4x2 --engine angara-sssp --nodes 0,5 --json").json()["disconnected_pairs"], 2);
}

TEST_F(SourceRouting, WrongAllocationsAreOneSentence) {
  const std::string route = "route torus:4x2 --engine angara-sssp -o t ";
  expect_refused(route + "--nodes 0-8", "there is no node 8, the network has 8");
  expect_refused(route + "--nodes node[01-04]", "no node is called 'node01'");
  expect_refused(route + "--nodes H-[0-", "host list 'H-[0-', character 3: '[' without ']'");
  expect_refused(route + "--nodes 0-3 --fail routers=2", "node S-2 is in the allocation, and it has failed");
  expect_refused(route + "--nodes 0-3 --transit all", "--transit");
  expect_refused(route + "--transit any", "--transit requires --nodes");
}

TEST_F(SourceRouting, FailuresLeaveTablesOfTheRest) {
  expect_yes(run("route torus:4x2x2x2 --engine angara-sssp --fail routers=5,cables=S-0-S-8 -o routes"));
  expect_yes(run("verify torus:4x2x2x2 routes --fail routers=5,cables=S-0-S-8"));
  expect_yes(run("route torus:4x2x2x2 --engine angara-sssp -o all"));
  expect_refused("verify torus:4x2x2x2 all --fail routers=5", "all:");
}

}  // namespace
}  // namespace unknot::cli::test
