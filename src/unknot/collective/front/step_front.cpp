// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_front.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "unknot/collective/front/step_flows.hpp"
#include "unknot/collective/front/step_layers.hpp"
#include "unknot/collective/front/step_program.hpp"
#include "unknot/collective/front/step_trees.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr double kRounding = 1e-6;
constexpr std::uint32_t kMoreSteps = 4;
constexpr std::uint32_t kMostFlowChunks = 5040;
constexpr std::uint32_t kMostWidth = 8;
constexpr std::uint64_t kLargeFormula = 20'000;  // literals
constexpr std::uint64_t kFewConflicts = 1'000;
constexpr std::uint32_t kFewChunks = 4;
constexpr std::uint32_t kFewWidths = 4;  // capacities up to which a round is the time of a chunk over 1

class FrontSearch {
 public:
  FrontSearch(const StepProblem& problem, const Fraction& end, const FrontOptions& options,
              Progress& progress)
      : problem_(problem), plain_(without_symmetry(problem)), options_(options), progress_(progress) {
    front_.least_steps = problem.least_steps();
    front_.end = end;
    std::uint32_t widest = 1;
    for (const ArcId a : problem.graph->arcs()) widest = std::max(widest, problem.graph->capacity(a));
    width_ = widest > kFewWidths ? std::min(widest, kMostWidth) : 1;
    if (problem.personal) improve_end(1, std::vector<double>(problem.graph->arc_count(), 1), 1);
  }

  Front run() {
    const std::uint32_t last =
        options_.most_steps > 0 ? options_.most_steps : front_.least_steps + kMoreSteps;
    for (std::uint32_t steps = front_.least_steps; steps <= last; ++steps) {
      if (progress_.interrupted()) throw Interrupted();
      progress_.begin(("front: " + std::to_string(steps) + " steps").c_str(), 0);
      look(steps);
      if (!front_.points.empty() && front_.points.back().verdict.time == front_.end) break;
    }
    return std::move(front_);
  }

 private:
  void look(std::uint32_t steps) {
    FrontPoint point;
    point.bound = front_.end;
    point.verdict.time = Fraction(UINT32_MAX, 1);  // no schedule yet
    if (steps == front_.least_steps) {
      for (std::uint32_t chunks = 1; chunks <= options_.most_chunks && !point.optimal(); ++chunks) {
        if (layered_work(chunks) > options_.most_literals && chunks > 1) break;
        take(layered_schedule(problem_, chunks), point);
      }
    }
    if (!point.optimal()) look_further(steps, point);
    front_.bounds.push_back(point.bound);
    if (point.schedule.steps.empty()) return;
    if (!front_.points.empty() && front_.points.back().verdict.time <= point.verdict.time) return;
    front_.points.push_back(std::move(point));
  }

  /// By the program, and what it leads to.
  void look_further(std::uint32_t steps, FrontPoint& point) {
    const StepProgram program = solve_steps(problem_, steps, options_.most_columns, kLongProgram);
    if (program.solved && problem_.personal) improve_end(steps, program.arc_price, program.time);
    point.bound = front_.end;
    if (program.solved) {
      point.proof = make_proof(problem_, steps, program);
      point.by_weights = point.proof.time() > point.bound;
      point.bound = std::max(point.bound, point.proof.time());
    }
    const double least = std::max(program.time, front_.end.value());
    const bool no_less =
        !front_.points.empty() && front_.points.back().verdict.time.value() <= least + kRounding;
    if (no_less || point.optimal()) return;
    if (!problem_.personal) {
      look_for_trees(steps, least, point);
    } else if (program.solved) {
      if (auto found = chunks_of(problem_, steps, program, kMostFlowChunks)) take(std::move(*found), point);
    }
  }

  /// Weights that are the same in all steps prove a bound for any number of steps.
  void improve_end(std::uint32_t steps, const std::vector<double>& price, double time) {
    StepProgram same;
    same.time = time;
    const std::uint32_t arcs = problem_.graph->arc_count();
    std::vector<double> sum(arcs, 0);
    for (std::size_t i = 0; i < price.size(); ++i) sum[i % arcs] += price[i] / steps;
    for (std::uint32_t s = 0; s < problem_.ranks(); ++s)
      same.arc_price.insert(same.arc_price.end(), sum.begin(), sum.end());
    StepProof proof = make_proof(problem_, problem_.ranks(), same);
    if (proof.time() <= front_.end) return;
    front_.end = proof.time();
    front_.end_proof = std::move(proof);
  }

  /// The better of what there is and another, as checked.
  void take(StepSchedule schedule, FrontPoint& point) const {
    TimedVerdict verdict = check_steps(problem_, schedule);
    if (!verdict.valid())
      throw std::runtime_error("a schedule of the front does not pass the checker: " + verdict.fault);
    if (verdict.time >= point.verdict.time) return;
    point.schedule = std::move(schedule);
    point.verdict = std::move(verdict);
  }
  [[nodiscard]] std::uint64_t layered_work(std::uint32_t chunks) const {
    std::uint64_t targets = 0;
    for (const std::uint32_t i : problem_.source_orbits()) targets += problem_.sources[i].targets.size();
    return targets * problem_.elements() * chunks * (problem_.personal ? front_.least_steps : 1);
  }

  /// The times of few chunks at or above a bound, the least first.
  [[nodiscard]] std::vector<StepRounds> candidates(std::uint32_t steps, double least) const {
    std::vector<StepRounds> result;
    for (std::uint32_t chunks = 1; chunks <= options_.most_chunks; ++chunks) {
      const auto rounds = static_cast<std::uint32_t>(std::ceil(least * chunks * width_ - kRounding));
      if (rounds >= steps) result.push_back({steps, chunks, rounds, width_});
    }
    if (result.empty()) result.push_back({steps, 1, steps, width_});
    const auto by_time = [](const StepRounds& a, const StepRounds& b) { return a.time() < b.time(); };
    std::stable_sort(result.begin(), result.end(), by_time);
    if (result.size() > options_.attempts) result.resize(options_.attempts);
    // Then ever more time for few chunks, which are small formulas: something is better than nothing.
    const std::size_t tight = result.size();
    for (std::uint32_t chunks = 1; chunks <= std::min(kFewChunks, options_.most_chunks); chunks *= 2) {
      const double rounds = std::max<double>(std::ceil(least * chunks * width_), steps);
      for (std::uint32_t more = 1; more <= rounds; more *= 2)
        result.push_back({steps, chunks, static_cast<std::uint32_t>(rounds) + more, width_});
    }
    std::stable_sort(result.begin() + static_cast<std::ptrdiff_t>(tight), result.end(), by_time);
    return result;
  }
  void look_for_trees(std::uint32_t steps, double least, FrontPoint& point) {
    std::uint32_t tried = 0;
    for (const StepRounds& wanted : candidates(steps, least)) {
      const bool loose = ++tried > options_.attempts;
      if (point.verdict.time <= wanted.time()) break;
      if (!front_.points.empty() && front_.points.back().verdict.time <= wanted.time()) break;
      // Alike all around first, which is much smaller; then of any shape.
      for (const StepProblem* shape : {&problem_, &plain_}) {
        if (shape == &plain_ && problem_.elements() == 1) break;
        if (progress_.interrupted()) throw Interrupted();
        if (tree_literals(*shape, wanted) > options_.most_literals) continue;
        SatLimits limits;
        limits.conflicts = shape == &problem_ && !loose ? options_.conflicts : options_.plain_conflicts;
        // A conflict takes the longer the larger a formula is, and more of them are needed than there is time
        // for: what is found at all is found soon.
        const std::uint64_t large = std::max<std::uint64_t>(1, tree_literals(*shape, wanted) / kLargeFormula);
        limits.conflicts =
            std::max(limits.conflicts / (large * large), std::min(limits.conflicts, kFewConflicts));
        SatAnswer answer = SatAnswer::unknown;
        auto found = find_trees(*shape, wanted, limits, progress_, answer);
        if (!found) continue;
        take(std::move(*found), point);
        return;
      }
    }
  }

  static constexpr double kLongProgram = 600;  // seconds: a guard, not a limit that is met
  const StepProblem& problem_;
  const StepProblem plain_;
  FrontOptions options_;
  Progress& progress_;
  Front front_;
  std::uint32_t width_ = 1;  // rounds in which an arc of capacity 1 carries a chunk
};

}  // namespace

Fraction Front::bound(std::uint32_t steps) const {
  const std::size_t at = steps - least_steps;
  return at < bounds.size() ? bounds[at] : end;
}

Front find_front(const StepProblem& problem, const Fraction& end, const FrontOptions& options,
                 Progress& progress) {
  return FrontSearch(problem, end, options, progress).run();
}

}  // namespace unknot
