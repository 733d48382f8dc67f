// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The tables of an engine with these parameters, "key=value,...", of its row: route() of
/// engines/catalogue.hpp where the engine is known. For engines that ask another one, with the guidance that
/// the other heeds.
///
/// InputError for guidance that the engine makes no use of; with routers without transit
/// route_without_transit() of it.
Routing run_engine(const Network& network, const Engine& engine, std::string_view parameters,
                   EngineRequest request, Progress& progress);

}  // namespace unknot
