// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"

namespace unknot::testing_networks {

using Ends = std::pair<std::uint32_t, std::uint32_t>;

/// Routers joined by cables, `each` terminals on all of them.
inline Network cables(std::uint32_t routers, const std::vector<Ends>& ends, std::uint32_t each = 1) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (const auto& [a, b] : ends) builder.add_cable(RouterId(a), RouterId(b));
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = 0; i < each; ++i) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

/// The same with one-way channels.
inline Network channels(std::uint32_t routers, const std::vector<Ends>& ends) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (const auto& [a, b] : ends) builder.add_channel(RouterId(a), RouterId(b));
  for (std::uint32_t r = 0; r < routers; ++r) builder.add_terminal(RouterId(r));
  return std::move(builder).build();
}

}  // namespace unknot::testing_networks
