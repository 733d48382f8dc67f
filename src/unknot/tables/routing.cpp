// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/routing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/support/error.hpp"

namespace unknot {

void require_fit(const Network& network, const Routing& routing) {
  if (routing.routes() != nullptr) {
    if (routing.routes()->terminal_count() != network.terminal_count())
      throw InputError("the source routes were made for another network");
  } else if (routing.table().router_count() != network.router_count() ||
             routing.table().terminal_count() != network.terminal_count()) {
    throw InputError("the forwarding tables were made for another network");
  }
  const ServiceLevels& levels = routing.service_levels;
  if (levels.row_count() > 0 && levels.row(0).size() != network.terminal_count())
    throw InputError("the service levels were made for another network");
}

void limit_lanes(Routing& routing, std::uint32_t lanes) {
  routing.data_lanes = std::min(routing.data_lanes, lanes);
  for (Routing& further : routing.further) limit_lanes(further, lanes);
}

void require_tables(const Routing& routing, const char* what) {
  if (routing.routes() == nullptr) return;
  throw InputError(
      fmt::format("{} needs forwarding tables by destination, and {} gives each pair a route of its own",
                  what, routing.engine));
}

}  // namespace unknot
