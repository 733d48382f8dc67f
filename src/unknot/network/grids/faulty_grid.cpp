// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/grids/faulty_grid.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/grids/turned_parts.hpp"
#include "unknot/support/joined_parts.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::uint32_t kMostNeighbours = 32;
constexpr std::uint32_t kSample = 1024;  // routers
constexpr std::uint32_t kMostPasses = 64;

/// Who is next to whom, cables in parallel and one-way channels once. Edges are numbered; each leads from its
/// router of the smaller number.
struct Neighbours {
  std::vector<std::uint32_t> first;                           // by router, into `to` and `edge`
  std::vector<std::uint32_t> to, edge;                        // sorted by `to` for each router
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // by edge

  [[nodiscard]] std::uint32_t routers() const { return static_cast<std::uint32_t>(first.size() - 1); }
  [[nodiscard]] std::uint32_t edges() const { return static_cast<std::uint32_t>(ends.size()); }
};

std::optional<Neighbours> neighbours_of(const Network& network) {
  Neighbours all;
  all.first.reserve(network.router_count() + 1);
  all.first.push_back(0);
  std::vector<std::uint32_t> near;
  for (const RouterId r : network.routers()) {
    near.clear();
    for (const ChannelId c : network.out(r)) near.push_back(network.target(c).value);
    for (const ChannelId c : network.in(r)) near.push_back(network.source(c).value);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    if (near.size() > kMostNeighbours) return std::nullopt;
    all.to.insert(all.to.end(), near.begin(), near.end());
    all.first.push_back(static_cast<std::uint32_t>(all.to.size()));
  }
  all.edge.resize(all.to.size());
  std::vector<std::uint32_t> next(all.first.begin(), all.first.end() - 1);
  for (std::uint32_t r = 0; r < all.routers(); ++r) {
    for (std::uint32_t i = all.first[r]; i < all.first[r + 1]; ++i) {
      const std::uint32_t to = all.to[i];
      if (to < r) continue;
      // Of the neighbour's list, which is sorted, those before r have been counted.
      all.edge[i] = all.edge[next[to]++] = all.edges();
      all.ends.emplace_back(r, to);
    }
  }
  return all;
}

class FaultyGridFinder {
 public:
  explicit FaultyGridFinder(const Neighbours& all) : all_(all), parallel_(all.edges()) {}

  std::optional<Coordinates> find() {
    if (!find_squares() || crossings_.empty()) return std::nullopt;
    number_classes();
    group_classes();
    if (dimensions_ < 2 || dimensions_ > kMostNeighbours || !find_planes() || !place_planes())
      return std::nullopt;
    place_routers();
    if (!place_the_rest() || !holds()) return std::nullopt;
    Coordinates found;
    found.dimensions = dimensions_;
    found.extent = extent_;
    found.value = value_;
    found.wraps = std::find(ring_.begin(), ring_.end(), true) != ring_.end();
    return found;
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] std::uint32_t end_of(std::uint32_t e, bool head) const {
    return head ? all_.ends[e].second : all_.ends[e].first;
  }

  /// Each square once, at its smallest router. False where two routers have three neighbours in common, or
  /// the first routers are in hardly any.
  bool find_squares() {
    struct Way {
      std::uint32_t far, near_edge, far_edge;
    };
    std::vector<Way> ways;
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      if (r == kSample && crossings_.size() < kSample / 16) return false;  // a grid has one for each, or more
      ways.clear();
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        const std::uint32_t by = all_.to[i];
        for (std::uint32_t j = all_.first[by]; j < all_.first[by + 1]; ++j)
          if (all_.to[j] != r) ways.push_back({all_.to[j], all_.edge[i], all_.edge[j]});
      }
      std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) {
        return a.far != b.far ? a.far < b.far : a.near_edge < b.near_edge;
      });
      for (std::size_t i = 0; i + 1 < ways.size(); ++i) {
        if (ways[i].far != ways[i + 1].far) continue;
        if (i + 2 < ways.size() && ways[i + 2].far == ways[i].far) return false;
        const Way &a = ways[i], &b = ways[i + 1];
        const std::uint32_t via_a = other_end(a.near_edge, r), via_b = other_end(b.near_edge, r);
        if (r > a.far || r > via_a || r > via_b) continue;
        // Away from r: along a.near_edge as along b.far_edge, and along b.near_edge as along a.far_edge.
        if (!parallel_.join(a.near_edge, b.far_edge,
                            leads_from(a.near_edge, r) != leads_from(b.far_edge, via_b)))
          return false;
        if (!parallel_.join(b.near_edge, a.far_edge,
                            leads_from(b.near_edge, r) != leads_from(a.far_edge, via_a)))
          return false;
        crossings_.emplace_back(a.near_edge, b.near_edge);
      }
    }
    return true;
  }
  [[nodiscard]] bool leads_from(std::uint32_t e, std::uint32_t r) const { return all_.ends[e].first == r; }
  [[nodiscard]] std::uint32_t other_end(std::uint32_t e, std::uint32_t r) const {
    return end_of(e, leads_from(e, r));
  }

  /// Only those that are in a square: of others nothing is known but their ends.
  void number_classes() {
    class_.assign(all_.edges(), kNone);
    against_.assign(all_.edges(), false);
    std::vector<std::uint32_t> number(all_.edges(), kNone);
    for (auto& [a, b] : crossings_) {
      for (std::uint32_t* const edge : {&a, &b}) {
        const std::uint32_t root = parallel_.of(*edge).first;
        if (number[root] == kNone) number[root] = classes_++;
        *edge = number[root];
      }
      if (a > b) std::swap(a, b);
    }
    for (std::uint32_t e = 0; e < all_.edges(); ++e) {
      const auto [root, against] = parallel_.of(e);
      class_[e] = number[root];
      against_[e] = against;
    }
    std::sort(crossings_.begin(), crossings_.end());
    crossings_.erase(std::unique(crossings_.begin(), crossings_.end()), crossings_.end());
  }

  /// Classes that share most routers first: where damage has taken the one square of two classes, they share
  /// few, and each has joined others of its dimension by then.
  void group_classes() {
    std::vector<Pair> shared;
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        for (std::uint32_t j = all_.first[r]; j < i; ++j) {
          const std::uint32_t a = class_[all_.edge[i]], b = class_[all_.edge[j]];
          if (a == kNone || b == kNone || a == b) continue;
          const Pair pair(std::min(a, b), std::max(a, b));
          if (!std::binary_search(crossings_.begin(), crossings_.end(), pair)) shared.push_back(pair);
        }
      }
    }
    std::sort(shared.begin(), shared.end());
    std::vector<std::pair<std::uint32_t, Pair>> candidates;  // by routers shared, most first
    for (std::size_t i = 0, j = 0; i < shared.size(); i = j) {
      while (j < shared.size() && shared[j] == shared[i]) ++j;
      candidates.emplace_back(static_cast<std::uint32_t>(j - i), shared[i]);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    JoinedParts groups(classes_);
    std::vector<std::set<std::uint32_t>> across(classes_);  // by group: those of other dimensions
    for (const auto& [a, b] : crossings_) {
      across[a].insert(b);
      across[b].insert(a);
    }
    for (const auto& [count, pair] : candidates) {
      std::uint32_t a = groups.of(pair.first), b = groups.of(pair.second);
      if (a == b || across[a].count(b) != 0) continue;
      groups.join(a, b);
      if (groups.of(a) != a) std::swap(a, b);
      for (const std::uint32_t other : across[b]) {
        across[other].erase(b);
        across[other].insert(a);
      }
      across[a].merge(across[b]);
    }
    // Numbered as they are met, from the first router's first cable on.
    dimension_.assign(classes_, kNone);
    std::vector<std::uint32_t> number(classes_, kNone);
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        const std::uint32_t of = class_[all_.edge[i]];
        if (of == kNone) continue;
        std::uint32_t& d = number[groups.of(of)];
        if (d == kNone) d = dimensions_++;
        dimension_[of] = d;
      }
    }
  }

  /// Sides 2 * class and 2 * class + 1, of their tails and heads: those that share a router are one plane.
  [[nodiscard]] std::uint32_t side(std::uint32_t e, std::uint32_t r) const {
    return 2 * class_[e] + ((end_of(e, true) == r) != against_[e] ? 1 : 0);
  }

  /// Of a router's two cables along a dimension one leads away on either face of its plane. What leaves a
  /// plane on one face leads to one plane: so are the parts joined into which damage has cut classes and
  /// planes.
  bool find_planes() {
    TurnedParts faces(2 * classes_);
    std::vector<std::uint32_t> met(dimensions_);
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      std::fill(met.begin(), met.end(), kNone);
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        const std::uint32_t e = all_.edge[i];
        if (class_[e] == kNone) continue;
        std::uint32_t& before = met[dimension_[class_[e]]];
        if (before != kNone && !faces.join(before, side(e, r), true)) return false;
        before = side(e, r);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<std::uint32_t> first(4 * classes_, kNone);  // by plane and face
      for (std::uint32_t s = 0; s < 2 * classes_; ++s) {
        const auto [plane, face] = faces.of(s);
        std::uint32_t& other = first[2 * plane + (face ? 1 : 0)];
        if (other == kNone) other = s;
        if (faces.of(s ^ 1) == faces.of(other ^ 1)) continue;
        if (!faces.join(s ^ 1, other ^ 1, false)) return false;
        changed = true;
      }
    }
    plane_.resize(2 * classes_);
    for (std::uint32_t s = 0; s < 2 * classes_; ++s) plane_[s] = faces.of(s).first;
    beside_.assign(2 * classes_, {kNone, kNone});
    for (std::uint32_t c = 0; c < classes_; ++c) {
      const std::uint32_t a = plane_[2 * c], b = plane_[2 * c + 1];
      if (a == b || !add_beside(a, b) || !add_beside(b, a)) return false;
    }
    return true;
  }
  bool add_beside(std::uint32_t plane, std::uint32_t other) {
    auto& [one, two] = beside_[plane];
    if (one == other || two == other) return true;
    if (two != kNone) return false;
    (one == kNone ? one : two) = other;
    return true;
  }

  /// By dimension from one end of its line, or around from the first plane.
  bool place_planes() {
    place_.assign(2 * classes_, kNone);
    extent_.assign(dimensions_, 0);
    ring_.assign(dimensions_, false);
    std::vector<std::uint32_t> start(dimensions_, kNone), planes(dimensions_, 0);
    std::vector<bool> line(dimensions_, false);
    for (std::uint32_t s = 0; s < 2 * classes_; ++s) {
      if (plane_[s] != s) continue;
      const std::uint32_t d = dimension_[s / 2];
      ++planes[d];
      const bool end = beside_[s].second == kNone;
      if (start[d] == kNone || (end && !line[d])) start[d] = s;
      line[d] = line[d] || end;
    }
    bool rings = false, lines = false;
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      for (std::uint32_t at = start[d]; at != kNone;) {
        place_[at] = extent_[d]++;
        const auto [one, two] = beside_[at];
        at = one != kNone && place_[one] == kNone ? one : two != kNone && place_[two] == kNone ? two : kNone;
      }
      if (extent_[d] != planes[d]) return false;
      ring_[d] = !line[d];
      rings = rings || ring_[d];
      lines = lines || (line[d] && extent_[d] > 2);
    }
    return !(rings && lines);
  }

  /// By the planes that its cables lead from, else that of a neighbour along another dimension.
  void place_routers() {
    value_.assign(std::size_t{all_.routers()} * dimensions_, kNone);
    std::vector<std::uint32_t> open;
    const auto set = [&](std::uint32_t r, std::uint32_t d, std::uint32_t value) {
      std::uint32_t& here = value_[std::size_t{r} * dimensions_ + d];
      if (here != kNone) return;
      here = value;
      open.push_back(r);
    };
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        const std::uint32_t e = all_.edge[i];
        if (class_[e] != kNone) set(r, dimension_[class_[e]], place_[plane_[side(e, r)]]);
      }
    }
    while (!open.empty()) {
      const std::uint32_t r = open.back();
      open.pop_back();
      for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
        const std::uint32_t of = class_[all_.edge[i]];
        if (of == kNone) continue;
        for (std::uint32_t d = 0; d < dimensions_; ++d) {
          const std::uint32_t value = value_[std::size_t{r} * dimensions_ + d];
          if (d != dimension_[of] && value != kNone) set(all_.to[i], d, value);
        }
      }
    }
  }

  /// Those that no cable in a square leads to: at the free place next to all neighbours that have one; where
  /// there are several, the cables fit all of them, and the first is taken.
  bool place_the_rest() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      const std::span<const std::uint32_t> here = at(r);
      if (std::find(here.begin(), here.end(), kNone) != here.end()) open.push_back(r);
    }
    if (std::size_t{open.size()} * 4 > all_.routers()) return false;
    std::set<std::vector<std::uint32_t>> taken;
    for (std::uint32_t r = 0; !open.empty() && r < all_.routers(); ++r) taken.insert(place_of(r));
    bool any_place = false;
    for (std::uint32_t pass = 0; !open.empty(); ++pass) {
      if (pass == kMostPasses) return false;
      std::size_t left = 0;
      bool placed = false;
      for (const std::uint32_t r : open) {
        const std::vector<std::vector<std::uint32_t>> places = free_places(r, taken);
        if (places.size() != 1 && (places.empty() || !any_place || placed)) {
          open[left++] = r;
          continue;
        }
        std::copy(places.front().begin(), places.front().end(),
                  value_.begin() + std::ptrdiff_t{r} * dimensions_);
        taken.insert(places.front());
        placed = true;
      }
      open.resize(left);
      if (!placed && any_place) return false;
      any_place = !placed;
    }
    return true;
  }
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t r) const {
    return {value_.data() + std::size_t{r} * dimensions_, dimensions_};
  }
  [[nodiscard]] std::vector<std::uint32_t> place_of(std::uint32_t r) const {
    return {at(r).begin(), at(r).end()};
  }
  /// Next to its neighbours that have a place; none where no neighbour has.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> free_places(
      std::uint32_t r, const std::set<std::vector<std::uint32_t>>& taken) const {
    std::vector<std::vector<std::uint32_t>> places;
    bool any = false;
    for (std::uint32_t i = all_.first[r]; i < all_.first[r + 1]; ++i) {
      const std::vector<std::uint32_t> near = place_of(all_.to[i]);
      if (std::find(near.begin(), near.end(), kNone) != near.end()) continue;
      if (any) {
        std::erase_if(places, [&](const auto& place) { return !neighbours(place, near); });
        continue;
      }
      any = true;
      for (std::uint32_t d = 0; d < dimensions_; ++d) {
        for (const std::uint32_t step : {extent_[d] - 1, 1U}) {
          std::vector<std::uint32_t> place = near;
          place[d] = (near[d] + step) % extent_[d];
          if (!neighbours(place, near) || taken.count(place) != 0) continue;
          if (places.empty() || places.back() != place) places.push_back(std::move(place));
        }
      }
    }
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      const std::uint32_t known = at(r)[d];
      if (known != kNone) std::erase_if(places, [&](const auto& place) { return place[d] != known; });
    }
    return places;
  }
  [[nodiscard]] bool neighbours(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
    std::uint32_t differ = 0;
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      if (a[d] == b[d]) continue;
      ++differ;
      if (!next_to(d, a[d], b[d])) return false;
    }
    return differ == 1;
  }

  [[nodiscard]] bool next_to(std::uint32_t d, std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t apart = std::max(a, b) - std::min(a, b);
    return apart == 1 || (ring_[d] && apart + 1 == extent_[d]);
  }

  /// Every router at a place of its own, every cable along one dimension between neighbours, and no more than
  /// a quarter missing.
  [[nodiscard]] bool holds() const {
    std::uint64_t places = 1;
    for (const std::uint32_t extent : extent_) {
      places *= extent;
      if (places * 3 > std::uint64_t{all_.routers()} * 4) return false;
    }
    std::vector<bool> taken(places, false);
    std::vector<std::uint64_t> step(dimensions_);
    std::uint64_t size = 1;
    for (std::uint32_t d = 0; d < dimensions_; ++d) {
      step[d] = size;
      size *= extent_[d];
    }
    std::vector<std::uint64_t> place(all_.routers(), 0);
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      for (std::uint32_t d = 0; d < dimensions_; ++d) {
        const std::uint32_t value = value_[std::size_t{r} * dimensions_ + d];
        if (value == kNone) return false;
        place[r] += step[d] * value;
      }
      if (taken[place[r]]) return false;
      taken[place[r]] = true;
    }
    for (const auto& [a, b] : all_.ends)
      if (!neighbours(at(a), at(b))) return false;
    std::uint64_t expected = 0;  // neighbours that are both here
    for (std::uint32_t r = 0; r < all_.routers(); ++r) {
      for (std::uint32_t d = 0; d < dimensions_; ++d) {
        const std::uint32_t here = value_[std::size_t{r} * dimensions_ + d];
        if (here + 1 < extent_[d]) {
          expected += taken[place[r] + step[d]] ? 1 : 0;
        } else if (ring_[d]) {
          expected += taken[place[r] - step[d] * here] ? 1 : 0;
        }
      }
    }
    return expected * 3 <= std::uint64_t{all_.edges()} * 4;
  }

  const Neighbours& all_;
  TurnedParts parallel_;
  std::vector<Pair> crossings_;  // edges, then classes, of one square
  std::uint32_t classes_ = 0, dimensions_ = 0;
  std::vector<std::uint32_t> class_;      // by edge
  std::vector<bool> against_;             // by edge
  std::vector<std::uint32_t> dimension_;  // by class
  std::vector<std::uint32_t> plane_;      // by side
  std::vector<Pair> beside_;              // by plane
  std::vector<std::uint32_t> place_;      // by plane
  std::vector<std::uint32_t> extent_;     // by dimension
  std::vector<bool> ring_;                // by dimension
  std::vector<std::uint32_t> value_;      // by router and dimension
};

}  // namespace

std::optional<Coordinates> recognise_faulty_grid(const Network& network) {
  const std::optional<Neighbours> all = neighbours_of(network);
  if (!all) return std::nullopt;
  return FaultyGridFinder(*all).find();
}

}  // namespace unknot
