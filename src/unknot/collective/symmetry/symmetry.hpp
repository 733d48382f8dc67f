// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// Automorphisms of a problem that form a group and leave nothing in place: none but the identity maps a
/// message, an owner of a broadcast or an arc to itself. Messages and arcs then fall into orbits of order()
/// each; so do nodes, but for switches and, where messages are scattered, a node that may stay where it is. A
/// schedule that is alike all around is known by what one node of each orbit sends.
///
/// The group was built from the identity by one more generator at a time: the first subgroup_orders()[k]
/// elements are a subgroup, each of prime index in the next, and normal in it. Every element e is a multiple
/// of such an order and a rest, e = i * order + j: element i * order after element j.
class Symmetry {
 public:
  /// The identity alone.
  explicit Symmetry(std::uint32_t nodes);

  [[nodiscard]] std::uint32_t order() const { return subgroup_orders_.back(); }
  /// 1, ..., order(), each a prime times the one before.
  [[nodiscard]] std::span<const std::uint32_t> subgroup_orders() const { return subgroup_orders_; }
  /// Element 0 is the identity.
  [[nodiscard]] NodeId image(std::uint32_t element, NodeId n) const {
    return NodeId(images_[std::size_t{element} * nodes_ + n.value]);
  }
  [[nodiscard]] std::span<const std::uint32_t> images(std::uint32_t element) const {
    return {images_.data() + std::size_t{element} * nodes_, nodes_};
  }
  /// O(log degree).
  [[nodiscard]] ArcId image(std::uint32_t element, const NodeGraph& graph, ArcId a) const {
    return graph.find(image(element, graph.tail(a)), image(element, graph.head(a)));
  }
  /// The first elements, `order` of them: one of subgroup_orders().
  [[nodiscard]] Symmetry subgroup(std::uint32_t order) const;
  /// The group that an automorphism makes of this one, which it maps to itself by conjugation; its `index`th
  /// power (a prime) is the first that is among the elements.
  void extend(std::span<const std::uint32_t> generator, std::uint32_t index);

  /// What undoes an element. O(order * nodes).
  [[nodiscard]] std::uint32_t inverse(std::uint32_t element) const;
  /// The least node of each node's orbit. O(order * nodes).
  [[nodiscard]] std::vector<NodeId> node_orbits() const;
  /// The least arc of each arc's orbit. O(order * arcs * log degree).
  [[nodiscard]] std::vector<ArcId> arc_orbits(const NodeGraph& graph) const;

 private:
  std::size_t nodes_;
  std::vector<std::uint32_t> images_;  // by element and node
  std::vector<std::uint32_t> subgroup_orders_{1};
};

struct SymmetryOptions {
  std::uint64_t seed = 1;
  std::uint32_t tries = 8;           ///< groups built, of which the largest is taken
  std::uint32_t most = 0xFFFFFFFFU;  ///< elements at most
  bool fixed_node = false;           ///< of a scatter: an element may leave one node in place
  std::function<bool()> stop = {};   ///< asked now and then; true: what has been found is enough
};

/// A large group of such automorphisms of the network that map messages to messages: to nodes of equal roles,
/// arcs of equal capacities. Automorphisms are found by nauty; the group grows by elements of prime index,
/// in turn one that commutes with as many others as any of those tried and any one; the next one is sought
/// among those that commute with it, and in the end among those that map the group to itself. The largest
/// there is where that is found; the identity alone where there is no other.
Symmetry find_symmetry(const Problem& problem, const SymmetryOptions& options = {});

/// The problem with the first message of each orbit, or broadcast: its schedules are those of the whole
/// problem that are alike all around, where arcs and ports are shared by orbit. O(order * (nodes +
/// messages)).
Problem representatives(const Problem& problem, const Symmetry& symmetry);

/// True when every element maps the network, and all messages, to themselves, and none but the identity
/// leaves a message, an owner of a broadcast or an arc in place. Knows nothing of how the group was found.
/// O(order * (arcs + messages) * log).
bool check_symmetry(const Problem& problem, const Symmetry& symmetry);

}  // namespace unknot
