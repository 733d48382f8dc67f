// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// Every n-th word of the rows of PathSets, side by side: what is counted over thousands of destinations is
/// known well enough from some of them.
class PathSample {
 public:
  using Word = PathSets::Word;

  /// Every word, where the sets keep them; `sets` must outlive the sample.
  explicit PathSample(const PathSets& sets) : rows_(sets.towards(0)), words_(sets.words()) {}
  /// At least `least` words. O(channels * words()). `threads` 0: all.
  PathSample(const Network& network, const PathSets& sets, std::uint32_t least, std::uint32_t threads);
  PathSample(const PathSample&) = delete;  // rows may be its own
  PathSample& operator=(const PathSample&) = delete;

  /// Words of a row, a multiple of PathSets::kLine.
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// The word of the sets that is this one of the sample. Those that the sets do not have are 0.
  [[nodiscard]] std::uint32_t word(std::uint32_t of_sample) const { return of_sample * step_; }
  [[nodiscard]] const Word* towards(std::uint32_t channel) const {
    return rows_ + std::size_t{channel} * words_;
  }

 private:
  BulkVector<Word> copied_;
  const Word* rows_;  // by channel
  std::uint32_t words_;
  std::uint32_t step_ = 1;
};

}  // namespace unknot
