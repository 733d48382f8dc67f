// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/step_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "unknot/drawing/arc_curves.hpp"
#include "unknot/drawing/node_marks.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot::drawing {
namespace {

constexpr std::uint32_t kMostLabelled = 64;
constexpr double kHeadHeight = 40;  // step and use of channels, above each panel
constexpr double kGap = 26;         // between panels

class StepPicture {
 public:
  StepPicture(const Network& network, const Problem& problem, const Schedule& schedule)
      : network_(network),
        problem_(problem),
        graph_(*problem.graph),
        schedule_(schedule),
        view_(problem, schedule),
        marks_(problem, schedule),
        roles_(problem.roles()),
        layout_(layout_nodes(network, graph_)),
        labelled_(graph_.node_count() <= kMostLabelled) {
    if (!labelled_) scale_ = {.unit = 40, .radius = 5, .lane = 2};
    curves_ = arc_curves(graph_, layout_, scale_);
    // Bent cables and nodes reach beyond the places.
    low_ = high_ = scale_.unit * layout_.places.front().at;
    const auto include = [&](Point p, double more) {
      low_ = {std::min(low_.x, p.x - more), std::min(low_.y, p.y - more)};
      high_ = {std::max(high_.x, p.x + more), std::max(high_.y, p.y + more)};
    };
    for (const Place& place : layout_.places) include(scale_.unit * place.at, scale_.radius + 5);
    for (const Curve& curve : curves_) {
      for (const double t : {0.25, 0.5, 0.75}) include(curve.at(t), 4);
    }
  }

  std::string draw(const Caption& caption) {
    const std::uint32_t steps = schedule_.step_count();
    constexpr double kLeastWidth = 190;  // for the text above
    const Point panel{std::max(kLeastWidth, high_.x - low_.x) + kGap, high_.y - low_.y + kHeadHeight + kGap};
    const std::uint32_t columns = columns_for(steps, panel);
    const std::uint32_t rows = (steps + columns - 1) / columns;
    const double width = 2 * kMargin + columns * panel.x - kGap;
    text_.add_raw("<defs><g id=\"unknot-network\" class=\"net\">");
    draw_network();
    text_.add_raw("</g></defs>\n");
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::uint32_t row = step / columns;
      const Point corner{kMargin + step % columns * panel.x, kTitleHeight + kMargin + row * panel.y};
      text_.add("<g class=\"panel\" transform=\"translate({} {})\">\n", number(corner.x), number(corner.y));
      text_.add("<text class=\"head\" x=\"0\" y=\"4\">Step {}</text>", step + 1);
      text_.add("<text class=\"dim small\" x=\"0\" y=\"20\">{}</text>\n",
                busy_text(view_.busy(step), view_.capacity()));
      const double centred = (panel.x - kGap - (high_.x - low_.x)) / 2;
      text_.add("<g{} transform=\"translate({} {})\">\n<use href=\"#unknot-network\"/>\n",
                labelled_ ? "" : " class=\"fine\"", number(centred - low_.x),
                number(kHeadHeight - low_.y - 8));
      draw_step(step);
      text_.add_raw("</g></g>\n");
    }
    const double bottom = draw_legend(kTitleHeight + kMargin + rows * panel.y + 4, width);
    return svg_document(width, bottom, view_.title(caption), std::move(text_).take());
  }

 private:
  /// As near to three by two as goes without many empty places in the last row.
  static std::uint32_t columns_for(std::uint32_t steps, Point panel) {
    std::uint32_t best = 1;
    double least = std::numeric_limits<double>::max();
    for (std::uint32_t columns = 1; columns <= steps; ++columns) {
      const std::uint32_t rows = (steps + columns - 1) / columns;
      const double aspect = columns * panel.x / (rows * panel.y);
      const double empty = 1 - static_cast<double>(steps) / (std::uint64_t{rows} * columns);
      const double cost = std::abs(std::log(aspect / 1.5)) + 1.5 * empty;
      if (cost < least) {
        least = cost;
        best = columns;
      }
    }
    return best;
  }

  void draw_network() {
    std::string one_way;
    text_.add("<path d=\"");
    for (const ArcId a : graph_.arcs()) {
      const Curve& curve = curves_[a.value];
      text_.add_raw(pen_at(curve.p[0]));
      text_.add_raw(path_to(curve));
      if (!graph_.find(graph_.head(a), graph_.tail(a)).valid())
        one_way += arrow(curve.at(0.55), curve.direction(0.55), 6);
    }
    text_.add_raw("\"/>");
    if (!one_way.empty()) text_.add("<path class=\"tip\" d=\"{}\"/>", one_way);
  }

  void draw_step(std::uint32_t step) {
    for (const Place& place : layout_.places) draw_node(place, step);
    for (std::uint32_t t = schedule_.step_begin(step); t < schedule_.step_end(step); ++t)
      draw_transfer(step, t);
    for (const ArcId a : graph_.arcs()) {
      if (view_.messages(step, a) <= graph_.capacity(a)) continue;
      const Point middle = curves_[a.value].at(0.5);
      text_.add(
          "<circle class=\"clash\" cx=\"{}\" cy=\"{}\" r=\"8\"><title>{} messages on {} to {}, which carries "
          "{}"
          "</title></circle>\n",
          number(middle.x), number(middle.y), view_.messages(step, a), graph_.tail(a).value,
          graph_.head(a).value, graph_.capacity(a));
    }
    if (!labelled_) return;
    for (const Place& place : layout_.places) {
      const Point at = scale_.unit * place.at;
      text_.add("<text class=\"label{}\" x=\"{}\" y=\"{}\">{}</text>\n", marks_.label_class(step, place.node),
                number(at.x), number(at.y + 4), place.node.value);
    }
  }

  void draw_node(const Place& place, std::uint32_t step) {
    const Point at = scale_.unit * place.at;
    const double r = scale_.radius;
    const bool switches = roles_[place.node.value] == Role::switch_only;
    const std::string name =
        place.node.value < network_.router_count()
            ? network_.router_name(RouterId(place.node.value))
            : network_.terminal_name(TerminalId(place.node.value - network_.router_count()));
    if (switches) {
      const double half = 0.85 * r;
      text_.add("<rect class=\"node switch\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\">",
                number(at.x - half), number(at.y - half), number(2 * half), number(2 * half));
    } else {
      text_.add("<circle class=\"node{}\" cx=\"{}\" cy=\"{}\" r=\"{}\">", marks_.node_class(step, place.node),
                number(at.x), number(at.y), number(r));
    }
    text_.add("<title>{}: {}{}</title>", place.node.value, escaped(name),
              switches ? ", a switch" : marks_.words(step, place.node));
    text_.add_raw(switches ? "</rect>\n" : "</circle>\n");
  }

  /// One line through all channels, an arrow at its end and a small one on every channel before.
  void draw_transfer(std::uint32_t step, std::uint32_t t) {
    const auto path = schedule_.path(t);
    const double tip = labelled_ ? 8.5 : 5;
    std::string line, tips, missing;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const ArcId a = graph_.find(path[i - 1], path[i]);
      const Point from = scale_.unit * layout_.places[path[i - 1].value].at;
      const Point to = scale_.unit * layout_.places[path[i].value].at;
      Curve curve = a.valid() ? curves_[a.value]
                              : straight_line(from, to).trimmed(from, scale_.radius, to, scale_.radius);
      const bool last = i + 1 == path.size();
      if (last) {
        tips += arrow(curve.p[3], curve.direction(1), tip);
        curve = curve.trimmed(curve.p[0], 0, curve.p[3], 0.7 * tip);
      } else {
        tips += arrow(curve.at(0.6), curve.direction(0.6), 0.8 * tip);
      }
      line += i == 1 || jumps(i, path) ? pen_at(curve.p[0]) : path_to(straight_line({}, curve.p[0]));
      line += path_to(curve);
      if (!a.valid()) {
        append(missing,
               "<circle class=\"clash\" cx=\"{}\" cy=\"{}\" r=\"8\"><title>no channel from {} to "
               "{}</title></circle>\n",
               number(curve.at(0.5).x), number(curve.at(0.5).y), path[i - 1].value, path[i].value);
      }
    }
    const std::string colour = line_class(view_.colour(t));
    const std::string hue = line_class(view_.colour(t) % kHues);
    text_.add(
        "<g class=\"transfer\"><title>{}</title><path class=\"way {}\" d=\"{}\"/><path class=\"tip {}\" "
        "d=\"{}\"/></g>\n",
        escaped(view_.describe(step, t)), colour, line, hue, tips);
    text_.add_raw(missing);
  }

  /// The i-th hop begins at another place of its node than the hop before has led to.
  template <class Path>
  [[nodiscard]] bool jumps(std::size_t i, const Path& path) const {
    const ArcId in = graph_.find(path[i - 2], path[i - 1]);
    const ArcId out = graph_.find(path[i - 1], path[i]);
    return in.valid() && out.valid() && layout_.head_place[in.value] != layout_.tail_place[out.value];
  }

  /// Returns where the picture ends.
  double draw_legend(double y, double width) {
    const double left = kMargin + 8;
    double x = left;
    const auto place_for = [&](double wide) {
      if (x + wide > width - kMargin && x > left) {
        x = left;
        y += 20;
      }
      x += wide;
      return x - wide;
    };
    const auto words = [&](double at, std::string_view text) {
      text_.add("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>\n", number(at), number(y + 4), text);
    };
    for (const auto& [style, text] : marks_.legend()) {
      const double at = place_for(34 + 6.2 * static_cast<double>(text.size()));
      text_.add("<circle class=\"node{}\" cx=\"{}\" cy=\"{}\" r=\"7\"/>", style, number(at), number(y));
      words(at + 14, text);
    }
    if (view_.coloured_by_origin()) {
      words(place_for(76) - 8, problem_.delivery == Delivery::reduction ? "result for" : "message of");
      const std::vector<NodeId>& origins = view_.origins();
      for (std::uint32_t i = 0; i < origins.size() && i < kHues * kDashes; ++i) {
        const double at = place_for(56);
        text_.add("<path class=\"way {}\" d=\"M{} {}h24\"/>", line_class(i), number(at), number(y));
        words(at + 28, std::to_string(origins[i].value));
      }
      if (origins.size() > kHues * kDashes) words(place_for(200), "and so on, from the first colour again");
    }
    return x > left ? y + 12 + kMargin : y;
  }

  const Network& network_;
  const Problem& problem_;
  const NodeGraph& graph_;
  const Schedule& schedule_;
  ScheduleView view_;
  NodeMarks marks_;
  std::vector<Role> roles_;
  NodeLayout layout_;
  bool labelled_;
  Scale scale_;
  std::vector<Curve> curves_;
  Point low_, high_;
  SvgText text_;
};

}  // namespace

std::string draw_steps(const Network& network, const Problem& problem, const Schedule& schedule,
                       const Caption& caption) {
  return StepPicture(network, problem, schedule).draw(caption);
}

}  // namespace unknot::drawing
