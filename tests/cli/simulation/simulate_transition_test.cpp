// SPDX-License-Identifier: Apache-2.0
// Steps from old tables to new ones on simulated routers: simulate --transition.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class SimulateTransition : public InFolder {
 protected:
  /// A ring of six with tables that keep off the cable from S-5 to S-0, and steps to those that keep off the
  /// cable across from it.
  void SetUp() override {
    ASSERT_EQ(run("topology ring:6 -o ring.json --format json").code, 0);
    ASSERT_EQ(run("route ring.json --engine updn -o old --format json").code, 0);
    json tables = json::parse(read("old"));
    json entries = json::array(), none = json::array(), all = json::array();
    for (std::size_t r = 0; r < 6; ++r) {
      const json guid = tables["routers"][r]["guid"];
      for (std::size_t d = 0; d < 6; ++d) {
        if (r == d) continue;
        // Port 1 leads up the ring, port 2 down.
        const auto without = [&](std::size_t gap) { return (d + 5 - gap) % 6 > (r + 5 - gap) % 6 ? 1 : 2; };
        tables["routers"][r]["ports"][d] = without(5);
        if (without(5) != without(2))
          entries.push_back({{"router", guid}, {"lid", d + 1}, {"port", without(2)}});
        none.push_back({{"router", guid}, {"lid", d + 1}, {"level", nullptr}});
        all.push_back({{"router", guid}, {"lid", d + 1}, {"level", 0}});
      }
    }
    write("old", tables.dump());
    const json make = {{"what", "make"}, {"entries", entries}, {"levels", json::array()}};
    json later = make;
    later["wait"] = true;
    write("once", json({{"steps", {make}}}).dump());
    write("drained", json({{"steps",
                            {{{"what", "withdraw"}, {"entries", json::array()}, {"levels", none}},
                             later,
                             {{"what", "send"}, {"entries", json::array()}, {"levels", all}}}}})
                         .dump());
  }
};

TEST_F(SimulateTransition, APlanThatIsRefusedLocksAndOneThatWaitsDoesNot) {
  const std::string check = "reroute ring.json --tables old --to ring.json --check-transition ";
  const std::string play = "simulate ring.json --tables old --set vc_buffer=4 --transition ";
  EXPECT_EQ(run(check + "once").code, 1);
  const Result locks = run(play + "once --json");
  EXPECT_EQ(locks.code, 1) << locks.err;
  EXPECT_EQ(locks.json()["state"], "deadlock");
  EXPECT_EQ(locks.json()["deadlock_step"], 1);
  EXPECT_GT(locks.json()["deadlock_cycle"].size(), 1U);
  EXPECT_EQ(locks.json()["safe"], false);
  EXPECT_EQ(locks.json()["first_unsafe_step"], 1);
  EXPECT_EQ(locks.json()["steps"].size(), 2U);
  EXPECT_THAT(run(play + "once").out, HasSubstr("DEADLOCK in step 1"));
  EXPECT_EQ(run(play + "once --no-proof --json").json()["safe"], json());

  EXPECT_EQ(run(check + "drained").code, 0);
  const Result waits = run(play + "drained --step-cycles 50 --json");
  EXPECT_EQ(waits.code, 0) << waits.err;
  EXPECT_EQ(waits.json()["state"], "delivered");
  EXPECT_EQ(waits.json()["deadlock_step"], json());
  EXPECT_EQ(waits.json()["safe"], true);
  EXPECT_FALSE(waits.json()["steps"][1].contains("waited"));
  EXPECT_GT(waits.json()["steps"][2]["waited"], 0);
  EXPECT_GT(waits.json()["steps"][3]["arrived"], 0);
  EXPECT_EQ(waits.json()["lost_in_the_end"], 0);
  EXPECT_EQ(waits.out, run(play + "drained --step-cycles 50 --json").out);
}

TEST_F(SimulateTransition, AfterAFailurePacketsAreLostUntilTheStepsAreMade) {
  ASSERT_EQ(run("reroute ring.json --tables old --fail cables=0 --transition steps").code, 0);
  const std::string play = "simulate ring.json --tables old --fail cables=0 ";
  const Result played = run(play + "--transition steps --json");
  EXPECT_EQ(played.code, 0) << played.out << played.err;
  EXPECT_GT(played.json()["steps"][0]["lost"], 0);
  EXPECT_EQ(played.json()["lost_in_the_end"], 0);
  write("nothing", R"({"steps": []})");
  const Result left = run(play + "--transition nothing");
  EXPECT_EQ(left.code, 1);
  EXPECT_THAT(left.out, HasSubstr("PACKETS LOST that were sent after the last step"));
}

TEST_F(SimulateTransition, RefusesWhatDoesNotGoTogether) {
  expect_refused("simulate ring.json --engine updn --transition once", "--transition goes from --tables on");
  expect_refused("simulate ring.json --tables old --lane-scheme any --transition once", "from --tables on");
  expect_refused("simulate ring.json --tables old --transition once --load 0.5", "one of them");
  expect_refused("simulate ring.json --tables old --transition once --seeds 2", "is played once");
  expect_refused("simulate ring.json --tables old --transition once --to ring.json --fail cables=0",
                 "not both");
  expect_refused("simulate ring.json --tables old --load 0.5 --step-cycles 10", "--transition");
  expect_refused("simulate ring.json --tables old --transition old", "a list \"steps\"");
}

}  // namespace
}  // namespace unknot::cli::test
