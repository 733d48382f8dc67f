// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// An instance of the acyclic path partitioning problem (APP) [Domke, Hoefler, Nagel 2011, section III]:
/// paths over numbered vertices, to be divided into the fewest layers such that the arcs of the paths of each
/// layer have no cycle. In a network the vertices are channels, the arcs dependencies, the layers virtual
/// lanes. Finding the minimum is NP-complete.
class PathSet {
 public:
  /// Appends a path; `weight` counts what travels on it. A vertex may occur in a path once.
  void add(std::span<const std::uint32_t> vertices, std::uint64_t weight = 1);
  /// The paths of a routing table, as channels: one for each router with terminals and each destination
  /// terminal elsewhere, in that order, its weight the terminals of the router. O(their hops).
  static PathSet of_table(const Network& network, const ForwardingTable& table);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(weight_.size()); }
  /// One more than the highest vertex.
  [[nodiscard]] std::uint32_t vertex_count() const { return vertices_; }
  [[nodiscard]] std::span<const std::uint32_t> path(std::uint32_t index) const {
    return {entries_.data() + first_[index], entries_.data() + first_[index + std::size_t{1}]};
  }
  [[nodiscard]] std::uint64_t weight(std::uint32_t index) const { return weight_[index]; }

 private:
  std::uint32_t vertices_ = 0;
  std::vector<std::size_t> first_{0};
  std::vector<std::uint32_t> entries_;
  std::vector<std::uint64_t> weight_;
};

/// The arcs of all paths, numbered, and each path as arcs.
class PathArcs {
 public:
  explicit PathArcs(const PathSet& paths);
  [[nodiscard]] const ArcSpace& space() const { return space_; }
  [[nodiscard]] std::span<const std::uint32_t> arcs(std::uint32_t path) const {
    return {entries_.data() + first_[path], entries_.data() + first_[path + std::size_t{1}]};
  }

 private:
  ArcSpace space_;
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> entries_;
};

/// A division of the paths.
struct PathLayers {
  std::vector<std::uint32_t> layer;  ///< by path
  std::uint32_t count = 0;           ///< layers in use: 0 .. count-1, none empty
};

}  // namespace unknot
