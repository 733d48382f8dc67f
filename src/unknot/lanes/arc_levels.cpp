// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/arc_levels.hpp"

#include <algorithm>

namespace unknot {
namespace {

/// Path-based search of strongly connected components, without recursion: `path_` holds the first vertices of
/// the components that may still grow together.
class PathSearch {
 public:
  explicit PathSearch(const ArcSpace& space)
      : space_(space),
        place_(space.vertex_count(), kUnseen),
        next_(space.vertex_count()),
        part_(space.vertex_count(), ArcSpace::kNone) {}

  std::vector<std::uint32_t> parts() {
    for (std::uint32_t v = 0; v < space_.vertex_count(); ++v) {
      if (place_[v] == kUnseen) search(v);
    }
    return std::move(part_);
  }

 private:
  static constexpr std::uint32_t kUnseen = ArcSpace::kNone;
  static constexpr std::uint32_t kDone = kUnseen - 1;

  void enter(std::uint32_t v) {
    place_[v] = static_cast<std::uint32_t>(open_.size());
    next_[v] = space_.out_first(v);
    open_.push_back(v);
    path_.push_back(v);
    walk_.push_back(v);
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!walk_.empty()) {
      const std::uint32_t v = walk_.back();
      if (next_[v] == space_.out_first(v + 1)) {
        leave(v);
        continue;
      }
      const std::uint32_t w = space_.head(next_[v]++);
      if (place_[w] == kUnseen) {
        enter(w);
      } else if (place_[w] != kDone) {  // all of the path from w on is one component
        while (place_[path_.back()] > place_[w]) path_.pop_back();
      }
    }
  }

  void leave(std::uint32_t v) {
    walk_.pop_back();
    if (path_.back() != v) return;
    path_.pop_back();
    const bool cyclic = open_.back() != v || space_.find(v, v) != ArcSpace::kNone;
    for (;;) {
      const std::uint32_t w = open_.back();
      open_.pop_back();
      place_[w] = kDone;
      if (cyclic) part_[w] = v;
      if (w == v) return;
    }
  }

  const ArcSpace& space_;
  std::vector<std::uint32_t> place_;  // by vertex: in open_, or one of the constants
  std::vector<std::uint32_t> next_;   // by vertex: arc to look at next
  std::vector<std::uint32_t> part_;   // by vertex
  std::vector<std::uint32_t> open_, path_, walk_;
};

}  // namespace

std::vector<std::uint32_t> arc_levels(const ArcSpace& space) {
  std::vector<std::uint32_t> level(space.vertex_count(), 0);
  std::vector<std::uint32_t> before(space.vertex_count(), 0);
  for (std::uint32_t a = 0; a < space.arc_count(); ++a) ++before[space.head(a)];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t v = 0; v < space.vertex_count(); ++v) {
    if (before[v] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    const std::uint32_t v = ready.back();
    ready.pop_back();
    for (std::uint32_t a = space.out_first(v); a < space.out_first(v + 1); ++a) {
      const std::uint32_t w = space.head(a);
      level[w] = std::max(level[w], level[v] + 1);
      if (--before[w] == 0) ready.push_back(w);
    }
  }
  return level;
}

std::vector<std::uint32_t> cyclic_parts(const ArcSpace& space) {
  return PathSearch(space).parts();
}

}  // namespace unknot
