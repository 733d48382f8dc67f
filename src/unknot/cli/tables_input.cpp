// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/tables_input.hpp"

#include "unknot/formats/catalogue.hpp"

namespace unknot::cli {

Routing read_routing(const Network& network, const TablesInput& input, std::optional<LidMap>* told) {
  return read_routing(network, input.tables, input.lanes, input.lane_map, told);
}

}  // namespace unknot::cli
