// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/load_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "unknot/drawing/svg.hpp"

namespace unknot::drawing {
namespace {

constexpr double kLeft = 76;  // of both panels
constexpr double kWidth = 640;
constexpr double kLine = 17;  // height of a line of text
constexpr double kLegend = 24;
constexpr double kLatencyHeight = 280;
constexpr double kAcceptedHeight = 200;
constexpr double kGap = 34;  // between the panels
constexpr double kDot = 3.2;
constexpr double kCap = 3.5;  // half the width of an interval's ends
constexpr std::array<double, 3> kMantissas = {1, 2, 5};

/// What a panel needs of its axis: from a value to a height.
struct Axis {
  double least = 0, most = 1, top = 0, height = 1;
  bool logarithmic = false;
  [[nodiscard]] double operator()(double value) const {
    const double clamped = std::clamp(value, least, most);
    const double part =
        logarithmic ? std::log(clamped / least) / std::log(most / least) : (clamped - least) / (most - least);
    return top + height * (1 - part);
  }
  [[nodiscard]] double bottom() const { return top + height; }
};

/// Distances of ticks so that there are about `count` up to `most`: 1, 2 or 5 times a power of ten.
double tick_distance(double most, double count) {
  const double least = most / count;
  double power = std::pow(10, std::floor(std::log10(least)));
  while (true) {
    for (const double mantissa : kMantissas) {
      if (mantissa * power >= least * (1 - 1e-9)) return mantissa * power;
    }
    power *= 10;
  }
}

/// Of what is `above` it: the greatest, or below it the least 1, 2 or 5 times a power of ten.
double round_mantissa(double value, bool up) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  if (up) {
    for (const double mantissa : kMantissas) {
      if (mantissa * power >= value) return mantissa * power;
    }
    return 10 * power;
  }
  for (std::size_t i = kMantissas.size(); i-- > 1;) {
    if (kMantissas[i] * power <= value) return kMantissas[i] * power;
  }
  return power;
}

bool drawn(double half_width) {
  return std::isfinite(half_width) && half_width > 0;
}

class Picture {
 public:
  explicit Picture(const LoadCurve& curve) : curve_(curve) {
    double most = 0;
    for (const CurvePoint& point : curve.points) most = std::max({most, point.load, point.accepted_high});
    for (const CurveMark& mark : curve.marks) most = std::max(most, mark.load);
    tick_ = tick_distance(most > 0 ? most : 1, 10);
    most_load_ = std::max(1.0, std::ceil((most > 0 ? most : 1) / tick_ - 1e-9)) * tick_;
    const double begin = kTitleHeight + kLine * static_cast<double>(curve.lines.size()) + kLegend + 8;
    latency_.top = begin;
    latency_.height = kLatencyHeight;
    latency_.logarithmic = true;
    accepted_ = {0, most_load_, begin + kLatencyHeight + kGap + kLegend, kAcceptedHeight, false};
    latency_range();
  }

  std::string draw() {
    double y = kTitleHeight + 12;
    for (const std::string& line : curve_.lines) {
      text_.add("<text class=\"dim small\" x=\"{}\" y=\"{}\">{}</text>\n", number(kMargin), number(y),
                escaped(shortened(line, 130)));
      y += kLine;
    }
    std::vector<Sample> samples = {{"mean, with its 95 % interval", line_class(0)},
                                   {"99th percentile", line_class(1 + kHues)}};
    if (std::any_of(curve_.points.begin(), curve_.points.end(),
                    [](const CurvePoint& point) { return !point.has_latencies; }))
      samples.push_back({"none: not all arrived", ""});
    frame(latency_, "latency, cycles (logarithmic)", samples);
    frame(accepted_, "accepted load", {{"accepted", line_class(2)}});
    latency_ticks();
    load_ticks();
    marks();
    latencies();
    accepted();
    return svg_document(kLeft + kWidth + kMargin + 8, accepted_.bottom() + 48, curve_.title,
                        std::move(text_).take());
  }

 private:
  struct Sample {
    std::string name, line;
  };

  [[nodiscard]] double x(double load) const { return kLeft + kWidth * load / most_load_; }

  void latency_range() {
    std::optional<double> least;
    double most = 0;
    for (const CurvePoint& point : curve_.points) {
      if (!point.has_latencies) continue;
      const double low = point.latency - (drawn(point.half_width) ? point.half_width : 0);
      least = std::min(least.value_or(point.latency), low > 0 ? low : point.latency);
      most = std::max({most, point.p99, point.latency + (drawn(point.half_width) ? point.half_width : 0)});
    }
    latency_.least = round_mantissa(std::max(least.value_or(1), 0.1), false);
    latency_.most = round_mantissa(std::max(most, latency_.least) * 1.02, true);
  }

  void frame(const Axis& axis, const char* name, const std::vector<Sample>& samples) {
    text_.add("<text class=\"head\" x=\"{}\" y=\"{}\">{}</text>\n", number(kMargin), number(axis.top - 10),
              name);
    double at = kLeft + kWidth;
    for (std::size_t i = samples.size(); i-- > 0;) {
      text_.add("<text class=\"small end\" x=\"{}\" y=\"{}\">{}</text>\n", number(at), number(axis.top - 10),
                samples[i].name);
      at -= 5.4 * static_cast<double>(samples[i].name.size()) + 8;
      if (samples[i].line.empty()) {
        text_.add("<path class=\"clash\" d=\"M{} {}l-5 9h10z\"/>\n", number(at - 8), number(axis.top - 19));
        at -= 13 + 18;
        continue;
      }
      text_.add("<path class=\"way {}\" d=\"M{} {}h-26\"/>\n", samples[i].line, number(at),
                number(axis.top - 14));
      at -= 26 + 18;
    }
    text_.add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", number(kLeft),
              number(axis.top), number(kWidth), number(axis.height));
  }

  void level(const Axis& axis, double value) {
    text_.add(
        "<path class=\"frame\" d=\"M{} {}h{}\"/><text class=\"dim small end\" x=\"{}\" "
        "y=\"{}\">{:g}</text>\n",
        number(kLeft), number(axis(value)), number(kWidth), number(kLeft - 6), number(axis(value) + 4),
        value);
  }

  void latency_ticks() {
    double power = std::pow(10, std::floor(std::log10(latency_.least)));
    for (; power <= latency_.most * (1 + 1e-9); power *= 10) {
      for (const double mantissa : kMantissas) {
        const double value = mantissa * power;
        if (value >= latency_.least * (1 - 1e-9) && value <= latency_.most * (1 + 1e-9))
          level(latency_, value);
      }
    }
  }

  void load_ticks() {
    const auto count = static_cast<std::uint32_t>(std::llround(most_load_ / tick_));
    for (std::uint32_t i = 0; i <= count; ++i) {
      const double load = i * tick_;
      level(accepted_, load);
      text_.add(
          "<path class=\"frame\" d=\"M{0} {1}v{2}M{0} {3}v{4}\"/><text class=\"dim small mid\" x=\"{0}\" "
          "y=\"{5}\">{6:g}</text>\n",
          number(x(load)), number(latency_.top), number(latency_.height), number(accepted_.top),
          number(accepted_.height), number(accepted_.bottom() + 16), load);
    }
    text_.add(
        "<text class=\"head mid\" x=\"{}\" y=\"{}\">offered load, part of what a terminal can send</text>\n",
        number(kLeft + kWidth / 2), number(accepted_.bottom() + 36));
    text_.add("<g class=\"net\"><path class=\"d2\" d=\"M{} {}L{} {}\"/></g>\n", number(x(0)),
              number(accepted_(0)), number(x(most_load_)), number(accepted_(most_load_)));
  }

  void marks() {
    text_.add_raw("<g class=\"fine\">\n");
    std::uint32_t n = 0;
    for (const CurveMark& mark : curve_.marks) {
      if (mark.of_accepted) {
        text_.add(
            "<path class=\"way {} d1\" d=\"M{} {}h{}\"/><text class=\"small\" x=\"{}\" y=\"{}\">{} "
            "{:.4g}</text>\n",
            line_class(3), number(kLeft), number(accepted_(mark.load)), number(kWidth), number(kLeft + 6),
            number(accepted_(mark.load) - 5), escaped(mark.name), mark.load);
        continue;
      }
      const double side = mark.load > most_load_ / 2 ? -5 : 5;
      text_.add("<path class=\"way {} d2\" d=\"M{} {}v{}\"/>\n", line_class(4), number(x(mark.load)),
                number(latency_.top), number(accepted_.bottom() - latency_.top));
      text_.add("<text class=\"small{}\" x=\"{}\" y=\"{}\">{} {:.4g}</text>\n", side < 0 ? " end" : "",
                number(x(mark.load) + side), number(latency_.bottom() + kLine * (n + 1)), escaped(mark.name),
                mark.load);
      ++n;
    }
    text_.add_raw("</g>\n");
  }

  /// The curve through points that have a value, a part for each run of neighbours.
  template <class Value>
  void curve(const Axis& axis, const std::string& line, const Value& value) {
    std::string path;
    bool joined = false;
    for (const CurvePoint& point : curve_.points) {
      const std::optional<double> at = value(point);
      if (at) {
        path += fmt::format("{}{} {}", joined ? "L" : "M", number(x(point.load)), number(axis(*at)));
      }
      joined = at.has_value();
    }
    if (!path.empty()) text_.add("<path class=\"way {}\" d=\"{}\"/>\n", line, path);
  }

  void interval(const Axis& axis, double load, double low, double high, const std::string& line) {
    text_.add("<path class=\"way {0}\" d=\"M{1} {2}V{3}M{4} {2}h{5}M{4} {3}h{5}\"/>\n", line, number(x(load)),
              number(axis(low)), number(axis(high)), number(x(load) - kCap), number(2 * kCap));
  }

  void dot(const Axis& axis, double load, double value, std::uint32_t hue, const std::string& words) {
    text_.add("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{}</title></circle>\n",
              area_class(hue), number(x(load)), number(axis(value)), number(kDot), escaped(words));
  }

  void latencies() {
    text_.add_raw("<g class=\"fine\">\n");
    curve(latency_, line_class(1 + kHues), [](const CurvePoint& point) {
      return point.has_latencies ? std::optional<double>(point.p99) : std::nullopt;
    });
    text_.add_raw("</g>\n");
    curve(latency_, line_class(0), [](const CurvePoint& point) {
      return point.has_latencies ? std::optional<double>(point.latency) : std::nullopt;
    });
    for (const CurvePoint& point : curve_.points) {
      if (!point.has_latencies) {
        text_.add(
            "<path class=\"clash\" d=\"M{} {}l-5 9h10z\"><title>load {:.4g}: {}, no "
            "latencies</title></path>\n",
            number(x(point.load)), number(latency_.top + 4), point.load, escaped(point.state));
        continue;
      }
      const bool wide = drawn(point.half_width);
      if (wide) {
        interval(latency_, point.load, std::max(point.latency - point.half_width, latency_.least),
                 point.latency + point.half_width, line_class(0));
      }
      const std::string about = wide ? fmt::format(" \xC2\xB1 {:.4g}", point.half_width) : "";
      dot(latency_, point.load, point.p99, 1, fmt::format("load {:.4g}: p99 {:.4g}", point.load, point.p99));
      dot(latency_, point.load, point.latency, 0,
          fmt::format("load {:.4g}: latency {:.5g}{}, {}", point.load, point.latency, about, point.state));
    }
  }

  void accepted() {
    curve(accepted_, line_class(2),
          [](const CurvePoint& point) { return std::optional<double>(point.accepted); });
    for (const CurvePoint& point : curve_.points) {
      if (point.accepted_high > point.accepted_low)
        interval(accepted_, point.load, point.accepted_low, point.accepted_high, line_class(2));
      dot(accepted_, point.load, point.accepted, 2,
          fmt::format("load {:.4g}: accepted {:.4g}, {}", point.load, point.accepted, point.state));
    }
  }

  const LoadCurve& curve_;
  SvgText text_;
  double tick_ = 0.1;
  double most_load_ = 1;
  Axis latency_, accepted_;
};

}  // namespace

std::string draw_load_curve(const LoadCurve& curve) {
  return Picture(curve).draw();
}

}  // namespace unknot::drawing
