// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace unknot {

/// Numbers of the vertices of a graph that rise along each of its arcs, kept while arcs are added; none exist
/// where an arc closes a cycle. The graph is the caller's. [Pearce, Kelly 2006]: only vertices between the
/// ends of an arc that falls are looked at.
class ArcOrder {
 public:
  /// `number`: all different, rising along all arcs there are.
  explicit ArcOrder(std::vector<std::uint32_t> number) : number_(std::move(number)), seen_(number_.size()) {}

  [[nodiscard]] bool rises(std::uint32_t from, std::uint32_t to) const { return number_[from] < number_[to]; }

  /// Numbers for one arc more, false where there are none: then nothing has changed. `ahead(v, visit)` and
  /// `behind(v, visit)` call visit(w) for the arcs from and to v, without the new one.
  template <class Ahead, class Behind>
  bool add(std::uint32_t from, std::uint32_t to, const Ahead& ahead, const Behind& behind) {
    if (from == to) return false;
    if (rises(from, to)) return true;
    const std::uint32_t least = number_[to];
    const std::uint32_t most = number_[from];
    ++search_;
    reach(to, ahead, later_, [&](std::uint32_t v) { return number_[v] <= most; });
    if (seen_[from] == search_) return false;
    reach(from, behind, earlier_, [&](std::uint32_t v) { return number_[v] >= least; });
    // What leads to the arc takes the first of all their numbers, what it leads to the others.
    const auto by_number = [&](std::uint32_t a, std::uint32_t b) { return number_[a] < number_[b]; };
    std::sort(earlier_.begin(), earlier_.end(), by_number);
    std::sort(later_.begin(), later_.end(), by_number);
    earlier_.insert(earlier_.end(), later_.begin(), later_.end());
    std::vector<std::uint32_t> numbers;
    numbers.reserve(earlier_.size());
    for (const std::uint32_t v : earlier_) numbers.push_back(number_[v]);
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) number_[earlier_[i]] = numbers[i];
    return true;
  }

 private:
  template <class Arcs, class Within>
  void reach(std::uint32_t start, const Arcs& arcs, std::vector<std::uint32_t>& found, const Within& within) {
    found.assign(1, start);
    seen_[start] = search_;
    for (std::size_t i = 0; i < found.size(); ++i) {
      arcs(found[i], [&](std::uint32_t w) {
        if (seen_[w] == search_ || !within(w)) return;
        seen_[w] = search_;
        found.push_back(w);
      });
    }
  }

  std::vector<std::uint32_t> number_;  // by vertex
  std::vector<std::uint32_t> seen_;    // by vertex: the last search that came there
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> earlier_, later_;
};

}  // namespace unknot
