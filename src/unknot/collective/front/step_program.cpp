// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_program.hpp"

#include <algorithm>
#include <utility>

#include "unknot/support/solve/linear_program.hpp"
#include "unknot/support/solve/program_classes.hpp"

namespace unknot {
namespace {

constexpr double kFree = LinearProgram::kInfinity;
constexpr std::uint32_t kNoRow = 0xFFFFFFFFU;
constexpr std::uint64_t kMostSaved =
    10;  // columns for each of a program of what is alike, which is made of them

/// Orbits of arcs, by arc: the least of its images; of the identity alone the arc itself.
std::vector<std::uint32_t> least_images(const StepProblem& problem) {
  std::vector<std::uint32_t> least(problem.graph->arc_count());
  for (std::uint32_t a = 0; a < least.size(); ++a) least[a] = a;
  for (const auto& image : problem.hop_image) {
    for (std::uint32_t h = 0; h < problem.hops.size(); ++h) {
      const std::vector<ArcId>& arcs = problem.hops[h].arcs;
      const std::vector<ArcId>& there = problem.hops[image[h]].arcs;
      for (std::size_t i = 0; i < arcs.size(); ++i)
        least[arcs[i].value] = std::min(least[arcs[i].value], there[i].value);
    }
  }
  return least;
}

class ProgramBuilder {
 public:
  ProgramBuilder(const StepProblem& problem, std::uint32_t steps)
      : problem_(problem),
        steps_(steps),
        orbits_(problem.source_orbits()),
        least_arc_(least_images(problem)),
        hops_(static_cast<std::uint32_t>(problem.hops.size())),
        arcs_(problem.graph->arc_count()) {}

  StepProgram run(std::uint64_t most_columns, double seconds) {
    add_capacity_rows();
    for (std::uint32_t s = 0; s < steps_; ++s) add_time(s);
    for (std::uint32_t i = 0; i < orbits_.size(); ++i) {
      if (problem_.personal) {
        add_messages(i);
      } else {
        add_copies(i);
      }
    }
    for (std::size_t i = 0; i < pending_.size(); ++i) program_.add_column(pending_cost_[i], pending_[i]);
    if (problem_.personal) return read(program_.solve(seconds));
    // What is sent is not asked for: the mean over all that is alike will do, and is much smaller.
    const ProgramClasses classes(program_);
    if (classes.program().columns() > most_columns) return {};
    return read(classes.whole(classes.program().solve(seconds)));
  }

 private:
  using Entries = std::vector<LinearProgram::Entry>;

  [[nodiscard]] const StepProblem::Source& source(std::uint32_t orbit) const {
    return problem_.sources[orbits_[orbit]];
  }
  /// Whether data of a source may go over a hop in step s (from 0) on its way to a target.
  [[nodiscard]] bool useful(std::uint32_t from, std::uint32_t target, std::uint32_t h,
                            std::uint32_t s) const {
    const StepHop& hop = problem_.hops[h];
    return hop.to != from && hop.from != target && problem_.distance[from][hop.from] <= s &&
           problem_.distance[hop.to][target] <= steps_ - 1 - s;
  }

  /// What an orbit of arcs carries in a step, one image for all: no more than its capacity times the time.
  void add_capacity_rows() {
    capacity_row_.assign(std::size_t{steps_} * arcs_, kNoRow);
    for (std::uint32_t s = 0; s < steps_; ++s) {
      for (std::uint32_t a = 0; a < arcs_; ++a) {
        if (least_arc_[a] == a) capacity_row_[std::size_t{s} * arcs_ + a] = program_.add_row(-kFree, 0);
      }
    }
  }
  void add_time(std::uint32_t s) {
    Entries& entries = pending_.emplace_back();
    pending_cost_.push_back(1);
    for (std::uint32_t a = 0; a < arcs_; ++a) {
      if (least_arc_[a] != a) continue;
      entries.push_back({capacity_row_[std::size_t{s} * arcs_ + a],
                         -static_cast<double>(problem_.graph->capacity(ArcId(a)))});
    }
  }
  /// All images of a hop that lie on an arc together are as many as hops of its orbit there are on the arc.
  void add_loads(Entries& entries, std::uint32_t h, std::uint32_t s) const {
    const std::size_t begin = entries.size();
    for (const ArcId a : problem_.hops[h].arcs) {
      const std::uint32_t row = capacity_row_[std::size_t{s} * arcs_ + least_arc_[a.value]];
      const auto same = std::find_if(entries.begin() + static_cast<std::ptrdiff_t>(begin), entries.end(),
                                     [&](const LinearProgram::Entry& e) { return e.row == row; });
      if (same == entries.end()) {
        entries.push_back({row, 1});
      } else {
        same->value += 1;
      }
    }
  }
  /// Rows of who holds what of a flow when a step ends, and of what is to come; columns that carry and keep.
  struct FlowRows {
    std::vector<std::uint32_t> held;  // by step and rank; kNoRow: not wanted
    std::vector<std::uint32_t> wanted;
  };
  FlowRows add_flow_rows(std::uint32_t from, const std::vector<std::uint32_t>& targets) {
    FlowRows rows;
    rows.held.assign(std::size_t{steps_} * problem_.ranks(), kNoRow);
    for (std::uint32_t s = 0; s + 1 < steps_; ++s) {
      for (std::uint32_t r = 0; r < problem_.ranks(); ++r) {
        const bool is_sink = targets.size() == 1 && r == targets.front();
        if (r == from || is_sink) continue;
        rows.held[std::size_t{s} * problem_.ranks() + r] = program_.add_row(0, 0);
      }
    }
    for (std::size_t i = 0; i < targets.size(); ++i) rows.wanted.push_back(program_.add_row(1, 1));
    return rows;
  }
  /// Into `to` by the end of step s: kept, or at a target from the last step on there for good.
  void arrive(const FlowRows& rows, const std::vector<std::uint32_t>& targets, std::uint32_t to,
              std::uint32_t s, Entries& entries) const {
    const auto place = std::find(targets.begin(), targets.end(), to);
    const std::uint32_t held = rows.held[std::size_t{s} * problem_.ranks() + to];
    if (held != kNoRow) {
      entries.push_back({held, 1});
    } else if (place != targets.end()) {
      entries.push_back({rows.wanted[static_cast<std::size_t>(place - targets.begin())], 1});
    }
  }
  void leave(const FlowRows& rows, std::uint32_t from, std::uint32_t at, std::uint32_t s,
             Entries& entries) const {
    if (at == from) return;
    entries.push_back({rows.held[std::size_t{s - 1} * problem_.ranks() + at], -1});
  }
  void add_storage(const FlowRows& rows, const std::vector<std::uint32_t>& targets) {
    for (std::uint32_t s = 0; s + 1 < steps_; ++s) {
      for (std::uint32_t r = 0; r < problem_.ranks(); ++r) {
        const std::uint32_t held = rows.held[std::size_t{s} * problem_.ranks() + r];
        if (held == kNoRow) continue;
        const bool ends = s + 2 == steps_ && std::find(targets.begin(), targets.end(), r) == targets.end();
        if (ends) continue;
        Entries entries{{held, -1}};
        arrive(rows, targets, r, s + 1, entries);
        add_column(0, std::move(entries));
      }
    }
  }

  /// One flow for all targets, which is what is sent.
  void add_messages(std::uint32_t i) {
    const StepProblem::Source& from = source(i);
    const FlowRows rows = add_flow_rows(from.rank, from.targets);
    sent_column_.resize((std::size_t{i} + 1) * steps_ * hops_, kNoRow);
    for (std::uint32_t s = 0; s < steps_; ++s) {
      for (std::uint32_t h = 0; h < hops_; ++h) {
        const StepHop& hop = problem_.hops[h];
        const bool any = std::any_of(from.targets.begin(), from.targets.end(),
                                     [&](std::uint32_t t) { return useful(from.rank, t, h, s); });
        if (!any) continue;
        Entries entries;
        add_loads(entries, h, s);
        arrive(rows, from.targets, hop.to, s, entries);
        leave(rows, from.rank, hop.from, s, entries);
        sent_column_[(std::size_t{i} * steps_ + s) * hops_ + h] = add_column(0, std::move(entries));
      }
    }
    add_storage(rows, from.targets);
  }

  /// A flow for each target, none more than what is sent for all.
  void add_copies(std::uint32_t i) {
    const StepProblem::Source& from = source(i);
    const std::size_t place = std::size_t{steps_} * hops_;
    flow_row_.resize(first_flow(i + 1) * place, kNoRow);
    std::vector<std::uint32_t> targets(1);
    for (std::uint32_t k = 0; k < from.targets.size(); ++k) {
      targets[0] = from.targets[k];
      const FlowRows rows = add_flow_rows(from.rank, targets);
      for (std::uint32_t s = 0; s < steps_; ++s) {
        for (std::uint32_t h = 0; h < hops_; ++h) {
          if (!useful(from.rank, targets[0], h, s)) continue;
          const std::uint32_t row = program_.add_row(-kFree, 0);
          flow_row_[(first_flow(i) + k) * place + std::size_t{s} * hops_ + h] = row;
          Entries entries{{row, 1}};
          arrive(rows, targets, problem_.hops[h].to, s, entries);
          leave(rows, from.rank, problem_.hops[h].from, s, entries);
          add_column(0, std::move(entries));
        }
      }
      add_storage(rows, targets);
    }
    for (std::uint32_t s = 0; s < steps_; ++s) {
      for (std::uint32_t h = 0; h < hops_; ++h) {
        Entries entries;
        for (std::size_t k = first_flow(i); k < first_flow(i + 1); ++k) {
          const std::uint32_t row = flow_row_[k * place + std::size_t{s} * hops_ + h];
          if (row != kNoRow) entries.push_back({row, -1});
        }
        if (entries.empty()) continue;
        add_loads(entries, h, s);
        add_column(0, std::move(entries));
      }
    }
  }
  /// Flows of the orbits before.
  [[nodiscard]] std::size_t first_flow(std::uint32_t orbit) const {
    std::size_t flows = 0;
    for (std::uint32_t i = 0; i < orbit; ++i) flows += source(i).targets.size();
    return flows;
  }

  std::uint32_t add_column(double cost, Entries entries) {
    pending_cost_.push_back(cost);
    pending_.push_back(std::move(entries));
    return static_cast<std::uint32_t>(pending_.size()) - 1;
  }
  StepProgram read(const LinearProgram::Solution& solution) const {
    StepProgram result;
    result.solved = solution.optimal;
    if (!result.solved) return result;
    result.time = solution.objective;
    result.step_time.assign(solution.x.begin(), solution.x.begin() + steps_);
    for (const std::uint32_t column : sent_column_)
      result.sent.push_back(column == kNoRow ? 0 : solution.x[column]);
    const auto price = [&](std::uint32_t row) {
      return row == kNoRow ? 0 : std::max(0.0, -solution.dual[row]);
    };
    for (const std::uint32_t row : flow_row_) result.flow_price.push_back(price(row));
    for (std::uint32_t s = 0; s < steps_; ++s) {
      for (std::uint32_t a = 0; a < arcs_; ++a)
        result.arc_price.push_back(price(capacity_row_[std::size_t{s} * arcs_ + least_arc_[a]]));
    }
    return result;
  }

  const StepProblem& problem_;
  std::uint32_t steps_;
  std::vector<std::uint32_t> orbits_, least_arc_;
  std::uint32_t hops_, arcs_;
  LinearProgram program_;
  std::vector<Entries> pending_;  // columns: handed over when all rows are there
  std::vector<double> pending_cost_;
  std::vector<std::uint32_t> capacity_row_;  // by step and arc, of the least of an orbit
  std::vector<std::uint32_t> sent_column_;   // by orbit, step and hop
  std::vector<std::uint32_t> flow_row_;      // by flow, step and hop
};

std::uint64_t program_columns(const StepProblem& problem, std::uint32_t steps) {
  std::uint64_t flows = 0;
  for (const std::uint32_t i : problem.source_orbits())
    flows += problem.personal ? 1 : problem.sources[i].targets.size() + 1;
  return flows * steps * (problem.hops.size() + problem.ranks());
}

}  // namespace

StepProgram solve_steps(const StepProblem& problem, std::uint32_t steps, std::uint64_t most_columns,
                        double seconds) {
  const std::uint64_t columns = program_columns(problem, steps);
  if (columns > most_columns * (problem.personal ? 1 : kMostSaved)) return {};
  return ProgramBuilder(problem, steps).run(most_columns, seconds);
}

}  // namespace unknot
