// SPDX-License-Identifier: Apache-2.0
// The nodes that fuzz targets of schedules and plans have them carried out on.
#pragma once

#include <memory>

#include "table_fuzz_fabric.hpp"
#include "unknot/collective/model/node_graph.hpp"

namespace unknot::fuzz {

inline const std::shared_ptr<const NodeGraph>& node_graph() {
  static const auto nodes = std::make_shared<const NodeGraph>(table_fabric());
  return nodes;
}

}  // namespace unknot::fuzz
