// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace unknot {
namespace {

class StepReplay {
 public:
  StepReplay(const StepProblem& problem, const StepSchedule& schedule)
      : problem_(problem), schedule_(schedule) {}

  TimedVerdict run() {
    if (schedule_.chunks == 0) return failed("a message is divided into no part");
    for (step_ = 0; step_ < schedule_.steps.size(); ++step_) {
      std::vector<std::uint64_t> load(problem_.graph->arc_count(), 0);
      std::vector<std::pair<Item, std::uint32_t>> arrived;
      for (const StepSend& send : schedule_.steps[step_]) {
        if (std::string why = judge(send); !why.empty()) return failed(std::move(why));
        arrived.emplace_back(Item{send.source, send.target, send.chunk}, problem_.hops[send.hop].to);
        for (const ArcId a : problem_.hops[send.hop].arcs) ++load[a.value];
      }
      for (const auto& [item, rank] : arrived) {
        if (has(item, rank))
          return failed(fmt::format("step {}: node {} gets a chunk twice", step_ + 1, node(rank)));
        held_[item][rank] = true;
      }
      Fraction longest;
      for (const ArcId a : problem_.graph->arcs()) {
        longest = std::max(
            longest, Fraction(load[a.value], std::uint64_t{problem_.graph->capacity(a)} * schedule_.chunks));
      }
      verdict_.step_time.push_back(longest);
    }
    for (std::uint32_t i = 0; i < problem_.sources.size(); ++i) {
      for (const std::uint32_t target : problem_.sources[i].targets) {
        for (std::uint32_t c = 0; c < schedule_.chunks; ++c) {
          if (has({i, problem_.personal ? target : 0, c}, target)) continue;
          return failed(fmt::format("node {} ends without chunk {} of node {}", node(target), c + 1,
                                    node(problem_.sources[i].rank)));
        }
      }
    }
    verdict_.time = sum_of(verdict_.step_time);
    return std::move(verdict_);
  }

 private:
  using Item = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // source, target, chunk

  TimedVerdict failed(std::string why) {
    verdict_.fault = std::move(why);
    return std::move(verdict_);
  }
  [[nodiscard]] std::uint32_t node(std::uint32_t rank) const { return problem_.members[rank].value; }
  bool has(const Item& item, std::uint32_t rank) {
    if (rank == problem_.sources[std::get<0>(item)].rank) return true;
    std::vector<bool>& held = held_[item];
    held.resize(problem_.ranks(), false);
    return held[rank];
  }
  std::string judge(const StepSend& send) {
    if (send.source >= problem_.sources.size() || send.chunk >= schedule_.chunks ||
        send.target >= problem_.ranks() || (!problem_.personal && send.target != 0))
      return fmt::format("step {}: a chunk that there is not", step_ + 1);
    if (send.hop >= problem_.hops.size()) return fmt::format("step {}: a hop that there is not", step_ + 1);
    const std::uint32_t from = problem_.hops[send.hop].from;
    if (has({send.source, send.target, send.chunk}, from)) return {};
    return fmt::format("step {}: node {} sends what it does not have yet", step_ + 1, node(from));
  }

  const StepProblem& problem_;
  const StepSchedule& schedule_;
  TimedVerdict verdict_;
  std::size_t step_ = 0;
  std::map<Item, std::vector<bool>> held_;  // by rank
};

}  // namespace

Fraction sum_of(const std::vector<Fraction>& parts) {
  Fraction sum;
  for (const Fraction& part : parts) {
    const std::uint64_t common = std::lcm(sum.under(), part.under());
    constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
    if (common >= kMost || sum.value() + part.value() >= static_cast<double>(kMost))
      throw std::overflow_error("times of steps cannot be added up as fractions");
    sum = Fraction(sum.over() * (common / sum.under()) + part.over() * (common / part.under()), common);
  }
  return sum;
}

TimedVerdict check_steps(const StepProblem& problem, const StepSchedule& schedule) {
  return StepReplay(problem, schedule).run();
}

}  // namespace unknot
