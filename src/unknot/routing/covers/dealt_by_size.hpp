// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/network/network.hpp"

namespace unknot {

/// Whether each port has several addresses, with paths of their own.
bool further_addresses(const Network& network);

/// Whether the tables of a network are so large that engines deal them out, all at once, where nobody says
/// otherwise: more than 100 million entries, one address for each port, and no tree by its maker. O(1).
bool dealt_by_size(const Network& network);

/// Whether an engine with a parameter `paths` of this value deals: `dealt`, and `auto` by size. `lost`: what
/// is asked for that dealing makes no use of, or ""; InputError where that is asked for beside `dealt`, and
/// no dealing with `auto`.
bool deals(const Network& network, const std::string& engine, const std::string& paths,
           const std::string& lost);

}  // namespace unknot
