// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

namespace unknot::simulate {

/// Watches over packets that take one path on one lane: those from a terminal to another arrive in the order
/// in which they were sent. O(pairs that send) memory; for builds for development and for tests.
class OrderCheck {
 public:
  /// A packet that was sent in cycle `injected` (its lower 32 bits) has arrived. Throws std::logic_error
  /// where one sent later has come before it.
  void arrived(std::uint32_t source, std::uint32_t destination, std::uint32_t injected);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> last_;  // by pair
};

}  // namespace unknot::simulate
