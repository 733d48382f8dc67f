// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using SimulateMessages = InFolder;

const std::string kAsk = "simulate torus:4x4 --engine dfsssp --set measure=1000 --messages request>reply ";

TEST_F(SimulateMessages, LockOnOneNetworkAndNotOnTwo) {
  const Result locked = run(kAsk + "--load 0.1,0.5 --json");
  EXPECT_EQ(locked.code, kNo);
  const auto document = locked.json();
  EXPECT_EQ(document["messages"]["deadlock_free"], false);
  EXPECT_EQ(document["messages"]["fewest_networks"], 2);
  EXPECT_EQ(document["proven_deadlock_free"], true);
  EXPECT_EQ(document["points"][0]["state"], "steady");
  EXPECT_EQ(document["points"][1]["state"], "deadlock");
  EXPECT_EQ(document["points"][1]["deadlock"], true);
  const auto& circle = document["points"][1]["deadlock_cycle"];
  ASSERT_GE(circle.size(), 4U);
  std::set<std::string> kinds;
  for (const auto& step : circle) {
    kinds.insert(step["held"]["kind"]);
    EXPECT_EQ(step["held"]["virtual_network"], 0);
    EXPECT_TRUE(step["class"] == "request" || step["class"] == "reply");
    EXPECT_NE(step["source"], step["destination"]);
  }
  EXPECT_TRUE(kinds.contains("receive queue") || kinds.contains("channel"));
  const auto& classes = document["points"][0]["classes"];
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0]["class"], "request");
  EXPECT_EQ(classes[0]["round_trip_mean"], nullptr);
  EXPECT_GT(classes[1]["round_trip_mean"], classes[1]["latency_mean"]);
  EXPECT_GE(classes[1]["round_trip_max"], classes[1]["round_trip_p99"]);
  EXPECT_NEAR(classes[0]["accepted"].get<double>(), 0.1, 0.01);

  const Result free = run(kAsk + "--classes reply=1 --load 0.1,0.5");
  EXPECT_EQ(free.code, kYes);
  EXPECT_THAT(free.out, HasSubstr("request=0,reply=1, proven deadlock-free with them on 4 lanes"));
  EXPECT_THAT(free.out, HasSubstr("round trip"));
  EXPECT_THAT(free.out, Not(HasSubstr("DEADLOCK")));
}

TEST_F(SimulateMessages, NameTheCircleInTheWordsOfVerify) {
  const Result locked = run(kAsk + "--load 1 --seeds 2");
  EXPECT_EQ(locked.code, kNo);
  EXPECT_THAT(locked.out, HasSubstr("messages wait for each other, the last for the first:\n  "));
  EXPECT_THAT(locked.out, HasSubstr(", virtual network 0: a re"));
  EXPECT_THAT(locked.out, HasSubstr(" waits for room in "));
}

TEST_F(SimulateMessages, SeedsAndThreadsChangeNothing) {
  const std::string line = kAsk + "--classes reply=1 --load 0.1,0.3 --seeds 3 --json";
  const Result one = run(line + " --threads 1");
  EXPECT_EQ(one.out, run(line + " --threads 4").out);
  const auto point = one.json()["points"][0];
  EXPECT_EQ(point["seeds"].size(), 3U);
  EXPECT_EQ(point["classes"].size(), 2U);
  double messages = 0;
  for (const auto& seed : point["seeds"]) messages += seed["classes"][0]["messages"].get<double>();
  EXPECT_EQ(point["classes"][0]["messages"], messages);
}

TEST_F(SimulateMessages, SaturationIsSearchedAndSettingsAreKept) {
  const Result found = run(kAsk +
                           "--classes reply=1 --saturation --tolerance 0.1 --set send_queue=2 "
                           "--set receive_queue=3 --set service=5 --json");
  EXPECT_EQ(found.code, kYes);
  EXPECT_EQ(found.json()["settings"]["send_queue"], 2);
  EXPECT_EQ(found.json()["settings"]["service"], 5);
  EXPECT_THAT(found.json()["settings_file"].get<std::string>(), HasSubstr("receive_queue = 3\n"));
  EXPECT_GT(found.json()["saturation"]["throughput"]["load"], 0.05);
  // What is as usual is not said.
  const Result usual = run("simulate torus:4x4 --engine dfsssp --set measure=1000 --load 0.1 --json");
  EXPECT_THAT(usual.out, Not(HasSubstr("send_queue")));
  EXPECT_FALSE(usual.json()["points"][0].contains("classes"));
}

TEST_F(SimulateMessages, AreSwept) {
  write("sweep.toml",
        "command = \"simulate\"\nfabric = \"torus:4x4\"\nengine = \"dfsssp\"\nmessages = "
        "\"request>reply\"\nclasses = [\"reply=0\", \"reply=1\"]\nload = [\"0.5\"]\nset = "
        "\"measure=1000\"\n");
  const Result swept = run("sweep sweep.toml");
  EXPECT_EQ(swept.code, kYes) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("deadlock"));
  EXPECT_THAT(swept.out, HasSubstr("saturated"));
}

TEST_F(SimulateMessages, RefuseWhatDoesNotGoTogether) {
  const std::string begin = "simulate torus:4x4 --engine dfsssp ";
  const std::string ask = begin + "--messages a>b ";
  expect_refused(ask + "--workload all-to-all:bytes=64", "--messages is for --load and --saturation");
  write("list", "0 0 1\n");
  expect_refused(ask + "--packets list", "--messages is for --load and --saturation");
  expect_refused("simulate torus:4x4 --messages a>b --schedule list", "--schedule has its own paths");
  expect_refused("simulate torus:4x4 --messages a>b --paths minimal --load 0.1",
                 "--messages is for --engine and --tables, on their own lanes");
  expect_refused(ask + "--lane-scheme any --load 0.1", "on their own lanes");
  expect_refused(ask + "--lmc 1 --load 0.1", "--messages goes without");
  expect_refused(ask + "--load 0.1 --set router=input-output-queued", "router=input-queued");
  expect_refused(ask + "--load 0.1 --set packet_flits=4", "lies in one buffer");
  expect_refused(ask + "--load 0.1 --classes c=1", "found 'c=1'");
  expect_refused(begin + "--messages a>b>a --load 0.1", "no class begins");
  expect_refused(begin + "--messages a> --load 0.1", "found ''");
  expect_refused(begin + "--messages a>b,a>c --set send_queue=1 --load 0.1", "set send_queue");
  expect_refused(ask + "--load 0.1 --class-hosts a=H-99>", "the fabric has no host 'H-99'");
  expect_refused(ask + "--load 0.1 --class-hosts a=H-1>H-1", "nobody sends a class that begins");
  expect_refused("simulate torus:4x4 --engine updn --messages a>b --load 0.1 --set vcs=1 --classes b=1",
                 "needs 2 lanes");
  expect_refused(ask + "--load 0.1 --set send_queue=0", "'send_queue' is 0");
  EXPECT_EQ(run(begin + "--classes b=1 --load 0.1").code, kBadInput);
}

}  // namespace
}  // namespace unknot::cli::test
