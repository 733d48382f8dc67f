// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

/// Two switches of 8 ports joined by a cable, one host on each, as ibnetdiscover prints them.
const char* const kGoodFabric =
    "switchguid=0xa000000000000010(a000000000000010)\n"
    "Switch\t8 \"S-a000000000000010\"\t\t# \"left\" enhanced port 0 lid 3 lmc 0\n"
    "[1]\t\"H-b000000000000001\"[1](b000000000000002) \t\t# \"one\" lid 1 4xNDR\n"
    "[8]\t\"S-a000000000000020\"[7]\t\t# \"right\" lid 4 4xNDR\n"
    "\n"
    "switchguid=0xa000000000000020(a000000000000020)\n"
    "Switch\t8 \"S-a000000000000020\"\t\t# \"right\" enhanced port 0 lid 4 lmc 0\n"
    "[2]\t\"H-b000000000000003\"[1](b000000000000004) \t\t# \"two\" lid 2 4xNDR\n"
    "[7]\t\"S-a000000000000010\"[8]\t\t# \"left\" lid 3 4xNDR\n"
    "\n"
    "caguid=0xb000000000000001\n"
    "Ca\t1 \"H-b000000000000001\"\t\t# \"one\"\n"
    "[1](b000000000000002) \t\"S-a000000000000010\"[1]\t\t# lid 1 lmc 0 \"left\" lid 3 4xNDR\n"
    "\n"
    "caguid=0xb000000000000003\n"
    "Ca\t1 \"H-b000000000000003\"\t\t# \"two\"\n"
    "[1](b000000000000004) \t\"S-a000000000000020\"[2]\t\t# lid 2 lmc 0 \"right\" lid 4 4xNDR\n";

class BadInput : public InFolder {
 protected:
  /// The good fabric with every `from` replaced.
  static std::string fabric(const std::string& from, const std::string& to) {
    std::string text = kGoodFabric;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    return text;
  }
  static void expect_fabric_refused(const std::string& text, const std::string& expected) {
    write("fabric", text);
    expect_arguments_refused({"route", "fabric", "--engine", "minhop", "-o", "tables"}, expected);
  }
  static void write_tables() {
    write("fabric", kGoodFabric);
    const Result result = run("route fabric --engine dfsssp -o tables --lanes lanes --certificate proof");
    ASSERT_EQ(result.code, 0) << result.err;
  }
};

TEST_F(BadInput, TheGoodFabricItselfIsTaken) {
  write("fabric", kGoodFabric);
  const Result result = run("route fabric --engine minhop -o tables");
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(BadInput, TruncatedRecord) {
  const std::string text = kGoodFabric;
  expect_fabric_refused(text.substr(0, text.find("[8]") + 20), "fabric:4");
}

TEST_F(BadInput, LinkStatedDifferentlyAtItsEnds) {
  expect_fabric_refused(fabric("[7]\t\"S-a000000000000010\"[8]", "[7]\t\"S-a000000000000010\"[6]"),
                        "fabric:");
}

TEST_F(BadInput, DuplicateGuid) {
  expect_fabric_refused(fabric("b000000000000003", "b000000000000001"), "fabric:");
}

TEST_F(BadInput, PortBeyondTheRadix) {
  expect_fabric_refused(fabric("Switch\t8", "Switch\t4"), "fabric:");
}

TEST_F(BadInput, SelfLoop) {
  expect_fabric_refused(fabric("[8]\t\"S-a000000000000020\"[7]", "[8]\t\"S-a000000000000010\"[6]"),
                        "fabric:");
}

TEST_F(BadInput, HostWithoutALink) {
  expect_fabric_refused(
      std::string(kGoodFabric) + "\ncaguid=0xb000000000000005\nCa\t1 \"H-b000000000000005\"\t# \"three\"\n",
      "three");
}

TEST_F(BadInput, OfSeveralFilesOfARoutingAllAreWrittenOrNone) {
  expect_refused("route ring:4 --engine dfsssp -o tables --lanes lanes --certificate /dev/full",
                 "/dev/full: cannot write: No space left on device");
  expect_refused("route ring:4 --engine dfsssp --lanes /dev/full -o tables", "/dev/full: cannot write");
}

TEST_F(BadInput, OfSeveralFilesOfOtherCommandsAllAreWrittenOrNone) {
  expect_refused("place ring:4 --engine updn --stencil 2x2 --effort 0 -o hosts --flows /dev/full",
                 "/dev/full: cannot write: No space left on device");
  const std::string packets = write("packets", "0 0 1\n");
  expect_refused("simulate ring:4 --engine updn --packets packets --deliveries list --utilisation /dev/full",
                 "/dev/full: cannot write");
  ASSERT_EQ(run("route ring:4 --engine updn -o old --format json").code, 0);
  expect_refused("reroute ring:4 --tables old --fail cables=0 -o new --transition /dev/full",
                 "/dev/full: cannot write");
}

/// Every command of the catalogue that takes a fabric: it refuses one without terminals, or has something to
/// say of routers and cables alone.
TEST_F(BadInput, AFabricWithoutATerminalHasNothingToRoute) {
  ASSERT_EQ(run("route torus:4x4 --engine updn -o t").code, 0);
  ASSERT_EQ(run("topology torus:4x4,p=0 -o none --format json").code, 0);
  const std::map<std::string, std::vector<std::string>> refused = {
      {"algorithms", {"--engine updn --collective AAB"}},
      {"route", {"", "--engine updn"}},
      {"lanes", {"", "--search 1"}},
      {"verify", {"t", "--paths minimal --lane-scheme hop", "--paths valiant --fail cables=0"}},
      {"reroute", {"--tables t --fail cables=0"}},
      {"congestion", {"--engine minhop --pattern bisection", "--tables t --pattern uniform"}},
      {"bound", {"--pattern uniform", "--pattern uniform --optimal", "--engine updn", "--paths valiant"}},
      {"adversary", {"--paths minimal", "--engine updn"}},
      {"simulate", {"--engine updn --load 0.1", "--paths minimal --load 0.1"}},
      {"place", {"--engine updn --stencil 2x2"}},
      {"plans", {"--collective AAB -o plans"}},
      {"slurm-topology", {""}}};
  const std::map<std::string, std::string> taken = {
      {"topology", ""},
      {"info", ""},
      {"schedule", " --collective MNB --nodes routers --transmitters 0,1 --receivers 2,3"},
      {"report", " -o page.html"}};
  for (const Command& command : commands()) {
    if (!::testing::Matches(HasSubstr(" FABRIC"))(run({command.name, "--help"}).out)) continue;
    if (const auto row = taken.find(command.name); row != taken.end()) {
      EXPECT_EQ(run(command.name + " none" + row->second).code, 0) << command.name;
      continue;
    }
    ASSERT_TRUE(refused.contains(command.name)) << command.name;
    for (const std::string& options : refused.at(command.name)) {
      for (const char* fabric : {"none", "torus:4x4,p=0"}) {
        std::string line = command.name + " " + fabric;
        if (!options.empty()) line += " " + options;
        const Result result = run(line);
        EXPECT_EQ(result.code, 2) << line;
        EXPECT_THAT(result.err, HasSubstr(std::string(fabric) + ": has no terminal, so there is nothing"))
            << line;
      }
    }
  }
  expect_refused("verify ring:3 --paths minimal --lane-scheme hop --fail terminals=0+1+2", "has no terminal");
  expect_refused("congestion ring:3 --engine updn --pattern uniform --fail terminals=0+1+2",
                 "has no terminal");
}

/// It would pass as an option that is not there.
TEST_F(BadInput, AnOptionWithAnEmptyValueIsNamed) {
  expect_arguments_refused({"schedule", "ring:4", "--collective", "OAB", "--root", ""},
                           "schedule: --root is given without a value");
  expect_arguments_refused({"route", "ring:4", "-o", ""}, "route: --output is given without a value");
  expect_arguments_refused({"info", ""}, "info: FABRIC is given without a value");
}

TEST_F(BadInput, WhatIsWrongWithAScheduleForAFabricNamesItsFile) {
  write("s.json", R"({"collective": "AAB", "terminals": [0, 99], "steps": []})");
  expect_refused("schedule check ring:4 s.json", "s.json: ");
  write("s.json", R"({"collective": "XYZ", "terminals": [0, 1], "steps": []})");
  expect_refused("schedule check ring:4 s.json", "s.json: ");
  write("ranks", "H-0\nnowhere\n");
  expect_refused("place ring:2 --engine minhop --stencil 2 --from ranks", "ranks: rank 1 is on 'nowhere'");
  write("c.toml", "[[link]]\nmatch = \"level:0\"\nlatency = 2\n");
  expect_refused("simulate ring:4 --engine minhop --load 0.1 --config c.toml", "c.toml: link 'level:0'");
  write("m", "0 0\n");
  expect_refused("schedule ring:4 --collective MNS --messages m", "m: MNS: there is no message");
  write("tree", "SwitchName=s Nodes=H-[0-3],nowhere\n");
  expect_refused("slurm-topology ring:4 --check tree", "tree: the tree has a node nowhere");
  expect_refused("slurm-topology ring:4 --type rnig", "'ring'");
  expect_refused("slurm-topology ring:4 --type ring --format conf", "topology.yaml");
  expect_refused("slurm-topology ring:4 --type ring --check tree", "leave out --type");
  expect_refused("slurm-topology ring:4 --type block --engine updn", "torus3d");
  expect_refused("slurm-topology ring:4 --type torus3d --engine updn --tables t", "one of them");
  expect_refused("slurm-topology petersen --type torus3d", "no torus or mesh");
  write("torus",
        "- topology: t\n  torus3d: {toruses: [{name: t, dims: {x: 2, y: 1, z: 1}, nodes: \"a,b\", "
        "placements: [{dims: {x: 2, y: 1, z: 1}}]}]}\n");
  expect_refused("slurm-topology ring:4 --check torus", "torus: the torus has a node a");
  // Routes that are not there share no channel, and keep inside no sub-cube either.
  ASSERT_EQ(run("route torus:4x3 --engine updn --traffic data -o tables").code, 0);
  write("tables", std::regex_replace(read("tables"), std::regex("0x0002 .*\n"), ""));
  expect_refused("slurm-topology torus:4x3 --type torus3d --tables tables",
                 "11 of 132 pairs are not delivered by tables");
}

/// A mesh is a torus with an error, the same when it is written and when it is judged.
TEST_F(BadInput, AMeshIsNoTorus) {
  const Result made = run("slurm-topology mesh:4x4 --type torus3d -o t.yaml --json");
  EXPECT_GT(made.json()["rms_error"], 1);
  EXPECT_EQ(run("slurm-topology mesh:4x4 --check t.yaml --json").json()["rms_error"],
            made.json()["rms_error"]);
  EXPECT_EQ(run("slurm-topology torus:4x2x3 --type torus3d --json").json()["rms_error"], 0);
}

/// Simulated flit by flit, nobody would see its end.
TEST_F(BadInput, AMessageLongerThanAnyoneWaitsForIsRefused) {
  write("messages", "0 1 17179869184\n");
  expect_refused("simulate ring:4 --engine minhop --workload messages:messages",
                 "workload messages:messages: one terminal sends or receives 2147483648 flits of 8 bytes");
}

TEST_F(BadInput, DisconnectedFabricNamesItsParts) {
  std::string text = kGoodFabric;
  for (const char* cable : {"[8]\t\"S-a000000000000020\"[7]\t\t# \"right\" lid 4 4xNDR\n",
                            "[7]\t\"S-a000000000000010\"[8]\t\t# \"left\" lid 3 4xNDR\n"}) {
    text.erase(text.find(cable), std::string_view(cable).size());
  }
  expect_fabric_refused(text, "left");
  expect_arguments_refused({"info", "fabric"}, "right");
}

TEST_F(BadInput, TableRowsForUnknownSwitches) {
  write_tables();
  std::string text = read("tables");
  const std::size_t at = text.find("a000000000000010");
  ASSERT_NE(at, std::string::npos);
  write("tables", text.replace(at, 16, "a000000000000099"));
  expect_arguments_refused({"verify", "fabric", "tables"}, "tables:");
}

TEST_F(BadInput, ServiceLevelsThatMissPairs) {
  write_tables();
  std::string text = read("lanes");
  const std::size_t line = text.find(" 2 0\n");  // from the first host to the second
  ASSERT_NE(line, std::string::npos);
  const std::size_t begin = text.rfind('\n', line) + 1;  // 0 where it is the first line
  write("lanes", text.erase(begin, text.find('\n', line) + 1 - begin));
  expect_arguments_refused({"verify", "fabric", "tables", "--lanes", "lanes"}, "lanes");
}

TEST_F(BadInput, EmptyTables) {
  write_tables();
  for (const char* name : {"tables", "lanes", "proof"}) write(name, "");
  expect_arguments_refused({"verify", "fabric", "tables"}, "tables");
}

TEST_F(BadInput, CertificateOfAnotherNetwork) {
  write_tables();
  ASSERT_EQ(run("route ring:5 --engine dfsssp --certificate other").code, 0);
  expect_arguments_refused({"verify", "fabric", "tables", "--certificate", "other"}, "other");
  expect_arguments_refused({"verify", "fabric", "tables", "--certificate", write("empty", "")}, "empty");
}

}  // namespace
}  // namespace unknot::cli::test
