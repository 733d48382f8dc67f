// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_trees.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

namespace unknot {
namespace {

class TreeFormula {
 public:
  TreeFormula(const StepProblem& problem, const StepRounds& wanted)
      : problem_(problem),
        wanted_(wanted),
        orbits_(problem.source_orbits()),
        hops_(static_cast<std::uint32_t>(problem.hops.size())) {
    for (const std::uint32_t i : orbits_) {
      for (std::uint32_t c = 0; c < wanted.chunks; ++c) {
        add_chunk(problem.sources[i]);
        if (c > 0) add_order(sent_[sent_.size() - 2], sent_.back());
      }
    }
    add_rounds();
    for (std::uint32_t s = 0; s < wanted.steps; ++s) add_loads(s);
  }

  std::optional<StepSchedule> solve(const SatLimits& limits, const Progress& progress, SatAnswer& answer) {
    answer = solver_.solve(limits, progress);
    if (answer != SatAnswer::satisfiable) return std::nullopt;
    return read();
  }

 private:
  void clause(std::initializer_list<int> literals) {
    solver_.add_clause({literals.begin(), literals.size()});
  }

  /// Variables of a chunk: sent_ by step and hop (0: of no use), has_ by step and rank.
  void add_chunk(const StepProblem::Source& source) {
    const std::uint32_t steps = wanted_.steps;
    std::vector<int> sent(std::size_t{steps} * hops_, 0);
    std::vector<int> has(std::size_t{steps} * problem_.ranks(), 0);
    const std::vector<std::uint32_t>& far = problem_.distance[source.rank];
    for (std::uint32_t s = 0; s < steps; ++s) {
      for (std::uint32_t r = 0; r < problem_.ranks(); ++r) {
        if (r != source.rank && far[r] <= s + 1)
          has[std::size_t{s} * problem_.ranks() + r] = solver_.new_variables(1);
      }
      std::vector<std::vector<int>> comes(problem_.ranks());
      for (std::uint32_t h = 0; h < hops_; ++h) {
        const StepHop& hop = problem_.hops[h];
        if (hop.to == source.rank || far[hop.from] > s) continue;
        const int variable = solver_.new_variables(1);
        sent[std::size_t{s} * hops_ + h] = variable;
        comes[hop.to].push_back(variable);
        if (hop.from != source.rank)
          clause({-variable, has[std::size_t{s - 1} * problem_.ranks() + hop.from]});
        // Nothing is sent to who has it: no schedule needs that.
        clause({-variable, has[std::size_t{s} * problem_.ranks() + hop.to]});
        if (s > 0 && has[std::size_t{s - 1} * problem_.ranks() + hop.to] != 0)
          clause({-variable, -has[std::size_t{s - 1} * problem_.ranks() + hop.to]});
      }
      for (std::uint32_t r = 0; r < problem_.ranks(); ++r) {
        const int here = has[std::size_t{s} * problem_.ranks() + r];
        if (here == 0) continue;
        std::vector<int> why{-here};
        if (s > 0 && has[std::size_t{s - 1} * problem_.ranks() + r] != 0) {
          why.push_back(has[std::size_t{s - 1} * problem_.ranks() + r]);
          clause({-why.back(), here});
        }
        why.insert(why.end(), comes[r].begin(), comes[r].end());
        solver_.add_clause(why);
      }
    }
    for (const std::uint32_t target : source.targets)
      clause({has[std::size_t{steps - 1} * problem_.ranks() + target]});
    sent_.push_back(std::move(sent));
  }

  /// Chunks of a source are alike, and may be numbered so that what is sent of them descends, as rows of 0
  /// and 1 with the first steps before: no schedule is lost, and none is looked at once for each order of
  /// them.
  void add_order(const std::vector<int>& before, const std::vector<int>& after) {
    int equal = 0;  // so far; 0: as nothing has been looked at
    for (std::size_t at = 0; at < after.size(); ++at) {
      if (after[at] == 0) continue;
      const int now = solver_.new_variables(1);
      std::vector<int> unless;
      if (equal != 0) unless.push_back(-equal);
      for (const auto& [a, b] :
           {std::pair(before[at], -after[at]), std::pair(before[at], now), std::pair(-after[at], now)}) {
        unless.push_back(a);
        unless.push_back(b);
        solver_.add_clause(unless);
        unless.resize(unless.size() - 2);
      }
      equal = now;
    }
  }

  /// round_[s][j]: step s has more than j + 1 rounds; one each is given.
  void add_rounds() {
    const std::uint32_t spare = wanted_.rounds - wanted_.steps;
    round_.resize(wanted_.steps);
    std::vector<int> all;
    for (std::vector<int>& of_step : round_) {
      for (std::uint32_t j = 0; j < spare; ++j) {
        of_step.push_back(solver_.new_variables(1));
        all.push_back(of_step.back());
        if (j > 0) clause({-of_step[j], of_step[j - 1]});
      }
    }
    const std::vector<int> more_than = counted(all, spare + 1);
    if (more_than.size() > spare) clause({-more_than[spare]});
  }

  /// Outputs: number k is true where more than k of the literals are; `most` of them at most.
  std::vector<int> counted(const std::vector<int>& literals, std::uint32_t most) {
    std::vector<int> before;
    for (const int literal : literals) {
      const std::size_t width = std::min<std::size_t>(before.size() + 1, most);
      std::vector<int> now(width);
      for (int& output : now) output = solver_.new_variables(1);
      clause({-literal, now[0]});
      for (std::size_t k = 0; k < before.size(); ++k) {
        clause({-before[k], now[k]});
        if (k + 1 < width) clause({-literal, -before[k], now[k + 1]});
      }
      before = std::move(now);
    }
    return before;
  }

  /// What all images of the chunks put on an arc, for one arc of each orbit.
  void add_loads(std::uint32_t s) {
    // By arc: hops of which an image lies on it.
    std::map<std::uint32_t, std::vector<std::uint32_t>> on_arc;
    std::vector<std::uint32_t> leader(problem_.graph->arc_count(), Problem::kNone);
    for (std::uint32_t h = 0; h < hops_; ++h) {
      for (std::size_t i = 0; i < problem_.hops[h].arcs.size(); ++i) {
        const std::uint32_t arc = problem_.hops[h].arcs[i].value;
        if (leader[arc] == Problem::kNone) {
          for (const auto& image : problem_.hop_image) leader[problem_.hops[image[h]].arcs[i].value] = arc;
        }
        on_arc[leader[arc]].push_back(h);
      }
    }
    const std::uint32_t spare = wanted_.rounds - wanted_.steps;
    for (const auto& [arc, hops] : on_arc) {
      std::vector<int> literals;
      for (const std::vector<int>& sent : sent_) {
        for (const std::uint32_t h : hops) {
          if (const int variable = sent[std::size_t{s} * hops_ + h]; variable != 0)
            literals.push_back(variable);
        }
      }
      const std::uint64_t capacity = problem_.graph->capacity(ArcId(arc));
      const auto room = [&](std::uint32_t rounds) { return capacity * rounds / wanted_.width; };
      const std::vector<int> more_than = counted(literals, static_cast<std::uint32_t>(room(spare + 1)) + 1);
      for (std::uint32_t j = 0; j <= spare && room(j + 1) < more_than.size(); ++j) {
        const int over = -more_than[room(j + 1)];  // more than so many: a round more is needed
        if (j < spare) {
          clause({over, round_[s][j]});
        } else {
          clause({over});
        }
      }
    }
  }

  /// Each rank's first arrival of a chunk, if it needs any or hands it on; of all images.
  StepSchedule read() const {
    StepSchedule schedule;
    schedule.chunks = wanted_.chunks;
    schedule.steps.resize(wanted_.steps);
    std::vector<std::uint32_t> number(problem_.ranks(), 0);
    for (std::uint32_t i = 0; i < problem_.sources.size(); ++i) number[problem_.sources[i].rank] = i;
    for (std::size_t at = 0; at < sent_.size(); ++at) {
      const StepProblem::Source& source = problem_.sources[orbits_[at / wanted_.chunks]];
      const auto chunk = static_cast<std::uint32_t>(at % wanted_.chunks);
      std::vector<bool> has(problem_.ranks(), false);
      has[source.rank] = true;
      for (std::uint32_t s = 0; s < wanted_.steps; ++s) {
        std::vector<bool> then = has;
        for (std::uint32_t h = 0; h < hops_; ++h) {
          const int variable = sent_[at][std::size_t{s} * hops_ + h];
          if (variable == 0 || !solver_.value(variable)) continue;
          const StepHop& hop = problem_.hops[h];
          if (!has[hop.from] || then[hop.to]) continue;
          then[hop.to] = true;
          for (std::uint32_t e = 0; e < problem_.elements(); ++e) {
            schedule.steps[s].push_back(
                {number[problem_.rank_image[e][source.rank]], 0, chunk, problem_.hop_image[e][h]});
          }
        }
        has = std::move(then);
      }
    }
    return schedule;
  }

  const StepProblem& problem_;
  StepRounds wanted_;
  std::vector<std::uint32_t> orbits_;
  std::uint32_t hops_;
  SatSolver solver_;
  std::vector<std::vector<int>> sent_;   // by chunk of a source; by step and hop
  std::vector<std::vector<int>> round_;  // by step
};

}  // namespace

std::uint64_t tree_literals(const StepProblem& problem, const StepRounds& wanted) {
  const std::uint64_t sends =
      std::uint64_t{problem.source_orbits().size()} * wanted.chunks * wanted.steps * problem.hops.size();
  std::uint64_t widest = 1;
  for (const ArcId a : problem.graph->arcs())
    widest = std::max<std::uint64_t>(widest, problem.graph->capacity(a));
  return sends * ((std::uint64_t{wanted.rounds} - wanted.steps + 1) * widest / wanted.width + 4);
}

std::optional<StepSchedule> find_trees(const StepProblem& problem, const StepRounds& wanted,
                                       const SatLimits& limits, const Progress& progress, SatAnswer& answer) {
  answer = SatAnswer::unsatisfiable;
  if (wanted.rounds < wanted.steps) return std::nullopt;
  return TreeFormula(problem, wanted).solve(limits, progress, answer);
}

}  // namespace unknot
