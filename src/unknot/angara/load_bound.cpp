// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/load_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "unknot/angara/load_program.hpp"
#include "unknot/support/error.hpp"

namespace unknot::angara {
namespace {

constexpr double kScale = 1 << 20;  // of the largest weight, in whole numbers

/// Nearest whole numbers, the largest kScale.
std::vector<std::uint32_t> whole(const std::vector<double>& weight) {
  const double largest = *std::max_element(weight.begin(), weight.end());
  std::vector<std::uint32_t> rounded(weight.size(), 0);
  if (!(largest > 0)) return rounded;
  std::transform(weight.begin(), weight.end(), rounded.begin(), [&](double one) {
    return static_cast<std::uint32_t>(std::lround(std::max(0.0, one) / largest * kScale));
  });
  return rounded;
}

class Bounds {
 public:
  Bounds(const System& system, const RouteChoices& choices, const RouteBalance& balance,
         const BoundEffort& effort)
      : torus_(system.torus), system_(system), choices_(choices), balance_(balance), effort_(effort) {}

  LoadBound run(const std::vector<std::uint32_t>& load, Progress& progress) {
    by_direction();
    if (!enough()) {
      consider(weights_of_folded_program(system_, choices_, effort_.most_columns, effort_.seconds_left()),
               "dual of the linear program, folded by translations");
    }
    if (!enough()) by_gradient(load, progress);
    if (!enough() && balance_.open_routes() <= effort_.most_columns)
      consider(weights_of_program(system_, balance_, effort_.seconds_left()), "dual of the linear program");
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool enough() const {
    return (effort_.enough != 0 && best_.value >= effort_.enough) || effort_.seconds_left() <= 0;
  }

  void consider(const std::vector<double>& weight, const char* name) {
    if (weight.empty()) return;
    std::vector<std::uint32_t> rounded = whole(weight);
    const std::uint64_t value = proven_bound(system_, choices_, rounded);
    if (value <= best_.value && !best_.weight.empty()) return;
    best_ = {value, name, std::move(rounded)};
  }

  void by_direction() {
    std::vector<double> weight(torus_.slot_count(), 0);
    const auto fill = [&](auto&& holds) {
      for (std::uint32_t slot = 0; slot < torus_.slot_count(); ++slot)
        weight[slot] = torus_.next(slot) != Torus::kNone && holds(torus_.direction(slot)) ? 1 : 0;
    };
    fill([](Direction) { return true; });
    consider(weight, "mean load");
    for (std::uint32_t d = 0; d < torus_.dimensions() && !enough(); ++d) {
      fill([&](Direction direction) { return torus_.dimension(direction) == d; });
      consider(weight, "mean load of a dimension");
    }
  }

  /// Minimises the smoothed maximum s * log(sum exp(load / s)): its slopes weigh the channels.
  void by_gradient(const std::vector<std::uint32_t>& start, Progress& progress) {
    constexpr double kSmoothest = 0.05;
    constexpr double kSharpest = 0.002;
    std::vector<double> load(start.begin(), start.end());
    std::vector<double> weight(load.size(), 0);
    std::vector<std::uint32_t> response;
    progress.begin("bounding the load", effort_.rounds);
    for (std::uint32_t round = 0; round < effort_.rounds && !enough(); ++round) {
      const double top = *std::max_element(load.begin(), load.end());
      const double share = static_cast<double>(round) / effort_.rounds;
      const double smooth = top * kSmoothest * std::pow(kSharpest / kSmoothest, share);
      double sum = 0;
      for (std::uint32_t slot = 0; slot < torus_.slot_count(); ++slot) {
        if (torus_.next(slot) == Torus::kNone) continue;
        weight[slot] = std::exp((load[slot] - top) / smooth);
        sum += weight[slot];
      }
      // The bound is what the weights prove; only when it looks better is it worth counting in whole numbers.
      if (balance_.lightest(weight, response) / sum > static_cast<double>(best_.value))
        consider(weight, "conditional gradients");
      const double step = 1.0 / (round + 2.0);
      for (std::size_t slot = 0; slot < load.size(); ++slot)
        load[slot] += step * (static_cast<double>(response[slot]) - load[slot]);
      progress.update(round);
      if (progress.interrupted()) throw Interrupted();
    }
  }

  const Torus& torus_;
  const System& system_;
  const RouteChoices& choices_;
  const RouteBalance& balance_;
  const BoundEffort& effort_;
  LoadBound best_;
};

}  // namespace

std::uint64_t proven_bound(const System& system, const RouteChoices& choices,
                           const std::vector<std::uint32_t>& weight) {
  const Torus& torus = system.torus;
  std::uint64_t all = 0;
  for (const std::uint32_t one : weight) all += one;
  if (all == 0) return 0;
  std::uint64_t sum = 0;
  for (std::uint32_t s = 0; s < choices.terminal_count(); ++s) {
    const std::uint32_t node = torus.network().router_of(TerminalId(s)).value;
    for (std::uint32_t d = 0; d < choices.terminal_count(); ++d) {
      std::uint64_t lightest = std::numeric_limits<std::uint64_t>::max();
      for (const RouteCode code : choices.of(s, d)) {
        std::uint64_t here = 0;
        walk(torus, node, code, [&](std::uint32_t slot) { here += weight[slot]; });
        lightest = std::min(lightest, here);
      }
      if (!choices.of(s, d).empty()) sum += lightest;
    }
  }
  return (sum + all - 1) / all;
}

LoadBound load_bound(const System& system, const RouteChoices& choices, const RouteBalance& balance,
                     const std::vector<std::uint32_t>& load, const BoundEffort& effort, Progress& progress) {
  return Bounds(system, choices, balance, effort).run(load, progress);
}

}  // namespace unknot::angara
