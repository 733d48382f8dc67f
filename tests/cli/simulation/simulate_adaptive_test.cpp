// SPDX-License-Identifier: Apache-2.0
// simulate --adaptive: from the files of route --adaptive-groups on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_command.hpp"
#include "unknot/cli/command/command.hpp"
#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

using SimulateAdaptive = InFolder;

const std::string kWhole = " --set switching=virtual-cut-through --set measure=1000 ";

TEST_F(SimulateAdaptive, RunsWhatRouteWrites) {
  ASSERT_EQ(run("route torus:4x4,p=2 --engine lash --vls 2 --adaptive-groups groups").code, kYes);
  const auto escape = run("simulate torus:4x4,p=2 --adaptive groups --load 0.2,1 --json" + kWhole);
  EXPECT_EQ(escape.json()["adaptive"][0], "groups");
  EXPECT_EQ(escape.json()["committed"], false);
  EXPECT_EQ(escape.json()["virtual_lanes"], 2);
  EXPECT_EQ(escape.json()["proven_deadlock_free"], true);
  EXPECT_THAT(escape.json()["proof"].get<std::string>(), HasSubstr("by an escape"));
  EXPECT_EQ(escape.json()["points"][1]["deadlock"], false);
  const auto committed =
      run("simulate torus:4x4,p=2 --adaptive groups --committed --load 1 --set switching=virtual-cut-through "
          "--set vc_buffer=2");
  EXPECT_EQ(committed.code, kNo);
  EXPECT_THAT(committed.out, HasSubstr("NOT proven deadlock-free on 2 lanes"));
  EXPECT_THAT(committed.out, HasSubstr("packets wait for each other in a circle"));
}

TEST_F(SimulateAdaptive, ReadsWhatIbdiagnetWrites) {
  ASSERT_EQ(
      run("route xgft:m=4x4,w=2x2 --engine ftree --adaptive-groups groups.far --adaptive-format far").code,
      kYes);
  const auto result = run("simulate xgft:m=4x4,w=2x2 --adaptive groups.far --load 0.2 --json" + kWhole);
  EXPECT_EQ(result.code, kYes) << result.err;
  EXPECT_THAT(result.json()["proof"].get<std::string>(), HasSubstr("no cycle over all choices"));
}

TEST_F(SimulateAdaptive, GoesToEveryAddressOfAHost) {
  ASSERT_EQ(run("topology torus:3x3 --format json -o plain.json").code, kYes);
  nlohmann::json fabric = nlohmann::json::parse(read("plain.json"));
  fabric["lmc"] = 1;
  for (std::size_t t = 0; t < fabric["terminals"].size(); ++t) fabric["terminal_lid"][t] = 100 + 2 * t;
  for (std::size_t r = 0; r < 9; ++r) fabric["router_lid"][r] = 1 + r;
  write("fabric.json", fabric.dump());
  const Network network = read_native_json(fabric.dump(), "fabric.json");
  const Network addressed = addressed_network(network, 1);
  Progress silent;
  // The JSON form names hosts, which have several addresses here; dumps go by LID.
  (void)written_adaptive_format("far").write(
      addressed, up_down_groups(addressed, group_order(addressed), nullptr, 1, silent), "groups.far");
  const auto result =
      run("simulate fabric.json --adaptive groups.far --address turn --load 0.2 --json" + kWhole);
  ASSERT_EQ(result.code, kYes) << result.err;
  EXPECT_EQ(result.json()["addresses"], 2);
  EXPECT_NEAR(result.json()["points"][0]["accepted"].get<double>(), 0.2, 0.02);
  EXPECT_THAT(run("simulate fabric.json --adaptive groups.far --workload all-to-all:bytes=64" + kWhole).err,
              HasSubstr("several addresses of a host"));
}

TEST_F(SimulateAdaptive, SaysWhatGoesWithWhat) {
  ASSERT_EQ(run("route torus:3x3 --engine lash --adaptive-groups groups").code, kYes);
  const auto refused = [&](const std::string& options, const std::string& word) {
    const auto result = run("simulate torus:3x3 " + options);
    EXPECT_EQ(result.code, kBadInput) << options;
    EXPECT_THAT(result.err, HasSubstr(word)) << options;
  };
  refused("--adaptive groups --load 0.1", "lies in one buffer");
  refused("--adaptive groups --engine updn --load 0.1", "one of them");
  refused("--adaptive groups --lane-scheme any --load 0.1", "brings its own lanes");
  refused("--engine updn --committed --load 0.1", "--adaptive");
  refused("--adaptive missing --load 0.1" + kWhole, "missing");
  refused("--adaptive groups --schedule x", "--schedule has its own paths");
  refused("--adaptive groups --transition x", "--transition goes from --tables on");
  EXPECT_EQ(run("simulate torus:4x4 --adaptive groups --load 0.1" + kWhole).code, kBadInput);
}

}  // namespace
}  // namespace unknot::cli::test
