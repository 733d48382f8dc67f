// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/priced/make_trees.hpp"
#include "unknot/collective/priced/reduce_bound.hpp"
#include "unknot/collective/symmetry/translations.hpp"

namespace unknot::cli {

/// A time that nothing beats, what proves it, and trees that come as near to it as is known how. Of one group
/// it is the optimum, but for all-reduces on links that differ by direction, or with switches that both copy
/// and sum: those have a bound, a cut, a partition or channels. So have several groups, by lengths of arcs.
class BandwidthProof {
 public:
  /// Everything is counted once more, by what knows the problem and the proof alone; std::runtime_error where
  /// it does not hold.
  /// `translations`: the trees of one node are made, and stand for all; null: all are.
  BandwidthProof(std::span<const BandwidthProblem> groups, const Translations* translations,
                 std::uint32_t threads, Progress& progress);

  [[nodiscard]] const Fraction& time() const { return time_; }
  /// Trees that take it are known to be there.
  [[nodiscard]] bool is_optimum() const { return is_optimum_; }
  /// Of several groups: the optimum, or bound, of each by itself.
  [[nodiscard]] const std::vector<Fraction>& alone() const { return alone_; }
  [[nodiscard]] WholeTrees trees(Progress& progress);

  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;
  /// Where it holds for less than all schedules, of what; else empty.
  [[nodiscard]] std::string reserve() const;

 private:
  void prove_alone(Progress& progress);
  [[nodiscard]] std::optional<PartitionBound> partition_of_images(Progress& progress) const;
  [[nodiscard]] WholeTrees translated_trees(Progress& progress) const;
  void require(const Fraction& counted) const;
  [[nodiscard]] std::optional<WholeTrees> trees_without_powers(Progress& progress) const;
  [[nodiscard]] std::optional<WholeTrees> trees_both_ways(Progress& progress) const;
  /// Trees clearly over the bound give way to those of switches that do not use all they can, where these are
  /// better.
  void take_lesser_powers(WholeTrees& best, Progress& progress) const;

  std::span<const BandwidthProblem> groups_;
  const Translations* translations_;
  std::uint32_t threads_;
  Fraction time_;
  bool is_optimum_ = true;
  std::optional<BandwidthCut> cut_;
  std::optional<AllReduceOptimum> all_reduce_;
  std::optional<ReduceBound> reduce_;
  std::optional<TreeBound> lengths_;
  std::optional<TreeFlow> flow_;
  std::vector<Fraction> alone_;
};

}  // namespace unknot::cli
