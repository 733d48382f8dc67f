// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/arc_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace unknot::drawing {
namespace {

Point between(Point a, Point b, double t) {
  return a + t * (b - a);
}

/// Bent to the right of its direction by so much; flat in the middle.
Curve bent(Point from, Point to, double by) {
  if (by == 0) return straight_line(from, to);
  const Point side = (by * 4 / 3) * right_of(unit(to - from));  // the middle is three quarters of it away
  return {{from, between(from, to, 0.12) + side, between(from, to, 0.88) + side, to}, false};
}

/// Distance to the nearest place but those at its ends.
double clearance(const Curve& curve, const NodeLayout& layout, double unit, std::uint32_t tail,
                 std::uint32_t head) {
  constexpr double kSpacing = 6;  // pixels between points that are looked at
  const double reach = length(curve.p[3] - curve.p[0]);
  const int points = std::clamp(static_cast<int>(reach / kSpacing), 4, 400);
  double least = std::numeric_limits<double>::max();
  for (std::uint32_t i = 0; i < layout.places.size(); ++i) {
    if (i == tail || i == head) continue;
    const Point place = unit * layout.places[i].at;
    const Point middle = between(curve.p[0], curve.p[3], 0.5);
    if (length(place - middle) > 1.5 * reach + unit) continue;  // far away
    for (int k = 0; k <= points; ++k)
      least = std::min(least, length(curve.at(static_cast<double>(k) / points) - place));
  }
  return least;
}

/// How far an arc is bent to its right, in pixels: the first way that is clear of other nodes.
double bend_of(const NodeLayout& layout, const Scale& scale, std::uint32_t tail, std::uint32_t head) {
  const Point from = scale.unit * layout.places[tail].at;
  const Point to = scale.unit * layout.places[head].at;
  const double enough = scale.radius + 2 * scale.lane;
  const double wide = 0.05 * length(to - from);
  double best = 0;
  double best_clear = clearance(straight_line(from, to), layout, scale.unit, tail, head);
  if (best_clear >= scale.radius + scale.lane + 1) return 0;
  for (const double share : {0.4, 0.6, 0.25, 0.85, 1.2}) {
    for (const double sign : {-1.0, 1.0}) {
      const double by = sign * (share * scale.unit + wide);
      const double clear = clearance(bent(from, to, by), layout, scale.unit, tail, head);
      if (clear >= enough) return by;
      if (clear > best_clear) {
        best_clear = clear;
        best = by;
      }
    }
  }
  return best;
}

}  // namespace

Curve straight_line(Point from, Point to) {
  return {{from, between(from, to, 1.0 / 3), between(from, to, 2.0 / 3), to}, true};
}

Point Curve::at(double t) const {
  const double u = 1 - t;
  return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
}

Point Curve::direction(double t) const {
  const double u = 1 - t;
  return unit(u * u * (p[1] - p[0]) + 2 * u * t * (p[2] - p[1]) + t * t * (p[3] - p[2]));
}

Curve Curve::piece(double from, double to) const {
  const auto blossom = [&](double a, double b, double c) {
    const Point p01 = between(p[0], p[1], a);
    const Point p12 = between(p[1], p[2], a);
    const Point p23 = between(p[2], p[3], a);
    return between(between(p01, p12, b), between(p12, p23, b), c);
  };
  return {{blossom(from, from, from), blossom(from, from, to), blossom(from, to, to), blossom(to, to, to)},
          straight};
}

Curve Curve::trimmed(Point tail, double tail_radius, Point head, double head_radius) const {
  // Where the curve crosses the circle, by halving; the ends are inside, the middle outside.
  const auto crossing = [&](Point centre, double radius, double inside) {
    double outside = 0.5;
    if (length(at(inside) - centre) > radius) return inside;
    for (int i = 0; i < 20; ++i) {
      const double middle = (inside + outside) / 2;
      (length(at(middle) - centre) > radius ? outside : inside) = middle;
    }
    return outside;
  };
  return piece(crossing(tail, tail_radius, 0), crossing(head, head_radius, 1));
}

std::string path_to(const Curve& curve) {
  const auto& p = curve.p;
  if (curve.straight) return fmt::format("L{} {}", number(p[3].x), number(p[3].y));
  return fmt::format("C{} {} {} {} {} {}", number(p[1].x), number(p[1].y), number(p[2].x), number(p[2].y),
                     number(p[3].x), number(p[3].y));
}

std::string pen_at(Point at) {
  return fmt::format("M{} {}", number(at.x), number(at.y));
}

std::string arrow(Point at, Point direction, double size) {
  const Point back = at - size * direction;
  const Point side = (0.5 * size) * right_of(direction);
  const Point a = back + side;
  const Point b = back - side;
  return fmt::format("M{} {}L{} {}L{} {}z", number(at.x), number(at.y), number(a.x), number(a.y), number(b.x),
                     number(b.y));
}

std::vector<Curve> arc_curves(const NodeGraph& graph, const NodeLayout& layout, const Scale& scale) {
  std::vector<Curve> curves;
  std::vector<double> bends(graph.arc_count(), 0);
  for (const ArcId a : graph.arcs()) {
    const std::uint32_t tail = layout.tail_place[a.value];
    const std::uint32_t head = layout.head_place[a.value];
    const ArcId back = graph.find(graph.head(a), graph.tail(a));
    const bool beside = back.valid() && layout.tail_place[back.value] == head;
    // Bent to the same side of the picture.
    bends[a.value] = beside && back < a ? -bends[back.value] : bend_of(layout, scale, tail, head);
    const Point from = scale.unit * layout.places[tail].at;
    const Point to = scale.unit * layout.places[head].at;
    const Point lane = beside ? scale.lane * right_of(unit(to - from)) : Point{};
    Curve curve = bent(from, to, bends[a.value]);
    for (Point& point : curve.p) point = point + lane;
    curves.push_back(curve.trimmed(from, scale.radius, to, scale.radius));
  }
  return curves;
}

}  // namespace unknot::drawing
