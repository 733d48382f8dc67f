// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Every engine, in the order in which they are listed.
const std::vector<Engine>& engines();
/// Row of that name; InputError with the near names otherwise.
const Engine& find_engine(std::string_view name);

/// Runs "name" or "name:key=value,..." and returns its tables. Throws InputError for a wrong spec and
/// RoutingFailure for a negative answer. `request.parameters` is replaced by those of the spec. A network in
/// several parts is routed part by part (route_parts.hpp): pairs in different parts have no entry.
Routing route(const Network& network, std::string_view engine_spec, EngineRequest request,
              Progress& progress);

}  // namespace unknot
