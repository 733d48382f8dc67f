// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/mscclpp/rank_moves.hpp"
#include "unknot/support/error.hpp"

namespace unknot::mscclpp {
namespace {

constexpr std::uint32_t kAllRanks = RankMoves::kAll;

/// The moves of trees, step by step: chunk c passes level l in step c + l, backwards in step c + depth - 1 -
/// l.
class ForestMoves {
 public:
  ForestMoves(const BandwidthProblem& problem, const Forest& forest, std::uint64_t chunks)
      : problem_(problem), forest_(forest), chunks_(chunks), depth_(depth_of(forest).edges) {
    std::uint32_t rank = 0;
    rank_of_.resize(problem.graph->node_count(), kAllRanks);
    for (const NodeId n : problem.members) rank_of_[n.value] = rank++;
    result_.node = problem.members;
    set_collective();
  }

  RankMoves run() {
    add_items();
    const std::uint64_t steps = (problem_.all_reduce ? 2 : 1) * std::uint64_t{depth_} + chunks_ - 1;
    by_step_.resize(steps);
    for (std::uint32_t t = 0; t < forest_.trees.size(); ++t) add_tree(t);
    for (const auto& step : by_step_) {
      result_.moves.insert(result_.moves.end(), step.begin(), step.end());
      result_.end_step();
    }
    return std::move(result_);
  }

 private:
  void set_collective() {
    const auto owners = std::count_if(problem_.members.begin(), problem_.members.end(),
                                      [&](NodeId n) { return problem_.shares[n.value] == 1; });
    const std::uint64_t members = problem_.members.size();
    const bool all = static_cast<std::uint64_t>(owners) == members && problem_.all_shares == members;
    if (!all && !(owners == 1 && problem_.all_shares == 1)) {
      throw InputError(fmt::format(
          "MSCCL++: it has no collective in which not all exchange messages with all, as in this {}",
          problem_.collective));
    }
    one_owner_ = !all;
    if (problem_.all_reduce) {
      result_.collective = msccl::Collective::allreduce;
    } else if (one_owner_) {
      result_.collective = problem_.backward ? msccl::Collective::reduce : msccl::Collective::broadcast;
    } else {
      result_.collective =
          problem_.backward ? msccl::Collective::reduce_scatter : msccl::Collective::allgather;
    }
    const std::uint64_t share = forest_.copies * chunks_;
    const std::uint64_t whole = one_owner_ ? share : share * members;
    if (forest_.copies > kMostChunks || chunks_ > kMostChunks || whole > kMostChunks) {
      throw InputError(
          fmt::format("MSCCL++: shares in {} parts of {} chunks make buffers of more than {} chunks",
                      forest_.copies, chunks_, kMostChunks));
    }
    const bool many_in = problem_.all_reduce || (problem_.backward && !one_owner_);
    const bool many_out = problem_.all_reduce || (!problem_.backward && !one_owner_);
    result_.input_chunks = static_cast<std::uint32_t>(many_in ? whole : share);
    result_.output_chunks = static_cast<std::uint32_t>(many_out ? whole : share);
  }

  /// Trees of a root divide its share among them; those of an all-reduce divide all data.
  void add_items() {
    std::vector<std::uint64_t> used(problem_.members.size(), 0);
    std::uint64_t all = 0;
    const std::uint64_t share = forest_.copies * chunks_;
    for (const Forest::Tree& tree : forest_.trees) {
      const std::uint32_t root = rank_of_[tree.root.value];
      const auto size = static_cast<std::uint32_t>(tree.copies);
      for (std::uint64_t c = 0; c < chunks_; ++c) {
        const auto in_share = static_cast<std::uint32_t>(used[root]);
        const auto in_all = static_cast<std::uint32_t>(one_owner_ ? used[root] : root * share + used[root]);
        RankMoves::Item item{problem_.backward || problem_.all_reduce ? kAllRanks : root,
                             problem_.backward && !problem_.all_reduce ? root : kAllRanks,
                             problem_.backward ? in_all : in_share, problem_.backward ? in_share : in_all,
                             size};
        if (problem_.all_reduce) item.input = item.output = static_cast<std::uint32_t>(all);
        result_.items.push_back(item);
        used[root] += size;
        all += size;
      }
    }
  }

  void add_move(std::uint64_t step, NodeId from, NodeId to, std::uint64_t item, bool combines) {
    const std::uint64_t first = result_.carried.size();
    result_.carried.push_back(static_cast<std::uint32_t>(item));
    by_step_[step].push_back({rank_of_[from.value], rank_of_[to.value], first, first + 1, combines});
  }

  void add_tree(std::uint32_t t) {
    level_.assign(problem_.graph->node_count(), 0);
    for (const Forest::Edge& edge : forest_.trees[t].edges) {
      const std::uint32_t level = level_[edge.from.value];
      level_[edge.to.value] = level + 1;
      for (std::uint64_t c = 0; c < chunks_; ++c) {
        const std::uint64_t item = t * chunks_ + c;
        if (problem_.backward || problem_.all_reduce)
          add_move(c + depth_ - 1 - level, edge.to, edge.from, item, true);
        if (!problem_.backward || problem_.all_reduce)
          add_move(c + (problem_.all_reduce ? depth_ : 0) + level, edge.from, edge.to, item, false);
      }
    }
  }

  const BandwidthProblem& problem_;
  const Forest& forest_;
  std::uint64_t chunks_;
  std::uint32_t depth_;
  bool one_owner_ = false;
  RankMoves result_;
  std::vector<std::uint32_t> rank_of_, level_;  // by node
  std::vector<std::vector<RankMoves::Move>> by_step_;
};

}  // namespace

RankMoves moves_of(const BandwidthProblem& problem, const Forest& forest, std::uint64_t chunks) {
  return ForestMoves(problem, forest, chunks).run();
}

}  // namespace unknot::mscclpp
