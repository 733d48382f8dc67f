// SPDX-License-Identifier: Apache-2.0
// Configurations of Constellation: what is read, and what is refused where. Their relations against another
// judge: tests/chips/configurations_test.py.
#include "unknot/formats/constellation/noc_design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "refusal.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Fields of NoCParams, each on a line of its own from the second on.
struct Fields {
  std::string topology = "Mesh2D(3, 2)";
  std::string channels = "(a, b) => UserChannelParams(Seq.fill(2) { UserVirtualChannelParams(5) })";
  std::string ingresses = "(0 until 6).map { i => UserIngressParams(i) }";
  std::string egresses = "(0 until 6).map { i => UserEgressParams(i) }";
  std::string flows = "Seq.tabulate(6, 6) { (s, d) => FlowParams(s, d, 0) }.flatten";
  std::string blocking = "(blocker, blockee) => blocker < blockee";
  std::string relation = "Mesh2DEscapeRouting()";
  std::string before;

  [[nodiscard]] std::string text() const {
    return before +
           "class Tried extends NoCTesterConfig(NoCTesterParams(NoCParams(\n  topology = " + topology +
           ",\n  channelParamGen = " + channels + ",\n  ingresses = " + ingresses +
           ",\n  egresses = " + egresses + ",\n  flows = " + flows + ",\n  vNetBlocking = " + blocking +
           ",\n  routingRelation = " + relation + "\n)))\n";
  }
};

NocDesign::Parts parts_of(const std::string& text) {
  return read_noc_configuration(text, "Own.scala", "Tried")->parts();
}

std::string refused(const std::string& text) {
  return refusal([&] { (void)read_noc_configuration(text, "Own.scala", "Tried"); });
}

TEST(NocDesign, ReadsNodesChannelsAndFlows) {
  const NocDesign::Parts parts = parts_of(Fields().text());
  EXPECT_EQ(parts.nodes, 6U);
  EXPECT_EQ(parts.links, 14U);
  EXPECT_EQ(parts.channels.size(), 28U);
  EXPECT_EQ(parts.ingresses, 6U);
  EXPECT_EQ(parts.flows, 36U);
  EXPECT_EQ(parts.classes.size(), 6U);
  EXPECT_EQ(parts.topology, "Mesh2D");
  EXPECT_EQ(parts.relation, "Mesh2DEscapeRouting");
}

TEST(NocDesign, ReadsTheSameInManyForms) {
  const auto expect_flows = [](const Fields& fields, std::uint32_t flows, std::size_t classes) {
    SCOPED_TRACE(fields.text());
    const NocDesign::Parts parts = parts_of(fields.text());
    EXPECT_EQ(parts.flows, flows);
    EXPECT_EQ(parts.classes.size(), classes);
  };
  Fields fields;
  fields.ingresses = "Seq(0, 1, 1, 2, 3 + 2 * 1, (7 - 3) % 6).map(UserIngressParams(_))";
  fields.egresses = "(0 to 5 by 1).map(UserEgressParams)";
  expect_flows(fields, 36, 6);
  fields.flows =
      "Seq.tabulate(6, 6) { (s, d) => if (s % 2 == (d + 1) % 2) Some(FlowParams(s, d, s % 2)) else None "
      "}.flatten.flatten";
  expect_flows(fields, 18, 6);
  fields.flows = "for { s <- 0 until 6; d <- 0 until 6 if s != d && !(d == 3) } yield FlowParams(s, d, 0)";
  expect_flows(fields, 25, 5);
  fields.flows = "(0 until 6).flatMap(s => Seq(FlowParams(s, 0, 0), FlowParams(s, 5, 0, fifo = true)))";
  expect_flows(fields, 12, 2);
  fields.flows =
      "Seq((0, 1), (1, 2)).map { case (a, b) => FlowParams(ingressId = a, egressId = b, vNetId = 0) } ++ "
      "List(FlowParams(5, 5, 0))";
  expect_flows(fields, 3, 3);
  fields.flows =
      "{\n    val pairs = for { s <- 0 until 6 ; d <- Seq(1, 2) } yield (s, d)\n    def flow(p: (Int, Int)) "
      "= FlowParams(p._1, p._2, 0)\n    pairs.map(flow(_)) // all\n  }";
  expect_flows(fields, 12, 2);
}

TEST(NocDesign, NumbersOfChannelsMayDifferByLink) {
  Fields fields;
  fields.channels =
      "(a, b) => {\n    val far = max(a, b)\n    def level(i: Int) = floor(log10(i + 1) / log10(2))\n    "
      "UserChannelParams(Seq.fill(pow(2, level(far)).toInt) { UserVirtualChannelParams(3) }, srcSpeedup = "
      "2)\n  }";
  const NocDesign::Parts parts = parts_of(fields.text());
  // Of 0-1 and 1-0 two, of those to 2 two, of those to 3, 4 and 5 four.
  EXPECT_EQ(parts.channels.size(), 2U * (2 + 2 + 4 + 4 + 4 + 4 + 4));
  fields.channels = "(_, _) => UserChannelParams()";
  EXPECT_EQ(parts_of(fields.text()).channels.size(), 14U);
}

TEST(NocDesign, ClassesAndObjectsOfTheFileAreSeenThrough) {
  const std::string text =
      "object Shapes {\n  val n = 5\n  val circle = CustomTopology(n, (0 until n).map(i => TopologyEdge(i, "
      "(i + 1) % n)))\n}\n"
      "import Shapes._\n"
      "abstract class Base(shape: PhysicalTopology, rule: PhysicalTopology => RoutingRelation, lanes: Int = "
      "2, half: Int = 1)\n"
      "  extends NoCTesterConfig(NoCTesterParams(NoCParams(\n"
      "    topology = shape, channelParamGen = (a, b) => UserChannelParams(Seq.fill(lanes * half) { "
      "UserVirtualChannelParams(4) }),\n"
      "    ingresses = (0 until shape.nNodes).map(UserIngressParams(_)), egresses = (0 until "
      "shape.nNodes).map(UserEgressParams(_)),\n"
      "    flows = Seq.tabulate(shape.nNodes, shape.nNodes) { (s, d) => FlowParams(s, d, 0) }.flatten,\n"
      "    routingRelation = NonblockingVirtualSubnetworksRouting(rule, 1, lanes))))\n"
      "class Tried extends Base(circle, CustomLayeredRouting(), lanes = 5)\n"
      "class Other extends Base(Shapes.circle, UnidirectionalTorus1DDatelineRouting())\n";
  EXPECT_EQ(parts_of(text).channels.size(), 25U);
  EXPECT_EQ(parts_of(text).classes.size(), 25U);  // by ingress, too
  EXPECT_EQ(read_noc_configuration(text, "Own.scala", "Other")->parts().classes.size(), 5U);
  EXPECT_EQ(noc_configurations(text, "Own.scala"), (std::vector<std::string>{"Tried", "Other"}));
  EXPECT_TRUE(looks_like_noc_configurations(text));
  EXPECT_FALSE(looks_like_noc_configurations("object Noc {\n  val params = NoCParams()\n}\n"));
}

TEST(NocDesign, RefusesWithTheLine) {
  const auto expect_line = [](const Fields& fields, const std::string& place, const std::string& message) {
    const std::string said = refused(fields.text());
    EXPECT_THAT(said, StartsWith("Own.scala:" + place + ": ")) << fields.text();
    EXPECT_THAT(said, HasSubstr(message));
  };
  const auto with = [](std::string Fields::*field, const std::string& value) {
    Fields fields;
    fields.*field = value;
    return fields;
  };
  expect_line(with(&Fields::topology, "Cube3D(2, 2, 2)"), "2",
              "a topology of Constellation, as Mesh2D(4, 4), not Cube3D");
  expect_line(with(&Fields::topology, "Mesh2D(3)"), "2", "expected nY of Mesh2D");
  expect_line(with(&Fields::topology, "Mesh2D(100, 100)"), "2", "at most 4096 nodes");
  expect_line(with(&Fields::topology, "Mesh2D(0, 1)"), "2", "nX of Mesh2D from 1 to 4096, not 0");
  expect_line(with(&Fields::topology, "Butterfly(1, 3)"), "2", "at least 2");
  expect_line(with(&Fields::topology, "BidirectionalTree(12, 9)"), "2", "at most 4096 nodes");
  expect_line(with(&Fields::topology, "CustomTopology(2, Seq(TopologyEdge(0, 0)))"), "2",
              "two different nodes below 2");
  expect_line(
      with(&Fields::channels, "(a, b) => UserChannelParams(Seq.fill(0) { UserVirtualChannelParams(1) })"),
      "3", "at least one virtual channel from 0 to 1");
  expect_line(with(&Fields::channels,
                   "(a, b) => UserChannelParams(Seq.fill(1 / (a - a)) { UserVirtualChannelParams(1) })"),
              "3", "no zero after /");
  expect_line(with(&Fields::channels, "(a, b) => a match { case 0 => UserChannelParams() }"), "3",
              "end of the expression");
  expect_line(with(&Fields::channels, "a => UserChannelParams()"), "3",
              "a function of 2 arguments, not of 1");
  expect_line(with(&Fields::ingresses, "(0 until 7).map { i => UserIngressParams(i) }"), "4",
              "destId of UserIngressParams below 6, not 6");
  expect_line(with(&Fields::egresses, "(0 until 6).map { i => UserIngressParams(i) }"), "5",
              "expected UserEgressParams, not UserIngressParams");
  expect_line(with(&Fields::flows, "Nil"), "6", "at least one flow");
  expect_line(with(&Fields::flows, "Seq(FlowParams(0, 9, 0))"), "6", "egressId of FlowParams below 6, not 9");
  expect_line(with(&Fields::flows, "Seq(FlowParams(0, 1, 0), FlowParams(0, 1, 0))"), "6",
              "one flow from ingress 0 to egress 1");
  expect_line(with(&Fields::flows, "Seq(FlowParams(0, 1, 0), FlowParams(0, 2, 1))"), "6",
              "one vNetId for all flows of ingress 0");
  expect_line(with(&Fields::flows, "everything"), "6", "not 'everything', which nothing here defines");
  expect_line(with(&Fields::flows, "(0 until 5000000).map(i => FlowParams(i, i, 0))"), "6",
              "a range of at most 1000000");
  expect_line(with(&Fields::flows, "{ val a = b; val b = a; a }"), "6", "needs its own value");
  expect_line(with(&Fields::flows, "{ def f(i: Int) = f(i); f(1) }"), "6", "nested at most 300 deep");
  Fields two = with(&Fields::blocking, "(a, b) => 3");
  two.flows = "Seq(FlowParams(0, 1, 0), FlowParams(1, 2, 1))";
  expect_line(two, "7", "vNetBlocking, true or false");
  expect_line(with(&Fields::relation, "Mesh2DEscapeRouting"), "8", "() after Mesh2DEscapeRouting");
  expect_line(with(&Fields::relation, "ButterflyRouting()"), "8",
              "the topology that ButterflyRouting is for");
  expect_line(with(&Fields::relation, "TerminalRouterRouting(Mesh2DEscapeRouting())"), "8",
              "the topology that TerminalRouterRouting is for");
  expect_line(with(&Fields::relation, "MyOwnRouting()"), "8",
              "a relation of Constellation, as Mesh2DEscapeRouting(), not MyOwnRouting");
  expect_line(with(&Fields::relation, "ShortestPathGeneralizedDatelineRouting()"), "8",
              "the order of Scala's hash tables");
  expect_line(
      with(&Fields::relation, "EscapeChannelRouting(Mesh2DMinimalRouting(), Mesh2DMinimalRouting(), 0)"), "8",
      "from 1 to");
  Fields mine;
  mine.before = "object Mesh2DEscapeRouting {\n}\n";
  expect_line(mine, "10", "expected a function, not Mesh2DEscapeRouting");
  mine.before = "class Mesh2D(n: Int) extends PhysicalTopology\n";
  expect_line(mine, "3", "not Mesh2D, a class of this file");
}

TEST(NocDesign, ChannelsThatAPartOfTheRelationLacks) {
  Fields fields;
  fields.relation = "NonblockingVirtualSubnetworksRouting(Mesh2DEscapeRouting(), 2, 2)";
  EXPECT_THAT(refused(fields.text()), StartsWith("Own.scala:8: expected virtual channels for all parts"));
  // Here only packets can tell.
  fields.relation =
      "EscapeChannelRouting(Mesh2DMinimalRouting(), "
      "NonblockingVirtualSubnetworksRouting(Mesh2DEscapeRouting(), 2, 2))";
  const auto design = read_noc_configuration(fields.text(), "Own.scala", "Tried");
  EXPECT_THAT(refusal([&] {
                for (ChannelRelation::Channel c = 0; c < design->channel_count(); ++c)
                  (void)design->allows(ChannelRelation::kEntrance, c, design->flows()[0]);
              }),
              HasSubstr("virtual channels for all parts"));
}

TEST(NocDesign, OnlyItsOwnKindOfClass) {
  const auto said = [](const std::string& text) { return refused(text); };
  EXPECT_THAT(said("class Other extends X(1)\n"), HasSubstr("expected a class Tried, which is not there"));
  EXPECT_THAT(said("\nclass Tried extends Config(new WithNoC(1))\n"),
              StartsWith("Own.scala:2: expected a class that extends NoCTesterConfig or NoCEvalConfig"));
  EXPECT_THAT(said("class Tried extends TLNoCTesterConfig(TLNoCTesterParams())\n"),
              HasSubstr("devices of a protocol"));
  EXPECT_THAT(said("class Tried extends Tried\n"), HasSubstr("extends NoCTesterConfig"));
  EXPECT_THAT(said("class Tried extends NoCTesterConfig(NoCTesterParams(NoCParams(topologie = 3)))\n"),
              HasSubstr("a field of NoCParams, not topologie"));
  EXPECT_THAT(said("class Tried extends NoCTesterConfig(NoCTesterParams(NoCParams(\n"),
              HasSubstr("( is not closed"));
  EXPECT_THAT(said("class Tried /* x\n"), HasSubstr("expected */"));
  EXPECT_THAT(said("class Tried \"x\n"), HasSubstr("at the end of the text"));
  EXPECT_THAT(said("class Tried ]\n"), HasSubstr("expected [ before it"));
}

TEST(NocDesign, AnyPieceOfAFileIsReadOrRefused) {
  Fields fields;
  fields.relation =
      "BlockingVirtualSubnetworksRouting(EscapeChannelRouting(Mesh2DDimensionOrderedRouting(firstDim=1), "
      "Mesh2DMinimalRouting()), 1)";
  const std::string text = fields.text();
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {  // the last is the end of the line
    EXPECT_NE(refused(text.substr(0, i)), "") << i;
    std::string without = text;
    without.erase(i, 1);
    (void)refused(without);
    for (const char c : {'(', '}', ',', '_', '.', '9'}) {
      std::string changed = text;
      changed[i] = c;
      (void)refused(changed);
    }
  }
}

}  // namespace
}  // namespace unknot
