// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {

/// What a spec is refused with; nothing where it makes a network.
inline std::string refusal(std::string_view spec) {
  try {
    (void)make_network(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace unknot
