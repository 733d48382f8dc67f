// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/ethernet/relation/forwarding.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::ethernet {

/// Switches that a packet passes, and where it goes wrong: the last one has no route, or the one at `again`
/// comes after the last.
struct LostPath {
  std::uint32_t destination = 0;
  std::vector<std::uint32_t> switches;
  std::uint32_t again = kNone;  ///< index in `switches`; kNone: it is dropped
};

/// Which packets each channel carries: of all sources to all destinations, by all next hops.
class Usage {
 public:
  /// O(destinations * channels) time, a bit for each channel and flow of memory. The forwarding has to
  /// outlive it. Interrupted when `progress` is.
  Usage(const Forwarding& forwarding, std::uint32_t threads, Progress& progress);

  [[nodiscard]] bool carries(std::uint32_t channel, std::uint32_t flow) const {
    return (bits_[channel * words_ + flow / 64] >> flow % 64 & 1) != 0;
  }
  [[nodiscard]] std::span<const std::uint64_t> flows_on(std::uint32_t channel) const {
    return {bits_.data() + channel * words_, words_};
  }
  /// The first flow that both carry, kNone where there is none; of `from` and later ones. O(flows / 64).
  [[nodiscard]] std::uint32_t common_flow(std::uint32_t a, std::uint32_t b, std::uint32_t from = 0) const;

  /// A way round for each destination that has one, and a dead end for each that has one.
  [[nodiscard]] const std::vector<LostPath>& loops() const { return loops_; }
  [[nodiscard]] const std::vector<LostPath>& dead_ends() const { return dead_ends_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;  // by channel
  std::vector<LostPath> loops_, dead_ends_;
};

}  // namespace unknot::ethernet
