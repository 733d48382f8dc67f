// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/places.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace unknot::report {
namespace {

constexpr std::uint32_t kMostSearched = 400;

std::vector<drawing::Point> numbered_circle(std::uint32_t routers) {
  const double radius = 0.62 / (2 * std::sin(std::numbers::pi / routers));
  std::vector<drawing::Point> places;
  for (std::uint32_t r = 0; r < routers; ++r) {
    const double angle = 2 * std::numbers::pi * r / routers - std::numbers::pi / 2;
    places.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return places;
}

}  // namespace

std::vector<drawing::Point> router_places(const Network& network) {
  if (auto grid = drawing::grid_places(network)) return std::move(*grid);
  if (auto stages = drawing::stage_places(network)) return std::move(stages->places);
  if (auto layers = drawing::layer_places(network)) return std::move(*layers);
  return network.router_count() <= kMostSearched ? drawing::circle_places(network)
                                                 : numbered_circle(network.router_count());
}

}  // namespace unknot::report
