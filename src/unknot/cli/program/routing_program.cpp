// SPDX-License-Identifier: Apache-2.0
// What the routing program has of commands and catalogues, in the place of commands.cpp and
// all_catalogues.cpp.
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

const std::vector<Command>& commands() {
#define UNKNOT_ROW(name) name##_row(),
  static const std::vector<Command> rows = {UNKNOT_ROUTING_COMMANDS(UNKNOT_ROW)};
#undef UNKNOT_ROW
  return rows;
}

const std::vector<CatalogueSource>& catalogues() {
  return routing_catalogues();
}

}  // namespace unknot::cli
