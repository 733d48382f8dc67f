// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/routing/model/engine.hpp"

namespace unknot {

/// The engines that compute forwarding tables, in the order in which they are listed. A new one is a file
/// beside this one that defines NAME_engine(), and its name here:
/// docs/add-an-engine.md walks through it.
// clang-format off
#define UNKNOT_TABLE_ENGINES(row) \
  row(unknot) row(minhop) row(updn) row(dnup) row(dor) row(ftree) row(clos) row(lash) row(sssp) row(dfsssp) \
  row(dfsssp_online) row(nue) row(exact) row(layers) row(source_routed)
// clang-format on

#define UNKNOT_DECLARE_ENGINE(name) Engine name##_engine();
UNKNOT_TABLE_ENGINES(UNKNOT_DECLARE_ENGINE)
#undef UNKNOT_DECLARE_ENGINE

}  // namespace unknot
