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
};

class StepMaker {
 public:
  StepMaker(const BandwidthProblem& problem, const Forest& forest, std::uint64_t chunks, NodeId first_node)
      : forest_(forest), chunks_(chunks) {
    std::vector<std::uint64_t> used(problem.shares.size(), 0);  // parts, by whose they are
    std::vector<std::uint32_t> depth(problem.shares.size());
    for (const Forest::Tree& tree : forest.trees) {
      TreePlace place;
      place.origin = problem.all_reduce ? first_node : tree.root;
      place.first = used[place.origin.value];
      used[place.origin.value] += tree.copies;
      depth[tree.root.value] = 0;
      for (const Forest::Edge& edge : tree.edges) {
        place.level.push_back(depth[edge.from.value]);
        depth[edge.to.value] = depth[edge.from.value] + 1;
        levels_ = std::max(levels_, depth[edge.to.value]);
      }
      places_.push_back(std::move(place));
    }
    parts_ = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
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
      for (std::size_t e = 0; e < tree.edges.size(); ++e) {
        const std::uint32_t level = places_[t].level[e];
        const std::uint64_t late = inwards ? levels_ - 1 - level : level;
        if (step < late || step - late >= chunks_) continue;
        const auto way = forest_.way(tree.edges[e].way);
        std::vector<NodeId> path(way.begin(), way.end());
        if (inwards) std::reverse(path.begin(), path.end());
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

PipelinedSteps pipelined_steps(std::shared_ptr<const NodeGraph> graph, const BandwidthProblem& problem,
                               const Forest& forest, std::uint64_t chunks) {
  StepMaker maker(problem, forest, chunks, problem.members.front());
  if (chunks > kMostPieces || maker.pieces() > kMostPieces)
    throw InputError("too many pieces: trees times chunks are more than 2^24");
  PipelinedSteps result{make_combined(std::move(graph), find_combined_collective(problem.collective),
                                      problem.who, static_cast<std::uint32_t>(maker.pieces())),
                        problem.all_reduce ? maker.there_and_back() : maker.from_the_roots()};
  if (problem.backward) result.schedule = time_reversed(result.schedule, true);
  const ScheduleVerdict verdict = check_combined(result.problem, result.schedule);
  if (verdict.violations() != verdict.of(ViolationKind::channel_conflict))
    throw std::logic_error("steps of trees do not deliver");
  return result;
}

}  // namespace unknot
