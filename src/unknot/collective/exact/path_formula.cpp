// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exact/path_formula.hpp"

#include <algorithm>

#include "unknot/collective/evolution/genome_parts.hpp"
#include "unknot/collective/exact/at_most.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// By how many hops a message may be longer than its shortest path; kNone: there are too few hops even for
/// shortest ones.
std::uint32_t spare_hops(const Problem& problem, std::uint32_t steps) {
  const NodeGraph& graph = *problem.graph;
  std::uint64_t carried = 0, needed = 0;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) carried += graph.link_capacity(l);
  carried *= steps;
  std::vector<std::uint32_t> hops;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    graph.distances_from(problem.owner[g], hops);
    for (const NodeId n : problem.partners(g)) needed += hops[n.value];
  }
  if (needed > carried) return kNone;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(carried - needed, graph.node_count()));
}

/// The messages that take one resource, which is enough for one, on all their paths: the most there are.
std::vector<std::uint32_t> one_by_one(const PairPaths& paths, const StepResources& resources) {
  std::vector<std::vector<std::uint32_t>> by_resource(resources.count());
  std::vector<std::uint32_t> taken(resources.count(), 0);
  for (std::uint32_t m = 0; m < paths.pairs(); ++m) {
    for (std::uint32_t i = 0; i < paths.count(m); ++i) {
      for (const std::uint32_t r : resources.of(paths.number(m, i))) ++taken[r];
    }
    for (const std::uint32_t r : resources.of(paths.number(m, 0))) {
      if (taken[r] == paths.count(m) && resources.capacity(r) == 1) by_resource[r].push_back(m);
    }
    for (std::uint32_t i = 0; i < paths.count(m); ++i) {
      for (const std::uint32_t r : resources.of(paths.number(m, i))) taken[r] = 0;
    }
  }
  return *std::max_element(by_resource.begin(), by_resource.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
}

}  // namespace

std::optional<PairPaths> all_paths(const Problem& problem, std::uint32_t steps, std::uint32_t most) {
  const std::uint32_t spare = spare_hops(problem, steps);
  std::vector<MessageEnds> ends;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) ends.push_back({problem.owner[g], n});
  }
  const PathLimits limits{.extra_hops = std::min(spare == kNone ? 0 : spare, problem.extra_hops),
                          .most = most + 1};
  PairPaths paths(*problem.graph, ends, limits);
  for (std::uint32_t m = 0; m < paths.pairs(); ++m) {
    if (paths.count(m) > most) return std::nullopt;
  }
  return paths;
}

std::uint64_t PathFormula::literals(const PairPaths& paths, std::uint32_t steps) {
  constexpr std::uint64_t kOfCounter = 7;  // literals for each that is counted
  std::uint64_t taken = 0;
  for (std::uint32_t p = 0; p < paths.paths(); ++p) taken += paths.arcs(p).size() + 2;
  return taken * kOfCounter * steps;
}

PathFormula::PathFormula(const Problem& problem, const PairPaths& paths, std::uint32_t steps,
                         SatSolver& solver)
    : problem_(&problem),
      paths_(&paths),
      steps_(steps),
      solver_(&solver),
      none_(problem.graph->node_count()),
      resources_(problem, paths, none_),
      first_(solver.new_variables(paths.paths() * steps)) {
  add_messages();
  add_resources();
}

/// Every message is sent in one step.
void PathFormula::add_messages() {
  const std::vector<std::uint32_t> apart = one_by_one(*paths_, resources_);
  std::vector<std::uint32_t> own_step(paths_->pairs(), kNone);
  for (std::uint32_t i = 0; i < apart.size(); ++i) own_step[apart[i]] = i;
  std::vector<int> all, ways;
  for (std::uint32_t m = 0; m < paths_->pairs(); ++m) {
    all.clear();
    ways.clear();
    for (std::uint32_t i = 0; i < paths_->count(m); ++i) {
      for (std::uint32_t s = 0; s < steps_; ++s) {
        all.push_back(sent(paths_->number(m, i), s));
        if (own_step[m] == kNone || own_step[m] == s) ways.push_back(all.back());
      }
    }
    solver_->add_clause(ways);  // empty where more messages need steps of their own than there are
    add_at_most(*solver_, 1, all);
  }
}

void PathFormula::add_resources() {
  std::vector<std::vector<std::uint32_t>> takers(resources_.count());
  for (std::uint32_t p = 0; p < paths_->paths(); ++p) {
    for (const std::uint32_t r : resources_.of(p)) takers[r].push_back(p);
  }
  std::vector<int> all;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    for (std::uint32_t r = 0; r < resources_.count(); ++r) {
      all.clear();
      for (const std::uint32_t p : takers[r]) all.push_back(sent(p, s));
      add_at_most(*solver_, resources_.capacity(r), all);
    }
  }
}

Schedule PathFormula::schedule() const {
  ScheduleBuilder builder(*problem_->graph, none_, steps_);
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    for (std::uint32_t m = problem_->first[g]; m < problem_->first[g + 1]; ++m) {
      for (std::uint32_t i = 0; i < paths_->count(m); ++i) {
        for (std::uint32_t s = 0; s < steps_; ++s) {
          const std::uint32_t p = paths_->number(m, i);
          if (solver_->value(sent(p, s))) builder.add(s, problem_->owner[g], paths_->arcs(p));
        }
      }
    }
  }
  return builder.build();
}

}  // namespace unknot
