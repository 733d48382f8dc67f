// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/network/network.hpp"

namespace unknot {

/// The builder checks the ports of cables and terminals; this looks at those that only labels speak of.
/// Throws InputError for a port beyond the number of a router's ports, and for a service node on a port in
/// use. O(channels) time where there is such a label, else O(1).
void check_labelled_ports(const Network& network, const std::string& file);

}  // namespace unknot
