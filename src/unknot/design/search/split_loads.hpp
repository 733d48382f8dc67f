// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// What channels of a lift carry when every two routers send to each other one packet, spread evenly over all
/// their shortest paths. Keeps its space for the next call.
class SplitLoads {
 public:
  /// From the first copy of each router; all copies of a channel carry the same. Brandes' accumulation
  /// (2001). False where routers are apart. O(sources * routers * ports).
  bool count(std::uint32_t routers, std::uint32_t ports, std::uint32_t sources,
             const std::vector<std::uint32_t>& neighbours);

  /// [router * ports + i] of copy 0; 0 where a port leads back.
  [[nodiscard]] const std::vector<double>& load() const { return load_; }
  /// Sum of the fourth powers of the loads in units of so much.
  [[nodiscard]] double fourth_powers(double unit) const;

 private:
  void add_from(std::uint32_t source, std::uint32_t ports, std::uint32_t sources,
                const std::vector<std::uint32_t>& neighbours);

  std::vector<std::uint32_t> distance_, reached_;
  std::vector<double> paths_, beyond_, load_;
};

}  // namespace unknot
