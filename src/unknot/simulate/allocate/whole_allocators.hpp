// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/allocate/switch_allocator.hpp"

// Allocators that look at all wishes of a switch at once. See the rows of switch_allocators().
namespace unknot::simulate {

/// A maximal matching: nothing can be added to it.
class WavefrontAllocator final : public SwitchAllocator {
 public:
  explicit WavefrontAllocator(const SwitchSizes& sizes);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;

 private:
  const std::uint32_t diagonals_;
  std::vector<std::uint32_t> given_, first_;    // by input; by router: diagonal that comes first
  std::vector<std::uint8_t> taken_;             // by output
  std::vector<std::vector<std::uint32_t>> on_;  // by diagonal: inputs that want their output on it
};

/// A maximum matching. O(inputs * requests).
class MaxSizeAllocator final : public SwitchAllocator {
 public:
  explicit MaxSizeAllocator(const SwitchSizes& sizes);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;

 private:
  bool augment(std::uint32_t input, const SwitchRequests& requests);

  std::vector<std::uint32_t> given_, holder_, first_;  // by input; by output; by router
  std::vector<std::uint8_t> seen_;                     // by output
};

}  // namespace unknot::simulate
