// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Usage : public InFolder {};

TEST_F(Usage, RefusesMistypedCommandsAndOptionsWithTheNearNames) {
  expect_refused("--quiet", "command");
  expect_refused("help rout", "'route'");
  expect_refused("rout ring:5", "'route'");
  expect_refused("frobnicate", "--help");
  expect_refused("--jsn list engines", "'--json'");
  expect_refused("list", "CATALOGUE");
  expect_refused("list engine", "'engines'");
  expect_refused("list engines more", "'more'");
  expect_refused("info", "FABRIC");
  expect_refused("info ring:5 --jsno", "'--json'");
  expect_refused("route ring:5 --engne minhop", "'--engine'");
  expect_refused("route ring:5 --engine", "--engine needs a value");
  expect_refused("route ring:5 --engine updn --engine dor", "--engine is given more than once");
  expect_refused("bound ring:5 --samples 2 --samples 3", "--samples is given more than once");
  expect_refused("verify ring:5", "TABLES");
}

TEST_F(Usage, ShowsHelpWhereNothingOrHelpIsAskedFor) {
  const Result help = run("--help"), bare = run("");
  EXPECT_EQ(bare.code, 2);
  EXPECT_EQ(bare.out, help.out);
  EXPECT_THAT(bare.err, IsEmpty());
  EXPECT_EQ(run("help").out, help.out);
  EXPECT_EQ(run("help").code, 0);
  for (const char* command : {"route", "schedule", "slurm-topology"}) {
    const Result of_command = run(std::string("help ") + command);
    EXPECT_EQ(of_command.code, 0);
    EXPECT_EQ(of_command.out, run(std::string(command) + " --help").out);
    EXPECT_THAT(of_command.out, HasSubstr("Examples:"));
  }
}

/// Sizes with K, M and G, in powers of 1024, are those written out.
TEST_F(Usage, TakesSizesWithUnitsWhereverNumbersAreMeant) {
  const auto same = [](const std::string& with_unit, const std::string& plain) {
    const Result a = run(with_unit), b = run(plain);
    EXPECT_EQ(a.code, 0) << with_unit << ": " << a.err;
    auto one = a.json(), other = b.json();
    for (auto* json : {&one, &other})
      for (const char* key : {"workload", "settings", "seconds", "fabric"}) json->erase(key);
    EXPECT_EQ(one, other) << with_unit;
  };
  same("simulate ring:4 --engine minhop --no-proof --workload all-to-all:bytes=1K --json",
       "simulate ring:4 --engine minhop --no-proof --workload all-to-all:bytes=1024 --json");
  same("info ring:4,terminals=1K --json", "info ring:4,terminals=1024 --json");
  expect_refused("simulate ring:4 --engine minhop --no-proof --workload all-to-all:bytes=1X", "'1X'");
  expect_refused("info ring:4,terminals=1000T", "outside");
}

TEST_F(Usage, RefusesWrongValues) {
  expect_refused("route ring:5 --engine minhop --vls 0", "--vls");
  expect_refused("route ring:5 --engine minhop --vls many", "--vls");
  expect_refused("route ring:5 --engine minhop --vls -1", "1 to 15");
  expect_refused("lanes ring:5 --exact --budget soon", "--budget");
  expect_refused("lanes ring:5 --budget 5", "--exact");
  expect_refused("lanes ring:5 --search long", "--search");
  expect_refused("congestion ring:5", "--tables");
  expect_refused("congestion ring:5 --engine minhop --tables t", "one of them");
  expect_refused("adversary ring:5", "--paths, --engine, --tables or --adaptive");
  expect_refused("adversary ring:5 --paths minimal --engine minhop", "one of them");
  expect_refused("adversary ring:5 --paths shorter", "'shortest'");
  expect_refused("adversary ring:5 --paths shortest:0", "count");
  expect_refused("adversary ring:5 --paths ugal:indirect=0", "indirect");
  expect_refused("adversary ring:5 --paths addresses", "--engine or --tables");
  expect_refused("adversary ring:5 --paths minimal --adaptive groups", "one of them");
  expect_refused("adversary ring:5 --paths minimal --json -o -", "standard output");
  expect_refused("adversary ring:5 --paths minimal --work 0", "--work");
  expect_refused("bound ring:5 --paths minimal,longest", "there are: minimal, shortest");
  expect_refused("bound ring:5 --paths ugal", "--split ugal");
  expect_refused("bound ring:5 --paths addresses", "--split addresses");
  expect_refused("bound ring:5 --gap 0.1", "--optimal");
  expect_refused("bound ring:5 --optimal --gap 0", "--gap");
  for (const char* none : {"nan", "-nan", "inf", "1e", "", "0x1p3x"}) {
    const std::string value = "=" + std::string(none);
    expect_refused("bound ring:5 --optimal --gap" + value, "--gap");
    expect_refused("schedule ring:5 --collective AAS --limit" + value, "--limit");
    expect_refused("place ring:5 --engine updn --stencil 5 --effort" + value, "--effort");
    expect_refused("watch ring:5 ring:5 --load-rise" + value, "--load-rise");
    expect_refused("design --radix 8 --max-ports" + value, "--max-ports");
  }
  expect_refused("bound ring:7 --pattern worst-case", "unknot adversary");
  expect_refused("bound ring:5 --pattern file:nowhere", "nowhere");
  expect_refused("bound slimfly:q=13 --pattern shift --optimal --exact", "at most 40000");
  expect_refused("route ring:5 --engine dnup:order=1", "none");
  expect_refused("route ring:5 --engine minhop --seed x", "--seed");
  expect_refused("route ring:5 --engine minhop --threads 1000000", "--threads");
  expect_refused("route ring:5 --engine minhop --samples -4", "--samples");
}

TEST_F(Usage, RefusesUnknownNamesWithTheNearOnes) {
  expect_refused("info rign:5", "'ring'");
  expect_refused("info torus:4x4,q=1", "'p'");
  expect_refused("route ring:5 --engine dfsspp", "'dfsssp'");
  expect_refused("route ring:5 --engine minhop,dfsspp", "'dfsssp'");
  expect_refused("route ring:5 --engine minhop:nonsense=1", "nonsense");
  expect_refused("route ring:5 --engine minhop -o t --format opnsm", "'opensm'");
  expect_refused("topology ring:5 -o f --format graphmll", "'graphml'");
  expect_refused("congestion ring:5 --engine minhop --pattern bisectoin", "'bisection'");
}

TEST_F(Usage, RefusesOutputsThatCannotBeWrittenBeforeAnyWork) {
  expect_refused("topology ring:5 --format json -o no/such/folder/f", "no/such/folder");
  expect_refused("route ring:5 --engine minhop -o .", "directory");
  expect_refused("route ring:5 --engine dfsssp -o t --lanes ./t", "same file");
  expect_refused("adversary ring:5 --paths minimal -o no/such/folder/f", "no/such/folder");
  expect_refused("route ring:5 --engine minhop,dfsssp -o t", "one engine");
  expect_refused("route ring:5 --engine minhop -o - --json", "standard output");
}

TEST_F(Usage, RefusesAbsurdSizesBeforeTakingMemory) {
  expect_refused("info torus:65535x65535x65535", "torus");
  expect_refused("info random:switches=4000000000,links=4000000000,terminals=1", "random");
  expect_refused("route kautz:b=64,n=16 --engine minhop", "kautz");
}

TEST_F(Usage, RefusesFilesThatAreNoFabric) {
  expect_refused("info nowhere.txt", "nowhere.txt");
  expect_refused("info .", "directory");
  expect_refused("info " + write("empty", ""), "empty");
  expect_refused("info " + write("prose", "It was a dark and stormy night.\n"), "prose");
  expect_refused("route " + write("zeros", std::string(64, '\0')) + " --engine minhop -o t", "zeros");
}

TEST_F(Usage, PrintsOneLineEvenWhereNamesHoldLineBreaks) {
  const Result result = run(std::vector<std::string>{"info", "a\nb\r\x1b[31mc"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  EXPECT_THAT(result.err, Not(HasSubstr("\x1b")));
}

TEST_F(Usage, TakesCommonOptionsBeforeAndAfterTheCommand) {
  EXPECT_EQ(run("--json info ring:5").json()["routers"], 5);
  EXPECT_EQ(run("info ring:5 --json").json()["routers"], 5);
  EXPECT_EQ(run("info --json ring:5").json()["routers"], 5);
}

TEST_F(Usage, VersionAndHelpGoToStandardOutput) {
  EXPECT_THAT(run("--version").out, StartsWith("unknot 0."));
  EXPECT_THAT(run("--help").out, HasSubstr("route"));
  EXPECT_THAT(run("--help").err, IsEmpty());
}

}  // namespace
}  // namespace unknot::cli::test
