// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/compared_parts.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "report/content.hpp"
#include "unknot/report/compare/compare.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/page.hpp"

namespace unknot::report {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using unknot::testing::full_content;
using unknot::testing::load_point;
using unknot::testing::routed_content;
using unknot::testing::scheduled_content;
using unknot::testing::simulated_part;

PageData read_back(const Content& content) {
  return read_page("<html>" + std::string(kDataBegins) + document(content) + "</script></html>", "page.html");
}

json compared(const Content& before, const Content& after) {
  return json::parse(compared_document(read_back(before), read_back(after), {}));
}

std::vector<std::string> said(const Content& before, const Content& after) {
  return compared_summary(read_back(before), read_back(after));
}

/// Loads at random of a network that stops at `limit`.
std::vector<PageData::LoadPoint> loads_up_to(double limit, std::mt19937& random) {
  std::vector<PageData::LoadPoint> points;
  for (int i = 0, count = 1 + static_cast<int>(random() % 8); i < count; ++i) {
    const double load = static_cast<double>(random() % 20) / 20;
    points.emplace_back();
    points.back().load = load;
    points.back().saturated = load >= limit;
  }
  return points;
}

/// What is called earlier or later is so, whatever loads were simulated; of the same loads all is known.
TEST(ReportComparedSimulations, SaysEarlierAndLaterOnlyWhereTheLoadsProveIt) {
  std::mt19937 random(5);
  std::map<std::string, int> times;
  for (int round = 0; round < 20000; ++round) {
    const double old_limit = static_cast<double>(random() % 22) / 20 - 0.025;
    const double fresh_limit = static_cast<double>(random() % 22) / 20 - 0.025;
    const auto old = loads_up_to(old_limit, random);
    auto fresh = loads_up_to(fresh_limit, random);
    if (round % 2 == 0) {
      fresh = old;
      for (PageData::LoadPoint& point : fresh) point.saturated = point.load >= fresh_limit;
    }
    const std::string change = saturation_change(saturation(old), saturation(fresh));
    ++times[change];
    if (change == "earlier") {
      EXPECT_LT(fresh_limit, old_limit);
    } else if (change == "later") {
      EXPECT_GT(fresh_limit, old_limit);
    }
    if (round % 2 == 0) {
      EXPECT_NE(change, "unknown");
      // the loads at which it stops are the same ones, or they are not
      const bool same = std::equal(old.begin(), old.end(), fresh.begin(),
                                   [](const auto& a, const auto& b) { return a.saturated == b.saturated; });
      EXPECT_EQ(change == "same", same);
    }
  }
  for (const char* change : {"earlier", "later", "same", "unknown"}) EXPECT_GT(times[change], 500) << change;
}

TEST(ReportComparedSimulations, PutsLoadsOfOneSimulationSideBySide) {
  Content before = routed_content("ring:6", {"updn"});
  Content after = routed_content("ring:6", {"updn"});
  before.simulations = {
      simulated_part(before, "updn", "uniform", 4,
                     {load_point(0.6, 0.5, 50, true), load_point(0.3, 0.3, 12), load_point(0.5, 0.5, 20)}),
      simulated_part(before, "updn", "tornado", 4, {load_point(0.2, 0.2, 9)}),
      simulated_part(before, "minhop", "uniform", 4, {load_point(0.2, 0.2, 9)})};
  after.simulations = {
      simulated_part(after, "updn", "uniform", 8, {load_point(0.3, 0.3, 10)}),
      simulated_part(after, "minhop", "uniform", 4, {load_point(0.2, 0.2, 9)}),
      simulated_part(after, "updn", "uniform", 4,
                     {load_point(0.3, 0.3, 13), load_point(0.4, 0.4, 15), load_point(0.5, 0.41, 70, true)})};
  const json both = compared(before, after);
  const json& list = both["compare"]["simulations"];
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0]["saturation"], "earlier");
  EXPECT_EQ(list[0]["before"]["keeps_up"], 0.5);
  EXPECT_EQ(list[0]["before"]["stops"], 0.6);
  EXPECT_EQ(list[0]["after"]["keeps_up"], 0.4);
  EXPECT_EQ(list[0]["after"]["by"], "saturated");
  const json& points = list[0]["points"];
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0]["before"]["latency_mean"], 12);
  EXPECT_EQ(points[0]["after"]["latency_mean"], 13);
  EXPECT_EQ(points[1]["before"], nullptr);
  EXPECT_EQ(points[1]["after"]["accepted"], 0.4);
  EXPECT_EQ(points[2]["before"]["accepted"], 0.5);
  EXPECT_EQ(points[2]["after"]["accepted"], 0.41);
  EXPECT_EQ(points[2]["after"]["latency_mean"], nullptr);
  EXPECT_EQ(points[3]["after"], nullptr);
  EXPECT_EQ(list[0]["accepted_at"], 2);
  EXPECT_EQ(list[0]["latency_at"], 0);
  // other traffic, or other lanes, is another simulation
  EXPECT_EQ(list[1]["traffic"], "tornado");
  EXPECT_EQ(list[1]["after"], nullptr);
  EXPECT_EQ(list[1]["saturation"], nullptr);
  EXPECT_EQ(list[2]["saturation"], "same");
  EXPECT_EQ(list[3]["lanes"], 8);
  EXPECT_EQ(list[3]["before"], nullptr);
  for (const json& one : list) {
    for (const char* side : {"before", "after"}) {
      if (one[side].is_null()) continue;
      EXPECT_THAT(both["layers"][one[side]["layer"].get<std::size_t>()]["name"].get<std::string>(),
                  AllOf(HasSubstr(one["routing"].get<std::string>() + ", simulated at load"),
                        HasSubstr(std::string("(") + side + ")")));
    }
  }
  EXPECT_THAT(
      said(before, after),
      ElementsAre("Under updn the busiest channel carries 7 pairs of terminals, before 7.",
                  "Simulated, by offered load, updn under uniform traffic on 4 lanes is saturated at "
                  "0.5; before, it was saturated at 0.6.",
                  "Without a counterpart, and so not compared: before, the simulation of updn under "
                  "tornado traffic on 4 lanes; after, the simulation of updn under uniform traffic on "
                  "8 lanes.",
                  "The network is the same."));
}

/// Use of channels under two kinds of traffic has one name, and is not subtracted.
TEST(ReportComparedSimulations, SubtractsNoUseOfChannelsUnderOtherTraffic) {
  for (const char* traffic : {"uniform", "tornado"}) {
    Content before = routed_content("ring:6", {"updn"});
    Content after = before;
    before.simulations = {simulated_part(before, "updn", "uniform", 4, {load_point(0.2, 0.2, 9)})};
    after.simulations = {simulated_part(after, "updn", traffic, 4, {load_point(0.2, 0.2, 9)})};
    std::vector<std::string> changes;
    const json both = compared(before, after);
    for (const json& layer : both["layers"]) {
      if (layer.contains("change")) changes.push_back(layer["name"]);
    }
    if (std::string_view(traffic) == "uniform") {
      EXPECT_THAT(changes, ElementsAre("updn (change)", "updn, simulated at load 0.2 (change)"));
    } else {
      EXPECT_THAT(changes, ElementsAre("updn (change)"));
    }
  }
}

TEST(ReportComparedSimulations, SaysWhatDiffersByMuch) {
  const Content base = routed_content("ring:6", {});
  const auto sentence = [&](std::vector<simulate::PointMeans> old, std::vector<simulate::PointMeans> fresh) {
    Content before = base, after = base;
    before.simulations = {simulated_part(before, "updn", "uniform", 4, std::move(old))};
    after.simulations = {simulated_part(after, "updn", "uniform", 4, std::move(fresh))};
    const std::vector<std::string> all = simulation_sentences(read_back(before), read_back(after));
    return all.empty() ? "" : all.front();
  };
  const auto deadlocked = [](double load) {
    simulate::PointMeans point = load_point(load, 0, 0, true);
    point.deadlock = true;
    return point;
  };
  const auto low = load_point(0.2, 0.2, 10), high = load_point(0.4, 0.4, 30);
  EXPECT_EQ(sentence({low, high}, {low, high}), "");
  EXPECT_EQ(sentence({low, high}, {load_point(0.2, 0.2, 10.2), load_point(0.4, 0.39, 31)}), "");
  EXPECT_THAT(sentence({low, high}, {low, load_point(0.4, 0.38, 0, true)}),
              HasSubstr("is saturated at 0.4; before, it accepted all that was offered, up to 0.4."));
  EXPECT_THAT(sentence({low, load_point(0.4, 0.3, 0, true)}, {low, high}),
              HasSubstr("accepts all that is offered, up to 0.4; before, it was saturated at 0.4."));
  EXPECT_THAT(sentence({low, load_point(0.4, 0.3, 0, true)}, {low, deadlocked(0.4)}),
              HasSubstr("deadlocks at 0.4; before, it was saturated at 0.4."));
  EXPECT_EQ(sentence({low, load_point(0.4, 0.38, 0, true)}, {low, load_point(0.4, 0.3, 0, true)}),
            "Simulated at load 0.4, updn under uniform traffic on 4 lanes accepts 0.3 flits a cycle and "
            "terminal, before 0.38.");
  EXPECT_EQ(
      sentence({low, high}, {low, load_point(0.4, 0.4, 1234.4)}),
      "Simulated at load 0.4, packets of updn under uniform traffic on 4 lanes take 1,234 cycles in the "
      "mean, before 30.");
  // the loads leave open whether it stops earlier
  EXPECT_EQ(sentence({low, load_point(0.5, 0.4, 0, true)}, {low, load_point(0.4, 0.4, 0, true)}), "");
}

/// Which is the quickest at a size, by the ranges of a page.
std::string winner(const std::vector<std::pair<std::uint64_t, std::size_t>>& ranges,
                   const std::vector<std::string>& names, std::uint64_t bytes) {
  std::string name = "none";
  for (const auto& [from, algorithm] : ranges) {
    if (from <= bytes) name = names[algorithm];
  }
  return name;
}

TEST(ReportComparedAlgorithms, PutsTimesAndTheQuickestSideBySide) {
  Content before = routed_content("ring:6", {"updn"}), after = before;
  AlgorithmsPart old{"updn", "all-reduce", 6, 1e-6, {}, {}}, fresh = old;
  old.algorithms = {{"ring", 10, 1, "", {{1024, 1e-5, 1.1e-5}, {4096, 2e-5, {}}}},
                    {"swing", 4, 2, "round 1", {{1024, 2e-5, {}}}},
                    {"binomial", 4, 2, "", {{1024, 9e-5, {}}}}};
  old.ranges = {{1, 1}, {2000, 0}, {9000, 2}};
  fresh.algorithms = {{"bruck", 4, 2, "", {{1024, 9e-5, {}}}},
                      {"swing", 5, 3, "round 2", {{1024, 4e-5, 5e-5}, {65536, 1e-3, {}}}},
                      {"ring", 10, 1, "", {{4096, 3e-5, 3.5e-5}, {1024, 1e-5, {}}}}};
  fresh.ranges = {{1, 1}, {3000, 0}, {9000, 2}};
  before.algorithms = {old, old};
  before.algorithms[1].ranks = 5;
  after.algorithms = {fresh, fresh};
  after.algorithms[1].alpha = 2e-6;
  const json list = compared(before, after)["compare"]["algorithms"];
  ASSERT_EQ(list.size(), 3U);  // other ranks, or another start-up, is another contest
  EXPECT_EQ(list[0]["before"], true);
  EXPECT_EQ(list[0]["after"], true);
  EXPECT_EQ(list[1]["ranks"], 5);
  EXPECT_EQ(list[1]["after"], false);
  EXPECT_EQ(list[2]["alpha"], 2e-6);
  EXPECT_EQ(list[2]["before"], false);
  const json& algorithms = list[0]["algorithms"];
  std::vector<std::string> names;
  for (const json& one : algorithms) names.push_back(one["name"]);
  EXPECT_THAT(names, ElementsAre("ring", "swing", "binomial", "bruck"));
  EXPECT_EQ(algorithms[0]["points"], json::parse(R"([
      {"bytes": 1024, "before": {"predicted": 1e-5, "simulated": 1.1e-5}, "after": {"predicted": 1e-5, "simulated": null}},
      {"bytes": 4096, "before": {"predicted": 2e-5, "simulated": null}, "after": {"predicted": 3e-5, "simulated": 3.5e-5}}])"));
  EXPECT_EQ(algorithms[1]["points"][1]["before"], nullptr);
  EXPECT_EQ(algorithms[1]["after"], json::parse(R"({"rounds": 5, "most_flows": 3, "meeting": "round 2"})"));
  EXPECT_EQ(algorithms[2]["after"], nullptr);
  EXPECT_EQ(algorithms[3]["before"], nullptr);
  std::vector<std::pair<std::uint64_t, std::size_t>> joined_before, joined_after;
  for (const json& range : list[0]["ranges"]) {
    joined_before.emplace_back(range["from"], range["before"]);
    joined_after.emplace_back(range["from"], range["after"]);
  }
  for (const std::uint64_t bytes : {1U, 1999U, 2000U, 2999U, 3000U, 8999U, 9000U, 1000000U}) {
    EXPECT_EQ(winner(joined_before, names, bytes), winner(old.ranges, {"ring", "swing", "binomial"}, bytes));
    EXPECT_EQ(winner(joined_after, names, bytes), winner(fresh.ranges, {"bruck", "swing", "ring"}, bytes));
  }
  EXPECT_THAT(said(before, after),
              Contains("The quickest all-reduce among 6 ranks on updn takes 1.5 times as long as before at 4 "
                       "KiB, by the cost model (ring)."));
  EXPECT_THAT(said(before, after),
              Contains(HasSubstr("the algorithms for all-reduce among 5 ranks on updn")));
  EXPECT_THAT(algorithm_sentences(read_back(before), read_back(before)), IsEmpty());
}

TEST(ReportComparedSchedules, KeepsBothAndSaysWhatDiffers) {
  const Content before = scheduled_content("mesh:3x3", "AAB");
  Content after = scheduled_content("torus:3x3", "AAB");
  const json both = compared(before, after)["compare"]["schedules"];
  EXPECT_EQ(both["before"], json::parse(document(before))["schedule"]);
  EXPECT_EQ(both["after"], json::parse(document(after))["schedule"]);
  EXPECT_EQ(both["why_not"], "");
  EXPECT_EQ(said(before, before), std::vector<std::string>{"The network is the same."});
  EXPECT_EQ(said(before, after)[0],
            "The schedule of AAB has 8 steps, before 8; the lower bound is 2, "
            "before 4.");
  PageData fixed = read_back(after);
  fixed.schedule->valid = true;
  EXPECT_THAT(compared_summary(read_back(before), fixed)[0], HasSubstr("; it breaks no rule any more."));
  EXPECT_THAT(compared_summary(fixed, read_back(before))[0], HasSubstr("; it BREAKS THE RULES now."));
}

TEST(ReportComparedSchedules, ComparesNoOtherProblems) {
  const Content before = scheduled_content("mesh:3x3", "AAB");
  const Content other = scheduled_content("mesh:3x3", "AAS"), larger = scheduled_content("mesh:3x4", "AAB");
  const Content none = routed_content("mesh:3x3", {});
  EXPECT_EQ(said(before, other)[0], "The schedules do AAB before and AAS after: they are not compared.");
  EXPECT_EQ(said(before, larger)[0],
            "The schedules of AAB are among other nodes, 9 before and 12 after: they are not compared.");
  EXPECT_EQ(said(before, none)[0],
            "Without a counterpart, and so not compared: before, the schedule of AAB.");
  EXPECT_EQ(compared(none, before)["compare"]["schedules"]["before"], nullptr);
  EXPECT_EQ(compared(none, none)["compare"]["schedules"], nullptr);
}

TEST(ReportComparedParts, NamesTheFirstOfManyWithoutACounterpart) {
  Content before = routed_content("ring:6", {}), after = before;
  for (std::uint32_t lanes = 1; lanes <= 6; ++lanes)
    before.simulations.push_back(simulated_part(before, "updn", "uniform", lanes, {load_point(0.2, 0.2, 9)}));
  EXPECT_THAT(said(before, after)[0],
              AllOf(HasSubstr("on 4 lanes and 2 more."), Not(HasSubstr("on 5 lanes"))));
}

TEST(ReportComparedParts, OfOnePageAndItselfAreTheSame) {
  const Content content = full_content("ring:6", {"updn", "minhop"});
  const json both = compared(content, content)["compare"];
  for (const json& one : both["simulations"]) EXPECT_EQ(one["saturation"], "same");
  for (const json& one : both["algorithms"]) {
    for (const json& algorithm : one["algorithms"]) {
      EXPECT_EQ(algorithm["before"], algorithm["after"]);
      for (const json& point : algorithm["points"]) EXPECT_EQ(point["before"], point["after"]);
    }
    for (const json& range : one["ranges"]) EXPECT_EQ(range["before"], range["after"]);
  }
  EXPECT_EQ(both["schedules"]["before"], both["schedules"]["after"]);
  EXPECT_THAT(said(content, content),
              ElementsAre(HasSubstr("Under updn"), HasSubstr("Under minhop"), "The network is the same."));
}

}  // namespace
}  // namespace unknot::report
