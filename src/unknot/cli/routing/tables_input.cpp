// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/tables_input.hpp"

#include <fmt/format.h>

#include <string_view>

#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/carry_over.hpp"

namespace unknot::cli {

Routing read_routing(const Network& network, const TablesInput& input, std::optional<LidMap>* told) {
  return read_routing(network, input.tables, input.lanes, input.lane_map, told);
}

Routing read_routing_within(const Network& whole, const Network& part, const TablesInput& input) {
  try {
    return read_routing(part, input);
  } catch (const InputError& misfit) {
    try {
      return carry_over(whole, read_routing(whole, input), part, compare_networks(whole, part));
    } catch (const InputError& other) {
      if (std::string_view(misfit.what()) == other.what()) throw;
      throw InputError(fmt::format("{}; and as tables of the whole fabric: {}", misfit.what(), other.what()));
    }
  }
}

}  // namespace unknot::cli
