// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/ring_product.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

/// Gives each node's neighbours their directions, from the first node outwards.
class Directions {
 public:
  explicit Directions(const NodeGraph& graph)
      : graph_(&graph),
        degree_(graph.out(NodeId(0)).size()),
        towards_(std::size_t{graph.node_count()} * degree_) {}

  /// False where that cannot be.
  bool find() {
    for (const NodeId n : graph_->nodes()) {
      if (graph_->out(n).size() != degree_ || graph_->in(n).size() != degree_) return false;
    }
    if (!pair_directions()) return false;
    std::vector<std::uint8_t> known(graph_->node_count(), 0);
    std::vector<NodeId> queue{NodeId(0)};
    known[0] = 1;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::size_t d = 0; d < degree_; ++d) {
        const NodeId to = towards(queue[i], d);
        if (known[to.value] != 0) continue;
        if (!carry_over(queue[i], d)) return false;
        known[to.value] = 1;
        queue.push_back(to);
      }
    }
    return queue.size() == graph_->node_count();
  }

  /// One direction of each dimension.
  [[nodiscard]] std::vector<std::size_t> forward() const {
    std::vector<std::size_t> result;
    for (std::size_t d = 0; d < degree_; ++d) {
      if (opposite_[d] >= d) result.push_back(d);
    }
    return result;
  }
  [[nodiscard]] NodeId towards(NodeId n, std::size_t direction) const {
    return towards_[n.value * degree_ + direction];
  }

 private:
  [[nodiscard]] std::vector<NodeId> common_neighbours(NodeId a, NodeId b) const {
    std::vector<NodeId> common;
    for (const ArcId arc : graph_->out(a)) {
      if (graph_->find(b, graph_->head(arc)).valid()) common.push_back(graph_->head(arc));
    }
    return common;
  }

  /// At the first node: its arcs are the directions.
  bool pair_directions() {
    std::size_t d = 0;
    for (const ArcId a : graph_->out(NodeId(0))) towards_[d++] = graph_->head(a);
    opposite_.assign(degree_, degree_);
    const auto pair = [&](std::size_t i, std::size_t k) {
      if (opposite_[i] != degree_ || opposite_[k] != degree_) return false;
      opposite_[i] = k;
      opposite_[k] = i;
      return true;
    };
    for (std::size_t i = 0; i < degree_; ++i) {
      for (std::size_t k = i + 1; k < degree_; ++k) {
        const bool adjacent = graph_->find(towards_[i], towards_[k]).valid();
        if ((adjacent || common_neighbours(towards_[i], towards_[k]).size() == 1) && !pair(i, k))
          return false;
      }
    }
    std::size_t alone = degree_;
    for (std::size_t i = 0; i < degree_; ++i) {
      if (opposite_[i] != degree_) continue;
      if (alone == degree_) {
        alone = i;
      } else {
        pair(std::exchange(alone, degree_), i);
      }
    }
    if (alone != degree_) opposite_[alone] = alone;
    return true;
  }

  /// The directions of a neighbour by those of the node: other dimensions close squares, and what is left
  /// goes straight on.
  bool carry_over(NodeId from, std::size_t direction) {
    const NodeId to = towards(from, direction);
    NodeId* const row = towards_.data() + to.value * degree_;
    std::vector<NodeId> left;
    for (const ArcId a : graph_->out(to)) left.push_back(graph_->head(a));
    const auto set = [&](std::size_t d, NodeId n) {
      const auto it = std::find(left.begin(), left.end(), n);
      if (it == left.end()) return false;
      left.erase(it);
      row[d] = n;
      return true;
    };
    if (!set(opposite_[direction], from)) return false;
    for (std::size_t d = 0; d < degree_; ++d) {
      if (d == direction || d == opposite_[direction]) continue;
      std::vector<NodeId> corners = common_neighbours(to, towards(from, d));
      std::erase(corners, from);
      if (corners.size() != 1 || !set(d, corners.front())) return false;
    }
    return left.empty() || set(direction, left.front());
  }

  const NodeGraph* graph_;
  std::size_t degree_;
  std::vector<NodeId> towards_;        // by node and direction
  std::vector<std::size_t> opposite_;  // by direction
};

bool is_product(const NodeGraph& graph, const RingProduct& product) {
  std::uint64_t arcs = 0;
  std::vector<std::uint8_t> seen(graph.node_count(), 0);
  for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
    if (seen[product.node[i].value]++ != 0) return false;
    for (std::uint32_t d = 0; d < product.dimensions(); ++d) {
      for (const bool on : {true, false}) {
        if (!graph.find(product.node[i], product.node[product.neighbour(i, d, on)]).valid()) return false;
      }
      arcs += product.sizes[d] == 2 ? 1 : 2;
    }
  }
  return arcs == graph.arc_count();
}

}  // namespace

std::optional<RingProduct> find_ring_product(const NodeGraph& graph) {
  if (graph.has_terminal_nodes() || graph.node_count() < 2) return std::nullopt;
  Directions directions(graph);
  if (!directions.find()) return std::nullopt;
  RingProduct product;
  product.node.assign(1, NodeId(0));
  for (const std::size_t direction : directions.forward()) {
    const auto before = static_cast<std::uint32_t>(product.node.size());
    product.stride.push_back(before);
    // Copies of what there is so far, each one step on, until it comes round.
    while (directions.towards(product.node[product.node.size() - before], direction) != NodeId(0)) {
      if (product.node.size() + before > graph.node_count()) return std::nullopt;
      for (std::uint32_t i = 0; i < before; ++i) {
        const NodeId last = product.node[product.node.size() - before];
        product.node.push_back(directions.towards(last, direction));
      }
    }
    product.sizes.push_back(static_cast<std::uint32_t>(product.node.size()) / before);
    if (product.sizes.back() < 2) return std::nullopt;
  }
  if (product.node.size() != graph.node_count() || !is_product(graph, product)) return std::nullopt;
  return product;
}

}  // namespace unknot
