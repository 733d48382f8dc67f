// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/pipelined_steps.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostPieces = std::uint64_t{1} << 24U;

/// Where a tree's parts lie among the pieces of a message, and how deep its edges are.
struct TreePlace {
  NodeId origin;                     // of its blocks
  std::uint64_t first = 0;           // of its parts
  std::vector<std::uint32_t> level;  // by edge, from the root
  std::vector<std::uint32_t> level_inward;
};

class StepMaker {
 public:
  StepMaker(std::span<const BandwidthProblem> groups, const Forest& forest, std::uint64_t chunks)
      : forest_(forest), chunks_(chunks) {
    const std::size_t nodes = groups.front().shares.size();
    std::vector<std::uint64_t> used(nodes, 0);  // parts, by whose they are
    std::vector<std::uint32_t> depth(nodes);
    places_.reserve(forest.trees.size());
    for (const Forest::Tree& tree : forest.trees) {
      const BandwidthProblem& group = groups[tree.group];
      TreePlace place;
      place.origin = group.all_reduce ? group.members.front() : tree.root;
      place.first = used[place.origin.value];
      used[place.origin.value] += tree.copies;
      depth[tree.root.value] = 0;
      const auto below = [&](NodeId parent, NodeId child) {
        depth[child.value] = depth[parent.value] + 1;
        levels_ = std::max(levels_, depth[child.value]);
        return depth[parent.value];
      };
      place.level.reserve(tree.edges.size());
      for (const Forest::Edge& edge : tree.edges) place.level.push_back(below(edge.from, edge.to));
      place.level_inward.resize(tree.inward.size());
      for (std::size_t e = tree.inward.size(); e-- > 0;)
        place.level_inward[e] = below(tree.inward[e].to, tree.inward[e].from);
      places_.push_back(std::move(place));
    }
    parts_ = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
    for (const std::uint64_t parts : used) {
      if (parts != 0 && parts != parts_)
        throw InputError("groups that are not alike divide their messages into unlike numbers of pieces");
    }
  }

  [[nodiscard]] std::uint64_t pieces() const { return parts_ * chunks_; }

  /// Chunk c is on edges of level l in step c + l.
  CombinedSchedule from_the_roots() {
    CombinedSchedule schedule;
    for (std::uint64_t step = 0; step + 1 < chunks_ + levels_; ++step) {
      add_chunks(step, false);
      add_step(schedule, false);
    }
    return schedule;
  }

  /// Chunk c is on edges of level l in step c + levels - 1 - l on its way in, and after these on its way out.
  CombinedSchedule there_and_back() {
    CombinedSchedule schedule;
    for (std::uint64_t step = 0; step + 1 < chunks_ + 2 * levels_; ++step) {
      add_chunks(step, true);
      add_step(schedule, true);
      if (step < levels_) continue;
      add_chunks(step - levels_, false);
      add_to_step(schedule, false);
    }
    return schedule;
  }

 private:
  void add_chunks(std::uint64_t step, bool inwards) {
    for (std::size_t t = 0; t < forest_.trees.size(); ++t) {
      const Forest::Tree& tree = forest_.trees[t];
      const bool own_way_in = inwards && !tree.inward.empty();
      const std::vector<Forest::Edge>& edges = own_way_in ? tree.inward : tree.edges;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const std::uint32_t level = (own_way_in ? places_[t].level_inward : places_[t].level)[e];
        const std::uint64_t late = inwards ? levels_ - 1 - level : level;
        if (step < late || step - late >= chunks_) continue;
        const auto way = forest_.way(edges[e].way);
        std::vector<NodeId> path(way.begin(), way.end());
        if (inwards && !own_way_in) std::reverse(path.begin(), path.end());
        std::vector<Block>& blocks = going_[std::move(path)];
        const std::uint64_t first = places_[t].first * chunks_ + (step - late) * tree.copies;
        for (std::uint64_t i = 0; i < tree.copies; ++i)
          blocks.push_back({places_[t].origin, static_cast<std::uint32_t>(first + i)});
      }
    }
  }
  void add_step(CombinedSchedule& schedule, bool combines) {
    schedule.add_step();
    add_to_step(schedule, combines);
  }
  void add_to_step(CombinedSchedule& schedule, bool combines) {
    for (const auto& [path, blocks] : going_) schedule.add(path, blocks, combines);
    going_.clear();
  }

  const Forest& forest_;
  std::uint64_t chunks_;
  std::uint32_t levels_ = 1;
  std::uint64_t parts_ = 0;  // of a message
  std::vector<TreePlace> places_;
  std::map<std::vector<NodeId>, std::vector<Block>> going_;  // in the step: path, what goes on it
};

}  // namespace

PipelinedSteps pipelined_steps(std::shared_ptr<const NodeGraph> graph,
                               std::span<const BandwidthProblem> groups, const Participants& who,
                               const Forest& forest, std::uint64_t chunks) {
  if (branches_at_switches(forest, groups))
    throw InputError("trees that branch at switches need switches that copy or combine: steps know none");
  const BandwidthProblem& problem = groups.front();
  StepMaker maker(groups, forest, chunks);
  if (chunks > kMostPieces || maker.pieces() > kMostPieces)
    throw InputError("too many pieces: trees times chunks are more than 2^24");
  PipelinedSteps result{make_combined(std::move(graph), find_combined_collective(problem.collective), who,
                                      static_cast<std::uint32_t>(maker.pieces())),
                        problem.all_reduce ? maker.there_and_back() : maker.from_the_roots()};
  if (problem.backward) result.schedule = time_reversed(result.schedule, true);
  const ScheduleVerdict verdict = check_combined(result.problem, result.schedule);
  if (verdict.violations() != verdict.of(ViolationKind::channel_conflict))
    throw std::logic_error("steps of trees do not deliver");
  return result;
}

PipelinedSteps pipelined_steps(std::shared_ptr<const NodeGraph> graph, const BandwidthProblem& problem,
                               const Forest& forest, std::uint64_t chunks) {
  return pipelined_steps(std::move(graph), {&problem, 1}, problem.who, forest, chunks);
}

}  // namespace unknot
