// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/angara/route_balance.hpp"
#include "unknot/angara/system.hpp"

// Channel weights from the dual of the linear program that minimises the maximum load when each pair may
// split its packets over its shortest routes.
namespace unknot::angara {

/// Of the program as it is: a row for each channel and open pair, a column for each open pair's route. By
/// slot; empty where Clp finds no optimum in this many seconds.
std::vector<double> weights_of_program(const System& system, const RouteBalance& balance, double seconds);

/// Of the program folded by the translations along rings: sources at the origin of all rings stand for all,
/// and a channel is known by its direction and its coordinates along the dimensions of size 2. For tori
/// without failures it has the same optimum; for others its weights are as valid, but may prove little. Empty
/// where a program of more than `most_columns` routes would be needed, or Clp finds no optimum in this many
/// seconds.
std::vector<double> weights_of_folded_program(const System& system, const RouteChoices& choices,
                                              std::uint64_t most_columns, double seconds);

}  // namespace unknot::angara
