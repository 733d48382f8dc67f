// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "unknot/network/network.hpp"

namespace unknot::test {

/// A config.ini of gem5 with the network's routers, links and terminals, and weights by channel. Parallel
/// links cannot be in one.
std::string garnet_text(const Network& network, std::span<const std::uint32_t> weights);

}  // namespace unknot::test
