// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exact/schedule_formula.hpp"

#include <algorithm>

#include "unknot/collective/exact/at_most.hpp"

namespace unknot {

std::uint64_t ScheduleFormula::literals(const Problem& problem, std::uint32_t steps) {
  const NodeGraph& graph = *problem.graph;
  std::uint64_t units = 0, pairs = 0;
  for (const NodeId n : graph.nodes()) {
    units += graph.out_capacity(n);
    if (!graph.is_leaf(n)) pairs += std::uint64_t{graph.in_capacity(n)} * graph.out_capacity(n);
  }
  const bool limited = problem.extra_hops != Problem::kAnyLength;
  const std::uint64_t groups = problem.groups();
  const std::uint64_t origins =
      limited ? std::uint64_t{graph.node_count()} * (std::min(problem.extra_hops, graph.node_count()) + 1)
              : 0;
  const std::uint64_t each_step =
      pairs * (9 * groups + 3 * origins + 10) + units * (25 * groups + 2 * origins + 20);
  return each_step * steps;
}

ScheduleFormula::ScheduleFormula(const Problem& problem, std::uint32_t steps, SatSolver& solver)
    : problem_(&problem),
      graph_(problem.graph.get()),
      steps_(steps),
      solver_(&solver),
      broadcast_(problem.delivery == Delivery::broadcast),
      limited_(problem.extra_hops != Problem::kAnyLength),
      sends_(graph_->node_count(), 0),
      receives_(graph_->node_count(), 0) {
  message_.assign(std::size_t{problem.groups()} * graph_->node_count(), Problem::kNone);
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    sends_[problem.owner[g].value] = 1;
    for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) {
      const NodeId n = problem.partner[m];
      message_[std::size_t{g} * graph_->node_count() + n.value] = m;
      receives_[n.value] = 1;
      if (broadcast_) sends_[n.value] = 1;
    }
  }
  find_units();
  if (limited_) find_distances();
  number_variables();
  for (std::uint32_t s = 0; s < steps; ++s) {
    add_ways(s);
    add_labels(s);
    if (limited_) add_origins(s);
    add_arrivals(s);
    add_rules(s);
  }
  add_order();
}

void ScheduleFormula::find_units() {
  unit_first_.assign(1, 0);
  for (const ArcId a : graph_->arcs()) {
    arc_of_.insert(arc_of_.end(), graph_->capacity(a), a);
    unit_first_.push_back(units());
  }
  into_.resize(units());
  pair_first_.assign(1, 0);
  for (std::uint32_t u = 0; u < units(); ++u) {
    const NodeId at = graph_->head(arc_of_[u]);
    if (!graph_->is_leaf(at)) {
      for (const ArcId next : graph_->out(at)) {
        if (graph_->head(next) == graph_->tail(arc_of_[u])) continue;
        for (std::uint32_t v = unit_first_[next.value]; v < unit_first_[next.value + 1]; ++v) {
          into_[v].push_back(static_cast<std::uint32_t>(pairs_.size()));
          pairs_.push_back({u, v});
        }
      }
    }
    pair_first_.push_back(static_cast<std::uint32_t>(pairs_.size()));
  }
}

void ScheduleFormula::find_distances() {
  const std::uint32_t nodes = graph_->node_count();
  excesses_ = std::min(problem_->extra_hops, nodes) + 1;
  std::vector<std::uint32_t> hops;
  for (const NodeId n : graph_->nodes()) {
    graph_->distances_from(n, hops);
    distance_.insert(distance_.end(), hops.begin(), hops.end());
  }
}

void ScheduleFormula::number_variables() {
  const auto take = [&](std::uint64_t each_step) {
    return solver_->new_variables(static_cast<std::uint32_t>(each_step * steps_));
  };
  true_ = solver_->new_variables(1);
  clause({true_});
  const std::uint64_t labels = std::uint64_t{problem_->groups()} * units();
  label_ = take(labels);
  arrives_ = take(labels);
  begins_ = take(units());
  ends_ = take(units());
  used_ = take(units());
  follows_ = take(pairs_.size());
  if (broadcast_) has_ = take(problem_->messages());
  if (limited_) origin_ = take(std::uint64_t{graph_->node_count()} * excesses_ * units());
}

int ScheduleFormula::label(std::uint32_t step, std::uint32_t group, std::uint32_t unit) const {
  return label_ + static_cast<int>((step * problem_->groups() + group) * units() + unit);
}

int ScheduleFormula::arrives(std::uint32_t step, std::uint32_t group, std::uint32_t unit) const {
  const NodeId to = graph_->head(arc_of_[unit]);
  if (message_[std::size_t{group} * graph_->node_count() + to.value] == Problem::kNone) return -true_;
  return arrives_ + static_cast<int>((step * problem_->groups() + group) * units() + unit);
}

int ScheduleFormula::begins(std::uint32_t step, std::uint32_t unit) const {
  if (sends_[graph_->tail(arc_of_[unit]).value] == 0) return -true_;
  return begins_ + static_cast<int>(step * units() + unit);
}

int ScheduleFormula::ends(std::uint32_t step, std::uint32_t unit) const {
  if (receives_[graph_->head(arc_of_[unit]).value] == 0) return -true_;
  return ends_ + static_cast<int>(step * units() + unit);
}

int ScheduleFormula::follows(std::uint32_t step, std::uint32_t pair) const {
  return follows_ + static_cast<int>(step * pairs_.size() + pair);
}

int ScheduleFormula::used(std::uint32_t step, std::uint32_t unit) const {
  return used_ + static_cast<int>(step * units() + unit);
}

int ScheduleFormula::has(std::uint32_t step, std::uint32_t group, NodeId node) const {
  if (problem_->owner[group] == node) return true_;
  const std::uint32_t m = message_[std::size_t{group} * graph_->node_count() + node.value];
  if (!broadcast_ || m == Problem::kNone || step == 0) return -true_;
  if (step == steps_) return true_;
  return has_ + static_cast<int>(step * problem_->messages() + m);
}

int ScheduleFormula::origin(std::uint32_t step, std::uint32_t node, std::uint32_t excess,
                            std::uint32_t unit) const {
  return origin_ +
         static_cast<int>(((step * graph_->node_count() + node) * excesses_ + excess) * units() + unit);
}

std::uint32_t ScheduleFormula::excess(std::uint32_t node, std::uint32_t unit) const {
  const std::uint32_t* const hops = distance_.data() + std::size_t{node} * graph_->node_count();
  const ArcId a = arc_of_[unit];
  return hops[graph_->tail(a).value] + 1 - hops[graph_->head(a).value];
}

/// A unit goes on in one way, and comes in one way.
void ScheduleFormula::add_ways(std::uint32_t step) {
  std::vector<int> choice;
  for (std::uint32_t u = 0; u < units(); ++u) {
    choice.assign(1, ends(step, u));
    for (std::uint32_t p = pair_first_[u]; p < pair_first_[u + 1]; ++p) choice.push_back(follows(step, p));
    add_at_most(*solver_, 1, choice);
    choice.assign(1, begins(step, u));
    for (const std::uint32_t p : into_[u]) choice.push_back(follows(step, p));
    add_at_most(*solver_, 1, choice);
    choice.push_back(-used(step, u));
    clause(choice);
  }
}

/// Units of a way have the same label, and one.
void ScheduleFormula::add_labels(std::uint32_t step) {
  const bool ports = problem_->send_ports != Problem::kAllPorts;
  std::vector<int> all;
  for (std::uint32_t u = 0; u < units(); ++u) {
    const NodeId from = graph_->tail(arc_of_[u]);
    all.clear();
    for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
      const int here = label(step, g, u);
      all.push_back(here);
      clause({-here, used(step, u)});
      clause({-begins(step, u), -here, has(step, g, from)});
      for (std::uint32_t p = pair_first_[u]; p < pair_first_[u + 1]; ++p) {
        const int there = label(step, g, pairs_[p].after);
        clause({-follows(step, p), -here, there});
        clause({-follows(step, p), here, -there});
        // Where ports do not count, it could as well begin there.
        if (!ports) clause({-follows(step, p), -here, -has(step, g, graph_->head(arc_of_[u]))});
      }
    }
    add_at_most(*solver_, 1, all);
    all.push_back(-used(step, u));
    clause(all);
  }
}

/// Where lengths are limited: what a way has made, from where it began.
void ScheduleFormula::add_origins(std::uint32_t step) {
  for (std::uint32_t u = 0; u < units(); ++u) {
    const std::uint32_t from = graph_->tail(arc_of_[u]).value;
    clause({-begins(step, u), origin(step, from, 0, u)});
    for (std::uint32_t p = pair_first_[u]; p < pair_first_[u + 1]; ++p) {
      const std::uint32_t next = pairs_[p].after;
      for (std::uint32_t n = 0; n < graph_->node_count(); ++n) {
        if (sends_[n] == 0) continue;
        for (std::uint32_t e = 0; e < excesses_; ++e) {
          const std::uint32_t after = e + excess(n, next);
          clause({-follows(step, p), -origin(step, n, e, u),
                  after < excesses_ ? origin(step, n, after, next) : -true_});
        }
      }
    }
  }
}

/// What ends at a node is there from the next step on; all have arrived after the last one.
void ScheduleFormula::add_arrivals(std::uint32_t step) {
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    for (std::uint32_t m = problem_->first[g]; m < problem_->first[g + 1]; ++m) {
      const NodeId to = problem_->partner[m];
      std::vector<int> ways;
      for (const ArcId a : graph_->in(to)) {
        for (std::uint32_t u = unit_first_[a.value]; u < unit_first_[a.value + 1]; ++u) {
          const int here = arrives(step, g, u);
          clause({-here, ends(step, u)});
          clause({-here, label(step, g, u)});
          if (broadcast_) clause({-here, -has(step, g, to)});
          ways.push_back(here);
        }
      }
      if (!broadcast_) continue;
      clause({-has(step, g, to), has(step + 1, g, to)});
      ways.push_back(has(step, g, to));
      ways.push_back(-has(step + 1, g, to));
      clause(ways);
    }
  }
}

/// Ports, half-duplex cables, and units of one arc in order.
void ScheduleFormula::add_rules(std::uint32_t step) {
  std::vector<int> all;
  for (const NodeId n : graph_->nodes()) {
    all.clear();
    for (const ArcId a : graph_->out(n)) {
      for (std::uint32_t u = unit_first_[a.value]; u < unit_first_[a.value + 1]; ++u)
        all.push_back(begins(step, u));
    }
    if (sends_[n.value] != 0) add_at_most(*solver_, problem_->send_limit(n), all);
    all.clear();
    for (const ArcId a : graph_->in(n)) {
      for (std::uint32_t u = unit_first_[a.value]; u < unit_first_[a.value + 1]; ++u)
        all.push_back(ends(step, u));
    }
    if (receives_[n.value] != 0) add_at_most(*solver_, problem_->receive_limit(n), all);
  }
  for (const ArcId a : graph_->arcs()) {
    for (std::uint32_t u = unit_first_[a.value] + 1; u < unit_first_[a.value + 1]; ++u)
      clause({-used(step, u), used(step, u - 1)});
    const ArcId back = graph_->find(graph_->head(a), graph_->tail(a));
    if (!back.valid() || back < a) continue;
    all.clear();
    for (const ArcId one : {a, back}) {
      for (std::uint32_t u = unit_first_[one.value]; u < unit_first_[one.value + 1]; ++u)
        all.push_back(used(step, u));
    }
    add_at_most(*solver_, graph_->link_capacity(graph_->link(a)), all);
  }
}

/// Scatters: every message is sent in some step, and the steps are in one of their orders: by the first of
/// the messages that are sent in them.
void ScheduleFormula::add_order() {
  if (broadcast_) return;
  std::vector<int> ways;
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    for (std::uint32_t m = problem_->first[g]; m < problem_->first[g + 1]; ++m) {
      ways.clear();
      for (std::uint32_t s = 0; s < std::min(steps_, m + 1); ++s) {
        for (const ArcId a : graph_->in(problem_->partner[m])) {
          for (std::uint32_t u = unit_first_[a.value]; u < unit_first_[a.value + 1]; ++u)
            ways.push_back(arrives(s, g, u));
        }
      }
      clause(ways);
    }
  }
}

Schedule ScheduleFormula::schedule() const {
  Schedule schedule;
  std::vector<std::uint8_t> done(problem_->messages(), 0);
  std::vector<NodeId> path;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    schedule.add_step();
    for (std::uint32_t u = 0; u < units(); ++u) {
      if (!solver_->value(used(s, u)) || sends_[graph_->tail(arc_of_[u]).value] == 0 ||
          !solver_->value(begins(s, u)))
        continue;
      std::uint32_t group = 0;
      while (!solver_->value(label(s, group, u))) ++group;
      path.assign(1, graph_->tail(arc_of_[u]));
      for (std::uint32_t at = u;;) {
        const NodeId to = graph_->head(arc_of_[at]);
        path.erase(std::find(path.begin(), path.end(), to), path.end());
        path.push_back(to);
        std::uint32_t p = pair_first_[at];
        while (p < pair_first_[at + 1] && !solver_->value(follows(s, p))) ++p;
        if (p == pair_first_[at + 1]) {
          // Ways that end nowhere, or bring what is there already, are left out.
          const int arrival = arrives(s, group, at);
          if (arrival < 0 || !solver_->value(arrival) || path.size() < 2) break;
          const std::uint32_t m = message_[std::size_t{group} * graph_->node_count() + to.value];
          if (done[m]++ == 0) schedule.add(problem_->owner[group], path);
          break;
        }
        at = pairs_[p].after;
      }
    }
  }
  return schedule;
}

}  // namespace unknot
