// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/path_sample.hpp"

#include <algorithm>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kRowsCopiedAtOnce = 1024;

}  // namespace

PathSample::PathSample(const Network& network, const PathSets& sets, std::uint32_t least,
                       std::uint32_t threads)
    : PathSample(sets) {
  if (sets.blocks() < 2 * least) return;
  step_ = sets.blocks() / least;
  const std::uint32_t taken = (sets.blocks() + step_ - 1) / step_;
  words_ = (taken + PathSets::kLine - 1) / PathSets::kLine * PathSets::kLine;
  copied_.resize(std::size_t{network.channel_count()} * words_);
  rows_ = copied_.data();
  parallel_blocks(network.channel_count(), kRowsCopiedAtOnce, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t c = begin; c < end; ++c) {
                      Word* const row = copied_.data() + std::size_t{c} * words_;
                      for (std::uint32_t w = 0; w < taken; ++w) row[w] = sets.towards(c)[word(w)];
                      std::fill(row + taken, row + words_, Word{0});
                    }
                  });
}

}  // namespace unknot
