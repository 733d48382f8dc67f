// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace unknot::mscclpp {

/// How far the work of others is known to be done: a time for each worker, ascending by worker; 0 for those
/// that are not there. [Mattern, Virtual Time and Global States of Distributed Systems, 1989]
class SparseClock {
 public:
  [[nodiscard]] std::uint32_t of(std::uint32_t worker) const {
    const auto found = std::lower_bound(times_.begin(), times_.end(), std::pair{worker, std::uint32_t{0}});
    return found != times_.end() && found->first == worker ? found->second : 0;
  }
  void raise(std::uint32_t worker, std::uint32_t time) {
    const auto found = std::lower_bound(times_.begin(), times_.end(), std::pair{worker, std::uint32_t{0}});
    if (found == times_.end() || found->first != worker) {
      times_.insert(found, {worker, time});
    } else {
      found->second = std::max(found->second, time);
    }
  }
  /// O(both).
  void merge(const SparseClock& other) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
    both.reserve(times_.size() + other.times_.size());
    auto a = times_.begin();
    auto b = other.times_.begin();
    while (a != times_.end() || b != other.times_.end()) {
      if (b == other.times_.end() || (a != times_.end() && a->first < b->first)) {
        both.push_back(*a++);
      } else if (a == times_.end() || b->first < a->first) {
        both.push_back(*b++);
      } else {
        both.emplace_back(a->first, std::max(a->second, b->second));
        ++a;
        ++b;
      }
    }
    times_ = std::move(both);
  }
  /// Workers below `end` are forgotten.
  void keep_from(std::uint32_t end) {
    times_.erase(times_.begin(),
                 std::lower_bound(times_.begin(), times_.end(), std::pair{end, std::uint32_t{0}}));
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> times_;
};

}  // namespace unknot::mscclpp
