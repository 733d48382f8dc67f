// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/formats/constellation/scala_evaluator.hpp"

namespace unknot {

/// A topology of Constellation's catalogue (its Topologies.scala): nodes from 0 on, and between which two
/// there is a channel.
struct NocTopology {
  enum class Kind : std::uint8_t {
    unidirectional_line,
    bidirectional_line,
    unidirectional_ring,
    bidirectional_ring,
    butterfly,
    tree,
    mesh,
    unidirectional_torus,
    bidirectional_torus,
    terminal_router,
    hierarchical,
    custom,
  };
  struct Child {
    int src = 0, dst = 0;  ///< node of the base, and of the child
    std::shared_ptr<const NocTopology> topology;
  };
  static constexpr int kMostNodes = 4096;

  Kind kind = Kind::custom;
  int nodes = 0;
  int a = 0, b = 0;                             ///< nX and nY, kAry and nFly, height and dAry
  int height = 0;                               ///< nodes of a stage of a butterfly
  std::set<std::pair<int, int>> edges;          ///< of custom; skips of a line
  std::vector<std::pair<int, int>> edge_order;  ///< as they were given
  std::shared_ptr<const NocTopology> base;
  std::vector<Child> children;
  std::vector<int> offsets;  ///< of children, and the end

  [[nodiscard]] bool linked(int src, int dst) const;
  [[nodiscard]] bool is_grid() const {
    return kind == Kind::mesh || kind == Kind::unidirectional_torus || kind == Kind::bidirectional_torus;
  }
  /// Of terminal_router and hierarchical; -1 stands outside and is none.
  [[nodiscard]] bool is_base(int node) const {
    return kind == Kind::terminal_router ? node >= base->nodes : node < base->nodes;
  }
  [[nodiscard]] std::size_t child_of(int node) const;
};

/// The topology that a record stands for. InputError with file and line for one that Constellation does not
/// have, whose numbers it refuses, or with more than NocTopology::kMostNodes nodes.
std::shared_ptr<const NocTopology> make_noc_topology(ScalaEvaluator& scala, const ScalaValue& value);

}  // namespace unknot
