// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/design.hpp"
#include "unknot/design/floor_plan.hpp"
#include "unknot/design/toml_keys.hpp"

namespace unknot {
namespace {

constexpr double kMostMoney = 1e12;
constexpr double kMostMetres = 1e6;
constexpr double kMostWatts = 1e9;

void read_into(PriceModel& model, std::string_view text, const std::string& name) {
  const toml::table file = parse_toml(text, name);
  const TomlKeys keys(file, "the file", name);
  keys.check({"currency", "router", "cable", "floor"});
  keys.read("currency", model.currency);
  const TomlKeys router = keys.table("router");
  router.check({"price", "price_per_port", "power", "power_per_port"});
  // a line through prices may begin below 0
  router.read("price", model.router_price, -kMostMoney, kMostMoney);
  router.read("price_per_port", model.router_price_per_port, 0, kMostMoney);
  router.read("power", model.router_power, 0, kMostWatts);
  router.read("power_per_port", model.router_power_per_port, 0, kMostWatts);
  if (keys.has("cable")) model.cables.clear();
  for (const TomlKeys& one : keys.tables("cable")) {
    one.check({"name", "price", "price_per_metre", "power", "reach"});
    if (!one.has("name")) one.fail("a [[cable]] needs its name");
    CableKind kind;
    one.read("name", kind.name);
    one.read("price", kind.price, 0, kMostMoney);
    one.read("price_per_metre", kind.price_per_metre, 0, kMostMoney);
    one.read("power", kind.power, 0, kMostWatts);
    one.read("reach", kind.reach, 0, kMostMetres);
    model.cables.push_back(std::move(kind));
  }
  if (model.cables.empty()) throw InputError(fmt::format("{}: no [[cable]] in it", name));
  const TomlKeys floor = keys.table("floor");
  floor.check({"rack_units", "router_units", "terminal_units", "rack_width", "row_pitch", "racks_per_row",
               "inside", "slack"});
  FloorPlan& plan = model.floor;
  floor.read("rack_units", plan.rack_units, 1, 1e6);
  floor.read("router_units", plan.router_units, 0, plan.rack_units);
  floor.read("terminal_units", plan.terminal_units, 0, plan.rack_units);
  floor.read("rack_width", plan.rack_width, 0, kMostMetres);
  floor.read("row_pitch", plan.row_pitch, 0, kMostMetres);
  floor.read("racks_per_row", plan.racks_per_row, 0, 1'000'000);
  floor.read("inside", plan.inside, 0, kMostMetres);
  floor.read("slack", plan.slack, 0, kMostMetres);
}

}  // namespace

std::string_view built_in_price_model() {
  return R"(# Prices and power of Besta and Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014,
# section VI: lines through list prices of 40 Gb/s InfiniBand (FDR10) routers and cables of that year. Old, and of
# one maker: ratios between networks say more than sums. Put in your own.
currency = "USD of 2014"

[router]                  # 350.4 for each port less 892.3; 4 lanes a port, 0.7 W for the SerDes of each
price = -892.3
price_per_port = 350.4
power = 0
power_per_port = 2.8

[[cable]]                 # 0.5771 + 0.4079 a metre for each Gb/s
name = "copper"
price = 23.084
price_per_metre = 16.316
power = 0
reach = 7                 # metres; assumed

[[cable]]                 # 2.7452 + 0.0919 a metre for each Gb/s, transceivers included
name = "optics"
price = 109.808
price_per_metre = 3.676
power = 0
reach = 0                 # any length

[floor]                   # racks of 1 m x 1 m, cables of 1 m inside and 2 m more between racks, as there
rack_units = 42           # this, and what routers and terminals take, is assumed
router_units = 1
terminal_units = 1
rack_width = 1
row_pitch = 1
racks_per_row = 0         # as square as can be
inside = 1
slack = 2
)";
}

PriceModel read_price_model(std::string_view text, const std::string& name) {
  PriceModel model;
  read_into(model, built_in_price_model(), "built-in cost model");
  if (!text.empty()) read_into(model, text, name);
  return model;
}

}  // namespace unknot
