// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/portfolio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/packing/fewer_steps.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// What a solver of the portfolio is called with; efforts grow from level to level.
struct Member {
  std::string solver;
  std::string parameter = {};  ///< that says how long it looks; none: it is exact
  std::uint64_t first = 1, factor = 1;
  std::uint32_t from_level = 0;
  bool gone = false;  ///< it has refused

  [[nodiscard]] std::string spec(std::uint32_t level) const {
    if (parameter.empty()) return solver;
    std::uint64_t effort = first;
    constexpr std::uint64_t kMost = 1'000'000'000;
    for (std::uint32_t i = from_level; i < level; ++i) effort = std::min(kMost, effort * factor);
    return fmt::format("{}:{}={}", solver, parameter, effort);
  }
};

/// Formulas of more than this many messages times channels and steps are no use.
constexpr std::uint64_t kMostFormula = 3'000'000;
/// Those of no more than this many are solved, or proven to have no solution, before a longer search by
/// others.
constexpr std::uint64_t kSmallFormula = 50'000;

/// Millions of channels looked at while steps are taken out of a schedule, at the first level, and times as
/// many at each further one.
constexpr std::uint64_t kTakenOut = 100, kTakenOutFactor = 6;
constexpr std::uint64_t kTakenOutOfEach = 1000;  // channels for each message, at least
/// Where one fits first, more messages are not packed anew with the least effort.
constexpr std::uint32_t kMostAnew = 200'000;

bool takes(const std::string& solver, const Problem& problem) {
  return refusal(find_solver(solver), problem).empty();
}

/// Those that may find a schedule, the likeliest first.
std::vector<Member> members_for(const Problem& problem, std::uint32_t lower_bound, std::uint32_t percent) {
  std::vector<Member> members;
  const auto add = [&](Member member) {
    member.first = std::max<std::uint64_t>(1, member.first * percent / 100);
    if (takes(member.solver, problem)) members.push_back(std::move(member));
  };
  add({.solver = "on-routes", .parameter = "effort", .first = 20, .factor = 8});
  if (problem.routes != nullptr) return members;
  add({.solver = "scatter-flow"});
  // Exact, but for paths of some lengths only.
  if (!members.empty() && (problem.extra_hops == 0 || problem.extra_hops == Problem::kAnyLength))
    return members;
  add({.solver = "nested-flows", .parameter = "effort", .first = 20, .factor = 8});
  add({.solver = "matching", .parameter = "tries", .first = 50, .factor = 8});
  add({.solver = "ring-exchange"});
  const std::uint64_t formula = std::uint64_t{problem.messages()} * problem.graph->arc_count() * lower_bound;
  const Member sat{.solver = "sat", .parameter = "conflicts", .first = 20'000, .factor = 10, .from_level = 1};
  if (formula <= kSmallFormula) add(sat);
  add({.solver = "packing", .parameter = "effort", .first = 40, .factor = 10});
  if (formula > kSmallFormula && formula <= kMostFormula) add(sat);
  if (members.empty() || problem.delivery != Delivery::scatter)
    add({.solver = "umda", .parameter = "generations", .first = 200, .factor = 10, .from_level = 1});
  return members;
}

/// Says in front of every phase how far it is.
class Standing final : public Progress {
 public:
  explicit Standing(Progress& progress) : progress_(&progress) {}
  void say(std::string text) { text_ = std::move(text); }
  void begin(const char* phase, std::uint64_t total) override {
    progress_->begin((text_ + phase).c_str(), total);
  }
  void update(std::uint64_t done) override { progress_->update(done); }
  [[nodiscard]] bool interrupted() const override { return progress_->interrupted(); }

 private:
  Progress* progress_;
  std::string text_;
};

class Portfolio {
 public:
  Portfolio(const Problem& problem, const Parameters& p, const SolveOptions& options, Progress& progress)
      : problem_(&problem),
        options_(options),
        levels_(p.number32("levels")),
        percent_(p.number32("effort")),
        members_(members_for(problem, std::max(1U, options.lower_bound), p.number32("effort"))),
        progress_(progress),
        fewest_(std::max(1U, options.lower_bound)) {}

  /// All levels for one number of steps.
  Solution solve_steps(std::uint32_t steps) {
    asked_ = steps;
    for (std::uint32_t level = 0; level < levels() && !done_ && steps >= fewest_; ++level) {
      if (attempt(steps, level)) break;
    }
    return result();
  }

  Solution solve_fewest() {
    construct();
    if (!best_) fit_first();
    if (!best_ || (is_open() && !is_large())) find_any(0);
    take_steps_out(0);
    for (std::uint32_t level = 1; level < levels() && !done_; ++level) {
      if (!best_) {
        find_any(level);
        continue;
      }
      if (!is_open() || attempt(fewest_, level)) break;
      while (!done_ && is_open() && best_->steps - 1 > fewest_ && attempt(best_->steps - 1, level)) {
      }
      take_steps_out(level);
    }
    return result();
  }

 private:
  [[nodiscard]] std::uint32_t levels() const {
    // As long as there is time, where there is a limit.
    constexpr std::uint32_t kEndless = 30;
    return options_.seconds > 0 ? kEndless : levels_;
  }
  [[nodiscard]] bool is_open() const { return best_ && best_->steps > fewest_; }
  [[nodiscard]] double seconds_left() const { return options_.seconds - seconds_since(start_); }

  /// A schedule without search, where a member makes one: of as many steps as it takes.
  void construct() {
    for (const Member& member : members_) {
      if (!member.parameter.empty() || !find_solver(member.solver).fewest) continue;
      SolveOptions options = options_;
      options.lower_bound = fewest_;
      best_ = solve(*problem_, member.spec(0), options, progress_);
      evaluations_ += best_->evaluations;
    }
  }

  [[nodiscard]] bool is_plain_scatter() const {
    return problem_->delivery == Delivery::scatter && problem_->routes == nullptr;
  }
  [[nodiscard]] bool is_large() const { return problem_->messages() > kMostAnew; }

  /// A schedule of many messages to begin with: to pack all of them anew for each number of steps takes long.
  void fit_first() {
    if (!is_large() || !is_plain_scatter()) return;
    progress_.say(fmt::format("bound {}, ", fewest_));
    progress_.begin("first fit", 0);
    std::optional<Schedule> schedule = first_fit(*problem_, fewest_, options_.seed);
    if (!schedule) return;
    best_.emplace();
    best_->steps = schedule->step_count();
    best_->schedule = std::move(*schedule);
    best_->evaluations = 1;
    ++evaluations_;
  }

  /// Of the best schedule, where messages go straight to their receivers on free paths.
  void take_steps_out(std::uint32_t level) {
    if (!is_open() || done_ || !is_plain_scatter()) return;
    std::uint64_t arcs =
        std::max(kTakenOut * 1'000'000, kTakenOutOfEach * problem_->messages()) / 100 * percent_;
    for (std::uint32_t i = 0; i < std::min(level, 6U); ++i) arcs *= kTakenOutFactor;
    progress_.say(fmt::format("best {}, bound {}, ", best_->steps, fewest_));
    progress_.begin("take steps out", 0);
    best_->schedule = fewer_steps(*problem_, best_->schedule, {fewest_, arcs, options_.seed + level}, [&] {
      if (progress_.interrupted() || (options_.seconds > 0 && seconds_left() <= 0))
        done_ = out_of_time_ = true;
      return done_;
    });
    best_->steps = best_->schedule.step_count();
  }

  /// More steps, twice as many more each time, until there is a schedule; then fewer, by halves.
  void find_any(std::uint32_t level) {
    std::uint32_t failed = fewest_ - 1;
    for (std::uint32_t steps = fewest_, more = 1; !done_ && !(best_ && steps >= best_->steps); more *= 2) {
      if (attempt(steps, level)) break;
      failed = steps;
      if (steps >= problem_->messages()) return;
      steps = std::min(std::max(steps + more, fewest_), problem_->messages());
    }
    failed = std::max(failed, fewest_ - 1);
    while (!done_ && best_ && best_->steps - failed > 1) {
      const std::uint32_t middle = failed + (best_->steps - failed) / 2;
      if (!attempt(middle, level)) failed = middle;
      failed = std::max(failed, fewest_ - 1);
    }
  }

  /// True when there is a schedule of this many steps, which is then the best.
  bool attempt(std::uint32_t steps, std::uint32_t level) {
    for (Member& member : members_) {
      if (done_) return false;
      if (member.gone) continue;
      // What is exact has said all it can the first time.
      if (level < member.from_level || (level > 0 && member.parameter.empty())) continue;
      SolveOptions options = options_;
      options.steps = steps;
      options.lower_bound = fewest_;
      options.seed = options_.seed + level;
      if (options_.seconds > 0 && (options.seconds = seconds_left()) <= 0) {
        done_ = out_of_time_ = true;
        return false;
      }
      progress_.say(fmt::format(
          "{}bound {}, trying {}: ", best_ ? fmt::format("best {}, ", best_->steps) : "", fewest_, steps));
      try {
        Solution found = solve(*problem_, member.spec(level), options, progress_);
        evaluations_ += found.evaluations;
        fewest_ = std::max(fewest_, found.fewest);
        if (found.conflicts == 0) {
          best_ = std::move(found);
          return true;
        }
        const bool impossible = found.impossible;
        if (!rest_ || found.conflicts < rest_->conflicts) rest_ = std::move(found);
        if (impossible) return false;
      } catch (const InputError&) {
        // What is too large for it only in this many steps.
        if (members_.size() == 1) throw;
        member.gone = true;
      } catch (const Interrupted&) {
        if (!best_) throw;
        done_ = out_of_time_ = true;
        return false;
      }
    }
    return false;
  }

  Solution result() {
    if (!best_ && !rest_) {
      rest_.emplace();
      rest_->steps = asked_ > 0 ? asked_ : fewest_;
      rest_->conflicts = problem_->messages();
      for (std::uint32_t s = 0; s < rest_->steps; ++s) rest_->schedule.add_step();
    }
    Solution found = best_ ? std::move(*best_) : std::move(*rest_);
    found.out_of_time = out_of_time_;
    found.evaluations = evaluations_;
    found.fewest = fewest_;
    found.impossible = fewest_ > found.steps;
    return found;
  }

  Clock::time_point start_ = Clock::now();
  const Problem* problem_;
  SolveOptions options_;
  std::uint32_t levels_, percent_;
  std::vector<Member> members_;
  Standing progress_;
  std::uint32_t fewest_;
  std::optional<Solution> best_, rest_;  // a schedule; the one with the fewest conflicts
  std::uint64_t evaluations_ = 0;
  std::uint32_t asked_ = 0;  // steps; 0: as few as are found
  bool done_ = false, out_of_time_ = false;
};

}  // namespace

Solver portfolio_solver() {
  return {
      .name = "auto",
      .summary = "those of the others that suit the problem, with growing effort",
      .source = "",
      .parameters = {{.name = "levels",
                      .help = "of effort, where there is no limit of time; each about ten times the last",
                      .fallback = "3",
                      .min = 1,
                      .max = 9},
                     {.name = "effort",
                      .help = "of the first level, in percent of the usual one",
                      .fallback = "100",
                      .min = 1,
                      .max = 10'000}},
      .solve =
          [](const Problem& problem, std::uint32_t steps, const Parameters& parameters,
             const SolveOptions& options, Progress& progress) {
            return Portfolio(problem, parameters, options, progress).solve_steps(steps);
          },
      .fewest =
          [](const Problem& problem, const Parameters& parameters, const SolveOptions& options,
             Progress& progress) { return Portfolio(problem, parameters, options, progress).solve_fewest(); },
      .on_routes = true};
}

}  // namespace unknot
