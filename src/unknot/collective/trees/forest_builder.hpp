// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/trees/member_graph.hpp"

namespace unknot {

/// Makes trees of a network from trees of its member graph: equal ones that take several ways along an arc
/// are told apart, and no way is given to more trees than it carries.
class ForestBuilder {
 public:
  explicit ForestBuilder(const MemberGraph& graph);

  /// So many equal trees: arcs of the member graph, parents before children. InputError beyond 2^31 edges.
  void add(std::uint32_t root, std::uint64_t copies, std::span<const std::uint32_t> arcs);
  /// InputError beyond 2^31 edges.
  static void check_size(std::uint64_t edges);
  [[nodiscard]] Forest take() && { return std::move(forest_); }

 private:
  struct Stretch {
    std::uint64_t begin;  ///< first of the copies that take this way; the next stretch's begin ends it
    std::uint32_t way;
  };
  void cut_into_ways(std::uint32_t arc, std::uint64_t copies);

  const MemberGraph& graph_;
  Forest forest_;
  std::vector<std::uint32_t> first_way_;                     // by arc: number of its first way
  std::vector<std::pair<std::size_t, std::uint64_t>> used_;  // by arc: ways used up, and of the next one
  std::vector<Stretch> stretches_;
  std::vector<std::size_t> first_stretch_, at_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t edges_ = 0;
};

}  // namespace unknot
