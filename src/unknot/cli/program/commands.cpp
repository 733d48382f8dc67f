// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

const std::vector<Command>& commands() {
#define UNKNOT_ROW(name) name##_row(),
  static const std::vector<Command> rows = {UNKNOT_ROUTING_COMMANDS(UNKNOT_ROW)
                                                UNKNOT_OTHER_COMMANDS(UNKNOT_ROW)};
#undef UNKNOT_ROW
  return rows;
}

}  // namespace unknot::cli
