// SPDX-License-Identifier: Apache-2.0
#include "unknot/engines/catalogue.hpp"

#include <utility>

#include "unknot/angara/engines.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/run_engine.hpp"
#include "unknot/support/find_row.hpp"

namespace unknot {

const std::vector<Engine>& engines() {
#define UNKNOT_ROW(name) name##_engine(),
  static const std::vector<Engine> rows{UNKNOT_TABLE_ENGINES(UNKNOT_ROW) UNKNOT_ROUTE_ENGINES(UNKNOT_ROW)};
#undef UNKNOT_ROW
  return rows;
}

const Engine& find_engine(std::string_view name) {
  return find_row(engines(), "engine", name);
}

Routing route(const Network& network, std::string_view engine_spec, EngineRequest request,
              Progress& progress) {
  const std::size_t colon = engine_spec.find(':');
  const Engine& engine = find_engine(engine_spec.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? "" : engine_spec.substr(colon + 1);
  return run_engine(network, engine, rest, std::move(request), progress);
}

}  // namespace unknot
