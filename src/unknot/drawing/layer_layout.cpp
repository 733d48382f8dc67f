// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unknot/drawing/node_layout.hpp"
#include "unknot/network/bfs.hpp"

namespace unknot::drawing {
namespace {

constexpr double kApart = 0.7;  // of neighbours in the widest layer

/// Distance of two layers: more for wide pictures, so that cables are not too flat.
double layer_height(std::size_t widest) {
  return std::max(1.3, 0.1 * static_cast<double>(widest));
}

/// Layers from the top, each spread over the same width.
std::vector<Point> spread(const std::vector<std::vector<std::uint32_t>>& layers, std::uint32_t routers) {
  std::size_t widest = 0;
  for (const auto& layer : layers) widest = std::max(widest, layer.size());
  const double width = kApart * static_cast<double>(widest);
  std::vector<Point> places(routers);
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    for (std::size_t i = 0; i < layers[depth].size(); ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(layers[depth].size());
      places[layers[depth][i]] = {width * share, static_cast<double>(depth) * layer_height(widest)};
    }
  }
  return places;
}

/// Orders each layer by where the routers below that it is cabled to are, from the second lowest up; routers
/// of the lowest, and those that see the same, stay in order of their numbers.
void order_by_below(const Network& network, std::vector<std::vector<std::uint32_t>>& layers) {
  std::vector<double> share(network.router_count(), -1);  // of the width; below 0: not placed yet
  for (std::size_t depth = layers.size(); depth-- > 0;) {
    auto& layer = layers[depth];
    std::vector<double> middle(network.router_count(), 0);
    for (const std::uint32_t r : layer) {
      double sum = 0;
      double count = 0;
      for (const ChannelId c : network.out(RouterId(r))) {
        const double below = share[network.target(c).value];
        if (below < 0) continue;
        sum += below;
        count += 1;
      }
      if (count > 0) middle[r] = sum / count;
    }
    // Sums in another order must not order what sees the same.
    constexpr double kSame = 1e-6;
    std::stable_sort(layer.begin(), layer.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::llround(middle[a] / kSame) < std::llround(middle[b] / kSame);
    });
    for (std::size_t i = 0; i < layer.size(); ++i)
      share[layer[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(layer.size());
  }
}

bool is_tree(const Network& network) {
  if (network.router_count() < 3 || network.channel_count() != 2 * (network.router_count() - 1)) return false;
  for (const ChannelId c : network.channels()) {
    if (!network.reverse(c).valid()) return false;
  }
  BreadthFirstSearch search(network);
  search.from(RouterId(0));
  return search.order().size() == network.router_count();
}

/// Root in the centre, leaves side by side, every parent above the middle of its children.
class TreePlaces {
 public:
  explicit TreePlaces(const Network& network) : network_(network), places_(network.router_count()) {
    RouterId root(0);
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    BreadthFirstSearch search(network);
    for (const RouterId r : network.routers()) {
      search.from(r);
      if (search.eccentricity() < least) {
        least = search.eccentricity();
        root = r;
      }
    }
    place(root, RouterId(), 0);
    const double height = layer_height(static_cast<std::size_t>(next_leaf_));
    for (Point& p : places_) p = {kApart * p.x, height * p.y};
  }
  [[nodiscard]] std::vector<Point> take() && { return std::move(places_); }

 private:
  void place(RouterId r, RouterId parent, double depth) {
    double first = 0;
    double last = 0;
    std::uint32_t children = 0;
    for (const ChannelId c : network_.out(r)) {
      const RouterId child = network_.target(c);
      if (child == parent) continue;
      place(child, r, depth + 1);
      last = places_[child.value].x;
      if (children++ == 0) first = last;
    }
    places_[r.value] = {children == 0 ? next_leaf_++ : (first + last) / 2, depth};
  }

  const Network& network_;
  std::vector<Point> places_;
  double next_leaf_ = 0;
};

/// Levels of a network that does not say them, as those read from a fabric: hops from the nearest router with
/// terminals. Empty where every router has some, or where a channel joins two routers of one level.
std::vector<std::uint32_t> levels_above_terminals(const Network& network) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> level(network.router_count(), kNone);
  std::vector<RouterId> queue;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    level[r.value] = 0;
    queue.push_back(r);
  }
  if (queue.size() == network.router_count()) return {};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId c : network.out(queue[i])) {
      const RouterId next = network.target(c);
      if (level[next.value] == level[queue[i].value]) return {};
      if (level[next.value] != kNone) continue;
      level[next.value] = level[queue[i].value] + 1;
      queue.push_back(next);
    }
  }
  return queue.size() == network.router_count() ? level : std::vector<std::uint32_t>();
}

}  // namespace

std::vector<std::uint32_t> router_levels(const Network& network) {
  std::vector<std::uint32_t> levels(network.levels().begin(), network.levels().end());
  return levels.empty() ? levels_above_terminals(network) : levels;
}

std::optional<std::vector<Point>> layer_places(const Network& network) {
  if (network.levels().empty() && is_tree(network)) return TreePlaces(network).take();
  const std::vector<std::uint32_t> levels = router_levels(network);
  if (levels.empty()) return std::nullopt;
  const std::uint32_t top = *std::max_element(levels.begin(), levels.end());
  std::vector<std::vector<std::uint32_t>> layers(std::size_t{top} + 1);
  for (const RouterId r : network.routers()) layers[top - levels[r.value]].push_back(r.value);
  order_by_below(network, layers);
  return spread(layers, network.router_count());
}

std::optional<StagePlaces> stage_places(const Network& network) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const auto is_leaf = [&](RouterId r) { return network.terminals_at(r).size() > 0; };
  std::vector<std::uint32_t> stage(network.router_count(), kNone);
  std::vector<RouterId> queue;
  std::vector<std::vector<std::uint32_t>> columns(1);
  for (const RouterId r : network.routers()) {
    if (!is_leaf(r)) continue;
    stage[r.value] = 0;
    queue.push_back(r);
    columns[0].push_back(r.value);
  }
  if (queue.size() == network.router_count()) return std::nullopt;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId c : network.out(queue[i])) {
      const RouterId next = network.target(c);
      if (network.reverse(c).valid()) return std::nullopt;
      if (is_leaf(next)) continue;
      if (stage[next.value] == kNone) {
        stage[next.value] = stage[queue[i].value] + 1;
        queue.push_back(next);
      } else if (stage[next.value] != stage[queue[i].value] + 1) {
        return std::nullopt;
      }
    }
  }
  if (queue.size() < network.router_count()) return std::nullopt;
  for (const RouterId r : network.routers()) {
    if (is_leaf(r)) continue;
    columns.resize(std::max<std::size_t>(columns.size(), std::size_t{stage[r.value]} + 1));
    columns[stage[r.value]].push_back(r.value);
  }
  columns.push_back(columns[0]);

  StagePlaces result{std::vector<Point>(network.router_count()),
                     std::vector<std::optional<Point>>(network.router_count())};
  std::size_t tallest = 0;
  for (const auto& column : columns) tallest = std::max(tallest, column.size());
  for (std::size_t s = 0; s < columns.size(); ++s) {
    for (std::size_t i = 0; i < columns[s].size(); ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(columns[s].size());
      const Point at{static_cast<double>(s) * layer_height(tallest),
                     kApart * static_cast<double>(tallest) * share};
      if (s + 1 == columns.size()) {
        result.second[columns[s][i]] = at;
      } else {
        result.places[columns[s][i]] = at;
      }
    }
  }
  return result;
}

}  // namespace unknot::drawing
