// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/compare.hpp"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "report/content.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/error.hpp"

namespace unknot::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using unknot::testing::full_content;
using unknot::testing::routed_content;

std::string as_page(const std::string& data) {
  return "<html>" + std::string(kDataBegins) + data + "</script></html>";
}

PageData page_of(const Content& content) {
  return read_page(as_page(document(content)), "page.html");
}

/// "S-0:1>S-1:2", the ends of every channel with its value.
std::multimap<std::string, double> by_ends(const json& page, std::size_t layer) {
  std::multimap<std::string, double> found;
  const json& network = page["network"];
  const json& values = page["layers"][layer]["values"];
  for (std::size_t c = 0; c < network["from"].size(); ++c) {
    if (values[c].is_null()) continue;
    found.emplace(network["names"][network["from"][c].get<std::size_t>()].get<std::string>() + ":" +
                      network["from_port"][c].dump() + ">" +
                      network["names"][network["to"][c].get<std::size_t>()].get<std::string>() + ":" +
                      network["to_port"][c].dump(),
                  values[c].get<double>());
  }
  return found;
}

std::size_t layer_called(const json& page, const std::string& name) {
  for (std::size_t i = 0; i < page["layers"].size(); ++i) {
    if (page["layers"][i]["name"] == name) return i;
  }
  ADD_FAILURE() << "no layer " << name;
  return 0;
}

TEST(ReportCompare, EveryChannelHasItsLoadsOfBothPagesAndTheirDifference) {
  const Content before = routed_content("torus:4x4,p=2", {"updn", "dfsssp"});
  const Content after = routed_content("mesh:4x5,p=2", {"dfsssp", "minhop"});
  const json old = json::parse(document(before));
  const json fresh = json::parse(document(after));
  const json both = json::parse(compared_document(page_of(before), page_of(after), {}));
  const auto old_loads = by_ends(old, 1), fresh_loads = by_ends(fresh, 0);
  EXPECT_EQ(by_ends(both, layer_called(both, "dfsssp (before)")), old_loads);
  EXPECT_EQ(by_ends(both, layer_called(both, "dfsssp (after)")), fresh_loads);
  std::multimap<std::string, double> changes;
  for (const auto& [ends, load] : fresh_loads) {
    if (const auto at = old_loads.find(ends); at != old_loads.end()) changes.emplace(ends, load - at->second);
  }
  EXPECT_EQ(by_ends(both, layer_called(both, "dfsssp (change)")), changes);
  EXPECT_EQ(both["compare"]["only_before"].size(), old_loads.size() - changes.size());
  EXPECT_EQ(both["compare"]["only_after"].size(), fresh_loads.size() - changes.size());
  EXPECT_EQ(both["network"]["names"].size(), 20U);
  EXPECT_EQ(both["network"]["terminal_names"].size(),
            std::set<std::string>(both["network"]["terminal_names"].begin(),
                                  both["network"]["terminal_names"].end())
                .size());
  ASSERT_EQ(both["routings"].size(), 4U);
  EXPECT_EQ(both["routings"][3]["name"], "minhop (after)");
  for (const json& routing : both["routings"])
    EXPECT_EQ(both["layers"][routing["layer"].get<std::size_t>()]["name"], routing["name"]);
}

TEST(ReportCompare, ACircleStaysOne) {
  Content before = routed_content("mesh:4x4,p=2", {"updn"});
  before.routings[0].name = "minhop";
  const Content after = routed_content("torus:4x4,p=2", {"minhop"});
  const json page = json::parse(compared_document(page_of(before), page_of(after), {}));
  const json& witness = page["routings"][1]["witness"];
  ASSERT_GE(witness.size(), 2U);
  for (std::size_t i = 0; i < witness.size(); ++i) {
    const auto end = [&](std::size_t step, const char* side) {
      return page["network"][side][witness[step % witness.size()]["channel"].get<std::size_t>()];
    };
    EXPECT_EQ(end(i, "to"), end(i + 1, "from"));
  }
  EXPECT_THAT(page["summary"][0].get<std::string>(), HasSubstr("CAN DEADLOCK now"));
  EXPECT_THAT(page["summary"][1].get<std::string>(), HasSubstr("New: 0 routers and"));
  EXPECT_EQ(page["compare"]["only_after"].size(), page["compare"]["only_before"].size() + 16);
}

TEST(ReportCompare, APageAndItselfDifferInNothing) {
  const Content content = routed_content("jellyfish:routers=24,degree=5,p=2", {});
  const PageData page = page_of(content);
  const json both = json::parse(compared_document(page, page, {}));
  EXPECT_EQ(both["summary"], json::array({"The network is the same."}));
  for (const json& change : both["layers"][0]["values"]) EXPECT_EQ(change, 0);
  EXPECT_EQ(both["network"]["group"], json::parse(document(content))["network"]["group"]);
}

TEST(ReportCompare, PacksLargeNetworksAndReadsThem) {
  const Content content = routed_content("torus:40x40", {});
  const PageData page = page_of(content);
  ASSERT_EQ(page.from.size(), 6400U);
  for (const ChannelId c : content.network.channels()) {
    EXPECT_EQ(page.from[c.value], content.network.source(c).value);
    EXPECT_NEAR(page.layers[0].values[c.value], content.even_load[c.value],
                1e-4 * content.even_load[c.value]);
  }
}

TEST(ReportCompare, RefusesWhatIsNoPage) {
  for (const char* text : {"", "<html></html>", "<script type=\"application/json\" id=\"data\">",
                           "<script type=\"application/json\" id=\"data\">{}</script>",
                           "<script type=\"application/json\" id=\"data\">[1]</script>",
                           "<script type=\"application/json\" id=\"data\">nonsense</script>"})
    EXPECT_THROW((void)read_page(text, "x.html"), InputError) << text;
  const Content content = routed_content("torus:4x4,p=2", {"minhop"});
  const PageData page = page_of(content);
  EXPECT_THROW((void)read_page(as_page(compared_document(page, page, {})), "x.html"), InputError);
}

/// Each is one damage of simulations, algorithms or a schedule, and what is said of it.
TEST(ReportCompare, SaysWhatIsWrongWithAPart) {
  const json good = json::parse(document(full_content("ring:6", {"updn"})));
  const std::vector<std::tuple<const char*, json, const char*>> damages = {
      {"/simulations", json::object(), "'simulations' is no list"},
      {"/simulations/0/layer", 2, "'layer' is out of range"},
      {"/simulations/0/points", json::array(), "a simulation has no load"},
      {"/simulations/0/points/1/load", 1.5, "'load' is more than all"},
      {"/simulations/0/points/1/load", -0.1, "'load' is out of range"},
      {"/simulations/0/points/0/latency_mean", "long", "'latency_mean' is no number"},
      {"/simulations/0/points/0/state", "asleep", "'state' is none of a simulation"},
      {"/algorithms/0/ranges/0/algorithm", 2, "'algorithm' is out of range"},
      {"/algorithms/0/ranges/1/from", 1, "'ranges' do not go up"},
      {"/algorithms/0/algorithms/0/points/0/bytes", 0.5, "'bytes' is out of range"},
      {"/algorithms/0/algorithms/0/points/0/predicted", nullptr, "'predicted' is no number"},
      {"/algorithms/0/algorithms/0/points/0/bytes", 0, "an algorithm has no bytes, or takes no time"},
      {"/algorithms/0/algorithms/1/points/0/simulated", 0, "an algorithm has no bytes, or takes no time"},
      {"/algorithms/0/algorithms/0/points", json::array(), "an algorithm has no size"},
      {"/algorithms/0/algorithms", json::array(), "a collective has no algorithm"},
      {"/schedule", 1, "there is no member 'collective'"},
      {"/schedule/network/node", json::array(), "a schedule is on no node"},
      {"/schedule/network/node/0", 6, "'node' holds a number out of range"},
      {"/schedule/network/from/0", 6, "'from' holds a number out of range"},
      {"/schedule/network/to", json::array(), "'to': 0 numbers, where there should be 12"},
      {"/schedule/steps/0/transfers/0/arcs", json::array({12}), "'arcs' holds a number out of range"},
      {"/schedule/steps/0/transfers/0/from", 6, "'from' is out of range"},
      {"/schedule/findings/0", 7, "'findings' does not hold text alone"}};
  for (const auto& [at, value, words] : damages) {
    json changed = good;
    changed[json::json_pointer(at)] = value;
    try {
      (void)read_page(as_page(changed.dump()), "x.html");
      ADD_FAILURE() << at;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(),
                "x.html: this is no page of unknot report that can be compared: " + std::string(words));
    }
  }
  for (const char* part : {"simulations", "algorithms", "schedule"}) {
    json changed = good;
    changed.erase(part);
    EXPECT_THROW((void)read_page(as_page(changed.dump()), "x.html"), InputError) << part;
  }
}

/// Where there is anything in a document; of lists the first two items.
void collect(const json& value, const json::json_pointer& at, std::vector<json::json_pointer>& places) {
  if (!at.empty()) places.push_back(at);
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) collect(item, at / key, places);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(2, value.size()); ++i)
      collect(value[i], at / i, places);
  }
}

/// Every member of a page in turn is left out, or replaced by what is of another kind: each time one
/// sentence, or a page that is as good.
TEST(ReportCompare, SurvivesAnyMemberOfAnyKind) {
  const json good = json::parse(document(full_content("ring:3", {"updn"})));
  const PageData other = page_of(full_content("ring:4", {"updn"}));
  const std::vector<json> kinds = {nullptr,
                                   -1,
                                   1e300,
                                   0.5,
                                   "text",
                                   json::array(),
                                   json::object(),
                                   true,
                                   json::array({4000000000U}),
                                   json::array({"<script>"}),
                                   255};
  std::vector<json::json_pointer> places;
  collect(good, json::json_pointer(), places);
  ASSERT_GT(places.size(), 100U);
  std::size_t refused = 0;
  for (const json::json_pointer& at : places) {
    json changed = good;
    for (std::size_t kind = 0; kind <= kinds.size(); ++kind) {
      if (kind < kinds.size()) {
        changed[at] = kinds[kind];
      } else if (changed[at.parent_pointer()].is_object()) {
        changed[at.parent_pointer()].erase(at.back());
      }
      try {
        const PageData page = read_page(as_page(changed.dump()), "x.html");
        EXPECT_FALSE(json::parse(compared_document(page, other, {}))["summary"].empty());
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 500U);
}

TEST(ReportCompare, NamesAreNoMarkup) {
  if (!page_available()) GTEST_SKIP() << "built without npm";
  const std::string evil = "</script></title><script>alert(1)</script><!--";
  Content content = full_content("ring:4", {"updn"});
  content.fabric = evil;
  content.simulations[0].routing = content.simulations[0].traffic = evil;
  content.algorithms[0].routing = content.algorithms[0].collective = evil;
  content.algorithms[0].algorithms[0].name = content.algorithms[0].algorithms[1].meeting = evil;
  content.schedule->problem.collective = evil;
  content.routings[0].name = evil;
  content.provenance = {evil, evil, evil};
  const PageData page = read_page(html_page(content), "page.html");
  const std::string both = compared_page(page, page, {evil, evil, evil});
  std::size_t scripts = 0;
  for (std::size_t at = both.find("<script"); at != std::string::npos; at = both.find("<script", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 2U);
  EXPECT_EQ(both.find("<!--"), std::string::npos);
  EXPECT_EQ(compared_page(page, page, {evil, evil, evil}), both);
}

}  // namespace
}  // namespace unknot::report
