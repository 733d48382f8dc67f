// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "unknot/support/files/append.hpp"

namespace unknot::drawing {

/// A place on the picture, or a direction: x to the right, y down.
struct Point {
  double x = 0;
  double y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};
double length(Point p);
/// Of length 1; (1, 0) for the zero vector.
Point unit(Point p);
/// Turned to the right by a quarter, as seen on the picture.
inline Point right_of(Point p) {
  return {-p.y, p.x};
}

/// Text between tags or in quotes. What XML cannot hold, control characters and bytes that are no UTF-8,
/// becomes U+FFFD, so that any name gives a well-formed document.
std::string escaped(std::string_view text);

/// At most this many characters (not bytes) of a text, the last one "…" where it is longer.
std::string shortened(std::string_view text, std::size_t most);

/// A number with one decimal at most; never "-0".
std::string number(double value);

/// Text that grows by pieces in the manner of fmt.
class SvgText {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    append(text_, format, std::forward<Args>(args)...);
  }
  void add_raw(std::string_view text) { text_ += text; }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

/// The whole document around a body: size in pixels, style sheet for light and dark, background, and the
/// title, which is also drawn at the top left: the body begins kTitleHeight below the upper border. Wide
/// enough for the title.
std::string svg_document(double width, double height, const std::string& title, std::string_view body);
inline constexpr double kTitleHeight = 44;
inline constexpr double kMargin = 16;  ///< on all sides

/// Messages are told apart by 8 colours, which remain different to people who are colour-blind (after Okabe
/// and Ito 2008, yellow and black replaced), and by 4 kinds of dashes. Then all over again.
inline constexpr std::uint32_t kHues = 8;
inline constexpr std::uint32_t kDashes = 4;
/// Classes of the style sheet for a line in the n-th colour: "c3", "c3 d1".
std::string line_class(std::uint32_t n);
/// For an area: "f3". Its text: "t3".
std::string area_class(std::uint32_t n);
std::string text_class(std::uint32_t n);

}  // namespace unknot::drawing
