// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/switch_models.hpp"

#include <set>

#include "unknot/design/design.hpp"
#include "unknot/design/toml_keys.hpp"

namespace unknot {

std::vector<SwitchModel> read_switch_models(std::string_view text, const std::string& name) {
  const toml::table file = parse_toml(text, name);
  const TomlKeys keys(file, "the file", name);
  keys.check({"switch"});
  std::vector<SwitchModel> models;
  std::set<std::string> names;
  const std::vector<TomlKeys> tables = keys.tables("switch");
  models.reserve(tables.size());
  for (const TomlKeys& one : tables) {
    one.check({"name", "ports", "price", "power"});
    for (const char* needed : {"name", "ports"}) {
      if (!one.has(needed)) one.fail(fmt::format("a [[switch]] needs its {}", needed));
    }
    SwitchModel model;
    one.read("name", model.name);
    one.read("ports", model.ports, 2, kMostDesignRadix);
    one.read("price", model.price, 0, 1e12);
    one.read("power", model.power, 0, 1e9);
    if (!names.insert(model.name).second) one.fail(fmt::format("the name '{}' is given twice", model.name));
    models.push_back(std::move(model));
  }
  if (models.empty()) throw InputError(fmt::format("{}: no [[switch]] in it", name));
  return models;
}

}  // namespace unknot
