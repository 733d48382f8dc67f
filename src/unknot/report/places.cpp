// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/places.hpp"

#include <algorithm>
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

/// Layers as far apart as the page has room for: flat cables are hard to tell apart.
std::vector<drawing::Point> deepened(std::vector<drawing::Point> places) {
  constexpr double kShape = 0.4;  // height over width
  double right = 0;
  double bottom = 0;
  for (const drawing::Point p : places) {
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  const double stretch = bottom > 0 ? std::max(1.0, kShape * right / bottom) : 1.0;
  for (drawing::Point& p : places) p.y *= stretch;
  return places;
}

}  // namespace

std::vector<drawing::Point> router_places(const Network& network) {
  if (auto grid = drawing::grid_places(network)) return std::move(*grid);
  if (auto stages = drawing::stage_places(network)) return std::move(stages->places);
  if (auto layers = drawing::layer_places(network)) return deepened(std::move(*layers));
  return network.router_count() <= kMostSearched ? drawing::circle_places(network)
                                                 : numbered_circle(network.router_count());
}

}  // namespace unknot::report
