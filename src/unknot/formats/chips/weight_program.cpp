// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/weight_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/support/error.hpp"
#include "unknot/support/solve/linear_program.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostProgramRows = 20000;
constexpr double kSlack = 1e-6;
constexpr std::uint32_t kMostPrograms = 500;

/// The destination and the routers with wanted links, each behind all that these lead to.
std::vector<std::uint32_t> order_of(const Network& network, const WantedWays::Destination& to) {
  std::vector<std::uint32_t> waiting(network.router_count(), 0);
  std::vector<std::vector<std::uint32_t>> senders(network.router_count());
  for (const RouterId r : network.routers()) {
    for (const std::uint16_t position : to.positions[r.value]) {
      ++waiting[r.value];
      senders[network.target(network.out(r)[position]).value].push_back(r.value);
    }
  }
  std::vector<std::uint32_t> order{to.router.value};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t sender : senders[order[i]])
      if (--waiting[sender] == 0) order.push_back(sender);
  }
  const auto stuck =
      std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t left) { return left > 0; });
  if (stuck == waiting.end()) return order;
  throw InputError(
      fmt::format("packets from router \"{}\" to router \"{}\" can go in a circle, which no weights "
                  "of links allow",
                  shown(network.router_name(RouterId(static_cast<std::uint32_t>(stuck - waiting.begin())))),
                  shown(network.router_name(to.router))));
}

/// Whole numbers in proportion to the values; nothing where a small factor does not make them whole.
std::vector<std::uint32_t> whole_numbers(const std::vector<double>& values) {
  std::vector<std::uint32_t> whole(values.size());
  for (int factor = 1; factor <= 60; ++factor) {
    bool good = true;
    for (std::size_t i = 0; good && i < values.size(); ++i) {
      const double scaled = values[i] * factor;
      const double rounded = std::round(scaled);
      good = std::abs(scaled - rounded) < kSlack * factor && rounded >= 1 && rounded < 1e6;
      if (good) whole[i] = static_cast<std::uint32_t>(rounded);
    }
    if (good) return whole;
  }
  return {};
}

}  // namespace

WeightProgram::WeightProgram(const Network& network, const WantedWays& wanted)
    : network_(network), wanted_(wanted) {
  order_.reserve(wanted.destinations.size());
  for (const WantedWays::Destination& to : wanted.destinations) order_.push_back(order_of(network, to));
}

std::uint32_t WeightProgram::channel(RouterId r, std::uint16_t position) const {
  return network_.out(r)[position].value;
}

double WeightProgram::least(const Pair& pair, const Decisions& decisions) const {
  const auto decided = decisions.find(pair);
  return decided != decisions.end() && !decided->second ? 1 : 0;
}

void WeightProgram::require(const Pair& pair, const std::map<std::uint32_t, int>& sum,
                            const Decisions& decisions, const std::vector<double>& weight, Found& found) {
  double value = 0;
  Row row;
  for (const auto& [c, coefficient] : sum) {
    if (coefficient == 0) continue;
    row.emplace_back(c, coefficient);
    value += coefficient * weight[c];
  }
  const bool equation = pair.first == pair.second;
  if (value < least(pair, decisions) - kSlack || (equation && value > kSlack)) {
    found.broken = true;
    found.fresh = rows_.try_emplace({pair, std::move(row)}, equation).second || found.fresh;
  } else if (!equation && !found.open && value < kSlack &&
             weight[pair.second] < weight[pair.first] + kSlack) {
    found.open = pair;
  }
}

WeightProgram::Found WeightProgram::look(const Decisions& decisions, const std::vector<double>& weight) {
  Found found;
  std::vector<std::map<std::uint32_t, int>> way(network_.router_count());  // how often it takes each channel
  for (std::size_t d = 0; d < order_.size(); ++d) {
    const WantedWays::Destination& to = wanted_.destinations[d];
    for (const std::uint32_t r : order_[d]) {
      way[r].clear();
      if (r == to.router.value) continue;
      const std::uint32_t first = channel(RouterId(r), to.positions[r].front());
      way[r] = way[network_.target(ChannelId(first)).value];
      ++way[r][first];
    }
    for (const std::uint32_t r : order_[d]) {
      if (r == to.router.value) continue;
      const std::vector<std::uint16_t>& taken = to.positions[r];
      const std::uint32_t first = channel(RouterId(r), taken.front());
      for (std::uint16_t position = 0; position < network_.out(RouterId(r)).size(); ++position) {
        const std::uint32_t c = channel(RouterId(r), position);
        if (c == first) continue;
        const RouterId next = network_.target(ChannelId(c));
        if (next != to.router && to.positions[next.value].empty()) continue;  // nobody says how it goes on
        std::map<std::uint32_t, int> detour = way[next.value];
        ++detour[c];
        for (const auto& [other, times] : way[r]) detour[other] -= times;
        if (std::binary_search(taken.begin(), taken.end(), position)) {
          require({first, first}, detour, decisions, weight, found);
          require({first, first}, {{c, 1}, {first, -1}}, decisions, weight, found);
        } else {
          require({first, c}, detour, decisions, weight, found);
        }
      }
    }
  }
  return found;
}

std::optional<std::vector<double>> WeightProgram::minimise(const Decisions& decisions) const {
  LinearProgram program;
  std::vector<std::vector<LinearProgram::Entry>> columns(network_.channel_count());
  const auto add = [&](const Row& row, double lower, bool equation) {
    for (const auto& [c, coefficient] : row) lower -= coefficient;  // columns are weights above 1
    const std::uint32_t number = program.add_row(lower, equation ? lower : LinearProgram::kInfinity);
    for (const auto& [c, coefficient] : row) columns[c].push_back({number, static_cast<double>(coefficient)});
  };
  for (const auto& [key, equation] : rows_) add(key.second, least(key.first, decisions), equation);
  for (const auto& [pair, heavier] : decisions)
    if (heavier) add({{pair.first, -1}, {pair.second, 1}}, 1, false);
  for (const std::vector<LinearProgram::Entry>& column : columns) program.add_column(1, column);
  LinearProgram::Solution solution = program.solve();
  if (!solution.optimal) return std::nullopt;
  for (double& value : solution.x) value += 1;
  return std::move(solution.x);
}

WeightProgram::Outcome WeightProgram::search(Decisions& decisions, std::vector<std::uint32_t>& weights) {
  std::optional<std::vector<double>> weight;
  Found found;
  do {
    if (++programs_ > kMostPrograms || rows_.size() > kMostProgramRows) return Outcome::unknown;
    weight = minimise(decisions);
    if (!weight) return Outcome::none;
    found = look(decisions, *weight);
    if (found.broken && !found.fresh) return Outcome::unknown;  // by less than the program is exact
  } while (found.broken);
  if (!found.open) {
    weights = whole_numbers(*weight);
    return weights.empty() ? Outcome::unknown : Outcome::found;
  }
  Outcome outcome = Outcome::none;
  for (const bool heavier : {true, false}) {
    decisions[*found.open] = heavier;
    const Outcome one = search(decisions, weights);
    decisions.erase(*found.open);
    if (one == Outcome::found) return one;
    if (one == Outcome::unknown) outcome = one;
  }
  return outcome;
}

WeightProgram::Outcome WeightProgram::solve(std::vector<std::uint32_t>& weights) {
  Decisions decisions;
  return search(decisions, weights);
}

}  // namespace unknot
