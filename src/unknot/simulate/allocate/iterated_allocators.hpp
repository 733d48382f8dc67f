// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/simulate/allocate/switch_allocator.hpp"
#include "unknot/support/random.hpp"

// Allocators in which inputs and outputs choose by themselves. See the rows of switch_allocators().
namespace unknot::simulate {

/// What they have in common: who is given whom, who is free, where each arbiter starts.
class ChoosingAllocator : public SwitchAllocator {
 protected:
  explicit ChoosingAllocator(const SwitchSizes& sizes);
  void begin();
  void give(std::uint32_t input, std::uint32_t output);
  [[nodiscard]] bool free_input(std::uint32_t i) const { return given_[i] == kNone; }
  [[nodiscard]] bool free_output(std::uint32_t o) const { return taken_[o] == 0; }
  std::uint32_t& input_turn(std::uint32_t router, std::uint32_t i) { return turns_[router * ports_ + i]; }
  std::uint32_t& output_turn(std::uint32_t router, std::uint32_t o) {
    return turns_[router * ports_ + inputs_ + o];
  }

  const std::uint32_t inputs_, outputs_;
  std::vector<std::uint32_t> given_;                // by input
  std::vector<std::vector<std::uint32_t>> offers_;  // scratch: by input outputs, or by output inputs

 private:
  const std::size_t ports_;
  std::vector<std::uint8_t> taken_;   // by output
  std::vector<std::uint32_t> turns_;  // by router: of its inputs, of its outputs
};

class IslipAllocator final : public ChoosingAllocator {
 public:
  IslipAllocator(const SwitchSizes& sizes, std::uint32_t iterations);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;

 private:
  const std::uint32_t iterations_;
};

class PimAllocator final : public ChoosingAllocator {
 public:
  PimAllocator(const SwitchSizes& sizes, std::uint32_t iterations);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;

 private:
  const std::uint32_t iterations_;
  Random random_;
  std::vector<std::uint32_t> wanting_;  // scratch
};

class SeparableInputAllocator final : public ChoosingAllocator {
 public:
  explicit SeparableInputAllocator(const SwitchSizes& sizes);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;
};

class SeparableOutputAllocator final : public ChoosingAllocator {
 public:
  explicit SeparableOutputAllocator(const SwitchSizes& sizes);
  const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) override;
};

}  // namespace unknot::simulate
