// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/route_code.hpp"

namespace unknot::angara {
namespace {

/// Steps in direction order, each dimension one way only.
bool put_steps(const Torus& torus, std::span<const Direction> directions, RouteCode& code) {
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Direction d = directions[i];
    if (i > 0 && d < directions[i - 1]) return false;
    const std::uint32_t along = torus.dimension(d);
    const std::int32_t before = code.steps(along);
    if (before >= 127 || before <= -127 || (before != 0 && (before > 0) != torus.positive(d))) return false;
    code.set_steps(along, before + (torus.positive(d) ? 1 : -1));
  }
  return true;
}

}  // namespace

std::optional<RouteCode> encode(const Torus& torus, std::span<const Direction> directions) {
  for (const auto& [first, last] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    const std::size_t special = (first ? 1U : 0U) + (last ? 1U : 0U);
    if (directions.size() < special) continue;
    RouteCode code;
    if (first) {
      if (!torus.positive(directions.front())) continue;
      code.set_first_step(directions.front());
    }
    if (last) {
      if (torus.positive(directions.back())) continue;
      code.set_last_step(directions.back());
    }
    if (put_steps(torus, directions.subspan(first ? 1 : 0, directions.size() - special), code)) return code;
  }
  return std::nullopt;
}

}  // namespace unknot::angara
