// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/placed/our_schedules.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::vector<std::uint32_t> rank_by_node(const PlacedRanks& placed) {
  std::vector<std::uint32_t> rank_of(placed.graph()->node_count(), 0xFFFFFFFFU);
  for (std::uint32_t r = 0; r < placed.ranks(); ++r) rank_of[placed.node(r).value] = r;
  return rank_of;
}

Participants participants_of(RankCollective collective, std::uint32_t root, const PlacedRanks& placed) {
  Participants who;
  std::vector<NodeId> nodes;
  for (std::uint32_t r = 0; r < placed.ranks(); ++r) nodes.push_back(placed.node(r));
  std::sort(nodes.begin(), nodes.end());
  if (collective == RankCollective::broadcast) {
    who.root = placed.node(root);
    who.receivers = std::move(nodes);
    std::erase(*who.receivers, *who.root);
  } else {
    who.nodes = std::move(nodes);
  }
  return who;
}

struct Solved {
  Problem problem;
  Schedule schedule;
  std::uint32_t bound = 0;
};

Solved solve_on_routes(const char* name, const Participants& who, const PlacedRanks& placed,
                       const SolveOptions& options, Progress& progress) {
  ProblemRules rules;
  rules.routes = placed.routes();
  Solved result{make_collective(placed.graph(), name, who, rules), {}, 0};
  SolveOptions solving = options;
  result.bound = solving.lower_bound = lower_bound(result.problem).steps;
  Solution found = solve(result.problem, "auto", solving, progress);
  if (found.conflicts > 0) throw InputError("no schedule was found in the time given");
  result.bound = std::max(result.bound, found.fewest);
  result.schedule = std::move(found.schedule);
  return result;
}

/// Each step a round, from `first` on.
void add_steps(RankDraft& draft, std::uint32_t first, const Solved& solved,
               const std::vector<std::uint32_t>& rank_of, RankCollective collective) {
  const bool sums = solved.problem.delivery == Delivery::reduction;
  const auto ranks = static_cast<std::uint32_t>(
      std::count_if(rank_of.begin(), rank_of.end(), [](std::uint32_t rank) { return rank != 0xFFFFFFFFU; }));
  const Schedule& schedule = solved.schedule;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const std::uint32_t from = rank_of[schedule.distributor(t).value];
      const std::uint32_t to = rank_of[schedule.receiver(t).value];
      std::uint32_t block = rank_of[schedule.origin(t).value];
      if (collective == RankCollective::all_to_all) block = from * ranks + to;
      if (collective == RankCollective::broadcast) block = 0;
      const std::uint32_t blocks[] = {block};
      draft.add(first + step, {from, to, sums}, blocks);
    }
  }
}

}  // namespace

OurSchedule our_steps(RankCollective collective, std::uint32_t root, const PlacedRanks& placed,
                      const SolveOptions& options, Progress& progress) {
  const Participants who = participants_of(collective, root, placed);
  const std::vector<std::uint32_t> rank_of = rank_by_node(placed);
  const bool pieces = collective == RankCollective::all_reduce;
  RankDraft draft(collective, placed.ranks(), pieces ? placed.ranks() : 1, root);
  OurSchedule result;
  const auto add = [&](const char* name) {
    const Solved solved = solve_on_routes(name, who, placed, options, progress);
    add_steps(draft, result.steps, solved, rank_of, collective);
    result.steps += solved.schedule.step_count();
    result.bound += solved.bound;
  };
  switch (collective) {
    case RankCollective::all_reduce:
      add("AAR");
      add("AAB");
      break;
    case RankCollective::all_gather:
      add("AAB");
      break;
    case RankCollective::reduce_scatter:
      add("AAR");
      break;
    case RankCollective::broadcast:
      add("OAB");
      break;
    case RankCollective::all_to_all:
      add("AAS");
      break;
  }
  result.schedule = std::move(draft).build();
  return result;
}

OurTrees::OurTrees(RankCollective collective, std::uint32_t root, const PlacedRanks& placed,
                   Progress& progress)
    : collective_(collective), root_(root), ranks_(placed.ranks()), rank_of_(rank_by_node(placed)) {
  const char* name = collective == RankCollective::all_reduce       ? "all-reduce"
                     : collective == RankCollective::reduce_scatter ? "AAR"
                     : collective == RankCollective::broadcast      ? "OAB"
                                                                    : "AAB";
  if (collective == RankCollective::all_to_all) throw InputError("trees are for what all get, or sum up");
  NodeGraphOptions options;
  options.model = NodeModel::terminals;  // nodes have the numbers that they have in placed.graph()
  options.unit = CapacityUnit::automatic;
  const auto graph = std::make_shared<const NodeGraph>(placed.network(), options);
  const BandwidthProblem problem =
      make_bandwidth_problem(graph, name, participants_of(collective, root, placed));
  forest_ = problem.all_reduce ? make_forest(all_reduce_optimum(problem, progress), progress)
                               : make_forest(problem, bandwidth_optimum(problem, progress), progress);
  const ForestVerdict verdict = check_forest(problem, forest_);
  if (!verdict.valid()) throw std::logic_error("the trees do not pass the checker: " + verdict.fault);
  time_ = verdict.time;
}

std::string OurTrees::optimum() const {
  return time_.text();
}

RankSchedule OurTrees::in_chunks(std::uint32_t chunks) const {
  struct Part {
    std::uint32_t from, to;
    bool combines;
    std::uint32_t block;
    auto operator<=>(const Part&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
  };
  const bool pieces = collective_ == RankCollective::all_reduce;
  const bool sums = pieces || collective_ == RankCollective::reduce_scatter;
  const bool copies = collective_ != RankCollective::reduce_scatter;
  const std::uint32_t depth = depth_of(forest_).edges;
  const auto parts = static_cast<std::uint32_t>(forest_.copies) * chunks;
  std::vector<std::vector<Part>> rounds((sums && copies ? 2 : 1) * depth + chunks - 1);
  std::vector<std::uint32_t> level(rank_of_.size());
  std::vector<std::uint32_t> next(ranks_);  // by root: parts of its share that trees before carry
  std::uint32_t next_piece = 0;
  for (const Forest::Tree& tree : forest_.trees) {
    const std::uint32_t root = rank_of_[tree.root.value];
    std::uint32_t& at = pieces ? next_piece : next[root];
    level[tree.root.value] = 0;
    for (const Forest::Edge& edge : tree.edges) {
      level[edge.to.value] = level[edge.from.value] + 1;
      const std::uint32_t from = rank_of_[edge.from.value], to = rank_of_[edge.to.value];
      const std::uint32_t below = depth - level[edge.to.value];
      for (std::uint32_t c = 0; c < chunks; ++c) {
        for (std::uint32_t m = 0; m < tree.copies; ++m) {
          const std::uint32_t part = (at + m) * chunks + c;
          const bool shares = collective_ == RankCollective::all_gather || !copies;
          const std::uint32_t block = shares ? root * parts + part : part;
          if (sums) rounds[c + below].push_back({to, from, true, block});
          if (copies) rounds[c + (sums ? depth : 0) + depth - below - 1].push_back({from, to, false, block});
        }
      }
    }
    at += static_cast<std::uint32_t>(tree.copies);
  }
  RankDraft draft(collective_, ranks_, pieces ? parts * ranks_ : parts, root_);
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t round = 0; round < rounds.size(); ++round) {
    std::vector<Part>& all = rounds[round];
    std::sort(all.begin(), all.end());
    for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
      blocks.clear();
      const Part& one = all[first];
      for (end = first; end < all.size() && all[end].from == one.from && all[end].to == one.to &&
                        all[end].combines == one.combines;
           ++end) {
        blocks.push_back(all[end].block);
      }
      draft.add(round, {one.from, one.to, one.combines}, blocks);
    }
  }
  return std::move(draft).build();
}

}  // namespace unknot
