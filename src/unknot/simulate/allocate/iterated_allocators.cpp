// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/allocate/iterated_allocators.hpp"

#include <algorithm>

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kNoPort = SwitchAllocator::kNone;

/// Of ascending numbers the first at or after `turn`, around; of those that `open` takes.
template <class Open>
std::uint32_t next_in_turn(const std::vector<std::uint32_t>& numbers, std::uint32_t turn, const Open& open) {
  std::uint32_t first = kNoPort;
  for (const std::uint32_t number : numbers) {
    if (!open(number)) continue;
    if (number >= turn) return number;
    if (first == kNoPort) first = number;
  }
  return first;
}
std::uint32_t next_in_turn(const std::vector<std::uint32_t>& numbers, std::uint32_t turn) {
  return next_in_turn(numbers, turn, [](std::uint32_t) { return true; });
}

constexpr std::uint64_t kOwnDraws = 0x70696D;  // not those of the packets

}  // namespace

ChoosingAllocator::ChoosingAllocator(const SwitchSizes& sizes)
    : inputs_(sizes.inputs),
      outputs_(sizes.outputs),
      given_(sizes.inputs, kNone),
      offers_(std::max(sizes.inputs, sizes.outputs)),
      ports_(std::size_t{sizes.inputs} + sizes.outputs),
      taken_(sizes.outputs, 0),
      turns_(sizes.routers * ports_, 0) {}

void ChoosingAllocator::begin() {
  std::fill(given_.begin(), given_.end(), kNone);
  std::fill(taken_.begin(), taken_.end(), std::uint8_t{0});
}

void ChoosingAllocator::give(std::uint32_t input, std::uint32_t output) {
  given_[input] = output;
  taken_[output] = 1;
}

IslipAllocator::IslipAllocator(const SwitchSizes& sizes, std::uint32_t iterations)
    : ChoosingAllocator(sizes), iterations_(iterations) {}

const std::vector<std::uint32_t>& IslipAllocator::match(std::uint32_t router,
                                                        const SwitchRequests& requests) {
  begin();
  for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
    bool any = false;
    for (std::uint32_t o = 0; o < requests.outputs(); ++o) {
      if (!free_output(o)) continue;
      const std::uint32_t input = next_in_turn(requests.of_output(o), output_turn(router, o),
                                               [&](std::uint32_t i) { return free_input(i); });
      if (input == kNone) continue;
      offers_[input].push_back(o);
      any = true;
    }
    if (!any) break;
    for (std::uint32_t i = 0; i < requests.inputs(); ++i) {
      if (offers_[i].empty()) continue;
      const std::uint32_t output = next_in_turn(offers_[i], input_turn(router, i));
      offers_[i].clear();
      give(i, output);
      // Turns that moved on later would leave connections without service for ever.
      if (iteration > 0) continue;
      input_turn(router, i) = output + 1;
      output_turn(router, output) = i + 1;
    }
  }
  return given_;
}

PimAllocator::PimAllocator(const SwitchSizes& sizes, std::uint32_t iterations)
    : ChoosingAllocator(sizes), iterations_(iterations), random_(sizes.seed ^ kOwnDraws, 1) {}

const std::vector<std::uint32_t>& PimAllocator::match(std::uint32_t /*router*/,
                                                      const SwitchRequests& requests) {
  begin();
  const auto drawn = [this](const std::vector<std::uint32_t>& numbers) {
    return numbers[random_.below(static_cast<std::uint32_t>(numbers.size()))];
  };
  for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
    bool any = false;
    for (std::uint32_t o = 0; o < requests.outputs(); ++o) {
      if (!free_output(o)) continue;
      wanting_.clear();
      for (const std::uint32_t i : requests.of_output(o)) {
        if (free_input(i)) wanting_.push_back(i);
      }
      if (wanting_.empty()) continue;
      offers_[drawn(wanting_)].push_back(o);
      any = true;
    }
    if (!any) break;
    for (std::uint32_t i = 0; i < requests.inputs(); ++i) {
      if (offers_[i].empty()) continue;
      give(i, drawn(offers_[i]));
      offers_[i].clear();
    }
  }
  return given_;
}

SeparableInputAllocator::SeparableInputAllocator(const SwitchSizes& sizes) : ChoosingAllocator(sizes) {}

const std::vector<std::uint32_t>& SeparableInputAllocator::match(std::uint32_t router,
                                                                 const SwitchRequests& requests) {
  begin();
  for (std::uint32_t i = 0; i < requests.inputs(); ++i) {
    const std::uint32_t output = next_in_turn(requests.of_input(i), input_turn(router, i));
    if (output != kNone) offers_[output].push_back(i);
  }
  for (std::uint32_t o = 0; o < requests.outputs(); ++o) {
    if (offers_[o].empty()) continue;
    const std::uint32_t input = next_in_turn(offers_[o], output_turn(router, o));
    offers_[o].clear();
    give(input, o);
    input_turn(router, input) = o + 1;
    output_turn(router, o) = input + 1;
  }
  return given_;
}

SeparableOutputAllocator::SeparableOutputAllocator(const SwitchSizes& sizes) : ChoosingAllocator(sizes) {}

const std::vector<std::uint32_t>& SeparableOutputAllocator::match(std::uint32_t router,
                                                                  const SwitchRequests& requests) {
  begin();
  for (std::uint32_t o = 0; o < requests.outputs(); ++o) {
    const std::uint32_t input = next_in_turn(requests.of_output(o), output_turn(router, o));
    if (input != kNone) offers_[input].push_back(o);
  }
  for (std::uint32_t i = 0; i < requests.inputs(); ++i) {
    if (offers_[i].empty()) continue;
    const std::uint32_t output = next_in_turn(offers_[i], input_turn(router, i));
    offers_[i].clear();
    give(i, output);
    input_turn(router, i) = output + 1;
    output_turn(router, output) = i + 1;
  }
  return given_;
}

}  // namespace unknot::simulate
