// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/symmetry/translations.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/collective/model/ring_product.hpp"

namespace unknot {
namespace {

/// Images of members, extended to the nodes around them, and around those: a node goes to one that is joined
/// to the images of its neighbours. Nothing where the result is no automorphism.
class Extension {
 public:
  Extension(const NodeGraph& graph, NodeImages images) : graph_(graph), images_(std::move(images)) {
    taken_.assign(graph.node_count(), 0);
    for (const NodeId n : graph.nodes()) {
      if (images_[n.value].valid()) taken_[images_[n.value].value] = 1;
    }
  }

  std::optional<NodeImages> run() {
    while (std::any_of(images_.begin(), images_.end(), [](NodeId n) { return !n.valid(); })) {
      if (!extend()) return std::nullopt;
    }
    if (!is_automorphism()) return std::nullopt;
    return std::move(images_);
  }

 private:
  using Neighbours = std::vector<std::uint32_t>;

  /// False where nodes next to those that have images have none to go to.
  bool extend() {
    std::map<Neighbours, std::vector<NodeId>> by_images, by_itself;
    for (const NodeId n : graph_.nodes()) {
      if (!images_[n.value].valid()) {
        Neighbours around;
        for (const ArcId a : graph_.out(n)) {
          const NodeId image = images_[graph_.head(a).value];
          if (image.valid()) around.push_back(image.value);
        }
        if (!around.empty()) add(by_images, std::move(around), n);
      }
      if (taken_[n.value] == 0) {
        Neighbours around;
        for (const ArcId a : graph_.out(n)) {
          if (taken_[graph_.head(a).value] != 0) around.push_back(graph_.head(a).value);
        }
        if (!around.empty()) add(by_itself, std::move(around), n);
      }
    }
    if (by_images.empty() || by_images.size() != by_itself.size()) return false;
    auto target = by_itself.begin();
    for (const auto& [around, nodes] : by_images) {
      if (target->first != around || target->second.size() != nodes.size()) return false;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        images_[nodes[i].value] = target->second[i];
        taken_[target->second[i].value] = 1;
      }
      ++target;
    }
    return true;
  }

  static void add(std::map<Neighbours, std::vector<NodeId>>& groups, Neighbours around, NodeId n) {
    std::sort(around.begin(), around.end());
    groups[std::move(around)].push_back(n);
  }

  [[nodiscard]] bool is_automorphism() const {
    for (const ArcId a : graph_.arcs()) {
      const ArcId image = graph_.find(images_[graph_.tail(a).value], images_[graph_.head(a).value]);
      if (!image.valid() || graph_.capacity(image) != graph_.capacity(a)) return false;
    }
    return true;
  }

  const NodeGraph& graph_;
  NodeImages images_;
  std::vector<std::uint8_t> taken_;  // by node: the image of another
};

std::optional<Translations> around_rings(const NodeGraph& graph) {
  const std::optional<RingProduct> rings = find_ring_product(graph);
  if (!rings) return std::nullopt;
  Translations result;
  result.sizes = rings->sizes;
  for (std::uint32_t d = 0; d < rings->dimensions(); ++d) {
    NodeImages images(graph.node_count());
    for (std::uint32_t i = 0; i < rings->node.size(); ++i)
      images[rings->node[i].value] = rings->node[rings->neighbour(i, d, true)];
    std::optional<NodeImages> whole = Extension(graph, std::move(images)).run();
    if (!whole) return std::nullopt;  // capacities differ
    result.generators.push_back(std::move(*whole));
  }
  return result;
}

/// Members in blocks of `width`: a step from block to block, and one within each.
std::optional<Translations> around_blocks(const NodeGraph& graph, std::span<const NodeId> members,
                                          std::uint32_t width) {
  const auto count = static_cast<std::uint32_t>(members.size());
  Translations result;
  const auto add = [&](std::uint32_t size, const auto& image_of) {
    if (size == 1) return true;
    NodeImages images(graph.node_count());
    for (std::uint32_t i = 0; i < count; ++i) images[members[i].value] = members[image_of(i)];
    std::optional<NodeImages> whole = Extension(graph, std::move(images)).run();
    if (!whole) return false;
    result.generators.push_back(std::move(*whole));
    result.sizes.push_back(size);
    return true;
  };
  const bool found = add(width, [&](std::uint32_t i) { return i - i % width + (i % width + 1) % width; }) &&
                     add(count / width, [&](std::uint32_t i) { return (i + width) % count; });
  if (!found) return std::nullopt;
  return result;
}

}  // namespace

std::vector<NodeId> Translations::orbit(NodeId n) const {
  std::vector<NodeId> images{n};
  for (std::size_t d = 0; d < generators.size(); ++d) {
    const std::size_t block = images.size();
    images.reserve(block * sizes[d]);
    for (std::size_t i = 0; i + block < block * sizes[d]; ++i)
      images.push_back(generators[d][images[i].value]);
  }
  return images;
}

std::optional<Translations> find_translations(const NodeGraph& graph, std::span<const NodeId> members) {
  if (members.size() < 2) return std::nullopt;
  if (members.size() == graph.node_count()) {
    if (std::optional<Translations> found = around_rings(graph)) return found;
  }
  const auto count = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t width = 1; width <= count / 2; ++width) {
    if (count % width != 0) continue;
    if (std::optional<Translations> found = around_blocks(graph, members, width)) return found;
  }
  return std::nullopt;
}

}  // namespace unknot
