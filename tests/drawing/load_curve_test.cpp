// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/load_curve.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "drawing/xml.hpp"

namespace unknot::drawing {
namespace {

using testing::Element;
using testing::XmlParser;

double at(const Element& element, const char* name) {
  return std::strtod(element.attribute(name).c_str(), nullptr);
}

LoadCurve some_curve() {
  LoadCurve curve;
  curve.title = "mesh:4x4 <&>";
  curve.lines = {"traffic: uniform", "settings: \"defaults\""};
  curve.points = {
      {0.01, 0.0099, 0.0099, 0.0099, true, 20.2, 0.3, 36, "steady"},
      {0.35, 0.35, 0.345, 0.355, true, 22.9, std::numeric_limits<double>::infinity(), 41, "steady"},
      {0.7, 0.698, 0.69, 0.7, true, 71.5, 20, 268, "not steady"},
      {1, 0.725, 0.72, 0.73, false, 0, 0, 0, "saturated"}};
  curve.marks = {{"latency", 0.7}, {"plateau", 0.725, true}};
  return curve;
}

/// Heights of a panel's ticks, by what they say: from these a reader tells values.
std::map<double, double> heights(const Element& root, double top, double bottom) {
  std::map<double, double> found;
  for (const Element* text : root.all("text", "end")) {
    const double y = at(*text, "y") - 4;
    char* rest = nullptr;
    const double value = std::strtod(text->text.c_str(), &rest);
    if (*rest == 0 && !text->text.empty() && y >= top - 1 && y <= bottom + 1) found[value] = y;
  }
  return found;
}

// Every point stands where the ticks beside it say: read back as a reader would, linear below, logarithmic
// above.
TEST(LoadCurve, PointsStandWhereTheTicksSay) {
  const LoadCurve curve = some_curve();
  const Element root = XmlParser::parse(draw_load_curve(curve));
  EXPECT_EQ(root.title(), curve.title);
  std::vector<const Element*> frames = root.all("rect", "frame");
  ASSERT_EQ(frames.size(), 2U);
  const auto panel = [&](std::size_t i) {
    const double top = at(*frames[i], "y");
    return heights(root, top, top + at(*frames[i], "height"));
  };
  std::map<double, double> loads;
  for (const Element* text : root.all("text", "mid")) {
    char* rest = nullptr;
    const double value = std::strtod(text->text.c_str(), &rest);
    if (*rest == 0) loads[value] = at(*text, "x");
  }
  ASSERT_GE(loads.size(), 2U);
  const auto load_at = [&](double x) {
    const auto [low, x0] = *loads.begin();
    const auto [high, x1] = *loads.rbegin();
    return low + (x - x0) / (x1 - x0) * (high - low);
  };
  const auto value_at = [&](std::size_t i, double y) {
    const auto ticks = panel(i);
    const auto [low, y0] = *ticks.begin();
    const auto [high, y1] = *ticks.rbegin();
    const double part = (y - y0) / (y1 - y0);
    return i == 0 ? low * std::pow(high / low, part) : low + part * (high - low);
  };
  std::vector<double> means, tails, accepted, offered;
  for (const Element* dot : root.all("circle", "f0")) {
    means.push_back(value_at(0, at(*dot, "cy")));
    offered.push_back(load_at(at(*dot, "cx")));
  }
  for (const Element* dot : root.all("circle", "f1")) tails.push_back(value_at(0, at(*dot, "cy")));
  for (const Element* dot : root.all("circle", "f2")) accepted.push_back(value_at(1, at(*dot, "cy")));
  ASSERT_EQ(means.size(), 3U);
  ASSERT_EQ(tails.size(), 3U);
  ASSERT_EQ(accepted.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(accepted[i], curve.points[i].accepted, 0.002);
    if (i == 3) break;
    EXPECT_NEAR(offered[i], curve.points[i].load, 0.002);
    EXPECT_NEAR(means[i] / curve.points[i].latency, 1, 0.01);
    EXPECT_NEAR(tails[i] / curve.points[i].p99, 1, 0.01);
  }
  ASSERT_EQ(root.all("path", "clash").size(),
            2U);  // in the legend, and where there are no latencies, at load 1
  EXPECT_EQ(root.all("path", "clash")[1]->title(), "load 1: saturated, no latencies");
  // Intervals: two of latencies, as the infinite one is not drawn, and three of accepted loads.
  std::size_t bars = 0;
  for (const char* line : {"c0", "c2"}) {
    for (const Element* path : root.all("path", line))
      bars += path->attribute("d").find('V') != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(bars, 5U);
}

// Edges: one point, none with latencies, load 0, what is tiny, what is huge.
TEST(LoadCurve, AnyNumbersGiveADocument) {
  const std::vector<std::vector<CurvePoint>> cases = {
      {{0, 0, 0, 0, false, 0, 0, 0, "idle"}},
      {{1e-6, 1e-6, 1e-6, 1e-6, true, 5, 0, 5, "steady"}},
      {{1, 1, 1, 1, true, 1e9, 1e12, 1e15, "steady"}},
      {{1, 0.2, 0.2, 0.2, false, 0, 0, 0, "saturated"}, {1, 0.2, 0.1, 0.3, true, 10, 20, 30, "steady"}}};
  for (const std::vector<CurvePoint>& points : cases) {
    const std::string text = draw_load_curve({"", {}, points, {}});
    const Element root = XmlParser::parse(text);
    EXPECT_EQ(root.all("circle", "f2").size(), points.size());
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
    EXPECT_EQ(draw_load_curve({"", {}, points, {}}), text);
  }
}

}  // namespace
}  // namespace unknot::drawing
