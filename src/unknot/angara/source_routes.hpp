// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "unknot/angara/route_code.hpp"
#include "unknot/angara/torus.hpp"
#include "unknot/tables/source_routes.hpp"

namespace unknot::angara {

/// Codes of all pairs, source-major, as the channels they stand for. A code without steps stands for no
/// route; a route ends where a channel is missing. O(channels of all routes), parallel over sources.
std::shared_ptr<const SourceRoutes> to_source_routes(const Torus& torus, std::span<const RouteCode> table,
                                                     std::uint32_t threads);

/// The way back from channels to codes.
class RouteEncoder {
 public:
  /// O(slots). The torus must outlive it.
  explicit RouteEncoder(const Torus& torus);
  /// Nothing where no header can hold the route: a channel that does not follow the one before, or an order
  /// of directions that the header does not allow. O(channels).
  [[nodiscard]] std::optional<RouteCode> code(std::uint32_t node, std::span<const ChannelId> route) const;

 private:
  const Torus* torus_;
  std::vector<std::uint32_t> slot_of_;  // by channel
};

}  // namespace unknot::angara
