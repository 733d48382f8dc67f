// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace unknot::slurm {

/// Symmetric distances between `count` things, zero on the diagonal. Memory: 4 bytes a pair and direction.
class DistanceMatrix {
 public:
  explicit DistanceMatrix(std::uint32_t count) : count_(count), value_(std::size_t{count} * count, 0) {}
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] float at(std::uint32_t a, std::uint32_t b) const { return value_[index(a, b)]; }
  void set(std::uint32_t a, std::uint32_t b, float distance) {
    value_[index(a, b)] = value_[index(b, a)] = distance;
  }
  void raise(std::uint32_t a, std::uint32_t b, float distance) { set(a, b, std::max(at(a, b), distance)); }

 private:
  [[nodiscard]] std::size_t index(std::uint32_t a, std::uint32_t b) const {
    return std::size_t{a} * count_ + b;
  }
  std::uint32_t count_;
  std::vector<float> value_;
};

/// Two clusters become one: each named by one of its members.
struct Joint {
  std::uint32_t a, b;
  float height;  ///< mean distance between a member of the one and a member of the other
};

/// Joints of average linkage (UPGMA), in no particular order: those up to a height make the clusters there.
/// By chains of nearest neighbours [Murtagh 1983], ties to the smaller number. O(count^2) time; takes the
/// matrix as its work space.
std::vector<Joint> average_linkage(DistanceMatrix distances);

}  // namespace unknot::slurm
