// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/places.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
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

/// Routers of each layer from left to right.
std::map<double, std::vector<std::uint32_t>> layers_of(const std::vector<drawing::Point>& places) {
  std::map<double, std::vector<std::uint32_t>> layers;
  for (std::uint32_t r = 0; r < places.size(); ++r) layers[places[r].y].push_back(r);
  for (auto& [y, layer] : layers)
    std::stable_sort(layer.begin(), layer.end(), [&](auto a, auto b) { return places[a].x < places[b].x; });
  return layers;
}

/// Whether one group begins again after another.
bool mixes(const std::vector<std::uint32_t>& layer, const std::vector<std::uint32_t>& group) {
  std::set<std::uint32_t> ended;
  for (std::size_t i = 1; i < layer.size(); ++i) {
    if (group[layer[i]] == group[layer[i - 1]]) continue;
    ended.insert(group[layer[i - 1]]);
    if (ended.contains(group[layer[i]])) return true;
  }
  return false;
}

}  // namespace

void gather_groups(std::vector<drawing::Point>& places, const std::vector<std::uint32_t>& group) {
  const auto layers = layers_of(places);
  if (std::none_of(layers.begin(), layers.end(),
                   [&](const auto& layer) { return mixes(layer.second, group); }))
    return;
  const std::vector<drawing::Point> before = places;
  for (const auto& [y, layer] : layers) {
    std::vector<std::uint32_t> sorted = layer;
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return group[a] < group[b]; });
    for (std::size_t i = 0; i < layer.size(); ++i) places[sorted[i]] = before[layer[i]];
  }
}

RouterPlaces router_places(const Network& network) {
  if (auto grid = drawing::grid_places(network)) return {std::move(*grid), "grid"};
  if (auto stages = drawing::stage_places(network)) return {std::move(stages->places), "stages"};
  if (auto layers = drawing::layer_places(network)) return {deepened(std::move(*layers)), "layers"};
  constexpr std::uint32_t kSmall = 24;  // routers whose cables can be told apart across a circle
  const std::uint32_t routers = network.router_count();
  const bool circle = routers <= kSmall || drawing::numbered_around(network);
  if (circle && routers <= kMostSearched) return {drawing::circle_places(network), "circle"};
  return {numbered_circle(routers), circle ? "circle" : "free"};
}

}  // namespace unknot::report
