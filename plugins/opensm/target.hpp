// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric.hpp"

namespace unknot::opensm {

/// One LID that packets are sent to.
struct Target {
  bool is_switch = false;
  std::uint32_t index = 0;     ///< among the fabric's switches or adapters
  std::uint16_t lid = 0;       ///< now
  std::uint16_t file_lid = 0;  ///< in the tables; 0: they have no row for it

  /// Switch whose port 0 it is, or that it is attached to.
  [[nodiscard]] std::uint32_t home(const unknot_fabric& fabric) const {
    return is_switch ? index : fabric.adapters[index].at_switch;
  }
};

}  // namespace unknot::opensm
