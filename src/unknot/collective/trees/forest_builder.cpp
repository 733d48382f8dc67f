// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/forest_builder.hpp"

#include <algorithm>
#include <cassert>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {
constexpr std::uint64_t kMostEdges = std::uint64_t{1} << 31U;
}  // namespace

ForestBuilder::ForestBuilder(const MemberGraph& graph) : graph_(graph), used_(graph.arcs.size()) {
  forest_.copies = graph.copies;
  first_way_.reserve(graph.arcs.size());
  for (const MemberGraph::Arc& arc : graph.arcs) {
    first_way_.push_back(static_cast<std::uint32_t>(forest_.first_of_way.size() - 1));
    for (const MemberGraph::Way& way : arc.ways) forest_.add_way(way.nodes);
  }
}

void ForestBuilder::cut_into_ways(std::uint32_t arc, std::uint64_t copies) {
  auto& [way, gone] = used_[arc];
  std::uint64_t at = 0;
  while (at < copies) {
    const std::uint64_t amount = graph_.arcs[arc].ways[way].amount;
    stretches_.push_back({at, first_way_[arc] + static_cast<std::uint32_t>(way)});
    const std::uint64_t part = std::min(copies - at, amount - gone);
    at += part;
    gone += part;
    if (gone == amount) {
      ++way;
      gone = 0;
    }
  }
}

void ForestBuilder::check_size(std::uint64_t edges) {
  if (edges > kMostEdges) throw InputError("optimal in bandwidth: the trees would have more than 2^31 edges");
}

void ForestBuilder::add(std::uint32_t root, std::uint64_t copies, std::span<const std::uint32_t> arcs) {
  stretches_.clear();
  first_stretch_.clear();
  begins_.clear();
  for (const std::uint32_t arc : arcs) {
    first_stretch_.push_back(stretches_.size());
    cut_into_ways(arc, copies);
  }
  for (const Stretch& one : stretches_) begins_.push_back(one.begin);
  std::sort(begins_.begin(), begins_.end());
  begins_.erase(std::unique(begins_.begin(), begins_.end()), begins_.end());
  edges_ += begins_.size() * arcs.size();
  check_size(edges_);
  at_ = first_stretch_;
  first_stretch_.push_back(stretches_.size());
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    const std::uint64_t end = i + 1 < begins_.size() ? begins_[i + 1] : copies;
    Forest::Tree tree{graph_.members[root], end - begins_[i], {}};
    tree.edges.reserve(arcs.size());
    for (std::size_t edge = 0; edge < arcs.size(); ++edge) {
      std::size_t& at = at_[edge];
      while (at + 1 < first_stretch_[edge + 1] && stretches_[at + 1].begin <= begins_[i]) ++at;
      const MemberGraph::Arc& arc = graph_.arcs[arcs[edge]];
      tree.edges.push_back({graph_.members[arc.tail], graph_.members[arc.head], stretches_[at].way});
    }
    forest_.trees.push_back(std::move(tree));
  }
}

}  // namespace unknot
