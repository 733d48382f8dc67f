// SPDX-License-Identifier: Apache-2.0
#include "unknot/engines/catalogue.hpp"

#include <utility>

#include "unknot/angara/engines.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/run_engine.hpp"
#include "unknot/support/catalogue.hpp"

namespace unknot {

const std::vector<Engine>& engines() {
#define UNKNOT_TABLE_ROW(name) name##_engine(),
#define UNKNOT_ROUTE_ROW(name) angara::name##_engine(),
  static const std::vector<Engine> rows{UNKNOT_TABLE_ENGINES(UNKNOT_TABLE_ROW)
                                            UNKNOT_ROUTE_ENGINES(UNKNOT_ROUTE_ROW)};
#undef UNKNOT_ROUTE_ROW
#undef UNKNOT_TABLE_ROW
  return rows;
}

const Engine& find_engine(std::string_view name) {
  return find_row(engines(), "engine", name);
}

Routing route(const Network& network, std::string_view engine_spec, EngineRequest request,
              Progress& progress) {
  const auto [name, parameters] = split_spec(engine_spec);
  return run_engine(network, find_engine(name), parameters, std::move(request), progress);
}

}  // namespace unknot
