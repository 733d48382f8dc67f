// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/patterns/router_quads.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>

#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kStarts = 64;

/// Neighbours of each router, ascending, parallel cables merged.
class Neighbours {
 public:
  explicit Neighbours(const Network& network) {
    for (const RouterId r : network.routers()) {
      const std::size_t begin = list_.size();
      for (const ChannelId c : network.out(r)) list_.push_back(network.target(c).value);
      const auto from = list_.begin() + static_cast<std::ptrdiff_t>(begin);
      std::sort(from, list_.end());
      list_.erase(std::unique(from, list_.end()), list_.end());
      first_.push_back(list_.size());
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t r) const {
    return {list_.data() + first_[r], list_.data() + first_[r + 1]};
  }
  [[nodiscard]] bool adjacent(std::uint32_t a, std::uint32_t b) const {
    return std::binary_search(of(a).begin(), of(a).end(), b);
  }
  /// Not adjacent, and with a single common neighbour.
  [[nodiscard]] bool one_middle(std::uint32_t a, std::uint32_t b) const {
    if (a == b || adjacent(a, b)) return false;
    const auto left = of(a);
    const auto right = of(b);
    std::uint32_t common = 0;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size() && common < 2;) {
      common += left[i] == right[j] ? 1 : 0;
      if (left[i] <= right[j]) {
        ++i;
      } else {
        ++j;
      }
    }
    return common == 1;
  }

 private:
  std::vector<std::size_t> first_{0};
  std::vector<std::uint32_t> list_;
};

/// One greedy pass. Ties go to the router of lower rank.
class Search {
 public:
  Search(const Neighbours& neighbours, std::vector<std::uint32_t> rank)
      : neighbours_(neighbours),
        rank_(std::move(rank)),
        free_(rank_.size(), true),
        free_neighbours_(rank_.size()) {
    for (std::uint32_t r = 0; r < rank_.size(); ++r)
      free_neighbours_[r] = static_cast<std::uint32_t>(neighbours_.of(r).size());
  }

  RouterQuads run() {
    RouterQuads result;
    std::vector<std::uint32_t> open(rank_.size());
    std::iota(open.begin(), open.end(), 0U);
    std::vector<std::uint32_t> stranded;
    while (!open.empty()) {
      const auto most = std::min_element(open.begin(), open.end(), Before{this});
      const std::uint32_t r = *most;
      *most = open.back();
      open.pop_back();
      if (!free_[r]) continue;
      std::optional<Quad> quad = with_end(r);
      if (!quad) quad = with_middle(r);
      if (!quad) {
        stranded.push_back(r);  // stays free: it may be the middle or the end of a later one
        continue;
      }
      for (const std::uint32_t member : *quad) take(member);
      result.quads.push_back(
          {RouterId((*quad)[0]), RouterId((*quad)[1]), RouterId((*quad)[2]), RouterId((*quad)[3])});
    }
    std::erase_if(stranded, [&](std::uint32_t r) { return !free_[r]; });
    result.pairs = paired(std::move(stranded));
    return result;
  }

 private:
  using Quad = std::array<std::uint32_t, 4>;
  struct Before {
    const Search* search;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      const auto& left = search->free_neighbours_;
      return left[a] != left[b] ? left[a] < left[b] : search->rank_[a] < search->rank_[b];
    }
  };

  void take(std::uint32_t r) {
    free_[r] = false;
    for (const std::uint32_t n : neighbours_.of(r)) --free_neighbours_[n];
  }

  [[nodiscard]] std::vector<std::uint32_t> free_around(std::uint32_t r) const {
    std::vector<std::uint32_t> list;
    for (const std::uint32_t n : neighbours_.of(r)) {
      if (free_[n]) list.push_back(n);
    }
    std::sort(list.begin(), list.end(), Before{this});
    return list;
  }

  [[nodiscard]] std::optional<Quad> with_end(std::uint32_t a) const {
    for (const std::uint32_t b : free_around(a)) {
      for (const std::uint32_t c : free_around(b)) {
        if (!neighbours_.one_middle(a, c)) continue;
        for (const std::uint32_t d : free_around(c)) {
          if (neighbours_.one_middle(b, d)) return Quad{a, b, c, d};  // a is no neighbour of c: d is another
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Quad> with_middle(std::uint32_t b) const {
    const std::vector<std::uint32_t> around = free_around(b);
    for (const std::uint32_t c : around) {
      for (const std::uint32_t a : around) {
        if (!neighbours_.one_middle(a, c)) continue;
        for (const std::uint32_t d : free_around(c)) {
          if (neighbours_.one_middle(b, d)) return Quad{a, b, c, d};
        }
      }
    }
    return std::nullopt;
  }

  /// Those with one common neighbour first, the rest as they come.
  [[nodiscard]] std::vector<std::array<RouterId, 2>> paired(std::vector<std::uint32_t> left) const {
    std::vector<std::array<RouterId, 2>> pairs;
    for (const bool any : {false, true}) {
      for (std::size_t i = 0; i < left.size(); ++i) {
        for (std::size_t j = i + 1; j < left.size(); ++j) {
          if (!any && !neighbours_.one_middle(left[i], left[j])) continue;
          pairs.push_back({RouterId(left[i]), RouterId(left[j])});
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(j));
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
          --i;
          break;
        }
      }
    }
    return pairs;
  }

  const Neighbours& neighbours_;
  std::vector<std::uint32_t> rank_;
  std::vector<bool> free_;
  std::vector<std::uint32_t> free_neighbours_;
};

}  // namespace

RouterQuads router_quads(const Network& network) {
  const Neighbours neighbours(network);
  const std::uint32_t most = network.router_count() / 4;
  RouterQuads best;
  std::vector<std::uint32_t> rank(network.router_count());
  std::iota(rank.begin(), rank.end(), 0U);
  Random random(1);
  for (std::uint32_t start = 0; start < kStarts; ++start) {
    RouterQuads found = Search(neighbours, rank).run();
    if (start == 0 || found.quads.size() > best.quads.size()) best = std::move(found);
    // none at all from any start: no pair of routers has the structure
    if (best.quads.size() == most || best.quads.empty()) break;
    random.shuffle(rank);
  }
  return best;
}

}  // namespace unknot
