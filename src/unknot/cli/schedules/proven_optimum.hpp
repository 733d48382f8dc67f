// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::cli {

/// The least time, what proves it, and what trees are made from. The problem must outlive it.
class ProvenOptimum {
 public:
  ProvenOptimum(const BandwidthProblem& problem, Progress& progress);

  [[nodiscard]] const Fraction& time() const { return time_; }
  [[nodiscard]] Forest trees(Progress& progress) const;
  /// "15 shares must enter node 0, over a capacity of 4"
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;

 private:
  void require(const Fraction& counted) const;

  const BandwidthProblem& problem_;
  Fraction time_;
  BandwidthCut cut_;
  AllReduceOptimum all_reduce_;
};

}  // namespace unknot::cli
