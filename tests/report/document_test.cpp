// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/document.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "report/content.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/report/measure_algorithms.hpp"
#include "unknot/support/error.hpp"

namespace unknot::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using unknot::testing::routed_content;
using unknot::testing::scheduled_content;

json parsed(const Content& content) {
  return json::parse(document(content));
}

/// Every array that is by router or by channel has one item for each, and every id exists.
void expect_consistent(const json& page, const Network& network) {
  const json& drawn = page["network"];
  for (const char* by_router : {"x", "y", "names", "terminals"})
    EXPECT_EQ(drawn[by_router].size(), network.router_count()) << by_router;
  EXPECT_EQ(drawn["terminal_names"].size(), network.terminal_count());
  for (const char* by_channel : {"from", "to", "from_port", "to_port"})
    EXPECT_EQ(drawn[by_channel].size(), network.channel_count()) << by_channel;
  for (const ChannelId c : network.channels()) {
    EXPECT_EQ(drawn["from"][c.value], network.source(c).value);
    EXPECT_EQ(drawn["to"][c.value], network.target(c).value);
  }
  for (const json& layer : page["layers"]) {
    EXPECT_EQ(layer["values"].size(), network.channel_count());
    EXPECT_FALSE(layer["unit"].get<std::string>().empty());
  }
}

TEST(ReportDocument, HoldsEveryNetworkOfTheCatalogue) {
  std::vector<std::string> specs = {"ring:500"};  // more than the search for short cables takes on
  for (const Topology& family : topologies())
    specs.insert(specs.end(), family.examples.begin(), family.examples.end());
  for (const std::string& spec : specs) {
    SCOPED_TRACE(spec);
    const Content content = routed_content(spec, {});
    const json page = parsed(content);
    expect_consistent(page, content.network);
    EXPECT_EQ(page["layers"].size(), content.network.channel_count() > 0 ? 1U : 0U);
    std::set<std::pair<double, double>> places;
    for (const RouterId r : content.network.routers())
      places.emplace(page["network"]["x"][r.value], page["network"]["y"][r.value]);
    EXPECT_EQ(places.size(), content.network.router_count()) << "routers drawn upon each other";
    EXPECT_FALSE(page["summary"].empty());
  }
}

/// Pods of a tree are drawn side by side, in each of its layers.
TEST(ReportDocument, RoutersOfOnePodStandTogether) {
  for (const char* spec : {"fattree3:8", "kary-ntree:k=3,n=3", "xgft:m=4x3,w=2x2"}) {
    SCOPED_TRACE(spec);
    const json network = parsed(routed_content(spec, {}))["network"];
    EXPECT_EQ(network["layout"], "layers");
    std::map<double, std::map<double, int>> layers;
    for (std::size_t r = 0; r < network["x"].size(); ++r)
      layers[network["y"][r]].emplace(network["x"][r], network["group"][r]);
    for (const auto& [y, layer] : layers) {
      int last = -1;
      std::set<int> ended;
      for (const auto& [x, group] : layer) {
        if (group != last) {
          EXPECT_TRUE(ended.insert(group).second) << "group " << group;
        }
        last = group;
      }
    }
  }
}

TEST(ReportDocument, HasTheKnownAlgorithmsOfACollective) {
  Progress silent;
  Content content = routed_content("torus:4x4", {"dfsssp"});
  const Routing routing = route(content.network, "dfsssp", {}, silent);
  AlgorithmsOptions options;
  options.most_movements = 100'000;
  content.algorithms.push_back(measure_algorithms(content.network, routing, "dfsssp", options, silent));
  const json page = parsed(content)["algorithms"];
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page[0]["collective"], "all-reduce");
  EXPECT_EQ(page[0]["ranks"], 16);
  ASSERT_GE(page[0]["algorithms"].size(), 10U);
  for (const json& one : page[0]["algorithms"]) {
    EXPECT_EQ(one["points"].size(), 8U);
    EXPECT_EQ(one["meeting"] == "", one["most_flows"].get<std::uint32_t>() <= 1);
    EXPECT_GT(one["points"][0]["predicted"], 0);
  }
  EXPECT_FALSE(page[0]["ranges"].empty());
  EXPECT_TRUE(parsed(routed_content("torus:4x4", {}))["algorithms"].empty());
}

TEST(ReportDocument, SaysOfARoutingWhatTheCheckerSays) {
  const Content content = routed_content("torus:6x6,p=2", {"minhop", "dfsssp"});
  const json page = parsed(content);
  expect_consistent(page, content.network);
  ASSERT_EQ(page["routings"].size(), 2U);
  for (const json& routing : page["routings"]) {
    const json& values = page["layers"][routing["layer"].get<std::size_t>()]["values"];
    std::uint64_t most = 0, sum = 0, pairs = 0;
    for (const json& value : values) {
      most = std::max(most, value.get<std::uint64_t>());
      sum += value.get<std::uint64_t>();
    }
    EXPECT_EQ(routing["max_load"], most);
    for (const json& level : routing["pairs_by_level"]) pairs += level.get<std::uint64_t>();
    EXPECT_EQ(pairs, 72U * 71U);
    // every path counts on each of its channels
    EXPECT_NEAR(routing["mean_hops"].get<double>() * static_cast<double>(pairs), static_cast<double>(sum),
                0.001 * static_cast<double>(sum));
    EXPECT_TRUE(routing["complete"]);
  }
  EXPECT_FALSE(page["routings"][0]["deadlock_free"]);
  EXPECT_TRUE(page["routings"][1]["deadlock_free"]);
  EXPECT_TRUE(page["routings"][1]["witness"].empty());
  // each channel of the circle begins where the one before it ends
  const json& witness = page["routings"][0]["witness"];
  ASSERT_GE(witness.size(), 2U);
  for (std::size_t i = 0; i < witness.size(); ++i) {
    const ChannelId here(witness[i]["channel"].get<std::uint32_t>());
    const ChannelId next(witness[(i + 1) % witness.size()]["channel"].get<std::uint32_t>());
    EXPECT_EQ(content.network.target(here), content.network.source(next));
  }
}

/// Channels around a grid are curves, on the page's drawing of a schedule as on that of its network.
TEST(ReportDocument, SaysOfEachDrawingWhetherItIsAGrid) {
  for (const auto& [spec, grid] : std::map<std::string, bool>{{"torus:4x4", true}, {"petersen", false}}) {
    const json page = parsed(scheduled_content(spec, "AAB"));
    EXPECT_EQ(page["schedule"]["network"]["bent"], grid) << spec;
    EXPECT_EQ(page["network"]["bent"], grid) << spec;
  }
}

TEST(ReportDocument, DrawsTransfersAlongTheirPaths) {
  for (const char* spec : {"mesh:4x4", "omega:8", "kary-ntree:k=2,n=3", "petersen"}) {
    for (const char* collective : {"AAS", "AAB", "AOG"}) {
      SCOPED_TRACE(std::string(spec) + " " + collective);
      const Content content = scheduled_content(spec, collective);
      const Schedule& schedule = content.schedule->schedule;
      const json part = parsed(content)["schedule"];
      const json& drawn = part["network"];
      ASSERT_EQ(part["steps"].size(), schedule.step_count());
      EXPECT_EQ(part["valid"], content.schedule->verdict.valid());
      EXPECT_EQ(part["findings"].size(), content.schedule->verdict.findings.size());
      for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
        const json& transfers = part["steps"][step]["transfers"];
        ASSERT_EQ(transfers.size(), schedule.step_end(step) - schedule.step_begin(step));
        for (std::size_t i = 0; i < transfers.size(); ++i) {
          const auto path = schedule.path(schedule.step_begin(step) + static_cast<std::uint32_t>(i));
          const json& arcs = transfers[i]["arcs"];
          ASSERT_EQ(arcs.size() + 1, path.size());
          for (std::size_t hop = 0; hop < arcs.size(); ++hop) {
            const auto arc = arcs[hop].get<std::size_t>();
            const auto node = [&](const char* end) {
              return drawn["node"][drawn[end][arc].get<std::size_t>()];
            };
            EXPECT_EQ(node("from"), path[hop].value);
            EXPECT_EQ(node("to"), path[hop + 1].value);
          }
        }
      }
    }
  }
}

TEST(ReportDocument, AnyBytesOfANameGiveADocument) {
  NetworkBuilder builder;
  const RouterId a = builder.add_router();
  const RouterId b = builder.add_router();
  builder.add_cable(a, b);
  builder.add_terminal(a);
  builder.add_terminal(b);
  std::string bytes;
  for (int i = 1; i < 256; ++i) bytes += static_cast<char>(i);
  Content content;
  content.network = std::move(builder).build().described_as(bytes);
  content.fabric = bytes;
  content.distances = distance_statistics(content.network);
  const json page = parsed(content);
  EXPECT_THAT(page["fabric"]["name"].get<std::string>(), HasSubstr("ABC"));
}

TEST(ReportSummary, SaysWhatHoldsFirst) {
  const std::vector<std::string> routings = summary(routed_content("torus:4x4,p=2", {"minhop", "updn"}));
  ASSERT_EQ(routings.size(), 3U);
  EXPECT_THAT(routings[0],
              HasSubstr("updn delivers every pair and cannot deadlock; the busiest channel carries"));
  EXPECT_THAT(routings[1], HasSubstr("minhop can deadlock"));
  EXPECT_THAT(routings[2], HasSubstr("torus:4x4,p=2 has 16 routers, 32 terminals and 64 channels"));

  Content large = routed_content("torus:4x4,p=2", {"updn"});
  std::fill(large.routings[0].load.begin(), large.routings[0].load.end(), 1'234'567);
  large.network = make_network("ring:1200");
  EXPECT_THAT(summary(large)[0], HasSubstr("carries 1,234,567 pairs of terminals, 1,234,567.0 in the mean"));
  EXPECT_THAT(summary(large)[1], HasSubstr("1,200 routers, 1,200 terminals and 2,400 channels"));

  Content failed = routed_content("ring:5", {});
  failed.routings.emplace_back();
  failed.routings.back().name = "x";
  failed.routings.back().failure = "it needs more";
  EXPECT_EQ(summary(failed).front(), "No routing by x: it needs more.");

  Content simulated = routed_content("ring:5", {});
  SimulationPart part{"updn", "uniform", 4, {}, {}};
  part.points.resize(2);
  part.points[0].load = 0.4;
  part.points[1].load = 0.2;
  simulated.simulations.push_back(part);
  EXPECT_EQ(summary(simulated).front(),
            "Simulated under uniform traffic, by offered load: updn accepts all that is offered, up to 0.4.");
  simulated.simulations[0].points[0].saturated = true;
  EXPECT_THAT(summary(simulated).front(), HasSubstr("updn is saturated at 0.4."));
  simulated.simulations[0].points[1].deadlock = true;
  EXPECT_THAT(summary(simulated).front(), HasSubstr("updn deadlocks at 0.2."));

  EXPECT_THAT(summary(scheduled_content("mesh:4x4", "AAS")).front(), HasSubstr("breaks the rules"));
}

TEST(ReportDocument, RefusesWhatIsTooLargeToBeDrawn) {
  Content content;
  content.network = make_network("torus:510x510");
  EXPECT_THROW((void)document(content), InputError);
}

}  // namespace
}  // namespace unknot::report
