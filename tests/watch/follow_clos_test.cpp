// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "effort.hpp"
#include "random_events.hpp"
#include "routed.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/watch/follow/follower.hpp"
#include "watch/in_folder.hpp"

namespace unknot::watch {
namespace {

using ::testing::HasSubstr;

/// A day of a fabric, one dump after the other, with the service ended now and then.
class FollowClos : public test::InFolder {
 protected:
  void begin(Upkeep upkeep) {
    FollowOptions options;
    options.state = path("state");
    options.install = path("sets");
    options.request.engine = "clos";
    options.request.upkeep = upkeep;
    options.request.threads = 1;
    // Rows to switches lead to hosts from where data has no way, too.
    options.request.management = upkeep == Upkeep::sticky;
    follower_.reset();
    follower_.emplace(options, quiet_);
  }
  FollowEvent take(const Network& network) {
    const std::string name = fmt::format("{}", ++dumps_);
    write("in/" + name + "/fabric", "");
    write_fabric(network, "json", path("in/" + name + "/fabric"));
    const ReadDump read = follower_->read({name, path("in/" + name + "/fabric"), {}, true, dumps_});
    const FollowEvent event = follower_->take(read, true);
    follower_->keep(read.dump, event, 0);
    return event;
  }
  /// The installed tables are those that route makes of the installed fabric.
  void expect_as_anew(const std::string& when) const {
    const Network filed = read_fabric(path("sets/current/fabric"));
    const Routing routing = read_routing(filed, path("sets/current/lfts"), path("sets/current/lanes"), "");
    ASSERT_EQ(routing.table(), routed(filed, "clos").table()) << when;
  }
  /// What is left of a fabric in one part after each of random events; hosts are off for a while, too.
  template <class Look>
  void day(const Network& whole, std::uint32_t seed, const Look& look) {
    LiveNetwork live(whole);
    RandomEvents events(live, seed);
    std::mt19937 random(seed);
    const std::uint32_t length = fewer_cases() ? 15 : 100;
    for (std::uint32_t step = 0; step < length; ++step) {
      live.apply(events.next());
      Faults faults = live.faults();
      if (step % 10 > 6) faults.terminals = {TerminalId(random() % whole.terminal_count())};
      const Network now = with_faults(whole, faults);
      if (weakly_connected_parts(now).count == 1) look(now, step);
    }
  }
  std::optional<Follower> follower_;
  Progress quiet_;

 private:
  std::uint64_t dumps_ = 0;
};

constexpr const char* kFabric = "xgft:m=4x4,w=3x3,terminals=40";

TEST_F(FollowClos, ExactTablesAreThoseOfRouteAllDay) {
  begin(Upkeep::exact);
  std::uint32_t rerouted = 0;
  day(make_network(kFabric), 3, [&](const Network& now, std::uint32_t step) {
    if (step % 9 == 8) begin(Upkeep::exact);
    const FollowEvent event = take(now);
    ASSERT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    rerouted += event.action == FollowAction::rerouted ? 1 : 0;
    expect_as_anew(event.sentence);
  });
  EXPECT_GT(rerouted, 5U);
}

TEST_F(FollowClos, StickyTablesAreProvenAllDayAndNearlyAsEvenAsThoseMadeAnew) {
  begin(Upkeep::sticky);
  std::uint32_t rerouted = 0;
  day(make_network(kFabric), 4, [&](const Network& now, std::uint32_t step) {
    if (step % 9 == 8) begin(Upkeep::sticky);
    const FollowEvent event = take(now);
    ASSERT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
    ASSERT_EQ(event.lanes, 1U);
    rerouted += event.action == FollowAction::rerouted ? 1 : 0;
    const auto anew = load_statistics(channel_load(now, routed(now, "clos")));
    ASSERT_LE(static_cast<double>(event.max_load),
              (1 + NewTablesRequest::kMostDrift) * static_cast<double>(anew.max));
  });
  EXPECT_GT(rerouted, 5U);
}

TEST_F(FollowClos, TheSameDumpsGiveTheSameFilesKilledOrNot) {
  std::vector<std::string> once;
  for (const bool killed : {false, true}) {
    std::filesystem::remove_all(path("state"));
    std::filesystem::remove_all(path("sets"));
    begin(Upkeep::exact);
    std::vector<std::string> files;
    day(make_network(kFabric), 5, [&](const Network& now, std::uint32_t /*step*/) {
      if (killed) begin(Upkeep::exact);
      take(now);
      files.push_back(content(path("sets/current/lfts")));
    });
    if (killed) {
      EXPECT_EQ(files, once);
    }
    once = files;
  }
}

TEST_F(FollowClos, TablesThatDriftAreMadeAnew) {
  const Network whole = make_network("xgft:m=8x8,w=4x4,terminals=256");
  begin(Upkeep::sticky);
  take(whole);
  // One router above after the other is off for a while: what it has carried does not all come back to it.
  std::uint32_t anew = 0;
  for (const RouterId r : whole.routers()) {
    if (!whole.terminals_at(r).empty()) continue;
    for (const Network& now : {with_faults(whole, {{r}, {}, {}}), whole}) {
      const FollowEvent event = take(now);
      ASSERT_EQ(event.verdict, FollowVerdict::proven) << event.sentence;
      if (event.action != FollowAction::routed) continue;
      ++anew;
      EXPECT_THAT(event.sentence, HasSubstr("mended ones load the busiest channel"));
    }
  }
  EXPECT_GT(anew, 0U);
}

}  // namespace
}  // namespace unknot::watch
