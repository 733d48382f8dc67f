// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/output/output.hpp"
#include "unknot/load/address_spread.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::cli {

/// What an engine has made for a network whose terminals have several addresses: there they are terminals of
/// their own (addressed_network()). Files are written from this.
struct AddressedRun {
  std::uint32_t lmc = 0;
  Network network;
  Routing routing;
  AddressSpread spread;
  /// Of the busiest channel, where each pair sends evenly over all addresses: pairs of terminals.
  double max_load = 0;
};

/// With the spread that `routing`, of the network itself, has (with_further_addresses()).
void measure_addresses(AddressedRun& run, const Network& network, const Routing& routing,
                       std::uint32_t threads);

/// Adds "address_spread", beside the number that the verdict tells.
void add_addresses(Json& document, const AddressedRun& run);
/// One line for people.
std::string addresses_text(const AddressedRun& run);

}  // namespace unknot::cli
