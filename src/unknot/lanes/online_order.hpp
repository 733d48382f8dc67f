// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace unknot {

/// A topological order that is kept while arcs are added one by one [Pearce, Kelly 2006]: an arc that agrees
/// with the order costs nothing, any other a search among the vertices between its ends. The graph itself is
/// the caller's. Taking arcs away needs no work: the order stays one.
class OnlineOrder {
 public:
  OnlineOrder() = default;
  /// `place`: all different, smaller for the tail of every arc there is.
  explicit OnlineOrder(std::vector<std::uint32_t> place)
      : place_(std::move(place)), seen_(place_.size(), 0) {}
  [[nodiscard]] bool empty() const { return place_.empty(); }
  /// By vertex.
  [[nodiscard]] const std::vector<std::uint32_t>& places() const { return place_; }

  /// Makes room for the arc from -> to, which the caller then adds; false, and nothing changed, where it
  /// would close a cycle. `next(v, visit)` and `before(v, visit)` call visit(w) for every arc v -> w and w ->
  /// v; visit returns false to be called no more.
  template <class Next, class Before>
  bool allows(std::uint32_t from, std::uint32_t to, const Next& next, const Before& before) {
    if (from == to) return false;
    const std::uint32_t low = place_[to];
    const std::uint32_t high = place_[from];
    if (high < low) return true;
    ++search_;
    behind_.assign(1, to);
    seen_[to] = search_;
    bool cycle = false;
    for (std::size_t i = 0; i < behind_.size() && !cycle; ++i) {
      next(behind_[i], [&](std::uint32_t w) {
        cycle = cycle || w == from;
        if (seen_[w] == search_ || place_[w] > high) return !cycle;
        seen_[w] = search_;
        behind_.push_back(w);
        return !cycle;
      });
    }
    if (cycle) return false;
    ahead_.assign(1, from);
    seen_[from] = search_;
    for (std::size_t i = 0; i < ahead_.size(); ++i) {
      before(ahead_[i], [&](std::uint32_t w) {
        if (seen_[w] == search_ || place_[w] < low) return true;
        seen_[w] = search_;
        ahead_.push_back(w);
        return true;
      });
    }
    reorder();
    return true;
  }

 private:
  /// What leads to the arc's tail takes the first of all their places, what its head leads to the rest.
  void reorder() {
    const auto by_place = [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; };
    std::sort(ahead_.begin(), ahead_.end(), by_place);
    std::sort(behind_.begin(), behind_.end(), by_place);
    ahead_.insert(ahead_.end(), behind_.begin(), behind_.end());
    places_.clear();
    for (const std::uint32_t v : ahead_) places_.push_back(place_[v]);
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 0; i < ahead_.size(); ++i) place_[ahead_[i]] = places_[i];
  }

  std::vector<std::uint32_t> place_;  // by vertex
  std::vector<std::uint32_t> seen_;   // by vertex: number of the last search that came there
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> behind_, ahead_, places_;
};

}  // namespace unknot
