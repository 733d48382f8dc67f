// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/routing/model/engine.hpp"

namespace unknot::angara {

/// The engines that compute source routes of tori, in the order in which they are listed: as
/// UNKNOT_TABLE_ENGINES.
// clang-format off
#define UNKNOT_ROUTE_ENGINES(row) \
  row(bfs) row(genetic) row(sssp) row(opt)
// clang-format on

#define UNKNOT_DECLARE_ENGINE(name) Engine name##_engine();
UNKNOT_ROUTE_ENGINES(UNKNOT_DECLARE_ENGINE)
#undef UNKNOT_DECLARE_ENGINE

}  // namespace unknot::angara
