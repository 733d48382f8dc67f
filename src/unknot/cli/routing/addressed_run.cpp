// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/addressed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace unknot::cli {

void measure_addresses(AddressedRun& run, const Network& network, const Routing& routing,
                       std::uint32_t threads) {
  run.spread = address_spread(network, routing, threads);
  const std::vector<std::uint64_t> load = load_of_addresses(network, routing, threads);
  const std::uint64_t most = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  run.max_load = static_cast<double>(most) / run.spread.addresses;
}

void add_addresses(Json& document, const AddressedRun& run) {
  document["address_spread"] = {{"different_paths", run.spread.different},
                                {"disjoint_paths", run.spread.disjoint},
                                {"max_load", run.max_load}};
}

std::string addresses_text(const AddressedRun& run) {
  return fmt::format(
      "{} addresses of each host (LMC {}): {:.2f} different paths a pair, {:.2f} without a common channel; "
      "{:.1f} pairs on the busiest channel where all are used evenly, the loads above are of the lowest\n",
      run.spread.addresses, run.lmc, run.spread.different, run.spread.disjoint, run.max_load);
}

}  // namespace unknot::cli
