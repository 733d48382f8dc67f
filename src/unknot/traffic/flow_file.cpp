// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/flow_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/terminal_words.hpp"

namespace unknot {
namespace {

/// Weights beyond these would drown the others in rounding.
constexpr double kLeast = 1e-9;
constexpr double kMost = 1e15;

class FlowReader {
 public:
  FlowReader(const Network& network, std::string_view text, const std::string& file)
      : terminals_(network), lines_(text, file) {}

  std::vector<Flow> run() {
    while (lines_.next()) read_line();
    if (flows_.empty())
      throw InputError(lines_.file() + ": no traffic; expected lines 'source destination [weight]'");
    refuse_repeats();
    return std::move(flows_);
  }

 private:
  void read_line() {
    Cursor cursor(lines_.line().substr(0, lines_.line().find('#')));
    cursor.skip_blanks();
    if (cursor.at_end()) return;
    Flow flow;
    flow.source = terminals_.read(lines_, cursor, "source");
    flow.destination = terminals_.read(lines_, cursor, "destination");
    if (flow.source == flow.destination) lines_.fail("a terminal sends to itself");
    if (!cursor.at_end()) flow.weight = weight(cursor.word());
    cursor.skip_blanks();
    if (!cursor.at_end()) {
      lines_.fail("expected 'source destination [weight]', then the end of the line, not " +
                  place_shown(cursor.rest()));
    }
    flows_.push_back(flow);
    line_of_.push_back(lines_.number());
  }

  [[nodiscard]] double weight(std::string_view word) const {
    const auto value = number_in<double>(word);
    if (!value || !std::isfinite(*value) || *value < kLeast || *value > kMost) {
      lines_.fail(fmt::format("expected a weight from {} to {}, not '{}'", kLeast, kMost, shown(word)));
    }
    return *value;
  }

  void refuse_repeats() const {
    std::vector<std::uint32_t> order(flows_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::uint32_t i) {
      return std::uint64_t{flows_[i].source.value} << 32 | flows_[i].destination.value;
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (key(order[i]) != key(order[i - 1])) continue;
      throw InputError(
          lines_.file(), line_of_[order[i]],
          fmt::format("terminals {} and {} are on line {} already", flows_[order[i]].source.value,
                      flows_[order[i]].destination.value, line_of_[order[i - 1]]));
    }
  }

  TerminalWords terminals_;
  Lines lines_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> line_of_;  // by flow
};

}  // namespace

std::vector<Flow> parse_flows(const Network& network, std::string_view text, const std::string& file) {
  return FlowReader(network, text, file).run();
}

std::string flows_text(const std::vector<Flow>& flows, std::string_view comment) {
  std::string text;
  if (!comment.empty()) text = fmt::format("# {}\n", comment);
  for (const Flow& flow : flows) {
    text += fmt::format("{} {}", flow.source.value, flow.destination.value);
    if (flow.weight != 1) text += fmt::format(" {}", flow.weight);
    text += '\n';
  }
  return text;
}

}  // namespace unknot
