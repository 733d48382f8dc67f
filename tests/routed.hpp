// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/engines/catalogue.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// The routing of an engine, which may use all lanes there can be unless told otherwise.
inline Routing routed(const Network& network, const std::string& engine, std::uint32_t lanes = kMaxLanes) {
  Progress quiet;
  return route(network, engine, {.virtual_lanes = lanes, .parameters = {}}, quiet);
}

}  // namespace unknot
