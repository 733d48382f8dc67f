// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The tables of an engine with these parameters, "key=value,...", of its row: route() of
/// engines/catalogue.hpp where the engine is known. For engines that ask another one.
Routing run_engine(const Network& network, const Engine& engine, std::string_view parameters,
                   EngineRequest request, Progress& progress);

}  // namespace unknot
