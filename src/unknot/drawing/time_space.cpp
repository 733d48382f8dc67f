// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/time_space.hpp"

#include <algorithm>

#include "unknot/drawing/svg.hpp"

namespace unknot::drawing {
namespace {

constexpr double kRow = 15;
constexpr double kGroupGap = 4;  // between the channels of two nodes
constexpr double kColumn = 50;
constexpr double kLabel = 62;                 // width of what stands left of the rows
constexpr double kHead = 18;                  // height of the numbers of steps
constexpr double kBars = 46;                  // width of bars and numbers at the right, height of those below
constexpr std::uint32_t kMostNamed = 20'000;  // bars that say what they carry

class TimeSpace {
 public:
  TimeSpace(const Problem& problem, const Schedule& schedule)
      : graph_(*problem.graph), schedule_(schedule), view_(problem, schedule) {
    double y = kTitleHeight + kMargin + kHead;
    for (const NodeId n : graph_.nodes()) {
      for (const ArcId a : graph_.out(n)) {
        (void)a;
        row_.push_back(y);
        y += kRow;
      }
      if (graph_.out(n).size() > 0) y += kGroupGap;
    }
    bottom_ = y;
    std::uint64_t hops = 0;
    for (std::uint32_t t = 0; t < schedule.transfer_count(); ++t) hops += schedule.path(t).size() - 1;
    named_ = hops <= kMostNamed;
  }

  std::string draw(const Caption& caption) {
    const double right = column(schedule_.step_count());
    draw_frame(right);
    for (std::uint32_t step = 0; step < schedule_.step_count(); ++step) draw_step(step);
    draw_use(right);
    return svg_document(right + kBars + kMargin, bottom_ + kBars + kMargin, view_.title(caption),
                        std::move(text_).take());
  }

 private:
  static double column(std::uint32_t step) { return kMargin + kLabel + step * kColumn; }

  void draw_frame(double right) {
    bool shaded = false;
    for (const NodeId n : graph_.nodes()) {
      const auto arcs = graph_.out(n);
      if (arcs.size() == 0) continue;
      shaded = !shaded;
      const double top = row_[(*arcs.begin()).value];
      if (shaded) {
        text_.add("<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", number(kMargin),
                  number(top - kGroupGap / 2), number(right - kMargin),
                  number(arcs.size() * kRow + kGroupGap));
      }
      for (const ArcId a : arcs) {
        text_.add("<text class=\"small end\" x=\"{}\" y=\"{}\">{}\xE2\x86\x92{}</text>\n",
                  number(kMargin + kLabel - 8), number(row_[a.value] + 11), n.value, graph_.head(a).value);
      }
    }
    const double top = kTitleHeight + kMargin + kHead - kGroupGap / 2;
    std::string lines;
    for (std::uint32_t step = 0; step <= schedule_.step_count(); ++step)
      lines += fmt::format("M{} {}V{}", number(column(step)), number(top), number(bottom_));
    text_.add("<path class=\"frame\" d=\"{}\"/>\n", lines);
    text_.add("<text class=\"dim small end\" x=\"{}\" y=\"{}\">step</text>\n", number(kMargin + kLabel - 8),
              number(top - 6));
    for (std::uint32_t step = 0; step < schedule_.step_count(); ++step) {
      text_.add("<text class=\"head mid\" x=\"{}\" y=\"{}\">{}</text>\n", number(column(step) + kColumn / 2),
                number(top - 6), step + 1);
    }
  }

  void draw_step(std::uint32_t step) {
    std::vector<std::uint32_t> used(graph_.arc_count(), 0);
    for (std::uint32_t t = schedule_.step_begin(step); t < schedule_.step_end(step); ++t) {
      const auto path = schedule_.path(t);
      const std::uint32_t colour = view_.colour(t);
      text_.add("<g class=\"transfer\"><title>{}</title>", escaped(view_.describe(step, t)));
      for (std::size_t i = 1; i < path.size(); ++i) {
        const ArcId a = graph_.find(path[i - 1], path[i]);
        if (!a.valid()) continue;
        const std::uint32_t slots = std::max(graph_.capacity(a), view_.messages(step, a));
        const double width = (kColumn - 4) / slots;
        const double x = column(step) + 2 + width * used[a.value]++;
        text_.add("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"/>",
                  area_class(colour), number(x), number(row_[a.value] + 1),
                  number(width - (slots > 1 ? 1 : 0)), number(kRow - 2));
        if (!named_ || slots > 1) continue;
        text_.add("<text class=\"tiny mid {}\" x=\"{}\" y=\"{}\">{}\xE2\x86\x92{}</text>", text_class(colour),
                  number(x + width / 2), number(row_[a.value] + 10.5), schedule_.origin(t).value,
                  path.back().value);
      }
      text_.add_raw("</g>\n");
    }
    for (const ArcId a : graph_.arcs()) {
      if (view_.messages(step, a) <= graph_.capacity(a)) continue;
      text_.add(
          "<rect class=\"clash\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} messages on {} to "
          "{}, "
          "which carries {}</title></rect>\n",
          number(column(step) + 1), number(row_[a.value]), number(kColumn - 2), number(kRow),
          view_.messages(step, a), graph_.tail(a).value, graph_.head(a).value, graph_.capacity(a));
    }
  }

  /// Bars below the steps, and beside the rows.
  void draw_use(double right) {
    const std::uint32_t steps = schedule_.step_count();
    for (std::uint32_t step = 0; step < steps; ++step) {
      const double share = static_cast<double>(view_.busy(step)) /
                           static_cast<double>(std::max<std::uint64_t>(1, view_.capacity()));
      constexpr double kHeight = kBars - 22;
      text_.add("<g><title>step {}: {}</title>", step + 1, busy_text(view_.busy(step), view_.capacity()));
      text_.add("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                number(column(step) + 12), number(bottom_ + 4 + (1 - share) * kHeight), number(kColumn - 24),
                number(share * kHeight));
      text_.add("<text class=\"small mid\" x=\"{}\" y=\"{}\">{:.0f} %</text></g>\n",
                number(column(step) + kColumn / 2), number(bottom_ + kBars - 2), 100 * share);
    }
    for (const ArcId a : graph_.arcs()) {
      std::uint64_t messages = 0;
      for (std::uint32_t step = 0; step < steps; ++step)
        messages += std::min(view_.messages(step, a), graph_.capacity(a));
      const std::uint64_t most = std::uint64_t{graph_.capacity(a)} * steps;
      const double share =
          static_cast<double>(messages) / static_cast<double>(std::max<std::uint64_t>(1, most));
      text_.add(
          "<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} to {}: {} of {} "
          "messages, {:.0f} "
          "%</title></rect>\n",
          number(right + 6), number(row_[a.value] + 4), number(share * kBars), number(kRow - 8),
          graph_.tail(a).value, graph_.head(a).value, messages, most, 100 * share);
    }
    text_.add("<text class=\"dim small end\" x=\"{}\" y=\"{}\">in use</text>\n", number(kMargin + kLabel - 8),
              number(bottom_ + kBars - 2));
  }

  const NodeGraph& graph_;
  const Schedule& schedule_;
  ScheduleView view_;
  std::vector<double> row_;  // upper border, by arc
  double bottom_ = 0;
  bool named_ = false;
  SvgText text_;
};

}  // namespace

std::string draw_time_space(const Problem& problem, const Schedule& schedule, const Caption& caption) {
  return TimeSpace(problem, schedule).draw(caption);
}

}  // namespace unknot::drawing
