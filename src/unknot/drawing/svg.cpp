// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/svg.hpp"

#include "unknot/support/files/append.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace unknot::drawing {
namespace {

struct Hue {
  const char* light;
  const char* light_text;  ///< on an area of that colour
  const char* dark;
};
constexpr std::array<Hue, kHues> kPalette = {{{"#0072b2", "#fff", "#4aa9e8"},
                                              {"#d55e00", "#fff", "#ff8440"},
                                              {"#009e73", "#fff", "#2fc49a"},
                                              {"#cc79a7", "#000", "#e59acb"},
                                              {"#e69f00", "#000", "#f5bb3d"},
                                              {"#56b4e9", "#000", "#9ad6fa"},
                                              {"#882255", "#fff", "#d06a9b"},
                                              {"#7a6a00", "#fff", "#c9bc3a"}}};

constexpr const char* kShapes = R"(
svg{font-family:system-ui,"DejaVu Sans",sans-serif;font-size:12px}
.title{font-size:1.35em;font-weight:600}
.head{font-size:1.1em;font-weight:600}
.small{font-size:.85em}
.tiny{font-size:.75em}
.mid{text-anchor:middle}
.end{text-anchor:end}
.label{font-size:.9em;font-weight:600;text-anchor:middle;paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}
.net path{fill:none;stroke-width:1.1px}
.way{fill:none;stroke-width:2.6px;stroke-linejoin:round}
.fine .way{stroke-width:1.6px}
.tip{stroke:none}
.node{stroke-width:1.3px}
.new{stroke-width:3.4px}
.clash{fill:none;stroke-width:2.4px}
.d1{stroke-dasharray:7 3}
.d2{stroke-dasharray:2.5 2.5}
.d3{stroke-dasharray:9 3 2 3}
)";

constexpr const char* kLight = R"(.paper{fill:#fff}
text{fill:#1b1f24}
.dim{fill:#59636e}
.net path{stroke:#c3c9d0}
.net .tip,.idle{fill:#c3c9d0}
.frame{fill:none;stroke:#d9dee3}
.band{fill:#f3f5f7}
.bar{fill:#8c96a0}
.node{fill:#fff;stroke:#59636e}
.switch{fill:#eceff2}
.label{stroke:#fff}
.has{fill:#c5d0db}
.has+.label{stroke:#c5d0db}
.sends{fill:#33414e;stroke:#33414e}
.inverse{fill:#fff;stroke:#33414e}
.new{fill:#fff6d6;stroke:#b06000}
.clash{stroke:#c00000}
)";

constexpr const char* kDark = R"(.paper{fill:#14181d}
text{fill:#e8ecf0}
.dim{fill:#9aa5b1}
.net path{stroke:#48525d}
.net .tip,.idle{fill:#48525d}
.frame{fill:none;stroke:#333c46}
.band{fill:#1c2229}
.bar{fill:#76828e}
.node{fill:#14181d;stroke:#9aa5b1}
.switch{fill:#262e37}
.label{stroke:#14181d}
.has{fill:#4a5866}
.sends{fill:#dfe6ec;stroke:#dfe6ec}
.inverse{fill:#14181d;stroke:#dfe6ec}
.new{fill:#3d3212;stroke:#ffb84d}
.clash{stroke:#ff6b6b}
)";

std::string palette(bool dark) {
  std::string text;
  for (std::uint32_t i = 0; i < kHues; ++i) {
    const Hue& hue = kPalette[i];
    const char* colour = dark ? hue.dark : hue.light;
    append(text, ".c{0}{{stroke:{1}}}.c{0}.tip,.f{0}{{fill:{1}}}.t{0}{{fill:{2}}}\n", i, colour,
           dark ? "#000" : hue.light_text);
  }
  return text;
}

/// Bytes of the character that text begins with; 0 where they are none that XML takes.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    const bool taken = (first >= 0x20 && first != 0x7F) || first == '\t' || first == '\n' || first == '\r';
    return taken ? 1 : 0;
  }
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  std::uint32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool control = code < 0xA0;
  const bool taken =
      code >= kLeast[bytes] && code <= 0x10FFFF && !surrogate && !control && code != 0xFFFE && code != 0xFFFF;
  return taken ? bytes : 0;
}

/// A character as it is written in a document.
std::string_view as_entity(std::string_view one) {
  if (one == "&") return "&amp;";
  if (one == "<") return "&lt;";
  if (one == ">") return "&gt;";
  if (one == "\"") return "&quot;";
  if (one == "'") return "&#39;";
  return one;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

}  // namespace

double length(Point p) {
  return std::hypot(p.x, p.y);
}

Point unit(Point p) {
  const double size = length(p);
  if (size == 0) return {1, 0};
  return {p.x / size, p.y / size};
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = character(text);
    const std::string_view one = text.substr(0, bytes);
    result += bytes == 0 ? "\xEF\xBF\xBD" : as_entity(one);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string result;
  std::size_t count = 0;
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(character(text), 1);
    if (++count == most && bytes < text.size()) return result + "\xE2\x80\xA6";
    result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

std::string number(double value) {
  const double rounded = std::round(value * 10) / 10;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string line_class(std::uint32_t n) {
  const std::uint32_t dash = n / kHues % kDashes;
  return dash == 0 ? fmt::format("c{}", n % kHues) : fmt::format("c{} d{}", n % kHues, dash);
}
std::string area_class(std::uint32_t n) {
  return fmt::format("f{}", n % kHues);
}
std::string text_class(std::uint32_t n) {
  return fmt::format("t{}", n % kHues);
}

std::string svg_document(double width, double height, const std::string& title, std::string_view body) {
  const std::string shown = shortened(title, 120);
  width = std::max(width, 2 * kMargin + 10.6 * static_cast<double>(character_count(shown)));
  SvgText text;
  text.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  text.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\">\n<title>{2}</title>\n<style>",
      number(width), number(height), escaped(title));
  text.add_raw(kShapes);
  text.add_raw(kLight);
  text.add_raw(palette(false));
  text.add_raw("@media (prefers-color-scheme:dark){\n");
  text.add_raw(kDark);
  text.add_raw(palette(true));
  text.add_raw("}\n</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
  text.add("<text class=\"title\" x=\"{}\" y=\"29\">{}</text>\n", number(kMargin), escaped(shown));
  text.add_raw(body);
  text.add_raw("</svg>\n");
  return std::move(text).take();
}

}  // namespace unknot::drawing
