// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/floor_plan.hpp"

#include <gtest/gtest.h>

#include <string>

#include "../refusal.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

TEST(FloorPlan, LaysEveryCableOfASmallNetworkAsByHand) {
  // four racks of one router and its terminal each, two in a row: 0 1 / 2 3, a ring 0-1-2-3-0
  const PriceModel model = read_price_model(R"(
currency = "beads"
[router]
price = 10
price_per_port = 1
power = 5
power_per_port = 2
[[cable]]
name = "short"
price = 1
price_per_metre = 1
power = 0
reach = 4
[[cable]]
name = "long"
price = 3
price_per_metre = 0
power = 7
[floor]
rack_units = 3
router_units = 2
terminal_units = 1
rack_width = 1.5
row_pitch = 3
racks_per_row = 2
inside = 0.5
slack = 1
)",
                                            "model");
  const Bill bill = price_network(make_network("ring:4"), model, 3, nullptr);
  EXPECT_EQ(bill.racks, 4U);
  // 0-1 and 2-3: 2.5 m; 1-2 and 3-0: 1 + 1.5 + 3 = 5.5 and 1 + 1.5 + 3 = 5.5 m; terminals 0.5 m
  EXPECT_DOUBLE_EQ(bill.metres, 2 * 2.5 + 2 * 5.5 + 4 * 0.5);
  EXPECT_EQ(bill.cables, (std::vector<std::uint64_t>{4, 4}));  // 3 beads are less than 1 + 2.5
  EXPECT_DOUBLE_EQ(bill.cables_price, 4 * 3 + 4 * 1.5);
  EXPECT_DOUBLE_EQ(bill.routers_price, 4 * 13);
  EXPECT_DOUBLE_EQ(bill.power, 4 * (5 + 6) + 4 * 7);
  const SwitchModel own{.name = "own", .ports = 3, .price = 100, .power = 50};
  const Bill of_models = price_network(make_network("ring:4"), model, 3, &own);
  EXPECT_DOUBLE_EQ(of_models.price(), 400 + bill.cables_price);
  EXPECT_DOUBLE_EQ(of_models.power, 200 + 28);
}

TEST(FloorPlan, TerminalsThatDoNotFitGoIntoTheNextRack) {
  const PriceModel model = read_price_model(
      "[floor]\nrack_units = 4\nrouter_units = 1\nterminal_units = 1\nracks_per_row = 9\nslack = 0\n", "m");
  // 1 + 5 things of a router: racks of 4; router 0 with 3, then 2, router 1 with 1, then 4
  const Bill bill = price_network(make_network("ring:2,p=5"), model, 6, nullptr);
  EXPECT_EQ(bill.racks, 3U);
  EXPECT_DOUBLE_EQ(bill.metres, 1 + (3 + 2 * 1) + (1 + 4 * 1));
}

/// Table IV of Besta and Hoefler, SC 2014: a Slim Fly of q = 19 with 15 endpoints a router and routers of
/// radix 43 costs 1,033 dollars and takes 8.02 W an endpoint. Endpoints are no part of its racks, 2 q routers
/// each.
TEST(FloorPlan, BuiltInPricesGiveThePublishedSlimFly) {
  const PriceModel model =
      read_price_model("[floor]\nrack_units = 38\nrouter_units = 1\nterminal_units = 0\n", "paper");
  const Network network = make_network("slimfly:q=19,p=15");
  const Bill bill = price_network(network, model, 43, nullptr);
  const double terminals = network.terminal_count();
  // cables of terminals are no part of its sum: one metre of copper each
  EXPECT_NEAR((bill.price() / terminals) - (23.084 + 16.316), 1033, 0.05 * 1033);
  EXPECT_NEAR(bill.power / terminals, 8.02, 0.005 * 8.02);
}

TEST(FloorPlan, BuiltInModelIsWhatAnEmptyFileMeans) {
  const PriceModel none = read_price_model("", "");
  const PriceModel same = read_price_model(built_in_price_model(), "built-in");
  const Network network = make_network("fattree2:8");
  EXPECT_DOUBLE_EQ(price_network(network, none, 8, nullptr).price(),
                   price_network(network, same, 8, nullptr).price());
}

TEST(FloorPlan, RefusesWhatIsNoModel) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { read_price_model(text, "m.toml"); });
  };
  EXPECT_NE(refused("[router]\nprise = 3").find("m.toml:2: no key \"prise\""), std::string::npos);
  EXPECT_NE(refused("[router]\nprice_per_port = -3").find("expected a number"), std::string::npos);
  EXPECT_NE(refused("[router]\nprice_per_port = nan").find("expected a number"), std::string::npos);
  EXPECT_NE(refused("cable = 3").find("[[cable]]"), std::string::npos);
  EXPECT_NE(refused("cable = []").find("[[cable]]"), std::string::npos);
  EXPECT_NE(refused("[[cable]]\nprice = 3").find("needs its name"), std::string::npos);
  EXPECT_NE(refused("[floor]\nrouter_units = 50").find("router_units"), std::string::npos);
  EXPECT_NE(refused("floor = 3").find("[floor]"), std::string::npos);
  EXPECT_NE(refused("currency = 3").find("expected a text"), std::string::npos);
  const PriceModel shy = read_price_model("[[cable]]\nname = \"c\"\nreach = 0.5", "m.toml");
  EXPECT_NE(refusal([&] { price_network(make_network("ring:3"), shy, 3, nullptr); }).find("no kind of cable"),
            std::string::npos);
}

TEST(SwitchModels, AreReadAndRefused) {
  const auto models = read_switch_models(
      "[[switch]]\nname = \"a\"\nports = 36\nprice = 12000\npower = 130.5\n[[switch]]\nname = \"b\"\nports = "
      "64\n",
      "s.toml");
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].name, "a");
  EXPECT_EQ(models[0].ports, 36U);
  EXPECT_DOUBLE_EQ(models[0].power, 130.5);
  EXPECT_DOUBLE_EQ(models[1].price, 0);
  const auto refused = [](const std::string& text) {
    return refusal([&] { read_switch_models(text, "s.toml"); });
  };
  EXPECT_NE(refused("").find("no [[switch]]"), std::string::npos);
  EXPECT_NE(refused("[[switch]]\nname = \"a\"").find("needs its ports"), std::string::npos);
  EXPECT_NE(refused("[[switch]]\nname = \"a\"\nports = 1").find("from 2 to 1024"), std::string::npos);
  EXPECT_NE(refused("[[switch]]\nname = \"a\"\nports = 4\n[[switch]]\nname = \"a\"\nports = 5").find("twice"),
            std::string::npos);
  EXPECT_NE(refused("[[switch]]\nname = \"a\"\nports = 4\nprize = 5").find("prize"), std::string::npos);
}

}  // namespace
}  // namespace unknot
