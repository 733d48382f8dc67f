// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"

namespace unknot {

/// Whether each port has several addresses, with paths of their own.
bool further_addresses(const Network& network);

/// Whether the tables of a network are so large that engines deal them out, all at once, where nobody says
/// otherwise: more than 100 million entries, one address for each port, and no tree by its maker. O(1).
bool dealt_by_size(const Network& network);

}  // namespace unknot
