// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "unknot/drawing/node_layout.hpp"

namespace unknot::drawing {

/// A cubic curve; straight where the two points in the middle lie on the line.
struct Curve {
  std::array<Point, 4> p;
  bool straight = true;

  [[nodiscard]] Point at(double t) const;
  [[nodiscard]] Point direction(double t) const;  ///< of length 1
  /// The piece from one parameter to another.
  [[nodiscard]] Curve piece(double from, double to) const;
  /// The piece outside two circles around its ends.
  [[nodiscard]] Curve trimmed(Point tail, double tail_radius, Point head, double head_radius) const;
};
Curve straight_line(Point from, Point to);

/// "L x y" or "C x1 y1 x2 y2 x y": from where the pen is.
std::string path_to(const Curve& curve);
/// "M x y".
std::string pen_at(Point at);
/// A triangle with its point at `at`.
std::string arrow(Point at, Point direction, double size);

/// Sizes in a picture, in pixels.
struct Scale {
  double unit = 64;    ///< one unit of a NodeLayout
  double radius = 12;  ///< of a node
  double lane = 3.2;   ///< how far to the right a direction is drawn, so that both of a cable can be seen
};

/// The curve of every arc, from border to border of its nodes, by arc. Straight where no other node is near;
/// else bent to where the other nodes are farthest, both directions alike. O(arcs * nodes).
std::vector<Curve> arc_curves(const NodeGraph& graph, const NodeLayout& layout, const Scale& scale);

}  // namespace unknot::drawing
