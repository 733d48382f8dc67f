// SPDX-License-Identifier: Apache-2.0
// Protocols whose messages cause others: verify says where they can lock, and what cures it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "../run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MessageCommands : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    ASSERT_EQ(run("route " + fabric + " -o tables --lanes lanes -q").code, 0);
  }
  [[nodiscard]] std::string verify(const std::string& rest) const {
    return "verify " + fabric + " tables --lanes lanes " + rest;
  }
  const std::string fabric = "torus:4x4x2,p=2";
};

TEST_F(MessageCommands, RepliesLockWhereTheyShareAllAndNotOnANetworkOfTheirOwn) {
  EXPECT_EQ(run(verify("")).code, 0);
  const Result shared = run(verify("--messages request>reply"));
  EXPECT_EQ(shared.code, 1);
  EXPECT_THAT(shared.out, HasSubstr("\ntables deadlock-free  yes"));
  EXPECT_THAT(shared.out, HasSubstr("deadlock-free with them  NO"));
  EXPECT_THAT(shared.out, HasSubstr("fewest virtual networks  2, request=0,reply=1"));
  EXPECT_THAT(shared.out, HasSubstr("for what it causes"));
  EXPECT_EQ(run(verify("--messages request>reply --classes reply=1")).code, 0);
  EXPECT_EQ(run(verify("--messages request>reply>ack --classes reply=1,ack=0")).code, 1);
}

TEST_F(MessageCommands, JsonSaysTheSame) {
  const nlohmann::json no = run(verify("--messages request>reply --json")).json();
  EXPECT_EQ(no["deadlock_free"], nlohmann::json(false));
  EXPECT_EQ(no["tables_deadlock_free"], nlohmann::json(true));
  EXPECT_EQ(no["witness"], no["messages"]["witness"]);
  EXPECT_EQ(no["messages"]["fewest_networks"], nlohmann::json(2));
  ASSERT_FALSE(no["messages"]["witness"].empty());
  EXPECT_EQ(no["messages"]["witness"][0]["held"].count("virtual_network"), 1U);
  const nlohmann::json yes = run(verify("--messages request>reply --classes reply=3 --json")).json();
  EXPECT_EQ(yes["deadlock_free"], nlohmann::json(true));
  EXPECT_EQ(yes["messages"]["virtual_networks"], nlohmann::json(4));
  EXPECT_EQ(yes["messages"]["classes"][1]["virtual_network"], nlohmann::json(3));
  const nlohmann::json cyclic = run(verify("--messages ping>pong>ping --json")).json();
  EXPECT_TRUE(cyclic["messages"]["fewest_networks"].is_null());
}

TEST_F(MessageCommands, LanesOfAllNetworksAreCountedAgainstTheHardware) {
  const nlohmann::json made = run(verify("--messages a>b --classes b=1 --json")).json();
  const auto lanes = made["messages"]["lanes"].get<int>();
  EXPECT_EQ(lanes % 2, 0);
  EXPECT_EQ(run(verify("--messages a>b --classes b=1 --vls " + std::to_string(lanes))).code, 0);
  const Result short_of = run(verify("--messages a>b --classes b=1 --vls " + std::to_string(lanes - 1)));
  EXPECT_EQ(short_of.code, 1);
  EXPECT_THAT(short_of.out, HasSubstr("lanes for messages"));
}

TEST_F(MessageCommands, WhatIsCausedAtOnceMustFitIntoASendQueue) {
  const std::string two = "--messages ask>tell,ask>log --classes tell=1,log=1";
  EXPECT_EQ(run(verify(two + " --json")).json()["messages"]["send_places"], 2);
  EXPECT_THAT(run(verify(two)).out, HasSubstr("send queues"));
  const std::string apart = "--messages ask>tell,ask>log --classes tell=1,log=2";
  EXPECT_EQ(run(verify(apart + " --json")).json()["messages"]["send_places"], 1);
  EXPECT_THAT(run(verify(apart)).out, Not(HasSubstr("send queues")));
}

TEST_F(MessageCommands, ClientsAndServersInPodsOfTheirOwnNeedOneNetwork) {
  // Its pods are the even leaves and the odd ones.
  ASSERT_EQ(run("route fattree3:4 --engine ftree -o tree --lanes levels -q").code, 0);
  const std::string clients = "H-[0-1],H-[4-5],H-[8-9],H-[12-13]";
  const std::string servers = "H-[2-3],H-[6-7],H-[10-11],H-[14-15]";
  const std::string asked =
      "verify fattree3:4 tree --lanes levels --messages request>reply --class-hosts request=" + clients +
      ">" + servers + " --class-hosts reply=" + servers + ">";
  EXPECT_EQ(run(asked + clients + " --traffic data").code, 0);
  // Replies wait behind management for switches of the servers' pod, and that behind requests.
  EXPECT_EQ(run(asked + clients).code, 1);
  // Where servers answer all, some answers go to other servers, and wait behind requests.
  EXPECT_EQ(run(asked).code, 1);
  // On a torus requests and replies share channels all the same.
  EXPECT_EQ(run(verify("--messages request>reply --class-hosts request=H-[0-31]>H-[32-63] --class-hosts "
                       "reply=H-[32-63]>H-[0-31]"))
                .code,
            1);
}

TEST_F(MessageCommands, ManagementHasItsLanesOnTheFirstNetwork) {
  ASSERT_EQ(run("route boxes:2,4 --engine dfsssp -o boxed --lanes levels -q").code, 0);
  const std::string asked =
      "verify boxes:2,4 boxed --lanes levels --messages request>reply --classes reply=1 ";
  const nlohmann::json all = run(asked + "--json").json();
  const nlohmann::json data = run(asked + "--traffic data --json").json();
  EXPECT_EQ(all["messages"]["lanes"], nlohmann::json(4));
  EXPECT_EQ(data["messages"]["lanes"], nlohmann::json(2));
  EXPECT_EQ(run(asked + "--vls 2").code, 1);
  EXPECT_EQ(run(asked + "--vls 4").code, 0);
}

TEST_F(MessageCommands, LanesThatTablesDeclareBind) {
  ASSERT_EQ(run("route torus:4x4 --engine dfsssp --vls 2 --format json -o declared -q").code, 0);
  EXPECT_EQ(run("verify torus:4x4 declared --messages a>b --classes b=1").code, 1);
  EXPECT_EQ(run("verify torus:4x4 declared --messages a>b --classes b=1 --vls 4").code, 0);
}

TEST_F(MessageCommands, WhatDoesNotFitIsSaidInOneSentence) {
  const auto expect_refused = [&](const std::string& rest, const std::string& words) {
    const Result refused = run(verify(rest));
    EXPECT_EQ(refused.code, 2) << rest;
    EXPECT_THAT(refused.err, HasSubstr(words)) << rest;
  };
  expect_refused("--messages a>", "expected classes of messages");
  expect_refused("--classes a=0", "--messages");
  expect_refused("--messages a>b --classes c=0", "expected CLASS=NETWORK");
  expect_refused("--messages a>b --class-hosts a=H-0", "found no '>' in 'a=H-0'");
  expect_refused("--messages a>b --class-hosts a>H-0", "CLASS=SENDERS>RECEIVERS, found no '=' in 'a>H-0'");
  expect_refused("--messages a>b --class-hosts c=H-0>", "CLASS one of a, b, found 'c' in 'c=H-0>'");
  expect_refused("--messages a>b --class-hosts a=H-0>nobody", "the fabric has no host 'nobody'");
  expect_refused("--messages a>b --class-hosts a=> --class-hosts a=>", "a is named twice");
  expect_refused("--messages a>b --flow-control bubble", "handed out by credits");
  expect_refused("--messages a>b --lanes lanes", "goes with one");
  expect_refused("--messages a>b --port-lanes lanes", "--port-lanes");
}

}  // namespace
}  // namespace unknot::cli::test
