// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/parameters.hpp"

// Allocators of a switch by name: which inputs send to which outputs in a step. What the simulator's core
// does by itself is iSLIP with one iteration; these are what it can be told to do instead.
namespace unknot::simulate {

/// Who wants whom in one switch: inputs and outputs by number.
class SwitchRequests {
 public:
  SwitchRequests(std::uint32_t inputs, std::uint32_t outputs) : of_input_(inputs), of_output_(outputs) {}
  /// Outputs in ascending order, and for each of them inputs in ascending order; each pair once. O(1).
  void add(std::uint32_t input, std::uint32_t output) {
    of_input_[input].push_back(output);
    of_output_[output].push_back(input);
  }
  /// O(inputs + outputs).
  void clear() {
    for (auto* all : {&of_input_, &of_output_}) {
      for (std::vector<std::uint32_t>& one : *all) one.clear();
    }
  }
  [[nodiscard]] std::uint32_t inputs() const { return static_cast<std::uint32_t>(of_input_.size()); }
  [[nodiscard]] std::uint32_t outputs() const { return static_cast<std::uint32_t>(of_output_.size()); }
  /// Ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& of_input(std::uint32_t i) const { return of_input_[i]; }
  [[nodiscard]] const std::vector<std::uint32_t>& of_output(std::uint32_t o) const { return of_output_[o]; }

 private:
  std::vector<std::vector<std::uint32_t>> of_input_, of_output_;
};

/// Matches inputs and outputs of many switches of one size, and remembers for each where its arbiters stand.
class SwitchAllocator {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  SwitchAllocator() = default;
  SwitchAllocator(const SwitchAllocator&) = delete;
  SwitchAllocator& operator=(const SwitchAllocator&) = delete;
  virtual ~SwitchAllocator() = default;
  /// The output that each input is given, kNone for none: one that it wants, none to two of them.
  virtual const std::vector<std::uint32_t>& match(std::uint32_t router, const SwitchRequests& requests) = 0;
};

/// How many switches, and their size.
struct SwitchSizes {
  std::uint32_t routers = 1, inputs = 1, outputs = 1;
  std::uint64_t seed = 1;  ///< of allocators that draw
};

struct AllocatorRow {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters;
  std::function<std::unique_ptr<SwitchAllocator>(const SwitchSizes&, const Parameters&)> make;
};
const std::vector<AllocatorRow>& switch_allocators();

/// Of a spec such as "islip:iterations=2". InputError where it names none or is wrong.
std::unique_ptr<SwitchAllocator> make_switch_allocator(std::string_view spec, const SwitchSizes& sizes);

}  // namespace unknot::simulate
