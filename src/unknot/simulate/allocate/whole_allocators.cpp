// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/allocate/whole_allocators.hpp"

#include <algorithm>

namespace unknot::simulate {

WavefrontAllocator::WavefrontAllocator(const SwitchSizes& sizes)
    : diagonals_(std::max(sizes.inputs, sizes.outputs)),
      given_(sizes.inputs, kNone),
      first_(sizes.routers, 0),
      taken_(sizes.outputs, 0),
      on_(diagonals_) {}

const std::vector<std::uint32_t>& WavefrontAllocator::match(std::uint32_t router,
                                                            const SwitchRequests& requests) {
  std::fill(given_.begin(), given_.end(), kNone);
  std::fill(taken_.begin(), taken_.end(), std::uint8_t{0});
  for (std::uint32_t i = 0; i < requests.inputs(); ++i) {
    for (const std::uint32_t o : requests.of_input(i)) on_[(i + o) % diagonals_].push_back(i);
  }
  std::uint32_t& first = first_[router];
  for (std::uint32_t d = 0; d < diagonals_; ++d) {
    const std::uint32_t diagonal = (first + d) % diagonals_;
    for (const std::uint32_t i : on_[diagonal]) {
      const std::uint32_t o = (diagonal + diagonals_ - i) % diagonals_;
      if (given_[i] != kNone || taken_[o] != 0) continue;
      given_[i] = o;
      taken_[o] = 1;
    }
    on_[diagonal].clear();
  }
  first = (first + 1) % diagonals_;
  return given_;
}

MaxSizeAllocator::MaxSizeAllocator(const SwitchSizes& sizes)
    : given_(sizes.inputs, kNone),
      holder_(sizes.outputs, kNone),
      first_(sizes.routers, 0),
      seen_(sizes.outputs, 0) {}

/// Finds an output for the input, for which others may have to take another one.
bool MaxSizeAllocator::augment(std::uint32_t input, const SwitchRequests& requests) {
  for (const std::uint32_t o : requests.of_input(input)) {
    if (seen_[o] != 0) continue;
    seen_[o] = 1;
    if (holder_[o] != kNone && !augment(holder_[o], requests)) continue;
    holder_[o] = input;
    given_[input] = o;
    return true;
  }
  return false;
}

const std::vector<std::uint32_t>& MaxSizeAllocator::match(std::uint32_t router,
                                                          const SwitchRequests& requests) {
  std::fill(given_.begin(), given_.end(), kNone);
  std::fill(holder_.begin(), holder_.end(), kNone);
  const std::uint32_t inputs = requests.inputs();
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const std::uint32_t input = (first_[router] + i) % inputs;
    if (requests.of_input(input).empty()) continue;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    (void)augment(input, requests);
  }
  first_[router] = (first_[router] + 1) % inputs;
  return given_;
}

}  // namespace unknot::simulate
