// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// Output of ibnetdiscover(8), grouped by chassis or not. See assemble() for what is checked, docs/formats.md
/// for the grammar.
Network read_ibnetdiscover(std::string_view text, const std::string& name);
/// The same of several subnets in one text, which no cable joins.
Network read_ibnetdiscover_parts(std::string_view text, const std::string& name);

/// The text ibnetdiscover prints for the network, without a date: the same network gives the same bytes, and
/// what read_ibnetdiscover() makes of them gives them again. Throws InputError for one-way channels.
std::string write_ibnetdiscover(const Network& network);

}  // namespace unknot
