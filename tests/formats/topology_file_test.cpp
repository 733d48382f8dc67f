// SPDX-License-Identifier: Apache-2.0
// ibutils' topology files and the IBNL files that describe their systems.
#include "unknot/formats/fabric/topology_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "formats/fabric_samples.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kSmall = R"(# four ports
TOPSYSTEM SMALL4,S4

U1=hasFourPorts

NODE SW 4 MODEL4 U1
   1 -> P1
   2 -> P2
   3 -> P3
   4 -12x-> P4
)";

/// Two leaf boards and a spine in a chassis; a leaf of the variant "wide" has one port where others have two.
/// The spine is a board in a board.
constexpr const char* kChassis = R"(
SYSTEM LEAF, LEAF:4x

NODE SW 4 MODEL4 U1
   1 -> P1
   2 -10G-> P2
   3 -> S1
   4 -> U2 1

NODE SW 2 MODEL2 U2
   2 -> S2

SYSTEM LEAF:wide

NODE SW 4 MODEL4 U1
   1 -12x-10G-> P1
   3 -> S1

SYSTEM CHIP

NODE SW 4 MODEL4 U7
   1 -5G-> C1
   2 -> C2
   3 -> C3
   4 -> C4

SYSTEM SPINE

SUBSYSTEM CHIP chip
   C1 -> A
   C2 -> B
   C3 -> C
   C4 -> D

TOPSYSTEM CHASSIS

SUBSYSTEM LEAF leaf1
   S1 -4x-10G-> spine A
   S2 -> spine B
   P1 -> L1/P1
   P2 -> L1/P2

SUBSYSTEM LEAF leaf2
   S1 -> spine C
   S2 -> spine D
   P1 -4x-> L2/P1
   P2 -5G-> L2/P2

SUBSYSTEM SPINE spine
   A -4x-10G-> leaf1 S1
)";

Network read(const std::string& topology, const std::string& more = "") {
  SystemModels models({});
  models.add(kSmall, "small.ibnl");
  models.add(kChassis, "chassis.ibnl");
  if (!more.empty()) models.add(more, "more.ibnl");
  return read_topology_file(topology, "fabric.topo", models);
}

/// "name/ports" of routers and terminals, and "name[port] rate name[port]" of cables, sorted.
std::vector<std::string> drawn(const Network& network) {
  std::vector<std::string> all;
  const auto rate = [](LinkRate r) { return r == 0 ? std::string("?") : link_rate_names()[r]; };
  for (const RouterId r : network.routers()) {
    all.push_back(fmt::format("{} {}", network.router_name(r), network.port_count(r)));
  }
  for (const ChannelId c : network.channels()) {
    all.push_back(fmt::format("{}[{}] {} {}[{}]", network.router_name(network.source(c)),
                              network.source_port(c), rate(network.channel_rate(c)),
                              network.router_name(network.target(c)), network.target_port(c)));
  }
  for (const TerminalId t : network.terminals()) {
    all.push_back(fmt::format("{}[{}/{}] {} {}[{}]", network.terminal_name(t),
                              network.terminal_adapter_port(t), network.terminal_adapter_ports(t),
                              rate(network.terminal_rate(t)), network.router_name(network.router_of(t)),
                              network.terminal_port(t)));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(TopologyFile, SystemsAndCables) {
  const Network network = read(R"(# two switches
S4 sw1
   P1 -> HCA_1 h1 P1
   P2 -4x-25G-> HCA_2 h2 P1
   P4 -> SMALL4 sw2 P4

SMALL4 sw2
   P1 -5G-> HCA_2 h2 P2
	P4	->	S4 sw1 P4
)");
  EXPECT_THAT(
      drawn(network),
      ElementsAre("h1/U1[1/1] ? sw1/U1[1]", "h2/U1[1/2] 4xEDR sw1/U1[2]", "h2/U1[2/2] 4xDDR sw2/U1[1]",
                  "sw1/U1 4", "sw1/U1[4] 12xSDR sw2/U1[4]", "sw2/U1 4", "sw2/U1[4] 12xSDR sw1/U1[4]"));
  // A two-port adapter is one device.
  EXPECT_EQ(network.terminal_node_guid(TerminalId(1)), network.terminal_node_guid(TerminalId(2)));
}

TEST(TopologyFile, BoardsInBoards) {
  const Network network = read(R"(CHASSIS core
   L1/P1 -> HCA_1 h1 P1
   L2/P2 -> HCA_1 h2 P1
)");
  EXPECT_THAT(
      drawn(network),
      ElementsAre("core/leaf1/U1 4", "core/leaf1/U1[3] 4xDDR core/spine/chip/U7[1]",
                  "core/leaf1/U1[4] ? core/leaf1/U2[1]", "core/leaf1/U2 2",
                  "core/leaf1/U2[1] ? core/leaf1/U1[4]", "core/leaf1/U2[2] ? core/spine/chip/U7[2]",
                  "core/leaf2/U1 4", "core/leaf2/U1[3] ? core/spine/chip/U7[3]",
                  "core/leaf2/U1[4] ? core/leaf2/U2[1]", "core/leaf2/U2 2",
                  "core/leaf2/U2[1] ? core/leaf2/U1[4]", "core/leaf2/U2[2] ? core/spine/chip/U7[4]",
                  "core/spine/chip/U7 4", "core/spine/chip/U7[1] 4xDDR core/leaf1/U1[3]",
                  "core/spine/chip/U7[2] ? core/leaf1/U2[2]", "core/spine/chip/U7[3] ? core/leaf2/U1[3]",
                  "core/spine/chip/U7[4] ? core/leaf2/U2[2]", "h1/U1[1/1] ? core/leaf1/U1[1]",
                  // Further inside counts first: 10G of the leaf, not 5G of the chassis.
                  "h2/U1[1/1] ? core/leaf2/U1[2]"));
}

/// What is stated further inside of a system counts first; of a cable, what its own line states, else what
/// both ports do.
TEST(TopologyFile, RatesOfPanelPorts) {
  const Network network = read(R"(CHASSIS a CFG: leaf1=wide
   L2/P2 -> CHASSIS b L2/P2
   L1/P1 -> CHASSIS b L1/P1
   L2/P1 -10G-> CHASSIS b L2/P1
)");
  const std::vector<std::string> all = drawn(network);
  EXPECT_THAT(all, Contains("a/leaf2/U1[2] 4xQDR b/leaf2/U1[2]"));
  EXPECT_THAT(all, Contains("a/leaf1/U1[1] ? b/leaf1/U1[1]"));
  EXPECT_THAT(all, Contains("a/leaf2/U1[1] 4xQDR b/leaf2/U1[1]"));
}

TEST(TopologyFile, VariantsOfBoardsAndThoseThatAreNotThere) {
  const Network network = read(R"(CHASSIS core CFG: leaf1=wide, leaf2=R
   L1/P1 -> HCA_1 h1 P1
)");
  EXPECT_THAT(
      drawn(network),
      ElementsAre("core/leaf1/U1 4", "core/leaf1/U1[3] 4xDDR core/spine/chip/U7[1]", "core/spine/chip/U7 4",
                  "core/spine/chip/U7[1] 4xDDR core/leaf1/U1[3]", "h1/U1[1/1] ? core/leaf1/U1[1]"));
  EXPECT_THAT([] { read("CHASSIS core CFG: leaf1=wide\n L1/P2 -> HCA_1 h1 P1\n"); },
              ThrowsMessage<InputError>(
                  HasSubstr("fabric.topo:2: the system \"core\" (CHASSIS) has no port 'L1/P2'")));
  EXPECT_THAT([] { read("CHASSIS core CFG: leaf1=9x\n L2/P2 -> HCA_1 h1 P1\n"); },
              ThrowsMessage<InputError>(
                  HasSubstr("chassis.ibnl:37: no SYSTEM LEAF:9x in this file, for the board \"leaf1\"")));
}

TEST(TopologyFile, ASystemThatNoFileDescribesNamesTheNextStep) {
  EXPECT_THAT(
      [] { read("S5 sw1\n P1 -> HCA_1 h1 P1\n"); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("fabric.topo:1: no IBNL file describes the system type 'S5'"),
                                      HasSubstr("did you mean 'S4'"), HasSubstr("IBDM_IBNL_PATH"))));
  for (const char* type : {"HCA_0", "HCA_17", "HCA_", "HCA_2x"}) {
    EXPECT_THAT([&] { read(fmt::format("S4 sw1\n P1 -> {} h1 P1\n", type)); },
                ThrowsMessage<InputError>(HasSubstr("no IBNL file describes the system type")))
        << type;
  }
}

/// Every damaged IBNL text gets the sentence behind it.
TEST(TopologyFile, SystemsWithoutADeviceAreNoFabric) {
  SystemModels models({});
  models.add("TOPSYSTEM SMALL4,S4\n\nU1=hasFourPorts\n", "small.ibnl");
  EXPECT_THAT([&] { read_topology_file("S4 sw1\n\nS4 sw2\n", "net.topo", models); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("net.topo:1"),
                                              HasSubstr("no system of this file has a device"),
                                              HasSubstr("small.ibnl"))));
}

TEST(Ibnl, DamagedTextGetsOneSentence) {
  const std::string top = "TOPSYSTEM BAD\nNODE SW 4 M U1\n";
  const std::pair<std::string, const char*> cases[] = {
      {"NODE SW 4 M U1\nTOPSYSTEM BAD\n", "more.ibnl:1: expected SYSTEM or TOPSYSTEM, not 'NODE'"},
      {"TOPSYSTEM BAD\n1 -> P1\n", "more.ibnl:2: expected NODE or SUBSYSTEM before the port '1'"},
      {top + "1 -> P1\n1 -> P2\n", R"(more.ibnl:4: port 1 of "U1" is used twice, first on line 3)"},
      {top + "1 -> P1\n2 -> P1\n", "more.ibnl:4: the system has a port 'P1' already, on line 3"},
      {top + "5 -> P1\n", R"(more.ibnl:3: expected a port from 1 to 4 of "U1", not '5')"},
      {top + "1 -> U1 9\n", R"(more.ibnl:3: expected a port from 1 to 4 of "U1", not '9')"},
      {top + "1 -> U2 1\n", R"(more.ibnl:3: this system has no part "U2")"},
      {top + "1 => P1\n",
       "more.ibnl:3: expected a port, an arrow such as '->' or '-4x-5G->', and a port of the"},
      {top + "NODE SW 4 M U1\n", R"(more.ibnl:3: "U1" is in this system twice, first on line 2)"},
      {top + "NODE XY 4 M U2\n", "more.ibnl:3: expected SW or CA, not 'XY'"},
      {top + "NODE SW 0 M U2\n", "more.ibnl:3: expected a number of ports from 1 to 65535, not '0'"},
      {top + "NODE SW 4 U2\n", "more.ibnl:3: expected NODE, SW or CA, a number of ports, a model and a name"},
      {top + "SUBSYSTEM LEAF\n", "more.ibnl:3: expected SUBSYSTEM, a SYSTEM and a name"},
      {top + "SUBSYSTEM LEAF leaf1\n", R"(more.ibnl:3: no SYSTEM LEAF in this file, for the board "leaf1")"},
      {top + "SUBSYSTEM LEAF leaf1\nCFG: a=b\n",
       "more.ibnl:4: configurations of boards inside of an IBNL file"},
      {top + "SYSTEM LATE\n", "more.ibnl:3: expected nothing after the TOPSYSTEM but its own parts"},
      {"SYSTEM A,B\nSYSTEM B\n" + top, R"(more.ibnl:2: the system "B" is described twice, first on line 1)"},
      {"SYSTEM\n" + top, "more.ibnl:1: expected a name"},
      {"SYSTEM A\nSUBSYSTEM A a\n" + top + "SUBSYSTEM A a\n",
       "more.ibnl:1: boards inside of each other, more than 16"},
  };
  for (const auto& one : cases) {
    const std::string& text = one.first;
    EXPECT_THAT([&] { read("BAD sw1\n P1 -> HCA_1 h1 P1\n", text); },
                ThrowsMessage<InputError>(HasSubstr(one.second)))
        << text;
  }
}

TEST(Ibnl, PartsHaveALimit) {
  std::string text = "SYSTEM B0\nNODE SW 1 M U1\n";
  for (int level = 1; level < 12; ++level) {
    text += fmt::format("SYSTEM B{}\n", level);
    for (int copy = 0; copy < 8; ++copy) text += fmt::format("SUBSYSTEM B{} b{}\n", level - 1, copy);
  }
  text += "TOPSYSTEM HUGE\nSUBSYSTEM B11 b\n";
  EXPECT_THAT([&] { read("HUGE sw1\n P1 -> HCA_1 h1 P1\n", text); },
              ThrowsMessage<InputError>(HasSubstr("the system has more than 65536 parts")));
}

TEST(TopologyFile, TheFolderOfTheFileAndOneBesideItAreLookedInto) {
  const std::string folder = testing::TempDir() + "unknot-topology-file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/ibnl");
  write_file(folder + "/small.ibnl", kSmall);
  write_file(folder + "/ibnl/chassis.ibnl", kChassis);
  const std::string path = folder + "/fabric.topo";
  const std::string text = "CHASSIS core\n L1/P1 -> S4 sw1 P1\n\nS4 sw1\n P2 -> HCA_1 h1 P1\n";
  write_file(path, text);
  EXPECT_EQ(drawn(read_fabric(path)), drawn(read(text)));
  write_file(folder + "/again.ibnl", kSmall);
  EXPECT_THAT([&] { read_fabric(path); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("the system type 'S4' is described in"),
                                              HasSubstr("again.ibnl"), HasSubstr("small.ibnl"))));
  std::filesystem::remove_all(folder);
}

TEST(TopologyFile, IsToldFromOtherFormats) {
  EXPECT_TRUE(looks_like_topology_file("# cluster\n\nS4 sw1\n  P1 -4x-5G-> HCA_1 h1 P1\n"));
  EXPECT_TRUE(looks_like_topology_file("S4 sw1\n\nS4 sw2 CFG: a=b\nP1 -> HCA_1 h1 P1"));
  EXPECT_FALSE(looks_like_topology_file("P1 -> HCA_1 h1 P1\n"));
  EXPECT_FALSE(looks_like_topology_file("digraph g\n{\n a -> b\n"));
  EXPECT_FALSE(looks_like_topology_file("0 1\n1 2\n"));
  EXPECT_FALSE(looks_like_topology_file("router 0 router 1\n"));
}

/// What ibutils itself makes of a file, in the words of ibdm_dump.tcl; empty where it cannot be asked.
std::string ibutils_reading(const std::string& path) {
  const std::string out = testing::TempDir() + "unknot-ibdm-dump.txt";
  const std::string command = fmt::format("ibdmsh {}/tests/formats/ibdm_dump.tcl '{}' '{}' >/dev/null 2>&1",
                                          UNKNOT_SOURCE_DIR, path, out);
  if (std::system(command.c_str()) != 0) return {};  // NOLINT(cert-env33-c): the test's own script
  return read_file(out);
}

/// Devices, links and those rates that a file states: ibutils fills the others with 4x and 2.5.
TEST(TopologyFile, RealFilesAreReadAsIbutilsReadsThem) {
  const std::string folder = std::string(UNKNOT_SHARED_DIR) + "/data/ibutils";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no sample data";
  if (std::system("command -v ibdmsh >/dev/null") != 0) GTEST_SKIP() << "no ibdmsh";  // NOLINT(cert-env33-c)
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".topo") || path.ends_with("credit-loops.topo")) {
      continue;  // of a type that has no IBNL file
      SCOPED_TRACE(path);
    }
    std::vector<std::string> theirs;
    std::istringstream lines(ibutils_reading(path));
    for (std::string line; std::getline(lines, line);) theirs.push_back(line);
    ASSERT_FALSE(theirs.empty());
    SystemModels models({folder + "/ibnl"});
    const Network network = read_topology_file(read_file(path), path, models);
    std::vector<std::string> ours;
    std::set<std::string> adapters;
    const auto add = [&](const std::string& a, int p, const std::string& b, int q, LinkRate rate) {
      static const std::string kSpeeds[] = {"SDR", "2.5", "DDR", "5", "QDR", "10"};
      std::string text = "4x 2.5";
      const std::string name = rate == 0 ? "" : link_rate_names()[rate];
      for (std::size_t i = 0; i < std::size(kSpeeds); i += 2) {
        if (!name.ends_with("x" + kSpeeds[i])) continue;
        text = name.substr(0, name.size() - 3) + " " + kSpeeds[i + 1];
      }
      ours.push_back(fmt::format("end {} {} {} {} {}", a, p, b, q, text));
    };
    for (const RouterId r : network.routers()) {
      ours.push_back(fmt::format("device {} 2 {}", network.router_name(r), network.port_count(r)));
    }
    for (const ChannelId c : network.channels()) {
      add(network.router_name(network.source(c)), network.source_port(c),
          network.router_name(network.target(c)), network.target_port(c), network.channel_rate(c));
    }
    for (const TerminalId t : network.terminals()) {
      const std::string router = network.router_name(network.router_of(t));
      if (adapters.insert(network.terminal_name(t)).second) {
        ours.push_back(
            fmt::format("device {} 1 {}", network.terminal_name(t), network.terminal_adapter_ports(t)));
      }
      add(router, network.terminal_port(t), network.terminal_name(t), network.terminal_adapter_port(t),
          network.terminal_rate(t));
      add(network.terminal_name(t), network.terminal_adapter_port(t), router, network.terminal_port(t),
          network.terminal_rate(t));
    }
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    EXPECT_EQ(ours, theirs);
    ++compared;
  }
  EXPECT_EQ(compared, 32U);
}

}  // namespace
}  // namespace unknot
